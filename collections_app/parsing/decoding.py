"""Decodes the bytes of a text file to text with `\\n` line ends and no NUL: UTF-8, or UTF-16 with a byte order mark.

Anything else that reads like a western text is decoded as Windows-1252, as a browser would, with a warning. Nothing else is guessed.
"""

from __future__ import annotations

import codecs

from collections_app.exceptions import ParseError, UnsupportedFormat

# Control characters that occur in text files: backspace, tab, line feed, form feed, carriage return, escape.
_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\b\t\n\f\r\x1b")) + b"\x7f"
# French has an accent on every twentieth letter, and no western language on every third: with more it is Cyrillic, Chinese or no text.
_LETTERS_A_SIGN = 3
_ASCII_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123))
_BEYOND_ASCII = bytes(range(128, 256))
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(content: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, and warnings about what had to be replaced.

    Raises ParseError for another encoding and UnsupportedFormat for content that is not text.
    """
    text, warnings = _decode(content)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    nul_count = text.count("\0")
    if nul_count == 0:
        return text, warnings
    # CommonMark 0.31, section 2.3; PostgreSQL stores no NUL either.
    return text.replace("\0", "\ufffd"), (*warnings, f"{nul_count} NUL characters were replaced by U+FFFD")


def has_many_control_characters(content: bytes) -> bool:
    """Whether more than one byte in fifty is a control character: in compressed data it is one in ten, in text hardly any."""
    return _count_control_characters(content) * 50 > len(content)


def _decode(content: bytes) -> tuple[str, tuple[str, ...]]:
    is_utf16 = content.startswith(_UTF16_MARKS)
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        if not is_utf16 and _is_western(content):
            return content.decode("cp1252"), ("the file is not valid UTF-8; it was read as Windows-1252",)
        raise _make_decode_error(content, error, "UTF-16" if is_utf16 else "UTF-8") from None
    if _is_binary(text.encode() if is_utf16 else content):
        raise _make_binary_error()
    return text, ()


def _is_western(content: bytes) -> bool:
    """Whether content that is not UTF-8 is text in Windows-1252, and not damaged UTF-8."""
    if content.startswith(codecs.BOM_UTF8) or b"\0" in content or has_many_control_characters(content):
        return False
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return False
    signs = len(content) - len(content.translate(None, _BEYOND_ASCII))
    letters = len(content) - len(content.translate(None, _ASCII_LETTERS))
    broken = content.decode("utf-8", "surrogateescape")
    bytes_alone = sum("\udc80" <= character <= "\udcff" for character in broken)
    whole = signs - bytes_alone  # bytes that belong to complete UTF-8 characters
    return signs * _LETTERS_A_SIGN <= letters and whole < bytes_alone


def _make_decode_error(content: bytes, error: UnicodeDecodeError, encoding: str) -> ParseError | UnsupportedFormat:
    if encoding == "UTF-8" and (b"\0" in content or has_many_control_characters(content)):
        return _make_binary_error()
    # "utf-8-sig" counts positions after the byte order mark, and its error has the text that it counted in.
    offset = error.start + len(content) - len(error.object)
    line = content.count(b"\n", 0, offset) + 1
    return ParseError(
        f"The file is not valid {encoding} at byte {offset} (line {line}); save it as UTF-8.", byte=offset, line=line
    )


def _make_binary_error() -> UnsupportedFormat:
    return UnsupportedFormat("The file is binary, not text. If it is text, save it as UTF-8.")


def _is_binary(content: bytes) -> bool:
    """Whether more than a quarter of it is control characters: in UTF-16 without a byte order mark it is half, in text nothing."""
    controls = _count_control_characters(content)
    return controls > 3 and controls * 4 > len(content)


def _count_control_characters(content: bytes) -> int:
    return len(content) - len(content.translate(None, _CONTROL_CHARACTERS))
