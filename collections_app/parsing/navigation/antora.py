"""Reads the navigation file of an Antora module (`modules/ROOT/nav.adoc`, or another name given by a component, such as `content-nav.adoc`)
for the group of each page. It knows no more AsciiDoc than that takes.

https://docs.antora.org/antora/latest/navigation/list-structures/. What a file includes or takes from attributes is not looked up.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from collections_app.parsing.asciidoc.antora import find_page
from collections_app.parsing.file_names import get_group_from_path
from collections_app.parsing.headings.text import shorten_heading

_MAX_LINE_CHARACTERS = 1000
_IN_MODULE = re.compile(r"(?:.*/)?modules/[^/]+/")
_NAME = "nav.adoc"
_WORD_END = re.compile(r"[-_.]")
_TITLE = re.compile(r"\.(?![.\s])(?P<words>.+)|=+ (?P<heading>.+)")
_ITEM = re.compile(r"\s*(?P<marks>\*{1,9}) +(?P<text>.+)")
# No part of a reference may contain another reference, so that many unclosed ones are not read again and again.
_REFERENCE = re.compile(
    r"xref:(?P<page>(?:(?!xref:)[^\[\]#\s])+)(?:#(?:(?!xref:)[^\[\]\s])*)?\[(?P<words>(?:(?!xref:)[^\]])*)\]"
)
_LINK = re.compile(r"(?:link:|https?://)(?:(?!link:)[^\[\]\s])*\[(?P<words>(?:(?!link:)[^\]])*)\]")
# Only in pairs around words: `OUT_DIR` and `C#` stay.
_FORMATTING = [
    re.compile(rf"(?<!\w)({mark}{{1,2}})(?=[^\s{mark}])([^{mark}]+)(?<=\S)\1(?!\w)") for mark in (r"\*", "_", "`", "#")
]
_COMMENT = re.compile(r"/{4,}")
_FILE_TITLE = "= "


def is_antora_navigation(path: str) -> bool:
    """Whether a file of a module has the name of a navigation file; among pages only `nav.adoc` does."""
    folder, _, name = path.rpartition("/")
    is_named = name.endswith(".adoc") and "nav" in _WORD_END.split(name) and "/pages/" not in f"{folder}/"
    return (is_named or name == _NAME) and _IN_MODULE.match(f"{folder}/") is not None


def parse_antora_navigation(path: str, text: str) -> dict[str, str]:
    """Page path → group, for the pages that have one; nothing for a file outside of a module.

    The group is the title of the list. Without one it is the top-level item that contains the page, or the page's own top-level item if
    that contains others; an item without words is called like its file. A title of the whole file is no group. The first mention of a page
    counts.
    """
    module = _IN_MODULE.match(path)
    if module is None:
        return {}
    groups: dict[str, str] = {}
    for target, group in _iter_pages(list(_iter_lines(text))):
        target = target if posixpath.splitext(target)[1] else f"{target}.adoc"
        page = find_page(target, f"{module[0]}pages/")
        if page and group:
            groups.setdefault(page, group)
    return groups


def _iter_lines(text: str) -> Iterator[str]:
    """The lines without trailing blanks and without comments."""
    fence = ""
    for line in map(str.rstrip, text.splitlines()):
        if fence or _COMMENT.fullmatch(line):
            fence = "" if line == fence else fence or line
        elif len(line) <= _MAX_LINE_CHARACTERS:
            yield line


def _iter_pages(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each page with its group, which is empty if it has none."""
    has_file_title = sum(line.startswith(_FILE_TITLE) for line in lines) == 1
    title, item = "", ""
    waiting: list[str] = []  # pages of the current top-level item, until it is known whether it contains others
    for line in lines:
        if named := _TITLE.fullmatch(line):
            yield from ((page, title) for page in waiting)
            is_file_title = has_file_title and line.startswith(_FILE_TITLE)
            title, item, waiting = "" if is_file_title else _read_words(named["words"] or named["heading"]), "", []
        elif listed := _ITEM.fullmatch(line):
            pages = [reference["page"] for reference in _REFERENCE.finditer(listed["text"])]
            if len(listed["marks"]) == 1:
                yield from ((page, title) for page in waiting)
                item, waiting = _read_words(listed["text"]) or _name_page(listed["text"]), pages
            else:
                yield from ((page, title or item) for page in [*waiting, *pages])
                waiting = []
    yield from ((page, title) for page in waiting)


def _name_page(text: str) -> str:
    """Words for an item that is a page without words of its own: the name of its file, or of an index's folder."""
    reference = _REFERENCE.fullmatch(text.strip())
    if reference is None or reference["words"]:
        return ""
    return get_group_from_path(reference["page"].rpartition(":")[2])


def _read_words(text: str) -> str:
    """The words that readers see; empty if they contain an attribute, whose value is not known."""
    for macro in (_REFERENCE, _LINK):
        text = macro.sub(lambda found: found["words"], text)
    for pair in _FORMATTING:
        text = pair.sub(r"\2", text)
    return "" if "{" in text else shorten_heading(text).rstrip(": ")
