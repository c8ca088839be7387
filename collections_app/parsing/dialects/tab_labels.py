"""Labels of tabs: where each belongs, and the labels that a Hugo tag gives the tabs inside it, either in order
(`{{< tabs "Linux" "macOS" >}}{{% codetab %}}`) or by number, where lines divide the tabs
(`{{< multitabs tab1="Linux" tab2="macOS" >}}`). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.dialects.tag_arguments import Arguments, read_arguments

_FOLLOWING_HEADING = re.compile(
    r"(?:[ \t]*\n){1,5}(?P<indent>[ \t]*+)#{1,6}[ \t][^\n]*\n(?=[ \t]*\n(?!(?P=indent)(?: {4}|\t)))"
)
DIVIDED = frozenset({"multitabs"})
_DIVIDER = re.compile(r"^[ \t]*+-++tab-sep-++[ \t]*$", re.MULTILINE)
_MOST_INDENT = 3  # a line indented further than its tag may be code
_LINE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class _Group:
    """An open tag with labels, and where the tabs inside it begin."""

    name: str
    labels: Sequence[str]
    tabs: list[int] = field(default_factory=list)


def find_tab_labels(tags: Iterable[re.Match[str]]) -> Mapping[int, str]:
    """The labels of tabs without arguments, by where their tags begin. A tag whose labels are not as many as its tabs gives none."""
    labels: dict[int, str] = {}
    groups: list[_Group] = []
    for tag in (tag for tag in tags if tag[0].startswith("{{") and "tab" in tag["name"].lower() and not tag["whole"]):
        if tag["end"]:
            if groups and tag["name"] == groups[-1].name:
                group = groups.pop()
                labels |= zip(group.tabs, group.labels, strict=True) if len(group.tabs) == len(group.labels) else ()
        elif not tag["arguments"].strip():
            for group in groups[-1:]:
                group.tabs.append(tag.start())
        else:
            arguments = read_arguments(tag["arguments"])
            groups.append(_Group(tag["name"], () if arguments.named else arguments.others))
    return labels


def iter_divided(content: str, start: int, end: int, arguments: Arguments) -> Iterator[tuple[int, int, str]]:
    """Where each dividing line between `start` and `end` begins and ends, and the label of the tab below it, which may be empty."""
    for number, divider in enumerate(_DIVIDER.finditer(content, start, end), 2):
        yield divider.start(), divider.end(), arguments.get(f"tab{number}")


def break_label(text: str) -> str:
    """The label with a line break, to be put below a heading."""
    return f"{text.rstrip()}  "


def find_place_of_label(content: str, start: int, end: int) -> int:
    """The beginning of the line below the heading that follows a tab's tag, if that line is blank, so that the heading's section says which
    tab it belongs to; else the end of the tag.
    """
    heading = _FOLLOWING_HEADING.match(content, end)
    before = content[max(0, start - _LINE_CHARACTERS) : start].rpartition("\n")[2]
    indent = len(before) if before.isspace() else 0
    return heading.end() if heading and len(heading["indent"]) <= indent + _MOST_INDENT else end
