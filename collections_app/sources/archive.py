"""Reads the files of an archive (zip, tar, tar.gz, tar.bz2), one at a time, never writing them to disk. Opens no archive in an archive.

An archive is passed through twice: first to see what it contains and whether that is within the limits, then to
read. So nothing is taken from a bomb that declares its size, and one that lies is abandoned where it exceeds a limit. Pages that
include other files of the archive are read in further passes (archive_includes.py).
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Self

from collections_app.exceptions import IngestError, InvalidParameter, UnsupportedFormat, UnusablePath
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.navigation import MAX_NAVIGATION_BYTES, MAX_NAVIGATIONS_BYTES
from collections_app.parsing.references import (
    Configuration,
    ReferenceResolver,
    may_be_named,
    names_markdown,
    read_configuration,
)
from collections_app.parsing.site_settings import is_site_settings, read_site_settings
from collections_app.parsing.source_paths import iter_paths
from collections_app.sources import RefusedFile
from collections_app.sources.archive_formats import (
    ArchiveLimitPassed,
    ArchiveLimits,
    Member,
    Meter,
    get_format,
    is_archive,
)
from collections_app.sources.archive_includes import ArchiveIncludes
from collections_app.sources.categories import TOO_LARGE, read_categories
from collections_app.sources.left_out import LeftOut
from collections_app.sources.parts import find_parts, leave_out
from collections_app.sources.paths import check_path, make_printable
from collections_app.sources.selection import EVERY_FILE, FileChoice, Selection, check_size
from collections_app.sources.site_settings import find_unbuilt, list_moved

_OF_SPHINX = "conf.py"
_CONFIGURATIONS = (".json", ".yaml", ".yml", _OF_SPHINX)
_MAX_NAVIGATION_PASSES = 6
_MAX_KEPT_BYTES = 4 * MAX_NAVIGATIONS_BYTES
"""How much of navigation files is kept in memory while they are chosen from."""

_JUNK_FOLDERS = frozenset({"__MACOSX"})
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


class ArchiveReading:
    """A reading of an archive, whose documents are put into `folder`. `file` must be seekable, and stays open.

    A single folder that contains everything is dropped from the paths, as `docs/` in a zip of the folder `docs`, or `project-1.2/` in a
    forge's, so that the next version's files have the same paths. If a path occurs twice, its last file counts.
    Entering and iterating raise IngestError if the archive as a whole is refused: damaged, empty, no archive, over a limit.
    """

    def __init__(
        self,
        file: BinaryIO,
        choice: FileChoice = EVERY_FILE,
        *,
        folder: str = "",
        only: Collection[str] | None = None,
        limits: ArchiveLimits | None = None,
    ) -> None:
        self._file = file
        self._selection = Selection(choice.include, choice.exclude)
        self._max_file_bytes = choice.max_file_bytes
        self._folder = f"{folder}/" if folder else ""
        self._only = None if only is None else frozenset(only)
        self._limits = limits or ArchiveLimits()
        self._chosen: dict[str, int] = {}
        self._navigation: dict[str, int] = {}
        self._site_settings: dict[str, int] = {}
        self._configurations: dict[str, int] = {}
        self._taken: dict[str, int] = {}
        self._refused: dict[str, RefusedFile] = {}
        self.left_out = self._selection.left_out
        self.is_complete = False
        self.categories: Mapping[str, str] = {}
        self.moved_pages: Mapping[str, str] = {}

    @property
    def listed(self) -> Collection[str]:
        return [*self._refused, *self._chosen]

    def __enter__(self) -> Self:
        found = _Found()
        for index, member in enumerate(self._iter_members()):
            found.add(index, member)
        if not found.files and not found.refused:
            raise UnsupportedFormat("There is no file in the archive. Pack the files into it anew.")
        if found.is_export:
            raise UnsupportedFormat(
                "It is an exported collection, not documents as they were written. An operator brings it back with "
                "`docsmcp import_collection FILE`, with its sections and what else was exported."
            )
        self._choose(found)
        self._leave_out_no_documents()
        self.categories = self._read_categories()
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Iterator[RawDocument | RefusedFile]:
        yield from self._refused.values()
        yield from self._iter_whole()
        self.is_complete = self._only is None

    def _iter_members(self) -> Iterator[Member]:
        return get_format(self._file)(self._file, self._make_meter())

    def _make_meter(self) -> Meter:
        return Meter(self._limits, packed_bytes=self._file.seek(0, 2))

    def _choose(self, found: _Found) -> None:
        """Determines what is asked for, by its path in the collection, and which of it cannot be taken."""
        top_folder, size_bytes = found.find_top_folder(), 0
        for name, file in found.files.items():
            path = self._folder + name.removeprefix(top_folder)
            if not file.problem:
                self._note_configuration(path, file.index)
            if self._selection.takes(path) and not file.problem:
                self._taken[path] = file.index
            if self._only is not None and path not in self._only:
                continue
            if is_archive(path) and self._selection.takes(f"{path}/"):
                self._refuse(path, "It is an archive in an archive, which is not opened. Upload it by itself.")
            elif self._selection.takes(path) and file.problem:
                self._refuse(path, file.problem)
            elif self._selection.takes(path):
                self._chosen[path] = file.index
                size_bytes += file.size_bytes if file.size_bytes <= self._max_file_bytes else 0
            else:
                self._selection.pass_over(path)
        self._make_meter().count_bytes(size_bytes)
        self._names_markdown = names_markdown(found.files)
        self._includes = ArchiveIncludes({name: file.index for name, file in found.files.items()})
        if self._only is None:
            self._refused |= {file.path: file for file in found.refused}

    def _note_configuration(self, path: str, index: int) -> None:
        if path.endswith(_CONFIGURATIONS):
            self._configurations[path] = index
        if is_site_settings(path):
            self._site_settings[path] = index
        if self._selection.takes_navigation(path):
            self._navigation[path] = index

    def _refuse(self, path: str, problem: str) -> None:
        self._refused[path] = RefusedFile(path, UnsupportedFormat(problem))

    def _leave_out_no_documents(self) -> None:
        """Leaves out files that are no documents of their own. If the archive turns out to be broken, iterating will refuse it."""
        try:
            parts = find_parts(self._taken, self._iter_included)
            found = leave_out(self._selection, self._taken.keys(), parts, self._iter_taken)
            found = {*found, *self._find_unbuilt(self._taken.keys() - set(found))}
        except IngestError:
            found = ()
        for path in found:
            del self._taken[path]
            self._chosen.pop(path, None)
        self._includes.begin()

    def _find_unbuilt(self, paths: Collection[str]) -> Collection[str]:
        """What the site's configuration says of moved pages is read on the way."""
        if not self._site_settings:
            return ()
        files = {
            file.path: file.content for file in self._iter_files(self._site_settings) if isinstance(file, RawDocument)
        }
        settings = read_site_settings(files, files.get)
        self.moved_pages = list_moved(settings)
        return find_unbuilt(self._selection, paths, settings)

    def _iter_taken(self, paths: Collection[str]) -> Iterator[RawDocument | RefusedFile]:
        return self._iter_files({path: self._taken[path] for path in paths})

    def _iter_included(self, paths: Collection[str]) -> Iterator[Collection[str]]:
        known = {number: path for path, number in self._taken.items()}
        for _, page in self._iter_resolved({path: self._taken[path] for path in paths}):
            if isinstance(page, RawDocument):
                yield [known[number] for number in self._includes.parts if number in known]

    def _iter_whole(self) -> Iterator[RawDocument | RefusedFile]:
        """The chosen files with what they include; files that include something not read yet come last."""
        configured = self._read_sphinx()

        def find_configuration(path: str) -> Configuration:
            configurations = map(configured.get, iter_paths(posixpath.dirname(path), _OF_SPHINX))
            return next(filter(None, configurations), Configuration(is_in_myst=self._names_markdown))

        references = ReferenceResolver(self._iter_named, find_configuration, self._taken)
        references.collect()
        self._includes.begin()
        for _, file in self._iter_resolved(self._chosen):
            yield references.resolve(file) if isinstance(file, RawDocument) else file

    def _read_sphinx(self) -> Mapping[str, Configuration]:
        """The configurations of Sphinx by path."""
        named = {path: n for path, n in self._configurations.items() if posixpath.basename(path) == _OF_SPHINX}
        read = self._iter_files(named) if named else ()
        return {
            file.path: read_configuration(file.path, file.content) for file in read if isinstance(file, RawDocument)
        }

    def _iter_resolved(
        self, chosen: Mapping[str, int]
    ) -> Iterator[tuple[RawDocument | RefusedFile, RawDocument | RefusedFile]]:
        """Each file as it is, and with what it includes."""
        waiting = chosen
        while waiting:
            lacking: dict[str, int] = {}
            for file in self._iter_files(waiting):
                number = chosen[file.path]
                whole = self._includes.resolve(file, number) if isinstance(file, RawDocument) else file
                if whole:
                    yield file, whole
                else:
                    lacking[file.path] = number
            if lacking:
                self._includes.load(self._iter_members())
            waiting = lacking

    def _iter_named(self) -> Iterator[RawDocument]:
        """The pages that others may name, in passes of their own: includes and variables resolved, with parts that pages include."""
        named = {
            path: number
            for path, number in self._taken.items()
            if may_be_named(path, with_markdown=self._names_markdown)
        }
        for file, whole in self._iter_resolved(named):
            if isinstance(file, RawDocument) and isinstance(whole, RawDocument):
                yield whole if self._includes.parts else self._includes.write_variables(file, named[file.path])

    def _iter_files(self, chosen: Mapping[str, int]) -> Iterator[RawDocument | RefusedFile]:
        paths = {index: path for path, index in chosen.items()}
        for index, member in enumerate(self._iter_members()):
            if index in paths:
                yield self._read(paths[index], member)

    def _read(self, path: str, member: Member) -> RawDocument | RefusedFile:
        try:
            check_size(member.size_bytes, self._max_file_bytes)
            content = member.read(self._max_file_bytes + 1)
            check_size(len(content), self._max_file_bytes)
        except ArchiveLimitPassed:
            raise
        except IngestError as error:
            return RefusedFile(path, error)
        return RawDocument(path, content)

    def _read_categories(self) -> Mapping[str, str]:
        """Each pass reads the files that those of the pass before have named. What is beyond _MAX_KEPT_BYTES is left out."""
        most = MAX_NAVIGATION_BYTES + 1  # so much tells that it is too large
        contents: dict[str, bytes | None] = {}
        room = _MAX_KEPT_BYTES
        found, left_out, lacking = dict[str, str](), LeftOut(), dict(self._navigation)

        def read(path: str) -> bytes | None:
            if path in self._configurations and path not in contents:
                lacking[path] = self._configurations[path]
            return contents.get(path)

        for _ in range(_MAX_NAVIGATION_PASSES if lacking else 0):
            contents |= dict.fromkeys(lacking)
            for file in self._iter_files(lacking):
                content = file.content[:most] if isinstance(file, RawDocument) else b""
                room -= len(content)
                contents[file.path] = content if content and room >= 0 else None
                if room < 0:
                    self._selection.left_out.add(TOO_LARGE, file.path)
            lacking, left_out = {}, LeftOut()
            found = dict(read_categories({**self._taken, **self._navigation}, read, left_out))
            if not lacking:
                break
        self._selection.left_out.take(left_out)
        return found


