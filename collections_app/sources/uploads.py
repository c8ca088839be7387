"""Uploaded files: archives among them are opened, and those given as a URL are fetched. Does not know where uploads are stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, Self

from collections_app.clients.http import HttpClient
from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.wikilinks import FileNames
from collections_app.sources import Pause, ReadArchive, ReadingDefaults, RefusedFile, ShouldStop
from collections_app.sources.archive import ArchiveReading
from collections_app.sources.archive_formats import is_archive
from collections_app.sources.categories import read_categories
from collections_app.sources.left_out import LeftOut
from collections_app.sources.paths import check_path
from collections_app.sources.references import make_reference_resolver
from collections_app.sources.selection import EVERY_FILE, FileChoice, check_size

DEFAULT_MAX_ARCHIVE_BYTES = 100 * 1024**2

FROM_ARCHIVE = "archive"
"""The key of a document's fetch_state under which stands the path of the archive that it came out of."""

_OF_ONE_DOCUMENT = frozenset({"title", "description"})


def check_upload_path(path: str) -> str:
    """The path of an uploaded file in the collection; a backslash separates folders, as on Windows. Raises InvalidParameter."""
    return check_path(path.replace("\\", "/"))


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """What somebody uploaded. `load` returns its bytes, or None for a `url` that has yet to be fetched. `metadata` as in RawDocument."""

    path: str
    load: Callable[[], bytes | None]
    url: str = ""
    media_type: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


class UploadReading(ReadingDefaults):
    """A reading of uploads. If two have the same path, even inside an archive, the later one counts. Files that must be fetched come last.

    The files of an archive are put where the archive is (`manuals/all.zip` → `manuals/…`), with its metadata except title and
    description. `choice` applies to them; a single upload was chosen by being uploaded. When an archive is opened,
    its files take its place in `listed`, and `categories` grow. `only` are paths of documents or of archives; navigation files count
    whether or not they are among them. The documents of `read_archives` know theirs by `fetch_state`.
    """

    def __init__(
        self,
        files: Iterable[UploadedFile],
        client: HttpClient,
        choice: FileChoice = EVERY_FILE,
        *,
        max_archive_bytes: int = DEFAULT_MAX_ARCHIVE_BYTES,
        only: Collection[str] | None = None,
        should_stop: ShouldStop = lambda: False,
    ) -> None:
        self._files = {file.path: file for file in files}
        self._client = client
        self._choice = choice
        self._max_archive_bytes = max_archive_bytes
        self._only = None if only is None else frozenset(only)
        self._should_stop = should_stop
        self._listed: dict[str, None] = {}
        self._packed: set[str] = set()  # paths inside opened archives
        self._categories: dict[str, str] = {}
        self.is_complete = False
        self.left_out = LeftOut()
        self.read_archives: dict[str, ReadArchive] = {}

    @property
    def listed(self) -> Collection[str]:
        return self._listed.keys()

    @property
    def categories(self) -> Mapping[str, str]:
        return self._categories

    def __enter__(self) -> Self:
        navigation = [
            path for path, file in self._files.items() if self._is_asked_for(path) or not _may_take_long(file)
        ]
        files = self._files
        here = [path for path, file in files.items() if not _may_take_long(file)]
        readable = {*navigation, *here}
        self._categories |= read_categories(
            navigation, lambda path: self._read_content(path) if path in readable else None, self.left_out
        )
        self._wikilinks = IncludeResolver(lambda path: None, FileNames(lambda: files))
        self._references = make_reference_resolver(here, lambda path: self._read(files[path]))
        self._files = {path: file for path, file in files.items() if self._is_asked_for(path)}
        self._listed |= dict.fromkeys(path for path in self._files if self._only is None or path in self._only)
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Iterator[RawDocument | RefusedFile | Pause]:
        self.is_complete = self._only is None
        order = {path: number for number, path in enumerate(self._files)}
        # Single uploads are known to come; the content of archives is known once they are opened.
        latest = {path: number for path, number in order.items() if not is_archive(path)}
        for file in sorted(self._files.values(), key=_may_take_long):
            if self._should_stop():
                self.is_complete = False
                return
            if _may_take_long(file):
                yield Pause()
            for found in self._iter_files(file):
                if latest.get(found.path, -1) <= order[file.path]:
                    latest[found.path] = order[file.path]
                    yield found

    def _iter_files(self, file: UploadedFile) -> Iterator[RawDocument | RefusedFile]:
        if is_archive(file.path):
            yield from self._iter_archive(file)
        else:
            read = self._read(file)
            yield self._references.resolve(self._wikilinks.resolve(read)) if isinstance(read, RawDocument) else read

    def _is_asked_for(self, path: str) -> bool:
        """An archive is also opened if a path is asked for that was not uploaded by itself."""
        if self._only is None or path in self._only:
            return True
        return is_archive(path) and not self._files.keys() >= self._only

    def _read(self, file: UploadedFile) -> RawDocument | RefusedFile:
        try:
            return self._load(file, self._choice.max_file_bytes)
        except IngestError as error:
            return RefusedFile(file.path, error, file.url)

    def _read_content(self, path: str) -> bytes | None:
        read = self._read(self._files[path])
        return read.content if isinstance(read, RawDocument) else None

    def _iter_archive(self, file: UploadedFile) -> Iterator[RawDocument | RefusedFile]:
        try:
            archive = self._load(file, self._max_archive_bytes)
            with self._open_archive(archive) as reading:
                if file.path not in self._packed:
                    self._listed.pop(file.path, None)
                self._listed |= dict.fromkeys(reading.listed)
                self._packed.update(reading.listed)
                self._categories |= reading.categories
                self.left_out.take(reading.left_out)
                for found in reading:
                    yield _inherit(archive, found)
                if reading.is_complete:
                    self.read_archives[file.path] = ReadArchive(reading.listed, reading.moved_pages)
        except IngestError as error:
            self.is_complete = False
            self._listed[file.path] = None
            yield RefusedFile(file.path, error, file.url)

    def _open_archive(self, archive: RawDocument) -> ArchiveReading:
        return ArchiveReading(
            BytesIO(archive.content),
            self._choice,
            folder=archive.path.rpartition("/")[0],
            only=None if self._only is None or archive.path in self._only else self._only,
        )

    def _load(self, file: UploadedFile, max_bytes: int) -> RawDocument:
        content, media_type, url = file.load(), file.media_type, file.url
        if content is None:
            page = self._client.fetch(file.url, max_bytes=max_bytes)
            content, media_type, url = page.content, page.content_type, page.final_url
        check_size(len(content), max_bytes)
        return RawDocument(file.path, content, media_type, url, file.metadata)


def _may_take_long(file: UploadedFile) -> bool:
    """Whether it has to be fetched, as far as that is known without loading it."""
    return bool(file.url)


def _inherit(archive: RawDocument, document: RawDocument | RefusedFile) -> RawDocument | RefusedFile:
    if isinstance(document, RefusedFile):
        return replace(document, fetch_state={FROM_ARCHIVE: archive.path})
    metadata = {name: value for name, value in archive.metadata.items() if name.lower() not in _OF_ONE_DOCUMENT}
    return RawDocument(
        document.path,
        document.content,
        source_url=archive.source_url,
        metadata=metadata,
        fetch_state={FROM_ARCHIVE: archive.path},
    )
