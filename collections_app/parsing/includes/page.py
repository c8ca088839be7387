"""Puts the files that a page includes into its text, within limits."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, repeat

from collections_app.exceptions import IngestError
from collections_app.parsing.asciidoc.antora import get_attributes
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.mdx_code import unwrap_mdx
from collections_app.parsing.formats import Format
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.headings import Levels
from collections_app.parsing.includes import asciidoc, markdown, restructured_text
from collections_app.parsing.includes.by_format import MARKDOWN, iter_includes
from collections_app.parsing.includes.excerpts import Excerpt
from collections_app.parsing.includes.files import find_language, is_text
from collections_app.parsing.includes.given_values import put_in
from collections_app.parsing.includes.heads import is_all_text, is_orphan, only_defines
from collections_app.parsing.includes.hugo import write_within_lines
from collections_app.parsing.includes.lines import Include, Writing
from collections_app.parsing.includes.liquid import write_arguments
from collections_app.parsing.includes.moved_links import move_links
from collections_app.parsing.includes.notes import write_note
from collections_app.parsing.includes.parts import Kind, find_kind, is_part
from collections_app.parsing.markdown.fences import enclose, fence_code, fence_with_tildes
from collections_app.parsing.source_paths import Read, iter_paths
from collections_app.parsing.wikilinks import FileNames

MAX_FILE_BYTES = 1024 * 1024
MAX_PAGE_BYTES = 4 * 1024 * 1024
MAX_PAGE_INCLUDES = 1000
MAX_DEPTH = 5
_LIST_MARKER = re.compile(r"[^\s>]+")


def find_max_bytes(format: Format, text: str) -> int:
    """How much a page may include: what would make it too large for its parser is left out, instead of losing the page."""
    if format in MARKDOWN:
        return MAX_PAGE_BYTES
    most = asciidoc.MAX_CHARACTERS if format is Format.ASCIIDOC else restructured_text.MAX_CHARACTERS
    return max(0, min(MAX_PAGE_BYTES, most - len(text)))


class Page:
    """One page being resolved, with what is left of its limits. `find_title` says what the source's tables of contents call a file."""

    def __init__(
        self,
        read: Read,
        names: FileNames,
        max_bytes: int,
        format: Format,
        path: str,
        folders: Sequence[str],
        find_title: Callable[[str], str] = lambda path: "",
    ) -> None:
        self._read = read
        self._names = names
        self._max_bytes = max_bytes
        self._format = format
        self._path = path
        self._folders = folders
        self._find_title = find_title
        self._attributes = Attributes(get_attributes(path))
        self._texts: dict[str, str] = {}
        self._includes_left = MAX_PAGE_INCLUDES
        self._open: list[tuple[str, Excerpt]] = [(path, Excerpt())]
        self._is_orphan = False
        self.taken_bytes = 0
        self.parts: set[str] = set()
        self.has_notes = False

    def resolve(self, text: str, path: str, depth: int = 0) -> str:
        """The text of the file at `path`, with what it includes."""
        if self._format in MARKDOWN:
            text = write_within_lines(unwrap_mdx(text), lambda each: self._find(each, posixpath.dirname(path), depth))
        lines, written, position = text.split("\n"), list[str](), 0
        self._is_orphan = self._is_orphan if depth else is_orphan(text)
        levels: Levels | None = None
        for include in iter_includes(self._format, lines, self._attributes, path):
            if self._includes_left <= 0:
                break
            if include.is_note:
                levels = levels or Levels(lines)
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
        for path in self._iter_files(folder, include) if depth < MAX_DEPTH and self._includes_left > 0 else ():
            if find_language(path) is None:
                continue
            text = self._get_text(path, include)
            if text is not None:
                self._includes_left -= 1
                put_in = self._write(include, path, text, depth, folder)
                put_in = list(map(fence_with_tildes, put_in)) if include.is_in_box else put_in
                lines = self._indent(put_in, include.prefix)
                if lines is not None and self._is_part(path, include):
                    self.parts.add(path)
                return lines
        self._includes_left -= 1
        return None

    def _is_part(self, path: str, include: Include) -> bool:
        text = self._texts[path]
        is_lonely = (not self._is_orphan and is_orphan(text)) or self._is_unlisted(path)
        is_lonely |= self._format is Format.RESTRUCTURED_TEXT and only_defines(text)
        is_whole = include.excerpt.is_whole or is_all_text(text, include.excerpt)
        is_code = include.writing is Writing.AS_CODE
        is_between = include.excerpt.is_between_words and not is_code
        return is_part(
            path, self._path, is_whole=is_whole, is_orphan=is_lonely and not is_code, is_between_words=is_between
        )

    def _is_unlisted(self, path: str) -> bool:
        """Whether a table of contents of Markdown has the page, and none the text that it includes."""
        may_be_listed = self._format in MARKDOWN and is_text(path, self._format) and find_kind(path) is Kind.PAGE
        return may_be_listed and bool(self._find_title(self._path)) and not self._find_title(path)

    def _iter_files(self, folder: str, include: Include) -> Iterator[str]:
        """The paths at which to look for a file. In folders that the site configures, files of macros are at the top, not in
        `_includes/`.
        """
        for own in self._folders:
            yield from islice(iter_paths(own, include.target.removeprefix(markdown.INCLUDES)), 1)
        yield from iter_paths(folder, include.target)
        if include.also_in:
            yield from iter_paths(folder, f"{include.also_in}{include.target}")

    def _find_note(self, include: Include, page: str, depth: int, levels: Levels) -> list[str] | None:
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
        lines = self._write(include, path, excerpt, depth, posixpath.dirname(page))
        self._open.pop()
        if is_text(path, self._format):
            level = 0 if include.prefix.strip() else levels.find(include.first)
            lines = write_note("\n".join(lines), level).split("\n")
        return self._indent(lines, include.prefix)

    def _get_text(self, path: str, include: Include) -> str | None:
        text = self._cut(path, include.excerpt)
        if not text or not include.arguments:
            return text
        given = write_arguments(text, include.arguments)
        return given if given is not None and self._may_add(len(given) - len(text)) else None

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

    def _write(self, include: Include, path: str, text: str, depth: int, folder: str) -> list[str]:
        is_by_extension = include.writing is Writing.BY_EXTENSION and is_text(path, self._format)
        if is_by_extension or include.writing is Writing.AS_TEXT:
            body = _strip_front_matter(text) if self._format in MARKDOWN else text
            body = self._give(body, include)
            whole = self.resolve(body, path, depth + 1)
            whole = self._move_links(whole, path, folder) if include.has_own_links else whole
            if include.below_level:
                whole = enclose(whole, below_level=include.below_level)
            return [*include.before, *whole.split("\n"), *include.after]
        language = include.language or find_language(path) or "text"
        if self._format is Format.ASCIIDOC and include.writing is Writing.AS_CODE:
            return asciidoc.write_listing(text, language)
        if include.writing is Writing.AS_IT_IS or self._format is Format.ASCIIDOC:
            return text.split("\n")
        if self._format in MARKDOWN:
            return [*include.before, *fence_code(text, language).split("\n"), *include.after]
        return _write_directive(include, text, language)

    def _move_links(self, text: str, path: str, folder: str) -> str:
        """The text of the file at `path` with its relative links from `folder`, unless they are more than the page may have."""
        moved = move_links(text, posixpath.dirname(path), folder)
        return moved if self._may_add(len(moved) - len(text)) else text

    def _give(self, text: str, include: Include) -> str:
        """The text with the values that it is given, unless these are more than the page may have."""
        given = put_in(text, dict(include.values))
        return given if self._may_add(len(given) - len(text)) else text

    def _may_add(self, added: int) -> bool:
        """Whether the page may have so many more characters, which then count."""
        is_allowed = added <= self._max_bytes - self.taken_bytes
        self.taken_bytes += max(0, added) if is_allowed else 0
        return is_allowed

    def _indent(self, lines: list[str], prefix: str) -> list[str] | None:
        if not self._may_add(len(prefix) * len(lines)):
            return None
        following = _LIST_MARKER.sub(lambda marker: " " * len(marker[0]), prefix)
        prefixes = chain([prefix], repeat(following))
        return [f"{each}{line}" if line or each.strip() else line for each, line in zip(prefixes, lines, strict=False)]


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
