"""Reads YAML files from outside, or refuses them with the line of the error. Strings stay strings (`1.10`, `no`), and aliases cannot
expand a file without limit. It knows no format.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import yaml

from collections_app.exceptions import ParseError

MAX_NODES = 2_000_000
MAX_DEPTH = 100
MAX_REPEATED_CHARACTERS = 10_000_000

_BaseLoader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[misc, valid-type]
    """Unquoted scalars are numbers or truth values only if they mean and look the same in JSON; all others are texts."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


for _tag, _pattern, _first in (
    ("null", r"~|null|", "~n"),
    ("bool", "true|false", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]{0,17})", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{0,14}[1-9]", "-0123456789"),
    ("merge", "<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), [*_first, ""])


def read_yaml_object(text: str) -> dict[str, Any]:
    """Raises ParseError as read_yaml() does, and for anything but a mapping."""
    value = read_yaml(text)
    if not isinstance(value, dict):
        raise _make_error(1, "there must be `key: value` lines")
    return value


def read_yaml(text: str) -> Any:
    """Any value. Raises ParseError for broken YAML, and for YAML that is too deep or too large."""
    try:
        _refuse_bombs(text)
        return yaml.load(text, _Loader)  # noqa: S506 (a safe loader)
    except yaml.MarkedYAMLError as error:
        line = _get_line(error.problem_mark or error.context_mark)
        raise _make_error(line, error.problem or "broken YAML") from None
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise _make_error(1, "broken YAML") from None


def _refuse_bombs(text: str) -> None:
    """Aliases can make a few lines expand to gigabytes, and libyaml's composer overflows the stack on deep nesting."""
    sizes: dict[str, tuple[int, int]] = {}
    open_nodes: list[tuple[str | None, int, int]] = []
    nodes = characters = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise _make_error(_get_line(event.start_mark), "an alias stands within what it names, or for nothing")
            nodes += sizes[event.anchor][0]
            characters += sizes[event.anchor][1]
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, nodes_before, characters_before = open_nodes.pop()
            if anchor:
                sizes[anchor] = nodes - nodes_before, characters - characters_before
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, nodes, characters))
            nodes += 1
        elif isinstance(event, yaml.ScalarEvent):
            nodes += 1
            characters += len(event.value)
            if event.anchor:
                sizes[event.anchor] = 1, len(event.value)
        if nodes > MAX_NODES or len(open_nodes) > MAX_DEPTH or characters > len(text) + MAX_REPEATED_CHARACTERS:
            raise _make_error(_get_line(event.start_mark), _describe_excess(nodes, len(open_nodes)))


def _describe_excess(nodes: int, depth: int) -> str:
    if nodes > MAX_NODES:
        return f"it has over {MAX_NODES:,} values"
    if depth > MAX_DEPTH:
        return f"it nests deeper than {MAX_DEPTH} levels"
    return f"its aliases repeat more than {MAX_REPEATED_CHARACTERS:,} characters"


def _get_line(mark: Any) -> int:
    return mark.line + 1 if mark else 1


def _make_error(line: int, problem: str) -> ParseError:
    return ParseError(f"line {line}: {problem}. Mend the YAML.", line=line)
