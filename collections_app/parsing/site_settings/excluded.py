"""Patterns of files of which a site makes no pages, by its configuration: Jekyll's `exclude`, Hugo's `ignoreFiles` and templates of new
pages, and those that others write as in `.gitignore`. PURE.

https://jekyllrb.com/docs/configuration/options/, https://gohugo.io/configuration/all/#ignorefiles.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import yaml

from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.front_matter.toml_block import load_toml
from collections_app.parsing.front_matter.yaml_block import load_nodes

MAX_PATTERNS = 1_000
"""Of all configurations of a source together: each of its paths is compared with them."""

_MAX_PATTERN_CHARACTERS = 500
_MAX_DOUBLE_STARS = 5

_CONTENT = "content"
_IGNORED = "ignorefiles"
_BASE_URL = "baseurl"  # What `config.toml` of other programs does not have.
_CONFIGURATIONS = "config/_default"
_ARCHETYPES = "archetypes/"
# Of Hugo's regular expressions those that say no more than how a name ends.
_END_OF_NAME = re.compile(r"((?:[\w -]|\\[.-])+)\$")


class Excluded(NamedTuple):
    """A pattern as in `.gitignore`, with the folder from which it counts (empty: the source's root). Of several that a file matches the
    last one decides: it takes the file back if `excludes` is false.
    """

    folder: str
    pattern: str
    excludes: bool = True


def read_patterns(folder: str, patterns: Iterable[str]) -> list[Excluded]:
    """As in `.gitignore`, with `!` for what is taken back."""
    lines = [line for line in map(str.strip, patterns) if _is_pattern(line)]
    folder = "" if folder == "." else folder
    return [Excluded(folder, line.removeprefix("!"), not line.startswith("!")) for line in lines[:MAX_PATTERNS]]


def _is_pattern(line: str) -> bool:
    """Not for an empty line, a comment, or what nobody writes: each `**` is another turn over a path."""
    is_short = len(line) <= _MAX_PATTERN_CHARACTERS and line.count("**") <= _MAX_DOUBLE_STARS
    return is_short and bool(line.strip("!/.")) and not line.startswith("#")


def read_anchored(folder: str, patterns: Iterable[str]) -> list[Excluded]:
    """Patterns that count from the folder alone, even without a slash."""
    return read_patterns(folder, [f"/{pattern.removeprefix('./').lstrip('/')}" for pattern in patterns])


def read_jekyll(path: str, text: str) -> list[Excluded]:
    """Also those of Jupyter Book, whose file has the same name. Jekyll's `*` stands for slashes too; what it includes is not excluded."""
    nodes = load_nodes(text, MAX_CONFIGURATION_CHARACTERS)
    folder = posixpath.dirname(path)
    names = [name.removeprefix("./") for name in _list_texts(nodes.get("exclude"))]
    starred = [name for name in names if name.startswith("*") and "/" not in name.rstrip("/")]
    whole = [name for name in names if name not in starred]
    return [
        *read_patterns(folder, starred),
        *read_anchored(folder, whole),
        *read_anchored(folder, _list_texts(nodes.get("exclude_patterns"))),
        *(each._replace(excludes=False) for each in read_anchored(folder, _list_texts(nodes.get("include")))),
    ]


def get_content_folder(path: str) -> str:
    """That of the pages of the Hugo site whose configuration is at the path."""
    return posixpath.join(_get_root(path), _CONTENT)


def _get_root(path: str) -> str:
    folder = posixpath.dirname(path)
    return folder.removesuffix(_CONFIGURATIONS).rstrip("/") if folder.endswith(_CONFIGURATIONS) else folder


def read_hugo(path: str, text: str) -> list[Excluded]:
    templates = read_anchored(_get_root(path), [_ARCHETYPES] if _BASE_URL in text.lower() else [])
    if _IGNORED not in text.lower():
        return templates
    ends = filter(None, map(_END_OF_NAME.fullmatch, _list_ignored(path, text)))
    names = [re.sub(r"\\(.)", r"\1", end[1]) for end in ends]
    return [*templates, *read_patterns(get_content_folder(path), [f"*{name}" for name in names])]


def _list_ignored(path: str, text: str) -> Sequence[str]:
    if path.endswith(".toml"):
        found = load_toml(text, MAX_CONFIGURATION_CHARACTERS)
        told = next((value for name, value in found.items() if name.lower() == _IGNORED), None)
        return [each for each in told if isinstance(each, str)] if isinstance(told, list) else []
    nodes = load_nodes(text, MAX_CONFIGURATION_CHARACTERS)
    return _list_texts(next((node for name, node in nodes.items() if name.lower() == _IGNORED), None))


def _list_texts(node: yaml.Node | None) -> list[str]:
    each = node.value if isinstance(node, yaml.SequenceNode) else ()
    return [str(one.value) for one in each if isinstance(one, yaml.ScalarNode) and one.value]
