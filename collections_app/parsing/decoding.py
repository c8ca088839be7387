"""Bytes of a text file to text with `\\n` line ends and no NUL. It guesses no encoding: UTF-8, or UTF-16 with its mark."""

from __future__ import annotations

import codecs

from collections_app.exceptions import ParseError, UnsupportedFormat

# Control characters that text files do hold: backspace, tab, line feed, form feed, carriage return, escape.
_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\b\t\n\f\r\x1b")) + b"\x7f"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(content: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, and warnings about what had to be replaced.

    Raises ParseError for another encoding and UnsupportedFormat for what is no text at all.
    """
    text = _decode(content)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    nul_count = text.count("\0")
    if nul_count == 0:
        return text, ()
    # CommonMark 0.31, section 2.3; PostgreSQL stores no NUL either.
    return text.replace("\0", "\ufffd"), (f"{nul_count} NUL characters were replaced by U+FFFD",)


def has_many_control_characters(content: bytes) -> bool:
    """Whether more than one byte in fifty is one: compressed data has five, a text none or a few that slipped in."""
    return _count_control_characters(content) * 50 > len(content)


def _decode(content: bytes) -> str:
    is_utf16 = content.startswith(_UTF16_MARKS)
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise _make_decode_error(content, error, "UTF-16" if is_utf16 else "UTF-8") from None
    if _is_binary(text.encode() if is_utf16 else content):
        raise _make_binary_error()
    return text


def _make_decode_error(content: bytes, error: UnicodeDecodeError, encoding: str) -> ParseError | UnsupportedFormat:
    if encoding == "UTF-8" and (b"\0" in content or has_many_control_characters(content)):
        return _make_binary_error()
    # "utf-8-sig" counts from after the mark, and its error holds what it counted in.
    offset = error.start + len(content) - len(error.object)
    line = content.count(b"\n", 0, offset) + 1
    return ParseError(
        f"The file is not valid {encoding} at byte {offset} (line {line}); save it as UTF-8.", byte=offset, line=line
    )


def _make_binary_error() -> UnsupportedFormat:
    return UnsupportedFormat("The file is binary, not text. If it is text, save it as UTF-8.")


def _is_binary(content: bytes) -> bool:
    """Whether more than a quarter is control characters: UTF-16 without its mark has one half, text none."""
    controls = _count_control_characters(content)
    return controls > 3 and controls * 4 > len(content)


def _count_control_characters(content: bytes) -> int:
    return len(content) - len(content.translate(None, _CONTROL_CHARACTERS))
