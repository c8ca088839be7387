"""Labels that a Hugo tag gives the tabs inside it, either in order (`{{< tabs "Linux" "macOS" >}}{{% codetab %}}`) or by number, where
lines divide the tabs (`{{< multitabs tab1="Linux" tab2="macOS" >}}`); those of several words of tags in Liquid, behind the name of their
group (`{% tabs install %}{% tab install Mac OS %}`, jekyll-tabs). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.dialects.template_tags.arguments import Arguments, read_arguments

DIVIDED = frozenset({"multitabs"})
_NOT_WORDS = re.compile(r"[\"'=]")
_DIVIDER = re.compile(r"^[ \t]*+-++tab-sep-++[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Group:
    """An open tag with labels, and where the tabs inside it begin."""

    name: str
    labels: Sequence[str]
    tabs: list[int] = field(default_factory=list)


def find_tab_labels(tags: Sequence[re.Match[str]]) -> Mapping[int, str]:
    """The labels of tabs, by where their tags begin: of those without arguments, and in Liquid of those with several words. A tag whose
    labels are not as many as its tabs gives none.
    """
    labels = dict(_iter_labels_of_words(tags))
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


def _iter_labels_of_words(tags: Iterable[re.Match[str]]) -> Iterator[tuple[int, str]]:
    groups = set[str]()
    for tag in tags:
        words = tag["arguments"].split() if tag[0].startswith("{%") and not tag["end"] else []
        if tag["name"] == "tabs":
            groups.update(words[:1])
        elif tag["name"] == "tab" and len(words) > 1 and not _NOT_WORDS.search(tag["arguments"]):
            yield tag.start(), " ".join(words[1:] if words[0] in groups else words)


def iter_divided(content: str, start: int, end: int, arguments: Arguments) -> Iterator[tuple[int, int, str]]:
    """Where each dividing line between `start` and `end` begins and ends, and the label of the tab below it, which may be empty."""
    for number, divider in enumerate(_DIVIDER.finditer(content, start, end), 2):
        yield divider.start(), divider.end(), arguments.get(f"tab{number}")
