"""Which files are only parts of the pages that include them: by their names, and by how they are included. It reads no file.

A file that a page includes may well be a page itself (`README.md`, a changelog): only a file counts as one that is named like a part, says
that it is in no table of contents (heads.py), or is in none that has the page.
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
# The last word of a part's name: `esp32_extra.rst`, `install.partial.md`.
_LAST_WORDS = frozenset({"excerpt", "extra", "fragment", "include", "included", "partial", "snippet"})
# Jekyll's folders of pages.
_FOLDERS_OF_PAGES = frozenset({"_docs", "_drafts", "_pages", "_posts", "_tutorials"})
# Files that Hugo and docsify begin with `_`, and files that describe a folder.
_PAGES = frozenset({"changelog", "coverpage", "index", "license", "navbar", "readme", "sidebar", "summary"})
# Antora makes no pages of what is there.
_EXAMPLES_OF_ANTORA = re.compile(r"(?:^|/)modules/[^/]+/examples/(?:[^/]+/)*[^/]+\.adoc$")
# Texts that generators take for pages only if all their pages have this extension.
_ENDINGS = frozenset({".txt", ".text", ".inc", ".rest"})
# Texts that people read by themselves, even if pages include them.
_TEXTS_OF_PROJECTS = _PAGES | frozenset({
    "authors", "change", "changes", "code of conduct", "contributing", "contributors", "copying", "copyright", "credits", "faq", "glossary",
    "governance", "history", "install", "installation", "licence", "licenses", "maintainers", "news", "notice", "release", "releases",
    "release notes", "roadmap", "security", "support", "thanks", "third party notices", "todo", "upgrading",
})  # fmt: skip


class Kind(IntEnum):
    """What a file is by its name, in this order: a file is only a part of files of the kinds before its own."""

    PAGE = 0
    """A part, if a page includes the whole file, and no table of contents has it; unless it is so with the page, too."""
    PART_BY_ENDING = 1
    """A part, if a page with another extension includes the whole file, or what stands between two words of it: then it is written to be
    included, and no page of its site.
    """
    PART_BY_NAME = 2
    """A part, if a page includes the whole file; otherwise the rest of it would be in no document."""


def find_kind(path: str) -> Kind:
    *folders, name = path.split("/")
    words = _get_words(name)
    is_named_so = name.startswith("_") or _is_for_part(name) or any(map(_is_for_parts, folders))
    if words not in _PAGES and (is_named_so or _EXAMPLES_OF_ANTORA.search(path)):
        return Kind.PART_BY_NAME
    return Kind.PART_BY_ENDING if get_extension(path) in _ENDINGS and words not in _TEXTS_OF_PROJECTS else Kind.PAGE


def is_part(path: str, page: str, *, is_whole: bool, is_orphan: bool, is_between_words: bool = False) -> bool:
    """Whether the file is a part of the page at `page`, which includes it wholly or partly. `is_orphan` means that no table of contents
    has it, other than the page, `is_between_words` that the page includes what stands between two words.
    """
    match find_kind(path):
        case Kind.PART_BY_NAME:
            return is_whole
        case Kind.PART_BY_ENDING:
            return (is_whole or is_between_words) and get_extension(path) != get_extension(page)
    return is_whole and is_orphan and _get_words(path.rpartition("/")[2]) not in _TEXTS_OF_PROJECTS


def _get_words(name: str) -> str:
    return " ".join(_WORDS.findall(name.partition(".")[0].lower()))


def _is_for_part(name: str) -> bool:
    """Whether the name without its extension ends with such a word, and is more than that."""
    *before, last = _WORDS.findall(name.rpartition(".")[0].lower()) or [""]
    return bool(before) and last in _LAST_WORDS


def _is_for_parts(folder: str) -> bool:
    return (folder.startswith("_") and folder not in _FOLDERS_OF_PAGES) or not _FOLDER_WORDS.isdisjoint(
        _WORDS.findall(folder.lower())
    )
