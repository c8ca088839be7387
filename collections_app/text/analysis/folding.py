"""Accents, ligatures and invisible characters: `café` is `cafe`, `Straße` is `strasse`, `ещё` is `еще`. PURE.

The Cyrillic `й` is a letter of its own.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, islice

# Not the breve of `й`, without which Russian stems are other words: `файл` would be `фа`, and `файлы` not.
COMBINING_MARK = re.compile("(?<![Ии])\u0306|[\u0300-\u0305\u0307-\u036f]")
# Only runs this long are searched for combining marks in a row. No language has 30 of them on one letter (UAX #15, "Stream-Safe Text
# Format").
RUN_CHARACTERS = 64
UNSPOKEN_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{RUN_CHARACTERS},}}")
MAX_STACKED_MARKS = 30
# Soft hyphen, zero-width blank, word joiner, variation selectors of emoji, byte order mark: invisible, and possibly within words.
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufe0e\ufe0f\ufeff]")
ASCII_SIGNS = str.maketrans("‘’‐", "''-")
# Letters without a decomposition, and how people write them who lack the key.
LETTERS = {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l",
           "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i"}  # fmt: skip
LETTER = re.compile(f"[{''.join(LETTERS)}]")
# Characters that are dropped or replaced wherever they are.
FOLDED_CHARACTER = re.compile(f"{INVISIBLE.pattern}|{LETTER.pattern}|[\u0300-\u036f]")


def fold(text: str) -> str:
    """The text in lower case and without accents."""
    return fold_accents(text).lower()


def fold_typography(text: str) -> str:
    """The text without accents, and with the apostrophes and hyphens of ASCII."""
    return text if text.isascii() else fold_accents(text).translate(ASCII_SIGNS)


def fold_accents(text: str) -> str:
    return text if text.isascii() or is_folded(text) else fold_characters(text)


def fold_characters(text: str) -> str:
    thinned = UNSPOKEN_RUN.sub(lambda run: drop_stacked_marks(run[0]), INVISIBLE.sub("", text))
    plain = LETTER.sub(lambda letter: LETTERS[letter[0]], unicodedata.normalize("NFKC", thinned))
    decomposed = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", COMBINING_MARK.sub("", decomposed))


def is_folded(text: str) -> bool:
    """Whether fold_characters() certainly changes nothing. True for most texts that have only quotes, dashes and arrows beyond ASCII."""
    return (
        not FOLDED_CHARACTER.search(text)
        and unicodedata.is_normalized("NFKD", text)
        and unicodedata.is_normalized("NFC", text)
        # Looking for runs takes longest, and with fewer characters beyond ASCII than a run has, there is none.
        and (len(text.encode("utf-8", "surrogatepass")) < len(text) + RUN_CHARACTERS or not UNSPOKEN_RUN.search(text))
    )


def drop_stacked_marks(text: str) -> str:
    """At most MAX_STACKED_MARKS in a row: putting marks into their order takes quadratic time."""
    stacks = groupby(text, key=lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(islice(stack, MAX_STACKED_MARKS if is_mark else None)) for is_mark, stack in stacks)
