"""Zip and tar behind one interface: their members in order, each read in bounded memory. archive.py decides which are taken.

Nothing that an archive says is believed: unpacked bytes are counted as they come, and damage is a ParseError, whatever the library
raises.
"""

from __future__ import annotations

import bz2
import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, Protocol

from collections_app.exceptions import FileTooLarge, ParseError, UnsupportedFormat

OPENED_EXTENSIONS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
ARCHIVE_EXTENSIONS = (*OPENED_EXTENSIONS, ".tar.xz", ".txz", ".tar.zst", ".7z", ".rar")
"""What is treated as an archive, and refused as one where it cannot be opened."""

_ZIP_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
_ENCRYPTED, _UTF8_NAME = 0x1, 0x800
_DIRECTORY_BYTES_PER_ENTRY = 512  # in a zip's central directory, names and extra fields included
_TAR_HEADER_BYTES = 1024 * 1024  # the most for one member's headers: long names, extended attributes
_DAMAGE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error, EOFError, OSError, ValueError, OverflowError,
    NotImplementedError, RuntimeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may contain. The ratio (unpacked to packed) counts only beyond `free_bytes`."""

    max_entries: int = 10_000
    max_total_bytes: int = 1024**3
    max_ratio: int = 100
    free_bytes: int = 10 * 1024**2


class ArchiveLimitPassed(FileTooLarge):
    """The archive as a whole is refused."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive. `problem` says why it cannot be taken; `size_bytes` is what the archive declares.

    `read(n)` returns at most the first n bytes. It raises ParseError for a damaged member, and works until the next member is
    asked for.
    """

    name: str
    size_bytes: int
    problem: str
    read: Callable[[int], bytes]


@dataclass(slots=True)
class Meter:
    """Counts what was unpacked of an archive so far, and compares it with the limits."""

    limits: ArchiveLimits
    packed_bytes: int
    unpacked_bytes: int = field(default=0, init=False)
    entries: int = field(default=0, init=False)

    def count_entry(self) -> None:
        self.entries += 1
        if self.entries > self.limits.max_entries:
            raise ArchiveLimitPassed(
                f"The archive has more than {self.limits.max_entries:,} files and folders. Split it."
            )

    def count_bytes(self, size_bytes: int) -> None:
        self.unpacked_bytes += size_bytes
        limits = self.limits
        if self.unpacked_bytes > limits.max_total_bytes:
            raise ArchiveLimitPassed(f"The archive unpacks to more than {limits.max_total_bytes:,} bytes. Split it.")
        if self.unpacked_bytes > max(limits.free_bytes, limits.max_ratio * self.packed_bytes):
            raise ArchiveLimitPassed(
                f"The archive unpacks to more than {limits.max_ratio} times its size, as archives do that are made to do "
                "harm. Leave out what is compressed that well, or upload its files one by one."
            )


Iterate = Callable[[BinaryIO, Meter], Iterator[Member]]


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_archive(path: str) -> bool:
    """Judged by its name: a DOCX is a zip file too, but no archive."""
    return path.lower().endswith(ARCHIVE_EXTENSIONS)


def get_format(file: BinaryIO) -> Iterate:
    """How to iterate over this archive, judged by its content. Raises UnsupportedFormat if it is none that can be opened."""
    file.seek(0)
    start = file.read(512)
    for magic, iterate in _FORMATS.items():
        if start.startswith(magic):
            return iterate
    if start[257:262] == b"ustar":
        return iter_tar
    raise UnsupportedFormat("It is no archive that can be opened. Pack the files as zip, tar, tar.gz or tar.bz2.")


def iter_zip(file: BinaryIO, meter: Meter) -> Iterator[Member]:
    with open_zip(file, meter) as archive:
        for info in archive.infolist():
            meter.count_entry()
            name = _get_zip_name(info)
            if not name.endswith("/"):
                yield Member(
                    name,
                    info.file_size,
                    _find_zip_problem(info),
                    partial(read_zip, archive, info, meter),
                )


def open_zip(file: BinaryIO, meter: Meter) -> zipfile.ZipFile:
    """Raises ParseError if it is no complete zip file, and ArchiveLimitPassed if it has too many entries."""
    bounded = _BoundedReads(file, meter.limits.max_entries * _DIRECTORY_BYTES_PER_ENTRY)
    try:
        return zipfile.ZipFile(bounded)
    except _DAMAGE:
        raise _make_damage() from None


def _get_zip_name(info: zipfile.ZipInfo) -> str:
    """The name as it was packed: many programs write UTF-8 without saying so, and some write backslashes."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8_NAME:
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            name = info.orig_filename
    return name.replace("\\", "/")


