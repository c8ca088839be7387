"""Which files of a source are no documents of their own: parts of the pages that include them, which parsing tells by their names,
what Mintlify makes no pages of, texts with code of which R or Quarto has made the Markdown beside them, templates, pages for addresses
without one, and what a pattern takes with the folder that it is in.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator

from collections_app.exceptions import IngestError, UnsupportedFormat
from collections_app.parsing.detection import check_format
from collections_app.parsing.detection.document_names import find_advice, is_packed_name
from collections_app.parsing.detection.error_pages import is_error_name, is_stand_in
from collections_app.parsing.detection.templates import (
    is_frame_of_pages,
    is_html_name,
    is_print_page,
    is_rustdocs_list,
    is_search_page,
    is_template,
)
from collections_app.parsing.dialects.docfx import is_contents
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.includes import IncludeResolver, Kind, find_kind
from collections_app.parsing.navigation.sites import MINTLIFY
from collections_app.parsing.references import MYST_CONFIGURATIONS, Configuration, read_configuration
from collections_app.parsing.source_paths import FilesAbove, iter_paths
from collections_app.sources import RefusedFile
from collections_app.sources.selection import Selection

PART = "part of the pages that include it, and no document of its own"
"""Why such a file is left out."""

SOURCE_OF_MARKDOWN = "what the Markdown beside it was made of, which says the same, and what its code gives"
TEMPLATE = (
    "Templates that a site or a program makes pages with (in `themes`, `layouts`, `overrides`, `templates`). "
    "Name `templates/` in an include pattern if they are documentation."
)
STAND_IN = "Pages that a site shows in place of those that it does not have. Name one that is documentation by an include pattern."
CONTENTS = "Tables of contents of DocFX (`TOC.md`), which have nothing but headings that are links."
FRAME = "HTML without text that a site puts around its pages, such as a header or a footer."
SEARCH_PAGE = "HTML in which a built site shows what its search finds (Doxygen's `search/`, Sphinx's `search.html`)."
RUSTDOCS_LIST = (
    "Lists of everything that rustdoc makes for browsing (`all.html`), and its pages that are written by scripts."
)
PRINT_PAGE = "HTML in which a built site has all its pages once more, to be printed (mdBook's `print.html`)."
OTHER_KIND = (
    "No documents of a kind that is read (code, configuration, data), in a folder that an include pattern takes."
)
SNIPPET = "in `snippets/`, of which Mintlify makes no pages. Name that folder in an include pattern to take them."
_SNIPPETS = "snippets/"
_OF_SPHINX = ".rst"
_CONTENTS = "SUMMARY.md"
_SOURCE_ENDINGS = frozenset({".qmd", ".rmd"})

Read = Callable[[str], RawDocument | RefusedFile]
ReadAll = Callable[[Collection[str]], Iterable[RawDocument | RefusedFile]]


def find_parts(
    paths: Iterable[str], iter_included: Callable[[Collection[str]], Iterator[Collection[str]]]
) -> Collection[str]:
    """Those of the files at `paths` that are parts. `iter_included` reads files and yields what each includes as a part; it is not
    called if no file can be one. A page can, in a source with pages of Sphinx or a table of contents.

    Only what a document includes counts: files that only include each other stay documents.
    """
    kinds = defaultdict[Kind, list[str]](list)
    for path in paths:
        kinds[find_kind(path)].append(path)
    has_orphans = any(get_extension(path) == _OF_SPHINX or path.endswith(_CONTENTS) for path in kinds[Kind.PAGE])
    included, parts = set[str](), set[str]()
    for kind in sorted(kinds):
        parts |= included.intersection(kinds[kind])
        if kind != max(kinds) or has_orphans:
            pages = [path for path in kinds[kind] if path not in parts and not is_packed_name(path)]
            for found in iter_included(pages):
                included.update(found)
    return parts | included.intersection(kinds[Kind.PAGE]) if has_orphans else parts


def leave_out(
    selection: Selection, paths: Collection[str], parts: Collection[str], read_all: ReadAll
) -> Collection[str]:
    """Of files at `paths` those that are no documents: the parts, sources of Markdown beside them, and what `read_all` shows to be none
    where the name leaves it in doubt. They are counted as left out.
    """
    made = {path.rpartition(".")[0] for path in paths if get_extension(path) == ".md"}
    sources = {path for path in paths if get_extension(path) in _SOURCE_ENDINGS and path.rpartition(".")[0] in made}
    selection.leave_out(PART, parts)
    selection.leave_out(SOURCE_OF_MARKDOWN, sources.difference(parts))
    snippets = _find_snippets(selection, paths).difference(parts)
    selection.leave_out(SNIPPET, snippets)
    known = sources.union(parts, snippets)
    others = _find_others([path for path in paths if path not in known and selection.is_in_doubt(path)], read_all)
    about_errors = {posixpath.dirname(path) for path in paths if is_error_name(path)}
    others[STAND_IN] = [path for path in others[STAND_IN] if posixpath.dirname(path) not in about_errors]
    for reason, found in others.items():
        selection.leave_out(reason, found)
    return known.union(*others.values())


def _find_snippets(selection: Selection, paths: Iterable[str]) -> set[str]:
    """The files in `snippets/` beside Mintlify's configuration, unless an include pattern names that folder."""
    beside = {path.removesuffix(name) for path in selection.navigation for name in MINTLIFY if path.endswith(name)}
    folders = tuple(f"{folder}{_SNIPPETS}" for folder in beside if folder.endswith("/") or not folder)
    return set() if selection.names(_SNIPPETS) else {path for path in paths if path.startswith(folders)}


