"""Reads the data files of a site as trees of texts: YAML, TOML, JSON, Writerside's list of variables, and the names in Sphinx's conf.py.
Nothing is run. PURE.

A tree has a text or a tree for each name. In a YAML list, texts and the keys of mappings are names without a value.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import Any, TypeAlias, Union

import yaml

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.front_matter.toml_block import load_toml
from collections_app.parsing.front_matter.yaml_block import load_nodes
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.variables.places import IN_FILES_OF_CONF

_MAX_DEPTH = 20
_MAX_BITS = 1024
_MAX_FOLDED = 200
"""Among more names than this, case matters."""
_NULL = "tag:yaml.org,2002:null"

_VARIABLE = re.compile(r"<var\b([^<>]*)>")
_ATTRIBUTE = re.compile(r"\b(name|value)=(?:\"([^\"]*)\"|'([^']*)')")

_STRING = r"[rRuU]?(?:\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+'''|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')"
# A name in a module that is assigned a text once, which is neither formatted nor put together.
_ASSIGNMENT = re.compile(
    rf"^(?P<name>[a-z_]+)[ \t]*=[ \t]*(?P<text>{_STRING})[ \t]*(?:#[^\n]*)?$", re.MULTILINE | re.DOTALL
)
_SAME = re.compile(r"^release[ \t]*=[ \t]*version[ \t]*$", re.MULTILINE)
_LANGUAGE = re.compile(r"^[ \t]*highlight_language\b", re.MULTILINE)
_SUBSTITUTIONS = re.compile(r"^(?P<name>myst_substitutions)[ \t]*=[ \t]*\{(?P<items>[^{}]*+)\}", re.MULTILINE)
# `with open("reuse/substitutions.yaml") as file:` and then `myst_substitutions.update(yaml.safe_load(file))`
_OPENED = re.compile(r"\bopen\([ \t]*[rRuU]?(?P<quote>[\"'])(?:\./)?(?P<path>[\w./-]{1,100}\.(?:ya?ml|json))(?P=quote)")
_MYST_SUBSTITUTIONS = "myst_substitutions"
_LINES_OF_LOADING = 3
_LINE_STRING = r"[rRuU]?(?:\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')"
_ITEM = re.compile(rf"\s*+(?P<name>{_LINE_STRING})[ \t]*:\s*+(?P<text>{_LINE_STRING})[ \t]*(?=,|\s*\Z|\#|\n)")
_NEXT_ITEM = re.compile(r"[^,\n]*+[,\n]")

Tree: TypeAlias = Mapping[str, Union[str, "Tree"]]


@lru_cache(maxsize=64)
def read_values(path: str, content: bytes) -> Tree:
    """The tree of a file; empty if it is broken or too long, or has no names."""
    try:
        text, _ = decode_text(content)
        return {} if len(text) > MAX_CONFIGURATION_CHARACTERS else _read(get_extension(path), text)
    except IngestError:
        return {}


def find(tree: Tree, names: Sequence[str]) -> str | Tree | None:
    """The value below these names, in any case if there are few of them; None if there is none."""
    found: str | Tree = tree
    for name in names:
        if isinstance(found, str):
            return None
        value = found.get(name)
        if value is None and len(found) <= _MAX_FOLDED:
            folded = name.lower()
            value = next((each for key, each in found.items() if key.lower() == folded), None)
        if value is None:
            return None
        found = value
    return found


def make_tree(value: Any, depth: int = 0) -> str | Tree | None:
    """The text or tree of a JSON value; None if it has none."""
    match value:
        case str():
            return clean_text(value)
        case bool():
            return str(value).lower()
        case int() if value.bit_length() > _MAX_BITS:
            return None
        case int() | float():
            return str(value)
        case None:
            return ""
        case dict() if depth < _MAX_DEPTH:
            made = {str(name): make_tree(each, depth + 1) for name, each in value.items()}
            return {name: each for name, each in made.items() if each is not None}
    return None


def _read(extension: str, text: str) -> Tree:
    match extension:
        case ".toml":
            return _as_tree(load_toml(text, MAX_CONFIGURATION_CHARACTERS))
        case ".json":
            return _as_tree(_load_json(text))
        case ".list":
            return _read_variables(text)
        case ".py":
            return _read_configuration(text)
    return _read_mapping(list(load_nodes(text, MAX_CONFIGURATION_CHARACTERS).items()), 0)


def _as_tree(value: Any) -> Tree:
    tree = make_tree(value)
    return tree if isinstance(tree, Mapping) else {}


def _load_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_mapping(items: Sequence[tuple[str, yaml.Node]], depth: int) -> Tree:
    read = {name: _read_node(node, depth + 1) for name, node in items}
    return {name: value for name, value in read.items() if value is not None}


def _read_node(node: yaml.Node, depth: int) -> str | Tree | None:
    """A value as written: a version `1.10` must not become a number."""
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == _NULL else clean_text(node.value)
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, yaml.MappingNode):
        return _read_mapping(
            [(key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)], depth
        )
    names = [each.value for each in node.value if isinstance(each, yaml.ScalarNode)]
    inner = [each for each in node.value if isinstance(each, yaml.MappingNode)]
    keys = [key.value for each in inner for key, _ in each.value if isinstance(key, yaml.ScalarNode)]
    return {name: {} for name in (*names, *keys)}


def _read_variables(text: str) -> Tree:
    """The variables in a `v.list`: `<var name="product" value="Winch"/>`."""
    found = [
        {name: unescape(one or other) for name, one, other in _ATTRIBUTE.findall(each[1])}
        for each in _VARIABLE.finditer(text)
    ]
    return {each["name"]: each["value"] for each in found if {"name", "value"} <= each.keys()}


def _read_configuration(text: str) -> Tree:
    """Names with plain texts as values, and MyST's substitutions if these are plain texts."""
    values: dict[str, str | Tree] = {}
    for found in _ASSIGNMENT.finditer(text):
        values[found["name"]] = _read_string(found["text"])
    if "version" in values and _SAME.search(text):
        values["release"] = values["version"]
    if "highlight_language" not in values and _LANGUAGE.search(text):
        values["highlight_language"] = "none"  # it is computed
    if substitutions := _SUBSTITUTIONS.search(text):
        values[substitutions["name"]] = dict(_iter_items(substitutions["items"]))
    if _MYST_SUBSTITUTIONS in text:
        values[IN_FILES_OF_CONF] = {path: {} for path in _iter_files_of_substitutions(text)}
    return values


def _iter_files_of_substitutions(text: str) -> Iterator[str]:
    """The files that are opened in a line with MyST's substitutions, or right above one."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = _OPENED.search(line)
        if found and any(_MYST_SUBSTITUTIONS in each for each in lines[number : number + _LINES_OF_LOADING]):
            yield found["path"]


def _iter_items(text: str) -> Iterator[tuple[str, str]]:
    """The items of a dictionary that are plain texts."""
    position = 0
    while position < len(text):
        if item := _ITEM.match(text, position):
            yield _read_string(item["name"]), _read_string(item["text"])
        following = _NEXT_ITEM.match(text, item.end() if item else position)
        if following is None:
            return
        position = following.end()


def _read_string(literal: str) -> str:
    try:
        return clean_text(str(ast.literal_eval(literal)))
    except (SyntaxError, ValueError):
        return ""
