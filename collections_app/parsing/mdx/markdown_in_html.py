"""Sets Markdown apart from the lines of HTML tags around it, as MDX reads it: headings, lists and code right below `<div>` or `</details>`,
however they are indented. For CommonMark all up to the next blank line would be HTML, and what is indented code. The tags stay. PURE.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from collections_app.parsing.dialects.mdx_code import MdxPlaces, iter_mdx_fences
from collections_app.parsing.safety.places import is_alone

_SIGNS = ("</div", "</details", "</figure", "</p>", "</section", "</td")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>article|aside|center|details|div|figure|main|p|section|td)(?=[\s>])(?:[^<>{}]|\{[^<>{}]{0,500}\})*+>"
    r"|<summary(?=[\s>])[^<>]*+>(?:[^<>\n]|</?(?:b|code|em|strong)>)*+</summary>"
)
_MARKDOWN = re.compile(r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]|\||:{3}|[^<]*?(?:\]\([^()\s]|\*\*(?=[^\s*])|`))")


class _Tag(NamedTuple):
    """A tag alone on its lines, from `first` to `last`; `depth` is the change of nesting depth, 0 for a summary."""

    first: int
    last: int
    depth: int
    name: str


def separate_markdown(content: str) -> str:
    """The text of a document, with blank lines between such tags and Markdown, which is moved to the margin of the tags."""
    tags = list(_iter_tags(content)) if any(sign in content for sign in _SIGNS) else []
    if not tags:
        return content
    lines = content.split("\n")
    fences = list(iter_mdx_fences(lines))
    is_markdown = [_MARKDOWN.match(line) is not None for line in lines]
    for fence in fences:
        is_markdown[fence.start : fence.stop] = [True] * len(fence)
    depths, moves = [0] * (len(lines) + 1), [0] * (len(lines) + 1)
    for opening, closing in _iter_pairs(tags, [0, *accumulate(is_markdown)]):
        child = next((line for line in lines[opening.last + 1 : closing.first] if line.strip()), "")
        move = max(0, _count_indent(child) - _count_indent(lines[opening.first]))
        for values, change in ((depths, 1), (moves, move)):
            values[opening.last + (values is moves)] += change
            values[closing.first] -= change
    moved = list(accumulate(moves))
    for fence in fences:
        most = min(_count_indent(line) for line in lines[fence.start : fence.stop] if line.strip())
        moved[fence.start : fence.stop] = [min(most, move) for move in moved[fence.start : fence.stop]]
    first, last = {tag.first for tag in tags}, {tag.last for tag in tags}
    written = list[str]()
    is_within = False
    for number, (line, depth) in enumerate(zip(lines, accumulate(depths), strict=False)):
        is_behind = number - 1 in last
        if (
            is_behind != (number in first)
            and (is_within or (is_behind and is_markdown[number]))
            and line.strip()
            and written[-1].strip()
            and not (line if is_behind else written[-1]).lstrip().startswith("<")
        ):
            written.append("")
        written.append(line[min(_count_indent(line), moved[number]) :])
        is_within = depth > 0
    return "\n".join(written)


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _iter_tags(content: str) -> Iterator[_Tag]:
    places = MdxPlaces(content)
    for found in _TAG.finditer(content):
        if is_alone(content, *found.span()) and not places.is_code_at(found.start()):
            depth = 0 if not found["name"] else -1 if found["end"] else 1
            yield _Tag(places.get_line(found.start()), places.get_line(found.end() - 1), depth, found["name"] or "")


def _iter_pairs(tags: Sequence[_Tag], blocks: Sequence[int]) -> Iterator[tuple[_Tag, _Tag]]:
    """The pairs of tags with Markdown between them. `blocks` has how many lines before each one are Markdown."""
    opened = defaultdict[str, list[_Tag]](list)
    for tag in tags:
        if tag.depth > 0:
            opened[tag.name].append(tag)
        elif tag.depth < 0 and opened[tag.name]:
            opening = opened[tag.name].pop()
            if blocks[tag.first] > blocks[opening.last + 1]:
                yield opening, tag
