"""Inserts what a page takes from other files of its source: the files that it includes, the values of its site's variables (../variables),
and the targets of its wikilinks. It reads nothing itself.

    page.py                                           puts the files that a page includes into its text
    by_format.py                                      which of the next three reads a text
    markdown.py, restructured_text.py, asciidoc.py    find the lines that include something
    hugo.py                                           tags of Hugo and Quarto that include something, also within a line
    moved_links.py                                    relative links of files that count from their own folder
    liquid.py                                         what Liquid gives a file that it includes
    imports.py                                        what MDX imports, and the components that show it
    excerpts.py                                       which lines of a file are included
    files.py                                          whether a page may include a file, and its language
    parts.py                                          whether a file is only a part of pages and no document of its own
    heads.py                                          the fields of a file before its text, and whether Sphinx has it in no contents
    notes.py                                          parts of pages that wikilinks name
    antora.py                                         attributes of a page in an Antora component
    ../openapi/bundling.py                            what API descriptions refer to in other files
    ../mkdocs.py                                      MkDocs' configuration: folders of files to include, titles of pages
    version_links.py                                  links that name the version of the site (Laravel)
    navigation_titles.py                              titles of pages in tables of contents
    hidden_pages.py                                   which pages their site hides
    eleventy.py                                       what only a build of Eleventy knows
    eleventy_tags.py                                  tags that a site of Eleventy defines itself
    writerside.py                                     elements of topics and code that pages of Writerside take
    unresolved.py                                     what a page includes but does not contain

A source that can look up its files resolves a page before it is parsed; so a page's bytes change with what it includes. What is not
resolved stays as it is written, and find_unresolved() reports it, whatever the source.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from collections_app.exceptions import IngestError
from collections_app.parsing.asciidoc.antora import find_component
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.detection import detect_format, is_plainly_html
from collections_app.parsing.dialects import docc
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import MARKDOWN_EXTENSIONS, get_extension
from collections_app.parsing.formats import Format
from collections_app.parsing.front_matter import has_front_matter, split_front_matter
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import antora, asciidoc, eleventy, version_links, writerside
from collections_app.parsing.includes.by_format import MARKDOWN, find_formats
from collections_app.parsing.includes.hidden_pages import HINT as HIDDEN_HINT
from collections_app.parsing.includes.hidden_pages import HiddenPages
from collections_app.parsing.includes.navigation_titles import NavigationTitles
from collections_app.parsing.includes.page import MAX_FILE_BYTES, Page, find_max_bytes
from collections_app.parsing.includes.parts import Kind, find_kind
from collections_app.parsing.includes.unresolved import find_unresolved
from collections_app.parsing.navigation import MAX_NAVIGATIONS_BYTES, mkdocs
from collections_app.parsing.openapi.bundling import HINT as REFERENCE_HINT
from collections_app.parsing.openapi.bundling import bundle
from collections_app.parsing.references.myst import read_names
from collections_app.parsing.references.names import Names
from collections_app.parsing.references.targets import add_code_language, add_hidden_sign, add_navigation_title
from collections_app.parsing.safety.places import replace_outside_code
from collections_app.parsing.shortcodes import SiteShortcodes
from collections_app.parsing.source_paths import FilesAbove, Read, iter_paths
from collections_app.parsing.variables import HINT as VARIABLE_HINT
from collections_app.parsing.variables import SiteVariables
from collections_app.parsing.wikilinks import FileNames, write_wikilinks
from collections_app.parsing.wikilinks.links import HINT as WIKILINK_HINT

__all__ = ["MAX_FILE_BYTES", "IncludeResolver", "Kind", "find_kind", "find_unresolved"]

MAX_SOURCE_BYTES = 256 * 1024 * 1024
"""The limit for included text in all pages of one reading."""

# Settings of note-taking programs.
_VAULT_SIGNS = (".obsidian/app.json", "logseq/config.edn")
_MAY_BE_RESTRUCTURED_TEXT = frozenset({".rst", ".rest", ".txt", ".text", ""})
_NAMES_OF_SPHINX = Hint(rb"\|", rb"\{\+", rb"_(?!\w)")
_CODE_WITHOUT_LANGUAGE = Hint(rb"::[ \t]*\r?\n")

_Write = Callable[[str], str]


class IncludeResolver:
    """Resolves the pages of one reading of a source. `read` returns a file by its path from the source's root, or None; `names` are the
    files that wikilinks may name.

    `parts` are the files that the page resolved last includes and that are no documents of their own.
    """

    def __init__(self, read: Read, names: FileNames | None = None) -> None:
        self._read = read
        self._names = names or FileNames()
        self._variables = SiteVariables(read)
        self._configurations: dict[str, mkdocs.Configuration | None] = {}
        self._entries: dict[str, Sequence[str]] = {}
        self._vaults = FilesAbove(read, _VAULT_SIGNS)
        self._named: dict[str, Names] = {}
        self._titles = NavigationTitles(read)
        self._hidden = HiddenPages(read)
        self._eleventy = FilesAbove(read, eleventy.CONFIGURATIONS)
        self._writerside = writerside.Writerside(read, self._names)
        self._has_writerside = FilesAbove(read, writerside.CONFIGURATIONS)
        self._code_languages: dict[str, str] = {}
        self._shortcodes = SiteShortcodes(read)
        self._bytes_left = MAX_SOURCE_BYTES
        self._inherited_left = MAX_NAVIGATIONS_BYTES
        self._referred_to: set[str] = set()
        self.parts: Collection[str] = ()
        self._has_notes = False

    def resolve(self, raw: RawDocument, path: str = "") -> RawDocument:
        """The page with its included files, the values of its variables, links for its wikilinks, the attributes of its component, its
        title in the navigation, the language of its code and whether its site hides it; the page itself if it has none of these. `path` is
        its path from the root.
        """
        path = path or raw.path
        if is_plainly_html(raw):
            self.parts = ()
            return self._write_eleventy(raw, path)
        if REFERENCE_HINT.search(raw.content) and _has_format(raw, Format.OPENAPI):
            self.parts = ()
            return self._bundle(raw, path)
        has_wikilinks = WIKILINK_HINT.search(raw.content) is not None or docc.has_links(raw.content)
        whole = self.write_variables(self.put_in(raw, path), path)
        whole = _rewrite(whole, dict.fromkeys(MARKDOWN, partial(self._write_links, path))) if has_wikilinks else whole
        if version_links.HINT.search(whole.content):
            write = partial(version_links.write_version_links, names=self._names, path=path)
            whole = _rewrite(whole, {Format.MARKDOWN: write}, only_sound=True)
        whole = self._write_eleventy(whole, path)
        if writerside.LINK_HINT.is_in(whole.content) and self._has_writerside.are_above(posixpath.dirname(path)):
            whole = _rewrite(
                whole, {Format.MARKDOWN: partial(self._writerside.write_links, path=path)}, only_sound=True
            )
        if HIDDEN_HINT.is_in(whole.content):
            whole = _rewrite(whole, dict.fromkeys(MARKDOWN, partial(self._tell_hidden, path)), only_sound=True)
        return self._give_code_language(self._give_title(whole, path), path)

    def find_parts(self, raw: RawDocument, path: str) -> Collection[str]:
        """The files that the page includes and that are no documents of their own."""
        if is_plainly_html(raw):
            return ()
        self.put_in(raw, path)
        return self.parts

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._configurations.clear()
        self._inherited_left = MAX_NAVIGATIONS_BYTES
        self._entries.clear()
        self._vaults.forget_missing()
        self._named.clear()
        self._titles.forget_missing()
        self._hidden.forget_missing()
        self._eleventy.forget_missing()
        self._has_writerside.forget_missing()
        self._variables.forget_missing()
        self._code_languages.clear()

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

    def put_in(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with the attributes of its component and the files that it includes."""
        self.parts, self._has_notes = (), False
        if writerside.HINT.is_in(raw.content):
            raw = _rewrite(raw, {Format.MARKDOWN: partial(self._writerside.write, path=path)})
        component = find_component(path)
        if component is not None:
            raw = _rewrite(raw, {Format.ASCIIDOC: partial(self._add_entries, component)})
        return _rewrite(raw, {format: partial(self._include, format, path) for format in find_formats(raw.content)})

    def _include(self, format: Format, path: str, text: str) -> str:
        max_bytes = min(find_max_bytes(format, text), self._bytes_left)
        folders = self._find_folders(path) if format in MARKDOWN else ()
        page = Page(self._read, self._names, max_bytes, format, path, folders, self._titles.find)
        whole = page.resolve(text, path)
        self._bytes_left -= page.taken_bytes
        self.parts, self._has_notes = page.parts, page.has_notes
        return whole

    def write_variables(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with the values of its variables; nothing is included."""
        has_hint = VARIABLE_HINT.is_in(raw.content)
        may_have = get_extension(path) in _MAY_BE_RESTRUCTURED_TEXT and _NAMES_OF_SPHINX.is_in(raw.content)
        writers: dict[Format, _Write] = {}
        if has_hint or may_have:
            writers[Format.RESTRUCTURED_TEXT] = partial(self._variables.write_restructured_text, path=path)
        if has_hint:
            writers |= dict.fromkeys(MARKDOWN, partial(self._write_shortcodes, path))
        if has_hint and has_front_matter(raw.content):
            writers[Format.HTML] = partial(self._variables.write_markdown, path=path)
        return _rewrite(raw, writers)

    def _write_shortcodes(self, path: str, text: str) -> str:
        return self._variables.write_markdown(self._shortcodes.write(text, path), path)

    def _write_links(self, path: str, text: str) -> str:
        body = split_front_matter(text)[1]
        written = docc.write_links(body, path, lambda name: self._names.find(name, path), self._read_names)
        is_in_vault = self._has_notes or self._vaults.are_above(posixpath.dirname(path))
        written = write_wikilinks(written, self._names, path, is_vault=is_in_vault)
        return f"{text[: len(text) - len(body)]}{written}"

    def _read_names(self, path: str) -> Names:
        """What the Markdown page at this path can be called; nothing if it cannot be read."""
        if path not in self._named:
            try:
                self._named[path] = read_names(decode_text(self._read(path) or b"")[0])
            except IngestError:
                self._named[path] = Names("", ())
        return self._named[path]

    def _find_folders(self, path: str) -> Sequence[str]:
        """The folders from which the page's site includes files, in addition to those where all files are searched."""
        configuration = self._find_configuration(posixpath.dirname(path))
        return mkdocs.list_folders(configuration) if configuration else ()

    def _find_configuration(self, folder: str) -> mkdocs.Configuration | None:
        """MkDocs' configuration in the folder or the nearest one above."""
        if folder not in self._configurations:
            paths = [posixpath.join(folder, name) for name in mkdocs.CONFIGURATIONS]
            contents = ((path, content) for path in paths if (content := self._read(path)) is not None)
            found = next((mkdocs.read_configuration(*each, self._read_inherited) for each in contents), None)
            if found is None and folder not in ("", "/"):
                found = self._find_configuration(posixpath.dirname(folder))
            self._configurations[folder] = found
        return self._configurations[folder]

    def _read_inherited(self, path: str) -> bytes | None:
        """What configurations inherit is read for each of them, within a limit for all together."""
        content = self._read(path) if self._inherited_left > 0 else None
        self._inherited_left -= len(content or b"")
        return content

    def _give_title(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with its title in the site's navigation, in case it has no title itself."""
        if get_extension(path) not in MARKDOWN_EXTENSIONS:
            return raw
        configuration = self._find_configuration(posixpath.dirname(path))
        told = mkdocs.read_titles(configuration).get(path) if configuration else ""
        title = told or self._titles.find(path)
        write = partial(add_navigation_title, title=title)
        return _rewrite(raw, {Format.MARKDOWN: write}, only_sound=True) if title else raw

    def _write_eleventy(self, raw: RawDocument, path: str) -> RawDocument:
        """The page without the tags that only its site's build knows, if Eleventy makes the site. HTML in other encodings stays."""
        if not eleventy.HINT.is_in(raw.content) or not self._eleventy.are_above(posixpath.dirname(path)):
            return raw
        write = partial(eleventy.write_markdown, path=path, replace_outside_code=replace_outside_code)
        writers = dict.fromkeys(MARKDOWN, write) | {Format.HTML: eleventy.write_html}
        return _rewrite(raw, writers, only_sound=True)

    def _tell_hidden(self, path: str, text: str) -> str:
        return add_hidden_sign(text) if self._hidden.is_hidden(path, text) else text

    def _give_code_language(self, raw: RawDocument, path: str) -> RawDocument:
        """The page with the language of its code that names none, if its site says one."""
        if get_extension(path) not in _MAY_BE_RESTRUCTURED_TEXT or not _CODE_WITHOUT_LANGUAGE.is_in(raw.content):
            return raw
        folder = posixpath.dirname(path)
        if folder not in self._code_languages:
            self._code_languages[folder] = self._variables.find_code_language(folder)
        write = partial(add_code_language, language=self._code_languages[folder])
        return (
            _rewrite(raw, {Format.RESTRUCTURED_TEXT: write}, only_sound=True) if self._code_languages[folder] else raw
        )

    def _add_entries(self, component: str, text: str) -> str:
        written = "\n".join([*self._find_entries(component), text])
        return written if len(written) <= asciidoc.MAX_CHARACTERS else text

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


def _rewrite(raw: RawDocument, writers: Mapping[Format, _Write], *, only_sound: bool = False) -> RawDocument:
    """The page with its text as the writer of its format writes it, if there is one. What cannot be read stays as it is: its parser will
    report it. With `only_sound`, so does what can be read with warnings alone.
    """
    try:
        write = writers.get(detect_format(raw)) if writers else None
        if write is None:
            return raw
        text, warnings = decode_text(raw.content)
        written = text if only_sound and warnings else write(text)
    except IngestError:
        return raw
    return raw if written == text else replace(raw, content=written.encode())
