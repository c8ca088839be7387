"""Front matter: YAML between `---` lines at the very start of a file. It builds no objects and follows no aliases.

A first line `---` is a line across the page, not front matter, if no line `---` or `...` closes it, or if a blank line
follows and what stands between is no YAML mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import yaml

from collections_app.exceptions import ParseError
from collections_app.parsing.heading_text import shorten_heading
from collections_app.parsing.json_values import clean_text, make_json_value

MAX_FRONT_MATTER_CHARACTERS = 64 * 1024

_MAX_DEPTH = 50
_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_NOT_YAML = yaml.reader.Reader.NON_PRINTABLE
_NULL_TAG = "tag:yaml.org,2002:null"
_Loader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MEND = "Mend the YAML between the `---` lines; a value with special characters needs quotes."

# What a malformed value of an explicitly tagged or date-like scalar makes PyYAML's constructors raise.
_CONSTRUCTION_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class _Mark(Protocol):
    """A place in YAML, PyYAML's or libyaml's, with its line counted from 0."""

    @property
    def line(self) -> int: ...


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`line_count` is the number of lines that it takes in the file, both `---` included; 0 if there is none."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    line_count: int = 0
    warnings: tuple[str, ...] = ()


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter of a file and the text after it.

    Raises ParseError, with the line in the file, for broken YAML, YAML that is no mapping, aliases, deep nesting, and
    more than MAX_FRONT_MATTER_CHARACTERS.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return FrontMatter(), text
    block = text[opening.end() : closing.start()]
    try:
        values = _load(block)
    except ParseError:
        if block.split("\n", 1)[0].strip() == "":
            return FrontMatter(), text
        raise
    return _make_front_matter(values, block.count("\n") + 2), text[closing.end() + 1 :]


def _load(block: str) -> dict[str, yaml.Node]:
    """The mapping's values by key, as nodes: a title `1.10` or `on` is not to become a number or a truth value."""
    if len(block) > MAX_FRONT_MATTER_CHARACTERS:
        _refuse(1, f"it is longer than {MAX_FRONT_MATTER_CHARACTERS // 1024} KiB")
    if unprintable := _NOT_YAML.search(block):
        _refuse(block.count("\n", 0, unprintable.start()) + 2, f"character U+{ord(unprintable[0]):04X} is not allowed")
    try:
        _refuse_bombs(block)
        node = yaml.compose(block, _Loader)
    except yaml.MarkedYAMLError as error:
        _refuse(_get_line(error.problem_mark or error.context_mark), error.problem or "broken YAML")
    except yaml.YAMLError:
        _refuse(1, "broken YAML")
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        _refuse(_get_line(node.start_mark), "there must be `key: value` lines between the `---` lines")
    return dict(_iter_items(node))


def _refuse_bombs(block: str) -> None:
    """Aliases can make a few lines expand to gigabytes, and libyaml's composer overflows the stack on deep nesting."""
    depth = 0
    for event in yaml.parse(block, _Loader):
        line = _get_line(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            _refuse(line, "aliases (`*name`) are not supported; if it is text, put it in quotes")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            _refuse(line, f"it nests deeper than {_MAX_DEPTH} levels")


def _iter_items(mapping: yaml.MappingNode) -> Iterator[tuple[str, yaml.Node]]:
    for key, value in mapping.value:
        if not isinstance(key, yaml.ScalarNode):
            _refuse(_get_line(key.start_mark), "a key must be plain text")
        yield clean_text(key.value), value


def _make_front_matter(values: Mapping[str, yaml.Node], line_count: int) -> FrontMatter:
    known: dict[str, yaml.Node] = {}
    metadata: dict[str, Any] = {}
    for key, node in values.items():
        if key.lower() in {"title", "description", "keywords", "category"}:
            known.setdefault(key.lower(), node)
        else:
            metadata[key] = _construct(node)
    return FrontMatter(
        title=shorten_heading(_get_text(known.get("title"))),
        description=_get_text(known.get("description")),
        keywords=tuple(dict.fromkeys(filter(None, _iter_keywords(known.get("keywords"))))),
        category=_get_text(known.get("category")),
        metadata=metadata,
        line_count=line_count,
        warnings=tuple(
            f"front matter: the {key} is not text; it was left out"
            for key, node in known.items()
            if key != "keywords" and not isinstance(node, yaml.ScalarNode)
        ),
    )


def _get_text(node: yaml.Node | None) -> str:
    """A scalar as it is written, on one line; empty for null and for everything else."""
    if not isinstance(node, yaml.ScalarNode) or node.tag == _NULL_TAG:
        return ""
    return " ".join(clean_text(node.value).split())


def _iter_keywords(node: yaml.Node | None) -> Iterator[str]:
    """From a list, or from one text with commas."""
    if isinstance(node, yaml.SequenceNode):
        yield from map(_get_text, node.value)
    else:
        yield from (keyword.strip() for keyword in _get_text(node).split(","))


def _construct(node: yaml.Node) -> Any:
    loader = _Loader("")
    try:
        return make_json_value(loader.construct_document(node))
    except yaml.MarkedYAMLError as error:
        _refuse(_get_line(error.problem_mark or node.start_mark), error.problem or "broken YAML")
    except _CONSTRUCTION_ERRORS:
        _refuse(_get_line(node.start_mark), "a value here is no valid date, number or whatever its tag says")
    finally:
        loader.dispose()


def _get_line(mark: _Mark | None) -> int:
    """The line in the file: the block begins at its second."""
    return mark.line + 2 if mark else 1


def _refuse(line: int, problem: str) -> NoReturn:
    raise ParseError(f"front matter, line {line}: {problem}. {_MEND}", line=line)
