"""An object store: S3 and compatible ones, Google Cloud Storage, Azure, or a directory that all machines share.

Clouds are accessed by obstore, which is loaded at first use, and takes credentials from the provider's own variables
(`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, …). In a directory, only the owner can read the files. The directory itself is never created:
if a share is not mounted, that would put it on this machine's own disk. Raises StoreUnavailable, whose message contains neither the
address nor the provider's message, which is logged.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import structlog

from collections_app.exceptions import UpstreamUnavailable, summarise

RETRY_SECONDS = 30
CLOUD_OPTIONS: dict[str, Any] = {
    "client_options": {"timeout": "30s", "connect_timeout": "5s", "allow_http": True},
    "retry_config": {"max_retries": 2, "retry_timeout": timedelta(seconds=30)},
}
LISTED_AT_ONCE = 1000
# Prefix of a file until all its bytes are there. If its writer was killed, the file is listed, so that a sweep finds it.
DRAFT = ".draft-"

logger = structlog.get_logger(__name__)


class StoreUnavailable(UpstreamUnavailable):
    def __init__(self) -> None:
        super().__init__(
            "The store of uploaded files does not answer just now. Try again later.", retry_after=RETRY_SECONDS
        )


class DirectoryMissing(StoreUnavailable):
    def __init__(self, root: Path) -> None:
        super().__init__()
        self.sentence = (
            f"{root}, which UPLOAD_STORE names, is no directory: mount the share that it is in, or make it, "
            f"as the server's account (`mkdir -m 0700 {root}`)."
        )


class Store(Protocol):
    """Keys are relative to the address, with `/` between their parts."""

    def put(self, key: str, content: bytes) -> None: ...

    def get(self, key: str) -> bytes: ...

    def iter_batches(self, prefix: str) -> Iterator[Sequence[tuple[str, datetime]]]:
        """The keys with this prefix, and when each was last written."""
        ...

    def delete(self, keys: Sequence[str]) -> None: ...


class CloudStore:
    def __init__(self, url: str) -> None:
        import obstore.store

        with telling():
            self._store: Any = obstore.store.from_url(url, **CLOUD_OPTIONS)

    def put(self, key: str, content: bytes) -> None:
        import obstore

        with telling():
            obstore.put(self._store, key, content)

    def get(self, key: str) -> bytes:
        import obstore

        with telling():
            return bytes(obstore.get(self._store, key).bytes())

    def iter_batches(self, prefix: str) -> Iterator[Sequence[tuple[str, datetime]]]:
        import obstore

        with telling():
            for batch in obstore.list(self._store, prefix=prefix, chunk_size=LISTED_AT_ONCE):
                yield [(each["path"], each["last_modified"]) for each in batch]

    def delete(self, keys: Sequence[str]) -> None:
        import obstore

        with telling():
            obstore.delete(self._store, keys)


class DirectoryStore:
    """Below `root`, which is checked each time, folders and files are for their owner only. Names with a leading dot are no objects."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, key: str, content: bytes) -> None:
        """The object appears complete or not at all."""
        with self._telling():
            target = self.root / key
            self._make_folders(target.parent)
            descriptor, draft = tempfile.mkstemp(prefix=DRAFT, dir=target.parent)  # made with mode 0600
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(descriptor)
                Path(draft).replace(target)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise

    def get(self, key: str) -> bytes:
        with self._telling():
            return (self.root / key).read_bytes()

    def iter_batches(self, prefix: str) -> Iterator[Sequence[tuple[str, datetime]]]:
        """`prefix` is a folder's."""
        with self._telling():
            files = iter_files(self.root / prefix)
            while batch := list(islice(files, LISTED_AT_ONCE)):
                yield [
                    (path.relative_to(self.root).as_posix(), datetime.fromtimestamp(seconds, UTC))
                    for path, seconds in batch
                ]

    def delete(self, keys: Sequence[str]) -> None:
        with self._telling():
            for key in keys:
                (self.root / key).unlink(missing_ok=True)

    def _make_folders(self, folder: Path) -> None:
        for each in (*reversed(folder.parents), folder):
            if self.root in each.parents:
                with suppress(FileExistsError):
                    each.mkdir(mode=0o700)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Distinguishes a missing file from a share that is away."""
        try:
            if not self.root.is_dir():
                raise DirectoryMissing(self.root)
            yield
        except DirectoryMissing as error:
            logger.error("object_store_failed", reason=error.sentence)
            raise
        except OSError as error:
            raise make_unavailable(error) from None


def iter_files(folder: Path) -> Iterator[tuple[Path, float]]:
    """Each file with the time (in seconds) of its last change. Files that vanish meanwhile are left out."""
    for directory, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith(".") or name.startswith(DRAFT):
                path = Path(directory, name)
                with suppress(FileNotFoundError):
                    yield path, path.stat().st_mtime


def find_directory(url: str) -> Path | None:
    """The directory of a `file:` address; None for other stores."""
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


@cache
def open_store(url: str) -> Store:
    directory = find_directory(url)
    return CloudStore(url) if directory is None else DirectoryStore(directory)


@contextmanager
def telling() -> Iterator[None]:
    import obstore.exceptions

    try:
        yield
    except (obstore.exceptions.BaseError, OSError, ValueError) as error:
        raise make_unavailable(error) from None


def make_unavailable(error: Exception) -> StoreUnavailable:
    """The error to raise instead of this one, which is logged."""
    logger.error("object_store_failed", reason=summarise(error))
    return StoreUnavailable()
