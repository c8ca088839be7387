"""A pack file: checked before anything of it is held in memory, then read object by object. Knows no paths.

A small pack may have large objects: zeros compress a thousandfold, and a delta of a few bytes can produce megabytes. So a first pass looks
at the size of each object, and of each delta's result, and remembers only where deltas are. The base of a delta may itself be a delta, and
reading it produces the whole chain, so the length of chains is checked too.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from traceback import clear_frames
from typing import BinaryIO, NamedTuple, Self

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.object_format import SHA1
from dulwich.objects import Commit, ObjectID, ShaFile, Tag, Tree
from dulwich.pack import DeltaCycle, MemoryPackIndex, Pack, PackData, UnresolvedDeltas

from collections_app.clients.git_requests import Check
from collections_app.exceptions import FetchError, FileTooLarge

MAX_OBJECT_BYTES = 64 * 1024**2
MAX_UNPACKED_BYTES = 2 * 1024**3
MAX_OBJECTS = 500_000
# The longest chain that git itself makes (`pack.depth`; 50 by default); and the bytes produced if each delta is read by itself.
MAX_CHAIN_DELTAS = 4_095
MAX_CHAINED_BYTES = 256 * 1024**3

_OFFSET_DELTA, _REFERENCE_DELTA = 6, 7
_HEADER_BYTES, _NAME_BYTES, _DELTA_HEADER_BYTES = 12, 20, 20
_STEP_BYTES, _INFLATED_BYTES = 16_384, 1024**2
# What dulwich and zlib raise for broken packs and objects.
_BROKEN = (
    ApplyDeltaError, ChecksumMismatch, DeltaCycle, FileFormatException, UnresolvedDeltas, AssertionError, AttributeError,
    IndexError, KeyError, TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip


class GitPack:
    """The objects of a pack; enter it. The caller closes the file. `check` is called on the way and may raise.

    Entering and reading raise FetchError for a broken pack, and FileTooLarge for one that exceeds a limit.
    """

    def __init__(self, file: BinaryIO, check: Check) -> None:
        self._file = file
        self._check = check
        self._resources = ExitStack()

    def __enter__(self) -> Self:
        with self._resources, _tell_broken():
            deltas = check_sizes(self._file, self._check)
            data = PackData("", SHA1, file=self._file)
            self._resources.callback(data.close)
            entries = data.sorted_entries(progress=lambda done, total: self._check())
            index = MemoryPackIndex(list(entries), SHA1, data.get_stored_checksum())
            check_chains(deltas, index.object_offset, self._check)
            self._pack = Pack.from_objects(data, index)
            self._resources.callback(self._pack.close)
            self._resources = self._resources.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def get_root(self, name: ObjectID) -> Tree:
        """The tree of a commit, or of the commit that a tag names."""
        with _tell_broken():
            found = self._get(name)
            while isinstance(found, Tag):
                found = self._get(found.object[1])
            if not isinstance(found, Commit):
                raise FetchError("The branch or tag names no commit. Name another.")
            return self.get_tree(found.tree)

    def get_tree(self, name: ObjectID) -> Tree:
        with _tell_broken():
            found = self._get(name)
        if not isinstance(found, Tree):
            raise _make_broken()
        return found

    def find_blob(self, name: ObjectID) -> bytes | None:
        """The file's content; None if the server has left it out."""
        if name not in self._pack:
            return None
        with _tell_broken():
            return self._get(name).as_raw_string()

    def _get(self, name: ObjectID) -> ShaFile:
        return self._pack[name]


class Delta(NamedTuple):
    """The delta's base, by its place in the pack or its name, and the size of its result."""

    base: int | ObjectID
    size_bytes: int


def check_sizes(file: BinaryIO, check: Check) -> dict[int, Delta]:
    """The deltas, by their place in the pack. Raises FileTooLarge if an object, or all of them, would take too much; ValueError or
    zlib.error for a broken pack."""
    deltas: dict[int, Delta] = {}
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pack:
        offset, total_bytes = _HEADER_BYTES, 0
        for _ in range(_get_count(pack)):
            check()
            start = offset
            base, size_bytes, offset = _measure(pack, start)
            total_bytes += size_bytes
            _check_limit(size_bytes, MAX_OBJECT_BYTES, "a file")
            _check_limit(total_bytes, MAX_UNPACKED_BYTES, "files that together have")
            if base is not None:
                deltas[start] = Delta(base, size_bytes)
    return deltas


