"""One place in a text that includes a file: what is included, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from collections_app.parsing.includes.excerpts import Excerpt, is_short

_OPTION = re.compile(r"[ \t>]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")


class Writing(Enum):
    """How the file is written into the page."""

    BY_EXTENSION = auto()
    """As text if it has the page's format, else as code."""
    AS_TEXT = auto()
    """As text in the page's format, whatever its extension is."""
    AS_CODE = auto()
    AS_IT_IS = auto()
    """Unchanged, because it is in code already."""
    AS_TABLE = auto()


@dataclass(frozen=True, slots=True)
class Include:
    """Lines `first` to `end` (exclusive), which the file replaces; if there are none, it is inserted before `first`. `prefix` is the
    beginning of each line there, of which a list marker is only before the first, `kept` the lines that stay, without it.

    `before` and `after` are lines written around the file, and `below_level` is the number of levels by which its headings move down.
    `otherwise` replaces the lines if the file cannot be inserted; None keeps them as they are. `is_note` means that `target` is the name of
    a page as in a wikilink, or empty for the page itself. `is_in_box` means that a fence of the file could close the box around it.
    `also_in` is a folder in which the file is looked for after all others. `values` are what MDX gives names in the file, `arguments` what
    Liquid gives it. `has_own_links` means that relative links in the file count from its folder, not from the page's.
    """

    first: int
    end: int
    prefix: str
    target: str
    excerpt: Excerpt
    writing: Writing
    language: str = ""
    kept: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    below_level: int = 0
    otherwise: tuple[str, ...] | None = None
    is_note: bool = False
    is_in_box: bool = False
    also_in: str = ""
    values: tuple[tuple[str, str], ...] = ()
    arguments: str = ""
    has_own_links: bool = False


def split_options(lines: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The options at the beginning of a directive's lines (`:name: value`), and the lines with them."""
    options, taken = {}, []
    for line in lines:
        match = _OPTION.match(line) if is_short(line) else None
        if not match:
            break
        options[match["name"].lower()] = match["value"].strip()
        taken.append(line)
    return options, taken
