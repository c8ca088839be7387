"""Lexemes for headings with words that a language has no lexeme for: `each()`, `Has One Through`, `collections.Where`. PURE.

The names of functions, methods and keywords are often stop words. So a short heading with such a word, a name in a heading, and a word that
a text writes as code (`until`) get an extra ASCII word in the index. A short question searches for all runs of its words, a longer one for
what it writes as a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from collections_app.text.analysis.folding import fold_accents
from collections_app.text.analysis.lexemes import HEADING_MARK, LABEL_SEPARATOR

# Longer headings have enough other words, and in longer questions stop words are just stop words.
MOST_WORDS = 4
MOST_CHARACTERS = 60
WORD = re.compile(r"[a-z]+")
# A call, text in backticks, a directive, or words joined by other signs. The last part of such a name is a name too.
NAME = re.compile(r"`[^`\n]{1,60}`|@\w+|(?<!\w)\w++(?:(?:(?:::|[.$]|->)\w++)++(?:\(\))?|\(\))")
# One word in backticks, as a name, a key or a value. The pattern begins with the backtick, so that the rest of a text is skipped quickly.
CODE_WORD = re.compile(r"`(?<!``)[\"'@]?([A-Za-z]{2,12})(?:[\"':]|\(\))?`(?!`)", re.ASCII)
MOST_IN_TEXT = 100
# Arguments are not part of a name: `before:date`, `each(callback)`.
ARGUMENTS = re.compile(r"(?<=\w)(?::(?!:)\S|\().*")
LAST_PART = re.compile(r"\w+\Z")
# The beginning of a sentence. In a sentence, a single word is a name only if it is written as one.
SENTENCE = re.compile(
    r"\W*(?:(?:how|what|which|who|why)\b|(?:are|can|could|did|do|does|has|have|is|may|must|should|was|were|when|where|will|would)"
    r"\s+(?:an?|any|are|can|do|does|i|is|it|my|our|the|there|they|this|to|was|we|you|your)\b)",
    re.IGNORECASE,
)
# Kinds of things that have names.
KINDS = re.compile(
    "argument|attribute|block|clause|command|condition(?:al)?|decorator|directive|event|expression|field|filter|flag|function|helper|hook"
    "|keyword|loop|macro|method|modifier|module|operator|option|parameter|predicate|property|rule|selector|setting|statement|syntax|tag"
    "|test|type|validation"
)


@lru_cache(maxsize=5_000)
def list_heading_names(heading: str) -> Sequence[str]:
    """The heading and the names in it, as words of the index. Which of them are needed depends on the language's stop words."""
    plain = fold_accents(heading).strip()
    if not plain.isascii():
        return []
    names = [plain, *iter_names(plain), ARGUMENTS.sub("", plain)]
    if " " not in names[-1]:
        names += LAST_PART.findall(names[-1])
    return encode(WORD.findall(name.lower()) for name in names)


def list_names_in_text(body: str) -> list[str]:
    """Keywords and values that a text writes as code (`until`, `when:`, `"off"`), as words of the index, each as often as it occurs."""
    names = (f"{HEADING_MARK}{LABEL_SEPARATOR}{name.lower()}" for name in CODE_WORD.findall(body))
    return [name for name, _ in zip(names, range(MOST_IN_TEXT), strict=False)]


def list_asked_names(question: str) -> list[str]:
    """The parts of a question that may be such a heading, as words of the index."""
    plain = fold_accents(question)
    return encode([*iter_runs(plain), *(WORD.findall(name.lower()) for name in iter_names(plain))])


def iter_runs(question: str) -> Iterator[list[str]]:
    """The runs of words in a short question that may be a name, judging by their position."""
    words = WORD.findall(question.lower())
    if len(words) > MOST_WORDS:
        return
    fewest = 2 if SENTENCE.match(question) else 1
    for start in range(len(words)):
        for end in range(start + fewest, len(words) + 1):
            if may_be_name(words, start, end):
                yield words[start:end]


def may_be_name(words: Sequence[str], start: int, end: int) -> bool:
    """Whether words[start:end] may be a name: if the question begins with them, if they are more than two, if the kind of thing that they
    name comes before or after them (`each method`), or if they are the second of two words.

    Elsewhere stop words only connect the words around them: `run with docker`.
    """
    if start == 0 or end - start > 2:
        return True
    if end < len(words):
        return bool(KINDS.fullmatch(words[end]))
    return len(words) == 2 or bool(KINDS.fullmatch(words[start - 1]))


def iter_names(text: str) -> Iterator[str]:
    for name in NAME.findall(text):
        whole = ARGUMENTS.sub("", name.strip("`"))
        yield whole
        yield from LAST_PART.findall(whole)


def encode(names: Iterable[Sequence[str]]) -> list[str]:
    """Each once."""
    encoded = (LABEL_SEPARATOR.join([HEADING_MARK, *words]) for words in names if 0 < len(words) <= MOST_WORDS)
    return [name for name in dict.fromkeys(encoded) if len(name) <= MOST_CHARACTERS]
