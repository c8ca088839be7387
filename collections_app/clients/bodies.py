"""Reads and decompresses response bodies, never more of them than asked for. Fetches nothing.

Only gzip and deflate are accepted, and only one layer: each further layer could multiply a small body a thousandfold.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from collections_app.exceptions import FetchError, FileTooLarge

ACCEPTED_ENCODINGS = "gzip, deflate"

_STEP_BYTES = 65_536
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


def read_body(chunks: Iterable[bytes], encoding: str, max_bytes: int) -> bytes:
    """The body, decompressed as `encoding` (the header Content-Encoding) says.

    Raises FileTooLarge as soon as it exceeds `max_bytes`, and FetchError if it is broken or encoded in another way.
    """
    body = bytearray()
    for part in _iter_unpacked(chunks, encoding.strip().lower()):
        body += part
        check_size(len(body), max_bytes)
    return bytes(body)


def unpack_gzip(packed: bytes, max_bytes: int) -> bytes:
    """Raises as read_body() does. Works in pieces: after each member the rest of a piece is copied, and there may be millions."""
    pieces = (packed[start : start + _STEP_BYTES] for start in range(0, len(packed), _STEP_BYTES))
    return read_body(pieces, "gzip", max_bytes)


def check_size(size_bytes: int, max_bytes: int) -> None:
    """Raises FileTooLarge."""
    if size_bytes > max_bytes:
        message = (
            f"It is larger than {max_bytes:,} bytes, the most that is taken. "
            "Raise the setting MAX_FILE_BYTES, or the source's own max_file_bytes where that is lower; or leave it out."
        )
        raise FileTooLarge(message, max_file_bytes=max_bytes)


def _iter_unpacked(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    if encoding in ("", "identity"):
        yield from chunks
    elif encoding in ("gzip", "x-gzip", "deflate"):
        yield from _iter_inflated(chunks, is_deflate=encoding == "deflate")
    else:
        raise FetchError(f"It came packed as “{encoding[:40]}”, which was not asked for and is not read.")


def _iter_inflated(chunks: Iterable[bytes], *, is_deflate: bool) -> Iterator[bytes]:
    """In steps of limited size. Further gzip members, which RFC 1952 allows, are read like the first."""
    unpacker = None
    try:
        for chunk in chunks:
            while chunk:
                unpacker = unpacker or _make_unpacker(chunk, is_deflate=is_deflate)
                yield unpacker.decompress(chunk, _STEP_BYTES)
                chunk = unpacker.unconsumed_tail or unpacker.unused_data
                unpacker = None if unpacker.eof else unpacker
        if unpacker:
            yield unpacker.flush()
    except zlib.error:
        raise FetchError("Its packed body is broken. Try again later.") from None
    if unpacker and not unpacker.eof:
        raise FetchError("Its packed body ends in the middle. Try again later.")


def _make_unpacker(first: bytes, *, is_deflate: bool) -> zlib._Decompress:
    """Some servers send deflate without the zlib header that RFC 9110 requires."""
    is_raw = is_deflate and first[0] & 0x0F != 8
    return zlib.decompressobj(-zlib.MAX_WBITS if is_raw else _GZIP_OR_ZLIB)
