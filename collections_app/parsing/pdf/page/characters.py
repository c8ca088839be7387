"""Words as PDFs spell them → words as people type them: ligatures, separately placed accents, look-alikes of keyboard characters."""

from __future__ import annotations

import re
import unicodedata

# Compatibility characters that only show how a word is set. Superscripts and fractions have a meaning and stay.
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xAD, 0xFFFE, 0xFFFF])
_BULLETS = dict.fromkeys([0xF0A7, 0xF0B7, 0xF076, 0x25AA, 0x25CF, 0x25A0, 0x2023, 0x2043], "•")  # of Symbol, Wingdings
_HYPHENS = dict.fromkeys([0x2010, 0x2011, 0x2212], "-")  # command options are set with them
_ANYWHERE = {**_LIGATURES, **_CONTROLS, **_BULLETS, **_HYPHENS}
_IN_CODE = str.maketrans({"‘": "`", "’": "'", "“": '"', "”": '"'})

# Accents of TeX's older fonts. Tilde and circumflex are also keys, so they count as accents only inside a word.
_COMBINING = {"¨": "\u0308", "´": "\u0301", "ˇ": "\u030c", "˚": "\u030a", "¸": "\u0327", "˜": "\u0303", "ˆ": "\u0302"}
_ACCENT = re.compile(r"([¨´ˇ˚¸]|(?<=[^\W\d_])[˜ˆ])([^\W\d_])")
_MAX_WORD_CHARACTERS = 1000  # longer ones are not words; ordering their accents takes quadratic time
_KEYS = str.maketrans({"˜": "~", "ˆ": "^"})
_OLD_LIGATURES = {chr(0x0B + number): chr(0xFB00 + number) for number in range(5)}  # OT1, "TeX text"
_OLD_LIGATURE = re.compile(r"(?<=[A-Za-z])(?:[\x0b\x0c\x0e\x0f]|\r(?!\n))|[\x0b-\x0f](?=[a-z])")
# How TeX sets © and ®: a circle, whose code in its font of signs is that of "fl", and a letter in it.
_CIRCLED = re.compile(r"\r(?:(?<![A-Za-z]\r)c(?![a-z])|R(?![a-z]))")
_CIRCLED_SIGNS = {"\rc": "©\0", "\rR": "®\0"}  # of the same length, as each character has its place
_OLD_CODES = frozenset("\x0b\x0c\x0e\x0f")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_word(text: str, *, is_code: bool) -> str:
    """`text` in NFC, without control characters; quotes in code are those of the keyboard."""
    if text.isascii() and text.isprintable():
        return text
    text = join_surrogates(text)
    text = _ACCENT.sub(_combine, text.translate(_ANYWHERE)).translate(_KEYS)
    text = text.translate(_IN_CODE) if is_code else text
    return unicodedata.normalize("NFC", text) if len(text) <= _MAX_WORD_CHARACTERS else text


def restore_ligatures(page_text: str) -> str:
    """Replaces the codes of TeX's older fonts for ff, fi, fl, ffi and ffl, where they are in words, with the ligature characters, and what
    its © and ® are made of with these.
    """
    has_lone_return = page_text.count("\r") > page_text.count("\r\n")
    if not has_lone_return and _OLD_CODES.isdisjoint(page_text):
        return page_text
    page_text = _CIRCLED.sub(lambda match: _CIRCLED_SIGNS[match[0]], page_text)
    return _OLD_LIGATURE.sub(lambda match: _OLD_LIGATURES[match[0]], page_text)


def join_surrogates(text: str) -> str:
    """Joins UTF-16 code units, one per character, into the characters they encode; unpaired surrogates are dropped."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _combine(match: re.Match[str]) -> str:
    accent, letter = match.groups()
    combined = unicodedata.normalize("NFC", letter.replace("ı", "i") + _COMBINING[accent])
    return combined if len(combined) == 1 else match[0]
