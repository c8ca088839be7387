"""Labels of tabs that the tag around them gives: by their values, as in Docusaurus (`<Tabs values={[{label: 'Linux', value: 'nix'}]}>` with
`<TabItem value="nix">`, which gets `label="Linux"`), or in their order, as in Nextra (`<Tabs items={['Linux']}>` with `<Tabs.Tab>`). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.dialects.mdx_code import MdxPlaces
from collections_app.text.spans import replace_spans

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>(?:Tabs|Accordion)(?:\.\w+)?|Tab|TabItem|AccordionPanel)(?=[\s/>])"
    r"(?P<attributes>(?:\"[^\"]{0,1000}+\"|'[^']{0,1000}+'|[^<>\"'])*+)>"
)
_GROUPS = frozenset({"Tabs", "Accordion"})
_VALUES = re.compile(r"(?<![\w-])values=\{\s*+\[([^\]]*+)")
_ITEMS = re.compile(r"(?<![\w-])(?:items|titles)=\{\s*+\[([^\[\]]*+)\]")
_OBJECT = re.compile(r"\{[^{}]*+\}")
_FIELD = re.compile(r"(?<![\w-])[\"']?(label|value)[\"']?\s*+:\s*+([\"'`])((?:(?!\2)[^\\\n])*+)\2")
_ITEM = re.compile(r"\s*+([\"'`])((?:(?!\1)[^\\\n])*+)\1\s*+(?:,\s*+|$)")
_VALUE = re.compile(r"(?<![\w-])value=\{?\s*+([\"'`])([^\"'`]*+)\1")
_HAS_LABEL = re.compile(r"(?<![\w-])(?:label|title)\s*=")


@dataclass(slots=True)
class _Group:
    """The tabs of one tag: their labels by values and in order, and how many of them there were."""

    by_value: Mapping[str, str]
    in_order: Sequence[str]
    count: int = field(default=0)

    def choose(self, attributes: str) -> str:
        """The label of the next tab; empty if it has its own, or none is given."""
        place, self.count = self.count, self.count + 1
        value = _VALUE.search(attributes)
        if _HAS_LABEL.search(attributes):
            return ""
        if value:
            return self.by_value.get(value[2], "")
        return self.in_order[place] if place < len(self.in_order) else ""


def write_tab_labels(content: str) -> str:
    """The text in which tabs without a label have the one that is given for them; no line moves."""
    if not any(sign in content for sign in ("values=", "items=", "titles=")):
        return content
    return replace_spans(content, ((place, place, f' label="{label}"') for place, label in _iter_labels(content)))


def _iter_labels(content: str) -> Iterator[tuple[int, str]]:
    """Where the attributes of a tab begin, and its label."""
    places = MdxPlaces(content)
    groups: list[_Group] = []
    for tag in _TAG.finditer(content):
        if places.is_code_at(tag.start()):
            continue
        if tag["name"] not in _GROUPS:
            label = groups[-1].choose(tag["attributes"]) if groups and not tag["end"] else ""
            if label:
                yield tag.start("attributes"), label
        elif tag["end"]:
            del groups[-1:]
        elif not tag["attributes"].endswith("/"):
            groups.append(_Group(_read_values(tag["attributes"]), _read_items(tag["attributes"])))


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
