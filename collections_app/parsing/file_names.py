"""What a document's path says about it: its extension, and a title when nothing better is known."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from collections_app.naming.change_pages import is_of_changes
from collections_app.parsing.headings.text import shorten_heading

MARKDOWN_EXTENSIONS = (".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn", ".mkdown")
"""Of Markdown as such, without those of programs that add to it."""

# Markdown that a site's generator fills in, and which is named after the page that it becomes: Middleman's `guide.html.md.erb`.
_FILLED_IN = re.compile(r"(?:\.html)?(?P<ending>\.(?:md|markdown))\.erb\Z", re.IGNORECASE)

# Sources that Sphinx shows beside its pages, and parts of pages of TYPO3's documentation.
_RST_AS_TEXT = re.compile(r"\.rst\.txt\Z", re.IGNORECASE)


def get_extension(path: str) -> str:
    """The extension in lower case with its dot; empty if there is none. That of `guide.html.md.erb` is `.md`."""
    name = path.rstrip("/").rpartition("/")[2]
    stem, _, extension = name.rpartition(".")
    if extension == "erb" and (filled := _FILLED_IN.search(name)):
        return filled["ending"].lower()
    return f".{extension}".lower() if stem and extension else ""


_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# Names of an index, which stands for its folder.
_INDEXES = frozenset({"_index", "index", "readme"})


def get_title_from_path(path: str) -> str:
    """The file name without its extension. For an index in any language (`index.de.md`) it is the folder's name, if there is a folder."""
    file = PurePosixPath(_RST_AS_TEXT.sub(".rst", _FILLED_IN.sub(".md", path)))
    named = file.parent.name if file.stem.partition(".")[0].lower() in _INDEXES else ""
    return shorten_heading(named or file.stem) or path


def has_name(path: str, words: str) -> bool:
    """Whether the path has a name for the page, other than these words."""
    name = get_title_from_path(path)
    same = re.sub(r"[\W_]+", " ", name).strip().lower() == re.sub(r"[\W_]+", " ", words).strip().lower()
    return not same and name.partition(".")[0].lower() not in _INDEXES


def has_date_for_name(path: str) -> bool:
    """Whether it is a page about changes that is called by a day, as its site calls it (`changelog/2025-01-16.md`)."""
    return _DATE.fullmatch(PurePosixPath(path).stem) is not None and is_of_changes(path)


def get_group_from_path(path: str) -> str:
    """What a group without words is called by its first page: as that file, or as its folder if it is an index."""
    name = get_title_from_path(path)
    return name[:1].upper() + name[1:].replace("-", " ").replace("_", " ")
