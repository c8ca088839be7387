"""What a component is given as markup (`title={<b>Start</b>}`). PURE. It runs nothing."""

from __future__ import annotations

import re

from collections_app.parsing.dialects.components.literals import Markup, read_literal
from collections_app.text.spans import replace_spans

_BEGINS = re.compile(r"(?<![\w-])(?P<name>[A-Za-z][\w-]*+)\s*+=\s*+\{\s*+(?=\(?\s*+<)")
_CLOSES = re.compile(r"\s*+\}")
_LINK = re.compile(r"\[([^\[\]]*+)\]\([^()]*+\)")
_SIGNS = re.compile(r"\*\*|`")


def write_markup_values(attributes: str) -> str:
    """The attributes of a tag with markup as the words in it, in quotes. Markup that is not written out goes: what its own tags are given
    is not the component's.
    """
    if "{" not in attributes or "<" not in attributes:
        return attributes
    changes: list[tuple[int, int, str]] = []
    position = 0
    while found := _BEGINS.search(attributes, position):
        value, end = read_literal(attributes, found.end())
        closing = _CLOSES.match(attributes, end)
        if not closing:
            break
        position = closing.end()
        words = _SIGNS.sub("", _LINK.sub(r"\1", value)).replace('"', "'") if isinstance(value, Markup) else ""
        changes.append((found.start(), position, f'{found["name"]}="{words}"' if words else ""))
    return replace_spans(attributes, changes)
