"""A place in a text that includes a file: what it asks for, and how the file is written there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from collections_app.parsing.includes.excerpts import Excerpt, is_short

_OPTION = re.compile(r"[ \t>]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")


class Writing(Enum):
    """How the file becomes a part of the page."""

    BY_EXTENSION = auto()
    """As text if it is one of the page's format, else as code."""
    AS_TEXT = auto()
    """In the page's format, whatever its extension is."""
    AS_CODE = auto()
    AS_IT_IS = auto()
    """It stands in code already."""
    AS_TABLE = auto()


@dataclass(frozen=True, slots=True)
class Include:
    """Lines `first` to `end` (exclusive). `prefix` is what each line there begins with, `kept` the lines that stay, without it;
    where the lines are none, the file is put in before `first`.

    `before` and `after` are lines to be written around the file, `below_level` is by how many levels its headings become deeper;
    `otherwise` is what stands there where it cannot be put in; None for the lines as they are. `is_note` says that `target` is the name of
    a page, or empty for the page itself, as in a wikilink.
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


def split_options(lines: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The options that a directive's lines begin with (`:name: value`), and the lines that these stand in."""
    options, taken = {}, []
    for line in lines:
        match = _OPTION.match(line) if is_short(line) else None
        if not match:
            break
        options[match["name"].lower()] = match["value"].strip()
        taken.append(line)
    return options, taken
