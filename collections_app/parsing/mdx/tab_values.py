"""Labels of tabs that the tag around them gives: by their values, as in Docusaurus (`<Tabs values={[{label: 'Linux', value: 'nix'}]}>` with
`<TabItem value="nix">`, which gets `label="Linux"`), or in their order, as in Nextra (`<Tabs items={['Linux']}>` with `<Tabs.Tab>`). If a
tag has no tabs, but as many children of another kind as labels, these are its tabs: fences get a title. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from collections_app.parsing.dialects.mdx_code import MdxPlaces, iter_mdx_fences
from collections_app.text.spans import replace_spans

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Z][\w.]*+)(?=[\s/>])(?P<attributes>(?:\"[^\"]{0,1000}+\"|'[^']{0,1000}+'|=>|[^<>\"'])*+)>"
)
_GROUP = re.compile(r"(?:[A-Z]\w*)?Tabs|Accordion|CodeGroup")
_TAB = re.compile(r"(?:Tabs|Accordion)\.\w+|(?:Code)?Tab|TabItem|AccordionPanel")
_VALUES = re.compile(r"(?<![\w-])values=\{\s*+\[([^\]]*+)")
# Without another bracket outside of texts, or the rest of a text would be read from each of many.
_ITEMS = re.compile(
    r"(?<![\w-])(?:items|labels|options|titles)=\{\s*+\[((?:[^\[\]\"'`]|\"[^\"\n]*+\"|'[^'\n]*+'|`[^`\n]*+`)*+)\]"
)
_OBJECT = re.compile(r"\{[^{}]*+\}")
_FIELD = re.compile(r"(?<![\w-])[\"']?(label|value)[\"']?\s*+:\s*+([\"'`])((?:(?!\2)[^\\\n])*+)\2")
_ITEM = re.compile(r"\s*+([\"'`])((?:(?!\1)[^\\\n])*+)\1\s*+(?:,\s*+|$)")
_VALUE = re.compile(r"(?<![\w-])value=\{?\s*+([\"'`])([^\"'`]*+)\1")
_HAS_LABEL = re.compile(r"(?<![\w-])(?:label|title)\s*=")

_ATTRIBUTE = ' label="{}"'
_TITLE = ' title="{}"'
_MOST_DEPTH = 50


@dataclass(slots=True)
class _Element:
    """An open component: the labels of its tabs by values and in order, how many of these there were, and where its other children take a
    label, and as what.
    """

    name: str
    by_value: Mapping[str, str] = field(default_factory=dict)
    in_order: Sequence[str] = ()
    count: int = 0
    others: list[tuple[int, str]] = field(default_factory=list)

    def choose(self, attributes: str) -> str:
        """The label of the next tab; empty if it has its own, or none is given."""
        place, self.count = self.count, self.count + 1
        value = _VALUE.search(attributes)
        if _HAS_LABEL.search(attributes):
            return ""
        if value:
            return self.by_value.get(value[2], "")
        return self.in_order[place] if place < len(self.in_order) else ""

    def label_others(self) -> Iterator[tuple[int, str]]:
        """The labels of the other children, if these are all there are."""
        if not self.count and len(self.others) == len(self.in_order):
            for (place, written), label in zip(self.others, self.in_order, strict=True):
                yield place, written.format(label.replace("`", "") if written == _TITLE else label)


def write_tab_labels(content: str) -> str:
    """The text in which tabs without a label have the one that is given for them; no line moves."""
    if not any(sign in content for sign in ("values=", "items=", "labels=", "options=", "titles=")):
        return content
    return replace_spans(content, ((place, place, label) for place, label in sorted(_iter_labels(content))))


def _iter_labels(content: str) -> Iterator[tuple[int, str]]:
    """Where labels are to be put, and as what."""
    places = MdxPlaces(content)
    opened: list[_Element] = []
    fences = [places.get_start(fence.start) for fence in iter_mdx_fences(places.lines)]
    tags = [tag for tag in _TAG.finditer(content) if not places.is_code_at(tag.start())]
    for place, tag in sorted(
        [*((start, None) for start in fences), *((tag.start(), tag) for tag in tags)], key=itemgetter(0)
    ):
        if tag is None:
            if opened and not _HAS_LABEL.search(line := places.lines[places.get_line(place)]):
                opened[-1].others.append((place + len(line.rstrip()), _TITLE))
        elif tag["end"]:
            yield from _close(opened, tag["name"])
        else:
            yield from _label_tab(opened, tag)
            if not tag["attributes"].endswith("/"):
                opened.append(_Element(tag["name"], _read_values(tag["attributes"]), _read_items(tag["attributes"])))


def _label_tab(opened: Sequence[_Element], tag: re.Match[str]) -> Iterator[tuple[int, str]]:
    """The label of a tag that is a tab; one that is none is noted as a child."""
    if _TAB.fullmatch(tag["name"]):
        group = next((each for each in reversed(opened[-_MOST_DEPTH:]) if _GROUP.fullmatch(each.name)), None)
        label = group.choose(tag["attributes"]) if group else ""
        if label:
            yield tag.start("attributes"), _ATTRIBUTE.format(label)
    elif opened and not _HAS_LABEL.search(tag["attributes"]):
        opened[-1].others.append((tag.start("attributes"), _ATTRIBUTE))


def _close(opened: list[_Element], name: str) -> Iterator[tuple[int, str]]:
    """Closes the innermost component of this name, with all that were never closed in it."""
    near = range(max(0, len(opened) - _MOST_DEPTH), len(opened))
    place = next((place for place in reversed(near) if opened[place].name == name), len(opened))
    for element in opened[place : place + 1]:
        yield from element.label_others() if _GROUP.fullmatch(name) and element.in_order else ()
    del opened[place:]


def _read_values(attributes: str) -> dict[str, str]:
    """Value → label."""
    values = _VALUES.search(attributes)
    objects = map(_read_fields, _OBJECT.findall(values[1] if values else ""))
    return {each["value"]: each["label"] for each in objects if each.keys() == {"label", "value"}}


def _read_items(attributes: str) -> list[str]:
    """The labels in their order; none if there is anything else than texts, or objects with labels."""
    items = _ITEMS.search(attributes)
    array = items[1].strip() if items else ""
    if array.startswith("{"):
        return [_read_fields(each).get("label", "") for each in _OBJECT.findall(array)]
    texts = list(_ITEM.finditer(array))
    return [_clean(each[2]) for each in texts] if "".join(each[0] for each in texts) == array else []


def _read_fields(written: str) -> dict[str, str]:
    return {key: _clean(value) if key == "label" else value for key, _, value in _FIELD.findall(written)}


def _clean(label: str) -> str:
    return label.replace('"', "")