def _find_others(doubtful: Collection[str], read_all: ReadAll) -> defaultdict[str, list[str]]:
    """Those that are no documents, by the reason; what cannot be read is refused where it is read as one."""
    found = defaultdict[str, list[str]](list)
    for read in read_all(doubtful) if doubtful else ():
        if isinstance(read, RawDocument) and (reason := _find_reason(read)):
            found[reason].append(read.path)
    return found


def _find_reason(raw: RawDocument) -> str:
    """Why it is no document; empty for one, and for what is only broken."""
    if is_template(raw):
        return TEMPLATE
    if is_stand_in(raw):
        return STAND_IN
    if is_contents(raw):
        return CONTENTS
    if is_html_name(raw.path):
        if is_frame_of_pages(raw):
            return FRAME
        if is_rustdocs_list(raw):
            return RUSTDOCS_LIST
        if is_print_page(raw):
            return PRINT_PAGE
        return SEARCH_PAGE if is_search_page(raw) else ""
    try:
        check_format(raw)
    except UnsupportedFormat:
        return find_advice(raw.path) or OTHER_KIND
    except IngestError:
        return ""
    return ""


class PartsOfPages:
    """For a source whose files can be read in any order: `read` returns the one at its path, `find` what a page may include, by its path
    from the root, where the source's own paths begin with `folder`. `check` is called at each file, and may raise to stop.
    """

    def __init__(
        self,
        read: Read,
        find: Callable[[str], bytes | None],
        folder: str = "",
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._read = read
        self._find = find
        self._folder = f"{folder}/" if folder else ""
        self._check = check
        self._includes = IncludeResolver(find)
        self._configurations: dict[str, Configuration] = {}
        self._myst = FilesAbove(find, MYST_CONFIGURATIONS)

    def leave_out(self, selection: Selection, paths: Collection[str]) -> Collection[str]:
        """Those of the source's files that are no documents of their own."""
        parts = find_parts(paths, self._iter_included)
        self._includes = IncludeResolver(self._find)  # what pages may include counts from here on
        return leave_out(selection, paths, parts, self._iter_files)

    def read_named(self, path: str) -> RawDocument | RefusedFile:
        """A page as others refer to it: with its variables replaced, and with its parts, in which nobody would look by themselves."""
        read = self._read(path)
        if not isinstance(read, RawDocument):
            return read
        whole = self._includes.put_in(read, self._folder + path)
        return self._includes.write_variables(whole if self._includes.parts else read, self._folder + path)

    def find_configuration(self, path: str) -> Configuration:
        """What the configurations of Sphinx and MyST say of a page."""
        folder = posixpath.dirname(self._folder + path)
        if folder not in self._configurations:
            self._configurations[folder] = self._read_configuration(folder)
        return self._configurations[folder]

    def _read_configuration(self, folder: str) -> Configuration:
        for path in iter_paths(folder, "conf.py"):
            if content := self._find(path):
                is_inside = path.startswith(self._folder)
                return read_configuration(path.removeprefix(self._folder) if is_inside else "", content)
        return Configuration(is_in_myst=self._myst.are_above(folder))

    def _iter_included(self, paths: Collection[str]) -> Iterator[Collection[str]]:
        for read in self._iter_files(paths):
            if isinstance(read, RawDocument):
                parts = self._includes.find_parts(read, self._folder + read.path)
                own = (part for part in parts if part.startswith(self._folder))
                yield [part.removeprefix(self._folder) for part in own]

    def _iter_files(self, paths: Collection[str]) -> Iterator[RawDocument | RefusedFile]:
        for path in paths:
            self._check()
            yield self._read(path)
