"""What a question asks for, and what it gets. PURE values."""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.exceptions import UpstreamUnavailable
from collections_app.search.results import Hit, SearchResults
from collections_app.text.question_words import QuestionWords

NO_WORDS = QuestionWords((), ())


@dataclass(frozen=True, slots=True)
class Question:
    """`answer_tokens` is what the model may write at most; an empty `model` is the one that the setting names."""

    text: str
    answer_tokens: int = 500
    temperature: float = 0.7
    model: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a section's text as it stands there, numbered from 1. `url` leads to the section where its page came from the web."""

    number: int
    hit: Hit
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a question is: `done` of 2 grows, while `message` says what is going on."""

    done: float
    message: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A model's answer after what it cites was checked.

    `cited` are numbers of passages, `invented` citations of passages that were never sent, which are no longer in the text;
    `unsupported` sentences cite nothing, and are marked. `is_cut`: the model wrote more than there was room for.
    """

    text: str
    cited: tuple[int, ...] = ()
    invented: tuple[int, ...] = ()
    unsupported: int = 0
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Without `answer`, the passages are all there is, and `reason` says why; without passages, `results` say what does occur. `words`:
    those by which passages were chosen, as less of them may be."""

    results: SearchResults
    passages: tuple[Passage, ...] = ()
    answer: CheckedText | None = None
    reason: UpstreamUnavailable | None = None
    model: str = ""
    is_cached: bool = False
    words: QuestionWords = NO_WORDS
