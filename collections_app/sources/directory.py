"""A directory of this machine: lists what it holds and reads one file at a time. Nothing outside it is ever read.

Symbolic links are followed as far as they stay inside: a file's always, a directory's unless that leads in a circle or to a directory
that another link has led to. What is hidden, and what package managers and interpreters keep, is passed over unless an include pattern names it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collections_app.exceptions import FetchError, FileTooLarge, IngestError, InvalidParameter
from collections_app.parsing import SUPPORTED_EXTENSIONS
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile
from collections_app.sources.globs import compile_globs

_PASSED_OVER = (".*", "node_modules", "__pycache__")
_SUPPORTED_FILE = re.compile(rf".*(?:{'|'.join(map(re.escape, SUPPORTED_EXTENSIONS))})", re.DOTALL | re.IGNORECASE)
_OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A file as it was listed. With `size_bytes` and `mtime_ns` a later run can tell what it need not read again."""

    path: str
    size_bytes: int
    mtime_ns: int
    root: str = field(repr=False)
    max_file_bytes: int = field(repr=False)

    def read(self) -> RawDocument | RefusedFile:
        """The file as it is now, which may be other than it was when it was listed."""
        try:
            return RawDocument(self.path, self._read_content())
        except IngestError as error:
            return RefusedFile(self.path, error)
        except OSError as error:
            return RefusedFile(self.path, _make_fetch_error(error))

    def _read_content(self) -> bytes:
        file = os.path.realpath(os.path.join(self.root, self.path))
        if not _is_inside(file, self.root):
            raise _make_outside_error()
        with open(os.open(file, _OPEN_FLAGS), "rb") as opened:
            status = os.fstat(opened.fileno())
            _check_file(status, self.max_file_bytes)
            content = opened.read(self.max_file_bytes + 1)
        _check_size(max(len(content), status.st_size), self.max_file_bytes)
        return content
