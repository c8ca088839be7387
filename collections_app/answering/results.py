"""A question to be answered, and its answer. PURE values."""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.exceptions import UpstreamUnavailable
from collections_app.search.results import Hit, SearchResults
from collections_app.text.passages.question_words import QuestionWords

NO_WORDS = QuestionWords((), ())


@dataclass(frozen=True, slots=True)
class Question:
    """A question. `answer_tokens`: the most that the model may write; an empty `model` means the one in the settings."""

    text: str
    answer_tokens: int = 500
    temperature: float = 0.7
    model: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A verbatim piece of a section's text, perhaps with its page's description before it, numbered from 1. `url` leads to the section if
    its page came from the web."""

    number: int
    hit: Hit
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """The progress of a question: `done` of 2, and `message`, which says what is going on."""

    done: float
    message: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A model's answer with its citations checked.

    `cited`: numbers of passages. `invented`: citations of passages that were never sent, and that were removed from the text.
    `unsupported`: how many sentences cite nothing; they are marked. `is_cut`: the model wrote more than there was room for.
    """

    text: str
    cited: tuple[int, ...] = ()
    invented: tuple[int, ...] = ()
    unsupported: int = 0
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. If `answer` is None, `reason` says why there are only passages; without passages, `results` say which words
    occur. `words`: those by which passages were chosen, for choosing shorter pieces of them."""

    results: SearchResults
    passages: tuple[Passage, ...] = ()
    answer: CheckedText | None = None
    reason: UpstreamUnavailable | None = None
    model: str = ""
    is_cached: bool = False
    words: QuestionWords = NO_WORDS
