"""Labels of tabs that Docusaurus' tag around them gives by their values: `<Tabs values={[{label: 'Linux', value: 'nix'}]}>` with
`<TabItem value="nix">`, which gets `label="Linux"`. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from collections_app.parsing.dialects.mdx_code import MdxPlaces
from collections_app.text.spans import replace_spans

_TAG = re.compile(r"<(?P<end>/?)(?P<name>Tabs|TabItem)(?=[\s>])(?P<attributes>[^<>]*+)>")
_VALUES = re.compile(r"(?<![\w-])values=\{\s*+\[([^\]]*+)")
_OBJECT = re.compile(r"\{[^{}]*+\}")
_FIELD = re.compile(r"(?<![\w-])[\"']?(label|value)[\"']?\s*+:\s*+([\"'`])((?:(?!\2)[^\\\n])*+)\2")
_VALUE = re.compile(r"(?<![\w-])value=\{?\s*+([\"'`])([^\"'`]*+)\1")
_HAS_LABEL = re.compile(r"(?<![\w-])label\s*=")


def write_tab_labels(content: str) -> str:
    """The text in which tabs that have only a value have the label for it; no line moves."""
    if "values=" not in content or "<TabItem" not in content:
        return content
    return replace_spans(content, ((place, place, f' label="{label}"') for place, label in _iter_labels(content)))


def _iter_labels(content: str) -> Iterator[tuple[int, str]]:
    """Where the attributes of a tab begin, and its label."""
    places = MdxPlaces(content)
    groups: list[Mapping[str, str]] = []
    for tag in _TAG.finditer(content):
        if places.is_code_at(tag.start()):
            continue
        if tag["name"] == "TabItem":
            value = _VALUE.search(tag["attributes"])
            label = groups[-1].get(value[2]) if groups and value else None
            if label and not _HAS_LABEL.search(tag["attributes"]):
                yield tag.start("attributes"), label
        elif not tag["end"]:
            groups.append(_read_values(tag["attributes"]))
        elif groups:
            groups.pop()


def _read_values(attributes: str) -> dict[str, str]:
    """Value → label."""
    values = _VALUES.search(attributes)
    objects = (
        {key: value for key, _, value in _FIELD.findall(each)} for each in _OBJECT.findall(values[1] if values else "")
    )
    return {each["value"]: each["label"].replace('"', "") for each in objects if each.keys() == {"label", "value"}}
