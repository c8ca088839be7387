"""Parses a question into required phrases, excluded words, and the words that rank. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from collections_app.search.query.code import is_code
from collections_app.search.query.messages import is_message, leave_out_values

PHRASE = re.compile(r'"([^"]+)"')
# Words and phrases after a minus, at the end of a question. Elsewhere a minus begins an option (`what does -Skip do`), and at the end it
# does so before one or two letters (`rm -rf`) or a repeated letter (`-vvv`). Longer words at the end may be options too (options.py).
EXCLUSIONS = re.compile(r'(?:\s+-(?:"[^"]+"|(?!(?:[A-Za-z]{1,2}|([A-Za-z])\1+)(?:\s|$))@?[^\W\d_]\S+))+\s*$')
ENDS = ".,;:!?)"
EXCLUSION = re.compile(r'-(?:"([^"]+)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question.

    `text` is what ranks: it includes the words of phrases, but not the values in a pasted message. Every phrase must occur, and no excluded
    word or phrase may. `doubtful`: excluded words without quotes, which may be options (options.py); `options`: those that are.
    `spellings`: word as typed → the word that ranks instead (help/spelling.py).
    """

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    is_message: bool = False
    is_code: bool = False

    def keep_options(self, options: Sequence[str], nowhere: Sequence[str] = ()) -> Query:
        """The query in which these of the doubtful words are not excluded but rank; so do those in `nowhere`, which no section has."""
        kept = [word for word in self.doubtful if word in options or word in nowhere]
        text = " ".join([self.text, *(f"-{word}" for word in kept)]).strip()
        return replace(
            self,
            text=text,
            excluded=tuple(each for each in self.excluded if each not in kept),
            doubtful=tuple(each for each in self.doubtful if each not in kept),
            options=tuple(options),
            is_code=is_code(text),
        )

    def spell(self, spellings: Mapping[str, str]) -> Query:
        """The query with some of the ranking words replaced: word as typed → the word to search instead."""
        return replace(self, text=replace_words(self.text, spellings), spellings=spellings)


def replace_words(text: str, others: Mapping[str, str]) -> str:
    for word, other in others.items():
        text = replace_word(text, word, other)
    return text


def replace_word(text: str, word: str, other: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: other, text)


def parse_query(text: str) -> Query:
    """Parse a question: `"several words"` are required as a phrase; `-word` and `-"some words"` at the end are excluded.

    A single word in quotes, even with signs beside it (`"Name : "`), ranks like any other: questions quote names and values (`"a.txt"`)
    that no document has. Texts quoted within code rank too, unless the whole question is in quotes. An unclosed quote is just a character.
    """
    excluded: list[tuple[str, str]] = []
    if end := EXCLUSIONS.search(text):
        excluded = [(quoted, word.rstrip(ENDS)) for quoted, word in EXCLUSION.findall(end[0])]
        text = text[: end.start()]
    in_code = is_code(text)
    phrases = tuple(phrase for phrase in PHRASE.findall(text) if has_several_words(phrase))
    if in_code and not PHRASE.fullmatch(text.strip()):
        phrases = ()
    text = PHRASE.sub(r" \1 ", text).strip()
    asked = Query(
        text,
        phrases,
        tuple(quoted or word for quoted, word in excluded),
        tuple(word for _, word in excluded if word),
        is_code=in_code,
    )
    return replace(asked, text=leave_out_values(text), is_message=True) if is_message(text) else asked


def has_several_words(phrase: str) -> bool:
    return sum(any(map(str.isalnum, part)) for part in phrase.split()) > 1
