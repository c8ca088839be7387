"""A Git repository: the files of a branch's or tag's newest commit, read from its pack. Nothing is checked out, no history is fetched."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Self

from dulwich.objects import ObjectID
from pydantic import BaseModel, ConfigDict, Field, field_validator

from collections_app.clients.git import FetchedCommit, GitRemote
from collections_app.exceptions import FetchError, FileTooLarge, IngestError, InvalidParameter
from collections_app.parsing.detection.document_names import DOCUMENT_NAME_RULE
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html.site_descriptions import SiteDescription
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.navigation.sites import SITE_FILES
from collections_app.parsing.site_settings import SITE_SETTINGS, SiteSettings, is_site_settings, read_site_settings
from collections_app.parsing.source_paths import iter_paths
from collections_app.parsing.wikilinks import FileNames
from collections_app.sources import ReadingDefaults, RefusedFile, ShouldStop, SourceFile, UnchangedFile
from collections_app.sources.categories import read_categories
from collections_app.sources.git.pack import MAX_OBJECT_BYTES, GitPack
from collections_app.sources.git.tree import GitFile, GitTree
from collections_app.sources.git.web_urls import make_file_url
from collections_app.sources.parts import PartsOfPages
from collections_app.sources.paths import check_path
from collections_app.sources.references import make_reference_resolver
from collections_app.sources.selection import (
    EVERY_FILE,
    HOW_TO_TAKE_LARGER,
    SELECTION_RULE,
    FileChoice,
    Selection,
    check_size,
)
from collections_app.sources.site_settings import find_unbuilt, list_moved
from collections_app.sources.stopping import Stopped, make_check

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


class GitOptions(BaseModel):
    """The options of this kind of source only. An empty `branch` is the repository's default one, an empty `folder` all of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    branch: str = Field(default="", max_length=255, description="Branch or tag")
    folder: str = ""

    @field_validator("branch")
    @classmethod
    def _check_branch(cls, branch: str) -> str:
        if not branch.isprintable() or " " in branch:
            raise ValueError("a branch's name has no spaces")
        return branch

    @field_validator("folder")
    @classmethod
    def _check_folder(cls, folder: str) -> str:
        try:
            return check_path(folder.strip("/")) if folder.strip("/") else ""
        except InvalidParameter as error:
            raise ValueError(error.message) from None


