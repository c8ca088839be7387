"""The files in a zip archive, as used by Office and EPUB, measured before they are unpacked. Their contents are read elsewhere."""

from __future__ import annotations

import io
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from collections_app.exceptions import ParseError

MAX_FILES = 5_000
MAX_BYTES = 20 * 1024 * 1024
"""The limit for unpacked files that are read. For Word files, mammoth takes some 40 times as much memory, and up to two seconds per MiB."""

_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1  # general purpose bit 0 of a zip entry (APPNOTE 4.4.4)


@dataclass(frozen=True, slots=True)
class Kind:
    """The words for a kind of file in error messages: `Word`, `Word document`, `open it in Word and save it again`."""

    program: str
    document: str
    remedy: str

    def refuse(self, reason: str) -> NoReturn:
        raise ParseError(f"The {self.document} cannot be read: {reason}.")


class Archive:
    """The files by path, in any spelling (fold_path). Only files that are asked for are unpacked."""

    def __init__(self, content: bytes, kind: Kind) -> None:
        """All methods raise ParseError for what is encrypted, broken or beyond a limit."""
        self._kind = kind
        self._bytes_left = MAX_BYTES
        with self._blame_damage():
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        entries = self._archive.infolist()
        if len(entries) > MAX_FILES:
            kind.refuse(f"it holds more than {MAX_FILES:,} files")
        self._entries = {fold_path(entry.filename): entry for entry in entries}

    def find(self, path: str) -> bytes | None:
        """The content of a file. Its size can be relied on: zipfile unpacks no more than the archive's directory says."""
        entry = self._entries.get(fold_path(path))
        if entry is None:
            return None
        if entry.flag_bits & _ENCRYPTED:
            self._kind.refuse("it is encrypted; give a copy without a password")
        if entry.compress_type not in _METHODS:
            self._kind.refuse(f"it is packed in a way that {self._kind.program} does not use; {self._kind.remedy}")
        self._bytes_left -= entry.file_size
        if self._bytes_left < 0:
            self._kind.refuse(f"its text is larger than {MAX_BYTES // 1024**2} MiB unpacked; split it into several")
        with self._blame_damage():
            return self._archive.read(entry)

    @contextmanager
    def _blame_damage(self) -> Iterator[None]:
        """zipfile also raises OverflowError, for offsets beyond all memory."""
        try:
            yield
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            LookupError,
            NotImplementedError,
            OSError,
            OverflowError,
            ValueError,
        ):
            self._kind.refuse(f"the file is damaged; {self._kind.remedy}")


def fold_path(path: str) -> str:
    """A path in a form for comparison, without case, Unicode normalisation forms and directions of slashes: no two files of an archive may
    differ only in these (OCF 3.3, section 4.2.3; ECMA-376 part 2, section 6.2.2).
    """
    return unicodedata.normalize("NFC", path.replace("\\", "/").lstrip("/")).casefold()
