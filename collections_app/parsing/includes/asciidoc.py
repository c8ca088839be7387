"""The lines of AsciiDoc that include files: `include::path[tags=…]`. Attributes in a path are those that the lines before it have set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.asciidoc.antora import find_included
from collections_app.parsing.asciidoc.attribute_lists import read_attribute_list
from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value, read_number
from collections_app.parsing.asciidoc.conditions import Conditions, find_own_attributes
from collections_app.parsing.includes.excerpts import Excerpt, is_short, read_ranges
from collections_app.parsing.includes.lines import Include, Writing

MAX_CHARACTERS = 2_000_000
"""Of a text that its parser reads, with all that it includes."""

_DIRECTIVE = re.compile(r"include::(?P<target>[^\s\[\]][^\[\]]*)\[(?P<attributes>.*)\]$")
_BETWEEN = re.compile(r"[;,]")

HINT = re.compile(rb"include::")
"""Found in every text that iter_asciidoc() finds something in."""


def iter_asciidoc(lines: Sequence[str], attributes: Attributes, path: str) -> Iterator[Include]:
    """Those that the conditions around them keep. `attributes` learn what the lines set; `path` is the text's own from the root."""
    conditions = Conditions(attributes, find_own_attributes(lines))
    for number, line in enumerate(lines):
        if line.startswith((":", "if", "end")):
            kept = conditions.take(line.rstrip())
            if kept and (entry := match_entry(kept)) and conditions.is_known:
                value, _ = read_entry_value(entry, list(lines[number + 1 : number + 50]))
                attributes.take_entry(entry, value)
        elif line.startswith("include::") and is_short(line) and conditions.is_kept:
            directive = _DIRECTIVE.match(line.rstrip())
            if directive and (include := _read(directive, number, attributes, path)):
                yield include


def _read(directive: re.Match[str], number: int, attributes: Attributes, path: str) -> Include | None:
    target = attributes.replace_references(directive["target"])
    if "{" in target:
        return Include(number, number + 1, "", "", Excerpt(), Writing.BY_EXTENSION)
    named = read_attribute_list(attributes.replace_references(directive["attributes"]))
    tags = named.named.get("tags", "") or named.named.get("tag", "")
    offset = read_number(named.named.get("leveloffset", ""))
    indent = named.named.get("indent", "")
    excerpt = Excerpt(
        ranges=read_ranges(named.named.get("lines", "").replace(";", ","), ".."),
        tags=tuple((tag.lstrip("!"), not tag.startswith("!")) for tag in _BETWEEN.split(tags) if tag.lstrip("!")),
        indent=min(read_number(indent), 100) if indent.isdecimal() else None,
    )
    return Include(
        number,
        number + 1,
        "",
        find_included(target, path) or target,
        excerpt,
        Writing.BY_EXTENSION,
        before=("", f":leveloffset: {offset:+d}", "") if offset else (),
        after=("", f":leveloffset: {-offset:+d}", "") if offset else (),
        is_optional="optional" in named.options,
    )