def check_chains(deltas: Mapping[int, Delta], find: Callable[[ObjectID], int], check: Check) -> None:
    """Raises FileTooLarge if reading chains of deltas would take too long. `find` returns the place of a name."""
    # For each delta: how many deltas there are down to an object, and the bytes that these produce.
    chains: dict[int, tuple[int, int]] = {}
    total_bytes = 0
    for start in deltas:
        check()
        above, at = list[int](), start
        while at in deltas and at not in chains and len(above) <= MAX_CHAIN_DELTAS:
            above.append(at)
            base = deltas[at].base
            at = base if isinstance(base, int) else find(base)
        count, size_bytes = chains.get(at, (0, 0))
        for at in reversed(above):
            count, size_bytes = count + 1, size_bytes + deltas[at].size_bytes
            chains[at] = count, size_bytes
            total_bytes += size_bytes
        if count > MAX_CHAIN_DELTAS or total_bytes > MAX_CHAINED_BYTES:
            raise FileTooLarge(
                "The repository is packed as changes of changes of changes, too many to be read. Pack it anew where it is served: "
                "`git repack -a -d -F --depth=50`."
            )


def _get_count(pack: mmap.mmap) -> int:
    count = int.from_bytes(pack[8:_HEADER_BYTES])
    if count > MAX_OBJECTS:
        raise FileTooLarge(f"The repository has more than {MAX_OBJECTS:,} files and folders, the most that is taken.")
    return count


def _check_limit(size_bytes: int, max_bytes: int, what: str) -> None:
    if size_bytes > max_bytes:
        raise FileTooLarge(
            f"The repository has {what} {size_bytes:,} bytes, over the limit of {max_bytes:,}, and its server cannot "
            "leave large files out (uploadpack.allowFilter). Allow that there, or take the documents from elsewhere."
        )


def _measure(pack: mmap.mmap, offset: int) -> tuple[int | ObjectID | None, int, int]:
    """A delta's base (else None), the size that reading the object needs, and where the next object begins.

    Layout: git-scm.com/docs/gitformat-pack.
    """
    start = offset
    kind, size_bytes = pack[offset] >> 4 & 7, pack[offset] & 15
    shift = 4
    while pack[offset] & 0x80:
        offset += 1
        size_bytes |= (pack[offset] & 0x7F) << shift
        shift += 7
    offset += 1
    base: int | ObjectID | None = None
    if kind == _OFFSET_DELTA:
        distance, offset = _read_distance(pack, offset)
        base = start - distance
    elif kind == _REFERENCE_DELTA:
        base = ObjectID(pack[offset : offset + _NAME_BYTES].hex().encode())
        offset += _NAME_BYTES
    inflated, offset = _pass_over(pack, offset, size_bytes)
    if base is not None:
        _, at = _read_number(inflated, 0)
        size_bytes = max(size_bytes, _read_number(inflated, at)[0])
    return base, size_bytes, offset


def _read_distance(pack: bytes | mmap.mmap, offset: int) -> tuple[int, int]:
    """How far before the delta its base is, and where this number ends: seven bits a byte, highest first, plus 1 for each further byte."""
    distance = pack[offset] & 0x7F
    while pack[offset] & 0x80:
        offset += 1
        distance = (distance + 1) << 7 | pack[offset] & 0x7F
    return distance, offset + 1


def _read_number(content: bytes, offset: int) -> tuple[int, int]:
    """The number, seven bits a byte, lowest first, and where it ends."""
    number = shift = 0
    while True:
        byte = content[offset]
        number |= (byte & 0x7F) << shift
        offset, shift = offset + 1, shift + 7
        if not byte & 0x80:
            return number, offset


def _pass_over(pack: mmap.mmap, offset: int, size_bytes: int) -> tuple[bytes, int]:
    """The first bytes of what is compressed here, and where it ends. Raises ValueError if it is longer than declared."""
    inflater, start, length = zlib.decompressobj(), b"", 0
    while not inflater.eof:
        packed = pack[offset : offset + _STEP_BYTES]
        inflated = inflater.decompress(packed, _INFLATED_BYTES)
        offset += len(packed) - len(inflater.unconsumed_tail) - len(inflater.unused_data)
        length += len(inflated)
        start += inflated[: _DELTA_HEADER_BYTES - len(start)] if len(start) < _DELTA_HEADER_BYTES else b""
        if length > size_bytes or not (packed or inflated):
            raise ValueError("an object that does not end where it says")
    return start, offset


@contextmanager
def _tell_broken() -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        clear_frames(error.__traceback__)  # they refer to the mapped file, which could then not be closed
        raise _make_broken() from None


def _make_broken() -> FetchError:
    return FetchError("The server sent a repository that is broken. Check it with `git fsck`, or try again later.")
