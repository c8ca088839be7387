"""Finds the encoding of an HTML page and converts it to UTF-8. It follows the order of the HTML standard and reads no markup.

WHATWG HTML, section 13.2.3: a byte order mark, then the transport's charset, then the page's own declaration.
"""

from __future__ import annotations

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(r"charset\s*+=\s*+[\"']?\s*+([\w.:-]+)", re.IGNORECASE)
_DECLARATION = re.compile(
    rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]+?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE
)
_DECLARATION_BYTES = 4096

# Pages that declare these are in Windows-1252 in practice (WHATWG Encoding, section 4.2).
_LATIN_1 = frozenset({"ascii", "iso8859-1", "latin_1"})
_FALLBACK = "cp1252"


def make_utf8(content: bytes, media_type: str) -> tuple[bytes, tuple[str, ...]]:
    """The page in UTF-8 without a byte order mark, and warnings about what could not be read."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decode(content[len(mark) :], [encoding])
    declared = [_find_codec(_find_charset(media_type)), _find_codec(_find_declaration(content[:_DECLARATION_BYTES]))]
    return _decode(content, [*filter(None, declared), "utf-8"])


def _decode(content: bytes, encodings: list[str]) -> tuple[bytes, tuple[str, ...]]:
    for encoding in dict.fromkeys(encodings):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return content if encoding == "utf-8" else text.encode("utf-8", "replace"), ()
    text = content.decode(_FALLBACK, "replace")
    return text.encode(), (f"the page is not valid {encodings[0]}; it was read as Windows-1252",)


def _find_charset(media_type: str) -> str:
    found = _CHARSET.search(media_type)
    return found[1] if found else ""


def _find_declaration(start: bytes) -> str:
    found = _DECLARATION.search(start)
    return (found[1] or found[2]).decode("ascii", "ignore") if found else ""


def _find_codec(label: str) -> str:
    """Python's name for a text encoding; empty if it has none. A page whose declaration is readable as ASCII is not in UTF-16."""
    try:
        codec = codecs.lookup(label) if label else None
        if codec is None or not isinstance(b"  ".decode(codec.name, "replace"), str):
            return ""
    except (LookupError, ValueError, UnicodeError):
        return ""
    if codec.name in _LATIN_1:
        return _FALLBACK
    return "utf-8" if codec.name.startswith(("utf-16", "utf-32")) else codec.name
