"""Finds the lines of AsciiDoc that include files: `include::path[tags=…]`, and Spring's `include-code::Name[]`. Attributes in a path have
the values that the lines before it have set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.asciidoc.antora import find_included
from collections_app.parsing.asciidoc.attribute_lists import AttributeList, read_attribute_list
from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value, read_number
from collections_app.parsing.asciidoc.conditions import Conditions, find_own_attributes
from collections_app.parsing.asciidoc.examples import MACRO, iter_files
from collections_app.parsing.asciidoc.facts import BlockFacts
from collections_app.parsing.asciidoc.lines import find_section_title, match_block_attributes
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes.excerpts import Excerpt, is_short, read_ranges
from collections_app.parsing.includes.lines import Include, Writing

MAX_CHARACTERS = 2_000_000
"""The limit for a text and everything that it includes, as the parser has it."""

_DIRECTIVE = re.compile(rf"(?P<name>include|{MACRO})::(?P<target>[^\s\[\]][^\[\]]*)\[(?P<attributes>.*)\]$")
_DASHES = re.compile(r"^-{4,}(?=[ \t]*$)", re.MULTILINE)
_BETWEEN = re.compile(r"[;,]")

HINT = Hint(rb"::(?:(?<=include::)|(?<=include-code::))")
"""Is in every text in which iter_asciidoc() finds something."""


def iter_asciidoc(lines: Sequence[str], attributes: Attributes, path: str) -> Iterator[Include]:
    """The includes that the conditions around them keep. `attributes` are updated with what the lines set; `path` is the text's own from
    the root.
    """
    conditions = Conditions(attributes, find_own_attributes(lines))
    section = _Section()
    for number, line in enumerate(lines):
        if line.startswith((":", "if", "end")):
            kept = conditions.take(line.rstrip())
            if kept and (entry := match_entry(kept)) and conditions.is_known:
                value, _ = read_entry_value(entry, list(lines[number + 1 : number + 50]))
                attributes.take_entry(entry, value)
        elif line.startswith("include") and is_short(line) and conditions.is_kept:
            directive = _DIRECTIVE.match(line.rstrip())
            if directive and directive["name"] == MACRO:
                yield from _iter_examples(directive, number, section.id, attributes, path)
            elif directive:
                yield _read(directive, number, attributes, path)
        else:
            section.take(line.rstrip())


class _Section:
    """The section of a line, by the id above its title."""

    def __init__(self) -> None:
        self.id = ""
        self._facts = BlockFacts()

    def take(self, line: str) -> None:
        if match_block_attributes(line):
            self._facts.take_line(line)
        elif line:
            if find_section_title(line)[1]:
                self.id = self._facts.id
            self._facts = BlockFacts()


def _iter_examples(
    directive: re.Match[str], number: int, section_id: str, attributes: Attributes, path: str
) -> Iterator[Include]:
    """An example in each language, after the line, which names the example."""
    target = attributes.replace_references(directive["target"])
    excerpt = _read_excerpt(read_attribute_list(attributes.replace_references(directive["attributes"])))
    for file in iter_files(target, section_id, attributes, path):
        found = find_included(file, path) or file
        yield Include(number + 1, number + 1, "", found, excerpt, Writing.AS_CODE, otherwise=())


def write_listing(text: str, language: str) -> list[str]:
    """A listing block, with a longer delimiter than any in the text."""
    delimiter = "-" * max(4, 1 + max(map(len, _DASHES.findall(text)), default=0))
    return ["", f"[,{language}]", delimiter, *text.split("\n"), delimiter, ""]


def _read(directive: re.Match[str], number: int, attributes: Attributes, path: str) -> Include:
    target = attributes.replace_references(directive["target"])
    if "{" in target:
        return Include(number, number + 1, "", "", Excerpt(), Writing.BY_EXTENSION)
    named = read_attribute_list(attributes.replace_references(directive["attributes"]))
    offset = read_number(named.named.get("leveloffset", ""))
    return Include(
        number,
        number + 1,
        "",
        find_included(target, path) or target,
        _read_excerpt(named),
        Writing.BY_EXTENSION,
        before=("", f":leveloffset: {offset:+d}", "") if offset else (),
        after=("", f":leveloffset: {-offset:+d}", "") if offset else (),
        otherwise=() if "optional" in named.options else None,
    )


def _read_excerpt(named: AttributeList) -> Excerpt:
    tags = named.named.get("tags", "") or named.named.get("tag", "")
    indent = named.named.get("indent", "")
    return Excerpt(
        ranges=read_ranges(named.named.get("lines", "").replace(";", ","), ".."),
        tags=tuple((tag.lstrip("!"), not tag.startswith("!")) for tag in _BETWEEN.split(tags) if tag.lstrip("!")),
        indent=min(read_number(indent), 100) if indent.isdecimal() else None,
    )
