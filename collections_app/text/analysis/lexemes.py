"""What a lexeme of the index stands for, where it is no word of a text: a pair of characters, an operator, a name. PURE."""

from __future__ import annotations

import re

from collections_app.text.analysis.identifiers import ENCODED_NAME, NAME_MARK
from collections_app.text.analysis.sigils import SIGIL_MARK, decode_sigil, split_sigil
from collections_app.text.analysis.signs import ENCODED_SIGNS, OPTION
from collections_app.text.analysis.unspaced import ENCODED, UNSPACED_RUN

# How text/names/ writes the names of headings and entries as one word.
LABEL_SEPARATOR = "0"
HEADING_MARK = "hd"
HEADING_NAME = re.compile(f"{HEADING_MARK}(?:{LABEL_SEPARATOR}[a-z]+)+")
# Begins with a rare letter, since close spellings are looked for among words with the same first letter. A zero in a name is encoded, as it
# would be taken for the separator.
ENTRY_MARK = "zentry"
ENTRY_ZERO = "zqz"
ENTRY_NAME = re.compile(f"{ENTRY_MARK}(?:{LABEL_SEPARATOR}[a-z0-9]+)+")
TERM_PART = re.compile(r"[^\W_]+")


def decode_term(term: str) -> str:
    """The lexeme as a person would write it."""
    if written := decode_sigil(term):
        return written
    if parts := split_name(term):
        return "_".join(parts)
    if is_label(term):
        return " ".join(term.split(LABEL_SEPARATOR)[1:]).replace(ENTRY_ZERO, "0")
    if signs := ENCODED_SIGNS.fullmatch(term):
        return signs[1] + "".join(chr(int(code, 16)) for code in signs[2].split("x")[1:])
    if not ENCODED.fullmatch(term):
        return term
    characters = "".join(chr(int(code, 16)) for code in term.split("x")[1:])
    return characters if UNSPACED_RUN.fullmatch(characters) else term


def is_heading_name(term: str) -> bool:
    return term.startswith(HEADING_MARK) and HEADING_NAME.fullmatch(term) is not None


def is_entry_name(term: str) -> bool:
    return term.startswith(ENTRY_MARK) and ENTRY_NAME.fullmatch(term) is not None


def find_entry_word(term: str) -> str:
    """The word that is the whole name of an entry, if the lexeme is such a name; else empty."""
    parts = term.split(LABEL_SEPARATOR) if is_entry_name(term) else []
    return parts[1] if len(parts) == 2 else ""


def is_label(term: str) -> bool:
    """Whether the lexeme is the name of a heading or an entry, and not a word of a text."""
    return is_heading_name(term) or is_entry_name(term)


def split_name(term: str) -> list[str]:
    """The parts of a lexeme that is a name with underscores; empty for others."""
    if NAME_MARK not in term or ENCODED.fullmatch(term):
        return []
    return term.split(NAME_MARK) if ENCODED_NAME.fullmatch(term) else []


def split_term(term: str) -> list[str]:
    """The parts of a lexeme that is a name with underscores or other signs (`node.example.com`); empty for others.

    Versions and other numbers have no parts: neither `7` nor `2` means what `7.2` means. The part of an option (`-it`) or of a name with
    a sigil (`@media`) is its word.
    """
    if option := find_option(term):
        return [option.lstrip("-").lower()]
    if term.startswith(SIGIL_MARK) and (name := split_sigil(term)[1]):
        return [name]
    parts = split_name(term) or TERM_PART.findall(term)
    return parts if len(parts) > 1 and any(map(str.isalpha, parts)) else []


def find_option(term: str) -> str:
    """The option that the lexeme encodes; empty for others."""
    if not term.startswith("op") or not ENCODED_SIGNS.fullmatch(term):
        return ""
    return decoded if OPTION.fullmatch(decoded := decode_term(term)) else ""


def is_single_character(term: str) -> bool:
    """Whether the lexeme is a single unspaced character, which also matches as the beginning of a bigram."""
    return len(decode_term(term)) == 1 and term.startswith("x") and len(term) > 3