def _find_zip_problem(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if info.flag_bits & _ENCRYPTED:
        return "It is encrypted. Pack it without a password."
    if kind not in (0, stat.S_IFREG):
        return _NO_REGULAR_FILE
    if info.compress_type not in _ZIP_METHODS:
        return "It is compressed in a way that is not understood. Pack it with deflate, as zip programs do by default."
    return ""


def read_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo, meter: Meter, max_bytes: int) -> bytes:
    """At most the first `max_bytes` of an entry. Raises ParseError if it is damaged, and ArchiveLimitPassed."""
    unpack = _unpack_bzip2 if info.compress_type == zipfile.ZIP_BZIP2 else _unpack
    try:
        content = unpack(archive, info, max_bytes)
    except _DAMAGE:
        raise _make_damage() from None
    meter.count_bytes(len(content))
    return content


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_bytes: int) -> bytes:
    with archive.open(info) as opened:
        return opened.read(max_bytes)


def _unpack_bzip2(archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_bytes: int) -> bytes:
    """In steps of limited size: zipfile unpacks all that it has read at once, and one kilobyte may become gigabytes."""
    packed = copy(info)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, info.compress_size
    del packed.CRC  # of the unpacked content; bzip2 has its own
    with archive.open(packed) as stored, bz2.BZ2File(stored) as opened:
        return opened.read(max_bytes)


class _BoundedReads:
    """A file that refuses to read too much at once: zipfile reads a central directory in one go."""

    def __init__(self, file: BinaryIO, max_bytes: int) -> None:
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable
        self._file = file
        self._max_bytes = max_bytes

    def read(self, size: int = -1) -> bytes:
        if size > self._max_bytes:
            raise ArchiveLimitPassed("The archive has too many files and folders. Split it.")
        return self._file.read(size)


def iter_tar(
    file: BinaryIO, meter: Meter, unpack: Callable[[BinaryIO], _Readable] = lambda file: file
) -> Iterator[Member]:
    """`unpack` opens the compressed file."""
    file.seek(0)
    stream = _MeteredStream(unpack(file), meter)
    try:
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
            while info := stream.read_header(archive):
                meter.count_entry()
                if not info.isdir():
                    problem = "" if info.isreg() else _NO_REGULAR_FILE
                    yield Member(info.name, info.size, problem, partial(_read_tar, archive, info))
    except _DAMAGE:
        raise _make_damage() from None


def _read_tar(archive: tarfile.TarFile, info: tarfile.TarInfo, max_bytes: int) -> bytes:
    """Called when the member is read. Raises ParseError if it is damaged, and ArchiveLimitPassed."""
    try:
        opened = archive.extractfile(info)
        return opened.read(max_bytes) if opened else b""
    except _DAMAGE:
        raise _make_damage() from None


class _MeteredStream(io.RawIOBase):
    """The stream that a tar is read from: counts what was unpacked, and cuts off a header that does not end."""

    def __init__(self, file: _Readable, meter: Meter) -> None:
        super().__init__()
        self._file = file
        self._meter = meter
        self._position = 0
        self._header_end: int | None = _TAR_HEADER_BYTES  # tarfile reads the first header when it is opened

    def read(self, size: int = -1, /) -> bytes:
        content = self._file.read(size)
        self._position += len(content)
        self._meter.count_bytes(len(content))
        if self._header_end is not None and self._position > self._header_end:
            raise ParseError("The archive is damaged: a file's header does not end.")
        return content

    def read_header(self, archive: tarfile.TarFile) -> tarfile.TarInfo | None:
        self._header_end = archive.offset + _TAR_HEADER_BYTES
        info = archive.next()
        self._header_end = None
        return info


_NO_REGULAR_FILE = "It is a link or a device, and only regular files are taken from an archive. Pack the file itself."


def _make_damage() -> ParseError:
    return ParseError("The archive is damaged, or part of it is missing. Pack it again.")


def _open_gzip(file: BinaryIO) -> _Readable:
    return gzip.GzipFile(fileobj=file)


def _open_bzip2(file: BinaryIO) -> _Readable:
    return bz2.BZ2File(file)


_FORMATS: dict[bytes, Iterate] = {
    b"PK\x03\x04": iter_zip,
    b"PK\x05\x06": iter_zip,
    b"\x1f\x8b": partial(iter_tar, unpack=_open_gzip),
    b"BZh": partial(iter_tar, unpack=_open_bzip2),
}
