"""What a question asks for. PURE: text → required phrases, excluded words, and the words that rank."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from collections_app.search.messages import is_message, leave_out_values

PHRASE = re.compile(r'"([^"]+)"')
# Words and phrases after a minus, at the end of a question: elsewhere a minus begins an option (`what does -Skip do`), and so does one
# before a single letter.
EXCLUSIONS = re.compile(r'(?:\s+-(?:"[^"]+"|[^\W\d_]\S+))+\s*$')
EXCLUSION = re.compile(r'-(?:"([^"]+)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Query:
    """`text` is what ranks, phrases' words included, of a pasted message without its values; every phrase must occur, no excluded word or
    phrase may."""

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    is_message: bool = False

    def spell(self, spellings: Mapping[str, str]) -> Query:
        """With other words in the place of some of those that rank."""
        text = self.text
        for word, spelling in spellings.items():
            text = replace_word(text, word, spelling)
        return replace(self, text=text)


def replace_word(text: str, word: str, other: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: other, text)


def parse_query(text: str) -> Query:
    """`"several words"` are required as they stand; `-word` and `-"some words"` at the end are excluded.

    One word in quotes ranks like any other: questions quote names and values (`rename "a.txt"`) that no document has. An unclosed quote
    is a character.
    """
    excluded: tuple[str, ...] = ()
    if end := EXCLUSIONS.search(text):
        excluded = tuple(phrase or word for phrase, word in EXCLUSION.findall(end[0]))
        text = text[: end.start()]
    phrases = tuple(phrase for phrase in PHRASE.findall(text) if len(phrase.split()) > 1)
    text = PHRASE.sub(r" \1 ", text).strip()
    if is_message(text):
        return Query(leave_out_values(text), phrases, excluded, is_message=True)
    return Query(text, phrases, excluded)
