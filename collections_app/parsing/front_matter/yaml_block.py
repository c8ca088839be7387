"""Front matter in YAML. It builds no objects, and follows aliases of single values only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

import yaml

from collections_app.parsing.front_matter.block import (
    MAX_DEPTH,
    MAX_FRONT_MATTER_CHARACTERS,
    Block,
    Text,
    is_field,
    refuse,
    refuse_length,
)
from collections_app.parsing.json_values import clean_text, make_json_value

_NOT_YAML = yaml.reader.Reader.NON_PRINTABLE
_NULL_TAG = "tag:yaml.org,2002:null"
_TEXT_TAG = "tag:yaml.org,2002:str"
_BaseLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[valid-type, misc]
    """A text that looks like a date but is none (`2023-02-29`) stays text."""

    def construct_yaml_timestamp(self, node: yaml.Node) -> Any:
        try:
            return super().construct_yaml_timestamp(node)
        except ValueError:
            return node.value

    def construct_tagged(self, suffix: str, node: yaml.Node) -> Any:
        """A value with a tag that only its site knows (`!later 3`) is what it would be without, a tag that stands alone a text."""
        if isinstance(node, yaml.ScalarNode):
            return node.value or f"!{suffix}"
        is_mapping = isinstance(node, yaml.MappingNode)
        return self.construct_mapping(node, deep=True) if is_mapping else self.construct_sequence(node, deep=True)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.construct_yaml_timestamp)
_Loader.add_multi_constructor("!", _Loader.construct_tagged)

_MEND = (
    "Mend the YAML between the `---` lines; a value with special characters needs quotes, as in "
    '`title: "@scope/name: notes"`.'
)
_OPENERS = "[{-:?"
# What means nothing else in YAML, and is accepted by generators that read line by line: `title: {#if ...}`, `title: bind:` (Svelte's).
_LACKS_QUOTES = re.compile(r"^(\w+:[ \t]+)(\{[#@:/][^{}\n]*\}|[\w.$-]+:)[ \t]*$", re.MULTILINE)
_PLAIN_WORDS = {  # explanations for errors in values without quotes, by their first character
    "mapping values are not allowed": "a second `: ` in a value, or a line that is indented too far",
    "found character": "a character that no value begins with (`@`, `%`, a backtick or a tab)",
    "did not find expected alphabetic": "a value that begins with `*` or `&`",
}

# What a malformed value of an explicitly tagged or date-like scalar makes PyYAML's constructors raise.
_CONSTRUCTION_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class _Mark(Protocol):
    """A position in YAML, of PyYAML or libyaml, with its line counted from 0."""

    @property
    def line(self) -> int: ...


def read_yaml(block: str) -> Block:
    """Raises ParseError for broken YAML, YAML that is no mapping, aliases and deep nesting."""
    found = Block()
    for key, node in load_nodes(_LACKS_QUOTES.sub(_quote, block)).items():
        if is_field(key):
            found.fields.setdefault(key.lower(), _get_text_or_texts(node))
        else:
            found.metadata[key] = _construct(node)
    return found


def _quote(entry: re.Match[str]) -> str:
    value = entry[2].replace("'", "''")
    return f"{entry[1]}'{value}'"


def load_nodes(block: str, max_characters: int = MAX_FRONT_MATTER_CHARACTERS) -> dict[str, yaml.Node]:
    """The mapping's values by key, as nodes: a title `1.10` or `on` must not become a number or a truth value.

    Raises as read_yaml() does.
    """
    refuse_length(block, _MEND, max_characters)
    if unprintable := _NOT_YAML.search(block):
        _refuse(block.count("\n", 0, unprintable.start()) + 2, f"character U+{ord(unprintable[0]):04X} is not allowed")
    try:
        _refuse_bombs(block)
        node = yaml.compose(block, _Loader)
    except yaml.MarkedYAMLError as error:
        _refuse(_get_line(error.problem_mark or error.context_mark), _describe(error))
    except yaml.YAMLError:
        _refuse(1, "broken YAML")
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        _refuse(_get_line(node.start_mark), "there must be `key: value` lines between the `---` lines")
    return dict(_iter_items(node))


def _refuse_bombs(block: str) -> None:
    """Aliases can make a few lines expand to gigabytes, and libyaml's composer overflows the stack on deep nesting. A level of nesting has
    at least one of the signs that open it, and most front matter has fewer of them than it may have levels.
    """
    if "*" not in block and sum(map(block.count, _OPENERS)) <= MAX_DEPTH:
        return
    depth, named_characters = 0, 0
    named: dict[str, int] = {}
    for event in yaml.parse(block, _Loader):
        line = _get_line(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            named_characters += named.get(event.anchor or "", MAX_FRONT_MATTER_CHARACTERS)
            if named_characters >= MAX_FRONT_MATTER_CHARACTERS:
                _refuse(
                    line,
                    "aliases (`*name`) of lists, mappings and nothing are not supported; if it is text, put it in quotes",
                )
        elif isinstance(event, yaml.NodeEvent) and event.anchor:
            named[event.anchor] = (
                len(event.value) if isinstance(event, yaml.ScalarEvent) else MAX_FRONT_MATTER_CHARACTERS
            )
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            _refuse(line, f"it nests deeper than {MAX_DEPTH} levels")


def _iter_items(mapping: yaml.MappingNode) -> Iterator[tuple[str, yaml.Node]]:
    for key, value in mapping.value:
        if not isinstance(key, yaml.ScalarNode):
            _refuse(_get_line(key.start_mark), "a key must be plain text")
        yield clean_text(key.value), value


def list_text_pairs(node: yaml.Node | None) -> list[tuple[str, str]]:
    """The keys of a mapping with those of its values that are scalars, both as written; none of anything else."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return [(str(key.value), str(value.value)) for key, value in pairs if isinstance(value, yaml.ScalarNode)]


def _get_text_or_texts(node: yaml.Node) -> Text | list[Text]:
    return list(map(_get_text, node.value)) if isinstance(node, yaml.SequenceNode) else _get_text(node)


def _get_text(node: yaml.Node) -> Text:
    """A scalar as written; empty for null."""
    if not isinstance(node, yaml.ScalarNode):
        return None
    return "" if node.tag == _NULL_TAG else " ".join(clean_text(node.value).split())


def _construct(node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode) and node.tag == _TEXT_TAG:
        return clean_text(node.value)  # a loader takes ten times as long
    loader = _Loader("")
    try:
        return make_json_value(loader.construct_document(node))
    except yaml.MarkedYAMLError as error:
        _refuse(_get_line(error.problem_mark or node.start_mark), _describe(error))
    except _CONSTRUCTION_ERRORS:
        _refuse(_get_line(node.start_mark), "a value here is no valid date, number or whatever its tag says")
    finally:
        loader.dispose()


def _describe(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "broken YAML"
    return next((words for start, words in _PLAIN_WORDS.items() if problem.startswith(start)), problem)


def _get_line(mark: _Mark | None) -> int:
    """The line in the file: the block begins on line 2."""
    return mark.line + 2 if mark else 1


def _refuse(line: int, problem: str) -> NoReturn:
    refuse(line, problem, _MEND)
