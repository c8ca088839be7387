"""The attributes that Antora's configuration gives to the pages of a component, as lines of AsciiDoc. They are in `antora.yml`, beside the
folder `modules`, and in a playbook, in the same folder or above.

https://docs.antora.org/antora/latest/component-attributes/. Attributes that a page sets itself take precedence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import yaml

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.front_matter.yaml_block import load_nodes

COMPONENT = "antora.yml"
PLAYBOOKS = (
    "antora-playbook.yml",
    "local-antora-playbook.yml",
    "playbook.yml",
    "site.yml",
    "preview.yml",
    "publish.yml",
)
"""Antora takes any name. The first is the one that it looks for itself, the others are common; of several the first counts."""

MAX_ENTRIES = 1000

_NAME = re.compile(r"\w[\w-]*")
_NULL, _BOOLEAN = "tag:yaml.org,2002:null", "tag:yaml.org,2002:bool"
_Nodes = Mapping[str, yaml.Node]


def make_entries(component: bytes | None, playbook: bytes | None) -> Sequence[str]:
    """`:name: value` lines; of several with the same name the last counts. A file that is missing or no YAML gives none.

    The playbook takes precedence over the component, unless its value ends with `@`.
    """
    own, site = _load(component), _load(playbook)
    weak: list[str] = []
    strong: list[str] = []
    for name, value in _iter_attributes(site):
        (weak if _is_weak(value) else strong).append(_make_entry(name, value))
    described = [_make_entry(name, value) for name, value in (*_describe(own), *_iter_attributes(own))]
    return tuple(filter(None, [*weak, *described, *strong]))[:MAX_ENTRIES]


def _load(content: bytes | None) -> _Nodes:
    try:
        return {} if content is None else load_nodes(decode_text(content)[0])
    except IngestError:
        return {}


def _describe(component: _Nodes) -> Iterator[tuple[str, yaml.Node]]:
    """The attributes that Antora itself gives for a component."""
    name, version = component.get("name"), component.get("version")
    found = {
        "page-component-name": name,
        "page-component-title": component.get("title", name),
        "page-component-version": version,
        "page-version": version,
        "page-component-display-version": component.get("display_version", version),
    }
    for attribute, node in found.items():
        if isinstance(node, yaml.ScalarNode) and node.tag != _BOOLEAN:
            yield attribute, yaml.ScalarNode("", "") if node.tag == _NULL else node


def _iter_attributes(configuration: _Nodes) -> Iterator[tuple[str, yaml.Node]]:
    attributes = dict(_iter_items(dict(_iter_items(configuration.get("asciidoc"))).get("attributes")))
    yield from attributes.items()


def _iter_items(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            yield key.value, value


def _is_weak(value: yaml.Node) -> bool:
    return isinstance(value, yaml.ScalarNode) and (value.value.endswith("@") or value.value.lower() == "false")


def _make_entry(name: str, value: yaml.Node) -> str:
    """An attribute entry; empty if the value cannot be one."""
    if not isinstance(value, yaml.ScalarNode) or not _NAME.fullmatch(name):
        return ""
    is_true = value.tag == _BOOLEAN and value.value.lower() in ("true", "yes", "on")
    if value.tag == _NULL or (value.tag == _BOOLEAN and not is_true):
        return f":!{name}:"
    text = "" if is_true else " ".join(value.value.removesuffix("@").split())
    return f":{name}: {text.rstrip(chr(92))}".rstrip()
