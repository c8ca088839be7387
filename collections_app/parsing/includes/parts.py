"""Which files are only parts of the pages that include them: by their names, and by how they are included. It reads no file.

A file that a page includes may well be a page itself (`README.md`, a changelog): only a file that is named like a part counts as one.
"""

from __future__ import annotations

import re
from enum import IntEnum

from collections_app.parsing.file_names import get_extension

_WORDS = re.compile(r"[^\W_]+")
_FOLDER_WORDS = frozenset(
    {
        "embeds",
        "include",
        "includes",
        "partial",
        "partials",
        "snippet",
        "snippets",
        "fragment",
        "fragments",
        "reusable",
        "reusables",
        "shared",
    }
)
# Jekyll's own.
_FOLDERS_OF_PAGES = frozenset({"_docs", "_drafts", "_pages", "_posts", "_tutorials"})
# Of what Hugo and docsify call so, and of what describes a folder.
_PAGES = frozenset({"changelog", "coverpage", "index", "license", "navbar", "readme", "sidebar", "summary"})
# Texts that no generator takes for a page, unless its pages have the same ending.
_ENDINGS = frozenset({".txt", ".text", ".inc", ".rest"})
# What people read by itself, whatever shows it too.
_TEXTS_OF_PROJECTS = _PAGES | frozenset({
    "authors", "change", "changes", "code of conduct", "contributing", "contributors", "copying", "copyright", "credits", "faq", "glossary",
    "governance", "history", "install", "installation", "licence", "licenses", "maintainers", "news", "notice", "release", "releases",
    "release notes", "roadmap", "security", "support", "thanks", "third party notices", "todo", "upgrading",
})  # fmt: skip


class Kind(IntEnum):
    """What a file is by its name. Each is a part only of files of the kinds before it."""

    PAGE = 0
    PART_BY_ENDING = 1
    """If a page with another ending includes it as a whole."""
    PART_BY_NAME = 2
    """If a page includes it as a whole: what is left of others would be in no document."""


def find_kind(path: str) -> Kind:
    *folders, name = path.split("/")
    words = " ".join(_WORDS.findall(name.partition(".")[0].lower()))
    if words not in _PAGES and (name.startswith("_") or any(map(_is_for_parts, folders))):
        return Kind.PART_BY_NAME
    return Kind.PART_BY_ENDING if get_extension(path) in _ENDINGS and words not in _TEXTS_OF_PROJECTS else Kind.PAGE


def is_part(path: str, page: str, *, is_whole: bool) -> bool:
    """Whether the file is a part of the page at `page`, which includes all of it or some lines."""
    match find_kind(path):
        case Kind.PART_BY_NAME:
            return is_whole
        case Kind.PART_BY_ENDING:
            return is_whole and get_extension(path) != get_extension(page)
    return False


def _is_for_parts(folder: str) -> bool:
    return (folder.startswith("_") and folder not in _FOLDERS_OF_PAGES) or not _FOLDER_WORDS.isdisjoint(
        _WORDS.findall(folder.lower())
    )