class GitReading(ReadingDefaults):
    """A reading of a repository. Paths are relative to the folder of the options; patterns as in globs.py.

    `last_state` is the `fetch_state` of the last reading, `last_paths` are the documents that it found. If the commit is still the same
    and the same files are asked for, nothing is fetched: each of the paths is an UnchangedFile, and the reading is not complete, since
    nothing can be gone. Pass both only if the last run succeeded; otherwise what failed then would not be tried again.
    Entering raises InvalidParameter (the address, the branch, the folder) and FetchError or FileTooLarge (the repository).
    """

    def __init__(
        self,
        remote: GitRemote,
        options: GitOptions,
        choice: FileChoice = EVERY_FILE,
        *,
        only: Collection[str] | None = None,
        last_state: Mapping[str, Any] | None = None,
        last_paths: Collection[str] = (),
        should_stop: ShouldStop = lambda: False,
    ) -> None:
        self._remote = remote
        self._options = options
        self._selection = Selection(choice.include, choice.exclude)
        self._max_file_bytes = choice.max_file_bytes
        self._only = only
        self._asked_for = _make_digest(remote.url, options, choice)
        self._last_commit = _find_last_commit(last_state, self._asked_for) if only is None else ""
        self._last_paths = last_paths
        self._check = make_check(should_stop)
        self._resources = ExitStack()
        self._files: dict[str, GitFile | RefusedFile | UnchangedFile] = {}
        self.fetch_state: Mapping[str, Any] = dict(last_state or {})
        self.left_out = self._selection.left_out
        self.is_complete = False
        self.categories: Mapping[str, str] = {}
        self.moved_pages: Mapping[str, str] | None = None

    @property
    def listed(self) -> Collection[str]:
        return self._files.keys()

    def __enter__(self) -> Self:
        with self._resources:
            try:
                self._fetch(self._resources.enter_context(TemporaryFile(prefix="docsmcp-git-")))
            except Stopped:
                self._files = {}
            except OSError:
                raise FetchError(
                    "The repository cannot be kept while it is read: the server's temporary directory is full or may not be written."
                ) from None
            self._resources = self._resources.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def __iter__(self) -> Iterator[SourceFile]:
        for file in self._files.values():
            yield self._read_page(file) if isinstance(file, GitFile) else file

    def _fetch(self, file: BinaryIO) -> None:
        """Fetches into a file without a name, so that nothing can be left behind."""
        self._fetched = self._remote.fetch_commit(
            self._options.branch,
            file,
            known_commit=self._last_commit,
            max_blob_bytes=min(self._max_file_bytes, MAX_OBJECT_BYTES),
            check=self._check,
        )
        file.flush()
        if self._fetched.is_known:
            self._files = {path: UnchangedFile(path) for path in self._last_paths}
        else:
            self._pack = self._resources.enter_context(GitPack(file, self._check))
            self._list(self._fetched)

    def _list(self, fetched: FetchedCommit) -> None:
        root = self._pack.get_root(ObjectID(fetched.commit.encode()))
        self._tree = GitTree(self._pack, root, self._options.folder, self._selection, self._check)
        listed = {file.path: file for file in self._tree.iter_files()}

        def read(path: str) -> RawDocument | RefusedFile:
            return self._read(listed[path])

        parts = PartsOfPages(read, self._find_included, self._options.folder, self._check)
        found = parts.leave_out(self._selection, listed.keys())
        settings, folder = self._read_site_settings(listed), self._options.folder
        found = {*found, *find_unbuilt(self._selection, listed.keys() - set(found), settings, folder)}
        files = {path: file for path, file in listed.items() if path not in found}
        names = [self._get_place(path) for path in (*files, *self._selection.pictures)]
        self._includes = IncludeResolver(self._find_included, FileNames(lambda: names))
        self._description = SiteDescription(files, lambda path: self._find_included(self._get_place(path)))
        self._references = make_reference_resolver(files, parts.read_named, parts.find_configuration)
        self.categories = self._read_categories(listed)
        if self._only is None:
            self._files = dict(files)
            self.moved_pages = list_moved(settings, folder)
            self.is_complete = bool(files)
            self.fetch_state = {"commit": fetched.commit, "asked_for": self._asked_for}
        else:
            self._files = {path: files.get(path) or _make_gone(path) for path in self._only if path not in found}

    def _read_site_settings(self, listed: Collection[str]) -> SiteSettings:
        """By paths from the repository's root."""
        places = {self._get_place(path) for path in (*self._selection.site_settings, *filter(is_site_settings, listed))}
        if folder := self._options.folder:
            places |= {path for name in SITE_SETTINGS for path in iter_paths(posixpath.dirname(folder), name)}
        return read_site_settings(places, self._find_included)

    def _read_categories(self, listed: Mapping[str, GitFile | RefusedFile]) -> Mapping[str, str]:
        """By paths from the repository's root, since a site may be configured above the folder that is asked for."""
        folder = self._options.folder
        files = {self._get_place(path): file for path, file in listed.items()}
        others = [self._get_place(path) for path in self._selection.navigation]
        if folder:
            others += [path for name in SITE_FILES for path in iter_paths(posixpath.dirname(folder), name)]

        def read(place: str) -> bytes | None:
            read = self._read(files[place]) if place in files else None
            return read.content if isinstance(read, RawDocument) else self._find_included(place)

        found = read_categories([*files, *others], read, self._selection.left_out)
        top = self._get_place("")
        return {place.removeprefix(top): category for place, category in found.items() if place.startswith(top)}

    def _read_page(self, file: GitFile) -> RawDocument | RefusedFile:
        """The page with the files that it includes, from anywhere in the repository, and what is known of the pages that it names."""
        read = self._read(file)
        if not isinstance(read, RawDocument):
            return read
        described = self._description.leave_out(read)
        return self._references.resolve(self._includes.resolve(described, self._get_place(file.path)))

    def _get_place(self, path: str) -> str:
        """The path from the repository's root, for one relative to the folder that is asked for."""
        return posixpath.join(self._options.folder, path)

    def _find_included(self, path: str) -> bytes | None:
        """The content of any file in the repository, even if it is no document of the source."""
        try:
            blob = self._tree.find_blob(path)
            return self._read_blob(GitFile(path, blob)) if blob else None
        except IngestError:
            return None

    def _read(self, file: GitFile | RefusedFile) -> RawDocument | RefusedFile:
        if isinstance(file, RefusedFile):
            return file
        source_url = make_file_url(self._remote.url, self._fetched.ref, self._get_place(file.path))
        try:
            return RawDocument(file.path, self._read_blob(file), source_url=source_url)
        except (FetchError, FileTooLarge) as error:
            return RefusedFile(file.path, error, source_url)

    def _read_blob(self, file: GitFile) -> bytes:
        content = self._pack.find_blob(file.blob)
        if content is None:
            raise FileTooLarge(
                f"It has more than the {self._max_file_bytes:,} bytes that the source takes. {HOW_TO_TAKE_LARGER}",
                max_file_bytes=self._max_file_bytes,
            )
        check_size(len(content), self._max_file_bytes)
        if content.startswith(_LFS_POINTER):
            raise FetchError(
                "It is kept in Git LFS, from which nothing is fetched. Exclude it, or keep it in Git itself."
            )
        return content


def _make_digest(url: str, options: GitOptions, choice: FileChoice) -> str:
    """Changes with what is asked for: with the source's settings, or with a release that takes other files."""
    files = map(str, (choice.include, choice.exclude, choice.max_file_bytes))
    asked_for = json.dumps([url, options.model_dump(), *files, DOCUMENT_NAME_RULE, SELECTION_RULE])
    return hashlib.sha256(asked_for.encode()).hexdigest()


def _find_last_commit(last_state: Mapping[str, Any] | None, asked_for: str) -> str:
    """Empty if everything should be read."""
    return str(last_state["commit"]) if last_state and last_state.get("asked_for") == asked_for else ""


def _make_gone(path: str) -> RefusedFile:
    return RefusedFile(
        path, FetchError("It is gone from the repository, or no longer among the files that are asked for.")
    )
