"""Icons that a theme of Hugo draws (`{{< icon "gear" >}}`, `{{% icon-bug %}}`): those that only decorate words go, and others are their
names: a tick alone in a cell, a button's sign within a sentence. PURE.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from collections_app.parsing.dialects.template_tags.arguments import read_arguments

_NAME = "icon"
# The set that the icon is of: `fa-gear`, `fas fa-gear`.
_SET = re.compile(r"^(?:fa\w? )?fa-")
_BLANKS = re.compile(r"[ \t]*+")
_MOST_CHARACTERS = 1_000
"""On each side of an icon, where its words are looked for."""
# What begins a block, or belongs to other tags.
_SIGNS = re.compile(r"^[ \t>]*+(?:#{1,6}|[-*+]|\d{1,9}[.)])(?=[ \t])|\{\{[^{}]*\}\}")
_WORD = re.compile(r"\w")
_GOES_ON = re.compile(r"[a-z0-9]")


class Icon(NamedTuple):
    text: str
    end: int
    """Behind the tag, and behind the blanks after it if it goes."""


def is_icon(tag: re.Match[str]) -> bool:
    name = tag["name"].lower()
    return tag[0].startswith("{{") and not tag["end"] and (name == _NAME or name.startswith(f"{_NAME}-"))


def write_icon(tag: re.Match[str], content: str) -> Icon:
    """What replaces the tag."""
    start, end = tag.span()
    before = content[max(0, start - _MOST_CHARACTERS) : start].rpartition("\n")[2]
    after = content[end : end + _MOST_CHARACTERS].partition("\n")[0]
    cell_before, cell_after = before.rpartition("|")[2], after.partition("|")[0]
    is_behind_words, is_before_words = _has_words(cell_before), _has_words(cell_after)
    if is_behind_words and is_before_words:
        is_told = _GOES_ON.match(cell_after.lstrip()) is not None
    else:
        is_told = not is_before_words and ("|" in before if not is_behind_words else not before.startswith("#"))
    if is_told:
        return Icon(_get_name(tag), end)
    blanks = _BLANKS.match(content, end)
    is_between = not before or before[-1:].isspace() or before.endswith("[")
    return Icon("", blanks.end() if blanks and is_between else end)


def _has_words(text: str) -> bool:
    return _WORD.search(_SIGNS.sub("", text)) is not None


def _get_name(tag: re.Match[str]) -> str:
    arguments = read_arguments(tag["arguments"])
    given = arguments.first or arguments.get("name", "icon", "id")
    return _SET.sub("", given) or tag["name"].partition("-")[2]
