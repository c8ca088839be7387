"""Folders that a site of MkDocs includes files from: those that its configuration names for snippets and for macros. PURE."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache

import yaml

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.front_matter.yaml_block import load_nodes

CONFIGURATIONS = ("mkdocs.yml", "mkdocs.yaml")
MAX_CHARACTERS = 256 * 1024
_MAX_FOLDERS = 20
_DOCS = "docs"
# Where it is told, by which plugin, and as what.
_TOLD = (("markdown_extensions", "pymdownx.snippets", "base_path"), ("plugins", "macros", "include_dir"))


@lru_cache(maxsize=64)
def list_folders(path: str, content: bytes) -> Sequence[str]:
    """As paths from the source's root, by the configuration at `path`; none of one that is broken or too long."""
    try:
        text, _ = decode_text(content)
        nodes = load_nodes(text, MAX_CHARACTERS) if len(text) <= MAX_CHARACTERS else {}
    except IngestError:
        return ()
    docs = next(_iter_texts(nodes.get("docs_dir")), _DOCS)
    places = {"$config_dir": ".", "$docs_dir": docs}  # with the tag `!relative`
    told = (
        places.get(folder, folder)
        for list_name, plugin, option in _TOLD
        for settings in _iter_settings(nodes.get(list_name), plugin)
        for folder in _iter_texts(_get(settings, option))
    )
    inside = (posixpath.normpath(posixpath.join(posixpath.dirname(path), folder)) for folder in told)
    return tuple(folder for folder in dict.fromkeys(inside) if _is_inside(folder))[:_MAX_FOLDERS]


def _is_inside(folder: str) -> bool:
    return folder != ".." and not folder.startswith(("../", "/"))


def _iter_settings(node: yaml.Node | None, plugin: str) -> Iterator[yaml.Node]:
    """Of a plugin among those of a list, or of a mapping."""
    each = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from filter(None, (_get(one, plugin) for one in each))


def _get(node: yaml.Node | None, name: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((value for key, value in pairs if key.value == name), None)


def _iter_texts(node: yaml.Node | None) -> Iterator[str]:
    """Of a text, or of a list of texts."""
    each = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from (str(one.value) for one in each if isinstance(one, yaml.ScalarNode) and one.value)
