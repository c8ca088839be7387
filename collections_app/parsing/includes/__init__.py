"""Inserts what a page takes from other files of its source: the files that it includes, the values of its site's variables (../variables),
and the targets of its wikilinks. It reads nothing itself.

    markdown.py, restructured_text.py, asciidoc.py    find the lines that include something
    imports.py                                        what MDX imports, and the components that show it
    excerpts.py                                       which lines of a file are included
    files.py                                          whether a page may include a file, and its language
    parts.py                                          whether a file is only a part of pages and no document of its own
    notes.py                                          parts of pages that wikilinks name
    antora.py                                         attributes of a page in an Antora component
    ../openapi/bundling.py                            what API descriptions refer to in other files
    ../mkdocs.py                                      MkDocs' configuration: folders of files to include, titles of pages
    version_links.py                                  links that name the version of the site (Laravel)
    navigation_titles.py                              titles of pages in tables of contents

A source that can look up its files resolves a page before it is parsed; so a page's bytes change with what it includes. What is not
resolved stays as it is written, and find_unresolved() reports it, whatever the source.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from collections_app.exceptions import IngestError
from collections_app.parsing import mkdocs
from collections_app.parsing.asciidoc.antora import find_component, get_attributes
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.detection import Format, detect_format
from collections_app.parsing.dialects.docc import LINK_HINT as DOCC_HINT
from collections_app.parsing.dialects.docc import write_as_wikilinks
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.fences import enclose, make_fence
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.front_matter import has_front_matter, split_front_matter
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.includes import antora, asciidoc, markdown, restructured_text, version_links
from collections_app.parsing.includes.excerpts import Excerpt
from collections_app.parsing.includes.files import find_language, is_text
from collections_app.parsing.includes.lines import Include, Writing
from collections_app.parsing.includes.navigation_titles import NavigationTitles
from collections_app.parsing.includes.notes import write_note
from collections_app.parsing.includes.parts import Kind, find_kind, is_part
from collections_app.parsing.openapi.bundling import HINT as REFERENCE_HINT
from collections_app.parsing.openapi.bundling import bundle
from collections_app.parsing.references.targets import add_navigation_title
from collections_app.parsing.shortcodes import SiteShortcodes
from collections_app.parsing.source_paths import iter_paths
from collections_app.parsing.variables import HINT as VARIABLE_HINT
from collections_app.parsing.variables import SiteVariables
from collections_app.parsing.wikilinks import FileNames, write_wikilinks
from collections_app.parsing.wikilinks.links import HINT as WIKILINK_HINT

__all__ = ["MAX_FILE_BYTES", "IncludeResolver", "Kind", "find_kind", "find_unresolved"]

MAX_FILE_BYTES = 1024 * 1024
MAX_PAGE_BYTES = 4 * 1024 * 1024
MAX_SOURCE_BYTES = 256 * 1024 * 1024
"""The limit for included text in all pages of one reading."""

MAX_PAGE_INCLUDES = 1000
MAX_DEPTH = 5

_MAX_SHOWN = 5
_HAS_WORD = re.compile(r"\w")
_PAGES_IN_NAVIGATION = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})
_VAULT_SIGNS = (".obsidian/app.json", "logseq/config.edn")
_MARKDOWN = frozenset({Format.MARKDOWN, Format.MDX})
_MAY_HAVE_SUBSTITUTIONS = frozenset({".rst", ".rest", ".txt", ".text", ""})
_HINTS: Mapping[Format, re.Pattern[bytes]] = {
    **dict.fromkeys(_MARKDOWN, markdown.HINT),
    Format.RESTRUCTURED_TEXT: restructured_text.HINT,
    Format.ASCIIDOC: asciidoc.HINT,
}


class IncludeResolver:
    """Resolves the pages of one reading of a source. `read` returns a file by its path from the source's root, or None; `names` are the
    files that wikilinks may name.

    `parts` are the files that the page resolved last includes and that are no documents of their own.
    """

    def __init__(self, read: Callable[[str], bytes | None], names: FileNames | None = None) -> None:
        self._read = read
        self._names = names or FileNames()
        self._variables = SiteVariables(read)
        self._configurations: dict[str, mkdocs.Configuration | None] = {}
        self._entries: dict[str, Sequence[str]] = {}
        self._titles = NavigationTitles(read)
        self._shortcodes = SiteShortcodes(read)
        self._bytes_left = MAX_SOURCE_BYTES
        self._referred_to: set[str] = set()
        self.parts: Collection[str] = ()

    def resolve(self, raw: RawDocument, path: str = "") -> RawDocument:
        """The page with its included files, the values of its variables, links for its wikilinks, the attributes of its component, and its
        title in the navigation; the page itself if it has none of these. `path` is the page's path from the root.
        """
        path = path or raw.path
        self.parts = ()
        if REFERENCE_HINT.search(raw.content) and _has_format(raw, Format.OPENAPI):
            return self._bundle(raw, path)
        has_wikilinks = (WIKILINK_HINT.search(raw.content) or DOCC_HINT.search(raw.content)) is not None
        whole, has_notes = self._put_in(self._give_attributes(raw, path), path)
        whole = self.write_variables(whole, path)
        whole = self._write_wikilinks(whole, path, is_vault=has_notes) if has_wikilinks else whole
        whole = self._write_version_links(whole, path) if version_links.HINT.search(whole.content) else whole
        return self._give_title(whole, path)

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._configurations.clear()
        self._entries.clear()
        self._titles.forget_missing()

    def _bundle(self, raw: RawDocument, path: str) -> RawDocument:
        """An API description with what it refers to in other files."""

        def read(path: str) -> bytes | None:
            content = self._read(path) if self._bytes_left > 0 else None
            if path not in self._referred_to:  # a page of an archive is resolved again for each level of its files
                self._bytes_left -= len(content or b"")
                self._referred_to |= {path} if content else set()
            return content

        try:
            whole = bundle(raw.content, path, read)
        except (IngestError, RecursionError):
            return raw  # its parser will report it
        return replace(raw, content=whole) if whole else raw

    def _put_in(self, raw: RawDocument, path: str) -> tuple[RawDocument, bool]:
        """The page with the files that it includes, and whether a wikilink included one."""
        format = _find_format(raw)
        if format is None:
            return raw, False
        try:
            text, _ = decode_text(raw.content)
            max_bytes = min(_find_max_bytes(format, text), self._bytes_left)
            folders = self._find_folders(path) if format in _MARKDOWN else ()
            page = _Page(self._read, self._names, max_bytes, format, path, folders)
            resolved = page.resolve(text, path)
        except IngestError:
            return raw, False  # its parser will report it
        self._bytes_left -= page.taken_bytes
        self.parts = page.parts
        whole = raw if resolved == text else replace(raw, content=resolved.encode("utf-8"))
        return whole, page.has_notes

    def write_variables(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with the values of its variables; nothing is included."""
        has_hint = VARIABLE_HINT.search(raw.content) is not None
        may_have = get_extension(path) in _MAY_HAVE_SUBSTITUTIONS and (b"|" in raw.content or b"{+" in raw.content)
        if not has_hint and not may_have:
            return raw
        try:
            format = detect_format(raw)
            if format is Format.RESTRUCTURED_TEXT:
                written = self._variables.write_restructured_text(text := decode_text(raw.content)[0], path)
            elif has_hint and (format in _MARKDOWN or (format is Format.HTML and has_front_matter(raw.content))):
                text = decode_text(raw.content)[0]
                told = self._shortcodes.write(text, path) if format in _MARKDOWN else text
                written = self._variables.write_markdown(told, path)
            else:
                return raw
        except IngestError:
            return raw  # its parser will report it
        return raw if written == text else replace(raw, content=written.encode())

    def _write_wikilinks(self, raw: RawDocument, path: str, *, is_vault: bool) -> RawDocument:
        try:
            if detect_format(raw) not in _MARKDOWN:
                return raw
            text, _ = decode_text(raw.content)
            body = split_front_matter(text)[1]
        except IngestError:
            return raw  # its parser will report it
        written = write_as_wikilinks(body, lambda name: self._names.find(name, path) is not None)
        written = write_wikilinks(written, self._names, path, is_vault=is_vault or self._is_in_vault(path))
        head = text[: len(text) - len(body)]
        return raw if written == body else replace(raw, content=f"{head}{written}".encode())

    def _write_version_links(self, raw: RawDocument, path: str) -> RawDocument:
        if not _has_format(raw, Format.MARKDOWN):
            return raw
        try:
            text, warnings = decode_text(raw.content)
        except IngestError:
            return raw  # its parser will report it
        written = version_links.write_version_links(text, self._names, path)
        return raw if warnings or written == text else replace(raw, content=written.encode())

    def _find_folders(self, path: str) -> Sequence[str]:
        """The folders from which the page's site includes files, in addition to those where all files are searched."""
        configuration = self._find_configuration(posixpath.dirname(path))
        return mkdocs.list_folders(configuration) if configuration else ()

    def _find_configuration(self, folder: str) -> mkdocs.Configuration | None:
        """MkDocs' configuration in the folder or the nearest one above."""
        if folder not in self._configurations:
            paths = [posixpath.join(folder, name) for name in mkdocs.CONFIGURATIONS]
            contents = ((path, content) for path in paths if (content := self._read(path)) is not None)
            found = next((mkdocs.read_configuration(*each, self._read) for each in contents), None)
            if found is None and folder not in ("", "/"):
                found = self._find_configuration(posixpath.dirname(folder))
            self._configurations[folder] = found
        return self._configurations[folder]

    def _give_title(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with its title in the site's navigation, in case it has no title itself."""
        if get_extension(path) not in _PAGES_IN_NAVIGATION:
            return raw
        configuration = self._find_configuration(posixpath.dirname(path))
        told = mkdocs.read_titles(configuration).get(path) if configuration else ""
        title = told or self._titles.find(path)
        if not title or not _has_format(raw, Format.MARKDOWN):
            return raw
        try:
            text, warnings = decode_text(raw.content)
        except IngestError:
            return raw  # its parser will report it
        return raw if warnings else replace(raw, content=add_navigation_title(text, title).encode())

    def _is_in_vault(self, path: str) -> bool:
        """Whether a note-taking program keeps its settings in a folder around the page."""
        signs = (found for sign in _VAULT_SIGNS for found in iter_paths(posixpath.dirname(path), sign))
        return any(self._read(found) is not None for found in signs)

    def _give_attributes(self, raw: RawDocument, path: str) -> RawDocument:
        component = find_component(path)
        if component is None or not _has_format(raw, Format.ASCIIDOC):
            return raw
        entries = self._find_entries(component)
        try:
            text = "\n".join([*entries, decode_text(raw.content)[0]])
        except IngestError:
            return raw  # its parser will report it
        return replace(raw, content=text.encode()) if entries and len(text) <= asciidoc.MAX_CHARACTERS else raw

    def _find_entries(self, component: str) -> Sequence[str]:
        """The attributes of a component, as lines of AsciiDoc."""
        if component not in self._entries:
            described = self._read(f"{component}{antora.COMPONENT}")
            folder = component.rstrip("/")
            playbooks = (self._read(found) for name in antora.PLAYBOOKS for found in iter_paths(folder, name))
            self._entries[component] = antora.make_entries(described, next(filter(None, playbooks), None))
        return self._entries[component]


def _has_format(raw: RawDocument, format: Format) -> bool:
    try:
        return detect_format(raw) is format
    except IngestError:
        return False


def find_unresolved(format: Format, content: bytes) -> tuple[str, ...]:
    """A warning about files that a page includes but does not contain; empty if it contains them all."""
    if not _has_hint(format, content):
        return ()
    lines = decode_text(content)[0].split("\n")
    found = [
        next(filter(_HAS_WORD.search, lines[include.first : include.end]), "").strip()
        for include in _iter_includes(format, lines, Attributes(), "")
        if include.first < include.end
    ]
    if not found:
        return ()
    more = [f"{len(found) - _MAX_SHOWN} more"] if len(found) > _MAX_SHOWN else []
    shown = ", ".join([*found[:_MAX_SHOWN], *more])
    what_is_put_in = f"text files that they hold, of at most {MAX_FILE_BYTES // 1024**2} MiB each"
    outside = "For files outside of what is read, read a folder above."
    return (
        f"Files that it includes are not in its text: {shown}. Directories, Git sources and archives put in {what_is_put_in}. {outside}",
    )


class _Page:
    """One page being resolved, with what is left of its limits."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        names: FileNames,
        max_bytes: int,
        format: Format,
        path: str,
        folders: Sequence[str],
    ) -> None:
        self._read = read
        self._names = names
        self._max_bytes = max_bytes
        self._format = format
        self._path = path
        self._folders = folders
        self._attributes = Attributes(get_attributes(path))
        self._texts: dict[str, str] = {}
        self._includes_left = MAX_PAGE_INCLUDES
        self._open: list[tuple[str, Excerpt]] = [(path, Excerpt())]
        self.taken_bytes = 0
        self.parts: set[str] = set()
        self.has_notes = False

    def resolve(self, text: str, path: str, depth: int = 0) -> str:
        """The text of the file at `path`, with what it includes."""
        lines, written, position = text.split("\n"), list[str](), 0
        levels: _Levels | None = None
        for include in _iter_includes(self._format, lines, self._attributes, path):
            if self._includes_left <= 0:
                break
            if include.is_note:
                levels = levels or _Levels(lines)
                found = self._find_note(include, path, depth, levels)
            else:
                found = self._find(include, posixpath.dirname(path), depth)
            put_in = include.otherwise if found is None else found
            if put_in is not None:
                written += [*lines[position : include.first], *put_in]
                position = include.end
        return "\n".join([*written, *lines[position:]])

    def _find(self, include: Include, folder: str, depth: int) -> list[str] | None:
        """The lines that replace an include; None if it cannot be resolved."""
        for path in self._iter_files(folder, include.target) if depth < MAX_DEPTH else ():
            if find_language(path) is None:
                continue
            excerpt = self._cut(path, include.excerpt)
            if excerpt is not None:
                self._includes_left -= 1
                lines = self._indent(self._write(include, path, excerpt, depth), include.prefix)
                if lines is not None and is_part(path, self._path, is_whole=include.excerpt.is_whole):
                    self.parts.add(path)
                return lines
        self._includes_left -= 1
        return None

    def _iter_files(self, folder: str, target: str) -> Iterator[str]:
        """The paths at which to look for a file. In folders that the site configures, files of macros are at the top, not in
        `_includes/`.
        """
        for own in self._folders:
            yield from islice(iter_paths(own, target.removeprefix(markdown.INCLUDES)), 1)
        yield from iter_paths(folder, target)

    def _find_note(self, include: Include, page: str, depth: int, levels: _Levels) -> list[str] | None:
        """The lines that replace an embedded note. If a page or a part of it embeds itself, they are a link."""
        self._includes_left -= 1
        path = (
            self._names.find(include.target, page) or self._find_file(include.target, page) if include.target else page
        )
        if path is None or depth >= MAX_DEPTH or find_language(path) is None:
            return None
        place = (path, include.excerpt)
        if place in self._open:
            return [f"{include.prefix}[[{_name_part(include)}]]"]
        excerpt = self._cut(path, include.excerpt)
        if excerpt is None:
            return None
        self.has_notes = True
        self._open.append(place)
        lines = self._write(include, path, excerpt, depth)
        self._open.pop()
        if is_text(path, self._format):
            level = 0 if include.prefix.strip() else levels.find(include.first)
            lines = write_note("\n".join(lines), level).split("\n")
        return self._indent(lines, include.prefix)

    def _find_file(self, target: str, page: str) -> str | None:
        """A file that is not a document of the source."""
        folder = posixpath.dirname(page)
        paths = [path for name in (target, f"{target}.md") for path in iter_paths(folder, name) if find_language(path)]
        return next((path for path in paths if path in self._texts or self._take(path) is not None), None)

    def _cut(self, path: str, excerpt: Excerpt) -> str | None:
        """The included lines. If the file was read before, only their size counts, but at least a sixteenth of the file, which is searched
        again; a quarter for parts that only the page's structure shows.
        """
        known = self._texts.get(path)
        if known is None:
            text = self._take(path)
            return excerpt.cut(text) if text is not None else None
        left, share = self._max_bytes - self.taken_bytes, 4 if excerpt.heading or excerpt.block else 16
        least = len(known) // share
        found = excerpt.cut(known) if least < left else None
        taken = max(least, len(found or ""))
        self.taken_bytes += min(taken, left)
        return found if taken <= left else None

    def _take(self, path: str) -> str | None:
        left = self._max_bytes - self.taken_bytes
        content = self._read(path) if left > 0 else None
        if content is None:
            return None
        self.taken_bytes += min(len(content), left)  # what is too large, or no text, was also read
        if len(content) > min(MAX_FILE_BYTES, left):
            return None
        try:
            self._texts[path] = decode_text(content)[0]
        except IngestError:
            return None
        return self._texts[path]

    def _write(self, include: Include, path: str, text: str, depth: int) -> list[str]:
        is_by_extension = include.writing is Writing.BY_EXTENSION and is_text(path, self._format)
        if is_by_extension or include.writing is Writing.AS_TEXT:
            body = _strip_front_matter(text) if self._format in _MARKDOWN else text
            whole = self.resolve(body, path, depth + 1)
            if include.below_level:
                whole = enclose(whole, below_level=include.below_level)
            return [*include.before, *whole.split("\n"), *include.after]
        language = include.language or find_language(path) or "text"
        if self._format is Format.ASCIIDOC and include.writing is Writing.AS_CODE:
            return asciidoc.write_listing(text, language)
        if include.writing is Writing.AS_IT_IS or self._format is Format.ASCIIDOC:
            return text.split("\n")
        if self._format in _MARKDOWN:
            return [*include.before, *make_fence(text, language).split("\n"), *include.after]
        return _write_directive(include, text, language)

    def _indent(self, lines: list[str], prefix: str) -> list[str] | None:
        added = len(prefix) * len(lines)
        if added > self._max_bytes - self.taken_bytes:
            return None
        self.taken_bytes += added
        return [f"{prefix}{line}" if line or prefix.strip() else line for line in lines]


class _Levels:
    """The levels of a page's headings."""

    def __init__(self, lines: Sequence[str]) -> None:
        headings = list(iter_headings(lines))
        self._lines = [heading.line for heading in headings]
        self._levels = [0, *(heading.level for heading in headings)]

    def find(self, line: int) -> int:
        """The level of the heading above this line; 0 if there is none."""
        return self._levels[bisect_left(self._lines, line)]


def _name_part(include: Include) -> str:
    """The name of an included part in a wikilink."""
    block = f"^{include.excerpt.block}" if include.excerpt.block else ""
    return "#".join(filter(None, [include.target, include.excerpt.heading or block]))


def _write_directive(include: Include, text: str, language: str) -> list[str]:
    is_code = include.writing is not Writing.AS_TABLE
    head = [f".. code-block:: {language}", *include.kept] if is_code else include.kept
    return [*head, "", *(f"   {line}".rstrip() for line in text.split("\n")), ""]


def _strip_front_matter(text: str) -> str:
    try:
        return split_front_matter(text)[1].strip("\n")
    except IngestError:
        return text


def _find_max_bytes(format: Format, text: str) -> int:
    """How much a page may include: what would make it too large for its parser is left out, instead of losing the page."""
    if format in _MARKDOWN:
        return MAX_PAGE_BYTES
    most = asciidoc.MAX_CHARACTERS if format is Format.ASCIIDOC else restructured_text.MAX_CHARACTERS
    return max(0, min(MAX_PAGE_BYTES, most - len(text)))


def _find_format(raw: RawDocument) -> Format | None:
    """The page's format; None if nothing is included."""
    if not any(hint.search(raw.content) for hint in set(_HINTS.values())):
        return None
    try:
        format = detect_format(raw)
    except IngestError:
        return None
    return format if _has_hint(format, raw.content) else None


def _has_hint(format: Format, content: bytes) -> bool:
    return format in _HINTS and _HINTS[format].search(content) is not None


def _iter_includes(format: Format, lines: Sequence[str], attributes: Attributes, path: str) -> Iterator[Include]:
    """The includes in these lines. `attributes` are those of AsciiDoc, and are updated with what the lines set."""
    if format is Format.ASCIIDOC:
        return asciidoc.iter_asciidoc(lines, attributes, path)
    find = markdown.iter_markdown if format in _MARKDOWN else restructured_text.iter_restructured_text
    return find(lines)
