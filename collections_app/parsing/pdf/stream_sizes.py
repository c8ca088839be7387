"""Refuses a PDF that unpacks to far more than its size, before PDFium unpacks it: a few bytes can expand to gigabytes for a page.

It checks deflated streams (ISO 32000-1, section 7.4.4) other than pictures, which are never unpacked for their text. It is not a
PDF parser: what it cannot unpack, such as encrypted streams, is left to PDFium.
"""

from __future__ import annotations

import re
import zlib

from collections_app.exceptions import ParseError

MAX_STREAM_BYTES = 16 * 1024 * 1024
_MAX_DICTIONARY_BYTES = 1000
_MAX_LAYERS = 3

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_DEFLATED = re.compile(rb"/(?:FlateDecode|Fl)\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")


def check_stream_sizes(content: bytes) -> None:
    """Raises ParseError."""
    everything = memoryview(content)
    for start in _STREAM.finditer(content):
        dictionary = _get_dictionary(content, start.start())
        if not _PICTURE.search(dictionary):
            _unpack(everything[start.end() :], layers=len(_DEFLATED.findall(dictionary)))


def _get_dictionary(content: bytes, end: int) -> bytes:
    """What comes before a stream, from the beginning of its object."""
    start = max(0, end - _MAX_DICTIONARY_BYTES)
    return content[max(start, content.rfind(b" obj", start, end)) : end]


def _unpack(data: memoryview | bytes, *, layers: int) -> None:
    for _ in range(min(layers, _MAX_LAYERS)):
        try:
            unpacked = zlib.decompressobj().decompress(data, MAX_STREAM_BYTES + 1)
        except zlib.error:
            return
        if len(unpacked) > MAX_STREAM_BYTES:
            raise ParseError(
                f"A page of the PDF unpacks to more than {MAX_STREAM_BYTES // 1024**2} MB of drawing; leave it out or print it anew."
            )
        data = unpacked