@dataclass(frozen=True, slots=True)
class _FoundFile:
    index: int
    size_bytes: int
    problem: str


class _Found:
    """The result of the first pass: the files by their checked names, and those whose names are refused."""

    def __init__(self) -> None:
        self.files: dict[str, _FoundFile] = {}
        self.refused: list[RefusedFile] = []

    def add(self, index: int, member: Member) -> None:
        try:
            name = check_path(member.name)
        except InvalidParameter as error:
            self.refused.append(RefusedFile(make_printable(member.name), UnusablePath(error.message)))
            return
        if not _is_junk(name):
            self.files[name] = _FoundFile(index, member.size_bytes, member.problem)

    @property
    def is_export(self) -> bool:
        """Whether the files are those of export_collection: a manifest, and two for each document (transfer/layout.py)."""
        entries = self.files.keys() - {"manifest.json"}
        documents = {name.removesuffix(".json") for name in entries if name.startswith("documents/")}
        contents = {name.removesuffix(".md") for name in entries if name.startswith("content/")}
        return (
            len(entries) == len(self.files) - 1 == len(documents) * 2 > 0
            and {f"documents/{name.removeprefix('content/')}" for name in contents} == documents
        )

    def find_top_folder(self) -> str:
        """The single folder that contains everything, with its slash; empty if there is none."""
        tops = {name.partition("/")[0] if "/" in name else "" for name in self.files}
        top = tops.pop() if len(tops) == 1 else ""
        return f"{top}/" if top else ""


def _is_junk(name: str) -> bool:
    """Files that operating systems add: AppleDouble files, folder views, thumbnails."""
    folders, _, file = name.rpartition("/")
    return file in _JUNK_FILES or file.startswith("._") or not _JUNK_FOLDERS.isdisjoint(folders.split("/"))
