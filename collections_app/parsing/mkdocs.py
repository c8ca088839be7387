"""Reads the configuration of MkDocs: the folders from which pages include files, for snippets and for macros, and the titles and groups
of pages in its navigation. PURE.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import yaml

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.file_names import get_group_from_path
from collections_app.parsing.front_matter.yaml_block import load_nodes
from collections_app.parsing.heading_text import clean_heading
from collections_app.parsing.json_values import clean_text

CONFIGURATIONS = ("mkdocs.yml", "mkdocs.yaml")
MAX_CHARACTERS = 256 * 1024
_MAX_FOLDERS = 20
_MAX_DEPTH = 20
_DOCS = "docs"
_FIRST_PAGES = ("index.md", "README.md")
# The key of plugins or extensions, the name of one, and its option.
_TOLD = (("markdown_extensions", "pymdownx.snippets", "base_path"), ("plugins", "macros", "include_dir"))


class _Entry(NamedTuple):
    """A page of the navigation. Its title is empty where it is named alone, its group where it stands under none."""

    page: str
    title: str
    group: str


@lru_cache(maxsize=64)
def list_folders(path: str, content: bytes) -> Sequence[str]:
    """The folders in the configuration at `path`, as paths from the source's root; none if it is broken or too long."""
    nodes = _load(content)
    docs = _get_docs(nodes)
    places = {"$config_dir": ".", "$docs_dir": docs}  # with the tag `!relative`
    told = (
        places.get(folder, folder)
        for list_name, plugin, option in _TOLD
        for settings in _iter_settings(nodes.get(list_name), plugin)
        for folder in _iter_texts(_get(settings, option))
    )
    inside = (_join(path, folder) for folder in told)
    return tuple(folder for folder in dict.fromkeys(inside) if _is_inside(folder))[:_MAX_FOLDERS]


@lru_cache(maxsize=64)
def read_titles(path: str, content: bytes) -> Mapping[str, str]:
    """The titles that the navigation gives pages, by their paths from the source's root. The first mention of a page counts. The first page
    of all, mostly called `Home`, gets the name of the site.
    """
    nodes = _load(content)
    docs = _get_docs(nodes)
    titles: dict[str, str] = {}
    site = [_Entry(page, name, "") for name in _iter_texts(nodes.get("site_name")) for page in _FIRST_PAGES]
    for page, title, _ in [*site, *_iter_entries(nodes.get("nav"))]:
        if title:
            titles.setdefault(_join(path, docs, page), clean_heading(title))
    return titles


def parse_groups(path: str, text: str) -> dict[str, str]:
    """Page path → group, as parse_navigation() has it, of the configuration at `path`."""
    nodes = _parse(text)
    docs = _get_docs(nodes)
    groups: dict[str, str] = {}
    for page, _, group in _iter_entries(nodes.get("nav")):
        if group:
            groups.setdefault(_join(path, docs, page), group)
    return groups


def _load(content: bytes) -> Mapping[str, yaml.Node]:
    try:
        return _parse(decode_text(content)[0])
    except IngestError:
        return {}


def _parse(text: str) -> Mapping[str, yaml.Node]:
    """Nothing of what is broken or too long. No tag is acted on."""
    try:
        return load_nodes(text, MAX_CHARACTERS) if len(text) <= MAX_CHARACTERS else {}
    except IngestError:
        return {}


def _get_docs(nodes: Mapping[str, yaml.Node]) -> str:
    return next(_iter_texts(nodes.get("docs_dir")), _DOCS)


def _join(path: str, *names: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), *names))


def _iter_entries(node: yaml.Node | None, group: str = "", depth: int = 0) -> Iterator[_Entry]:
    """The pages in a list of the navigation, with the nearest group above each."""
    each = node.value if isinstance(node, yaml.SequenceNode) and depth < _MAX_DEPTH else ()
    for entry in each:
        if isinstance(entry, yaml.ScalarNode):
            yield _Entry(entry.value, "", group)
        for key, value in entry.value if isinstance(entry, yaml.MappingNode) else ():
            words = clean_text(key.value) if isinstance(key, yaml.ScalarNode) else ""
            if isinstance(value, yaml.ScalarNode):
                yield _Entry(value.value, words, group)
            elif isinstance(value, yaml.SequenceNode):
                yield from _iter_entries(value, clean_heading(words) or _name_by_page(value) or group, depth + 1)


def _name_by_page(pages: yaml.SequenceNode) -> str:
    """For a list whose name is left to a hook: what its first page is called, if that is named alone."""
    first = pages.value[0] if pages.value else None
    return get_group_from_path(first.value) if isinstance(first, yaml.ScalarNode) else ""


def _is_inside(folder: str) -> bool:
    return folder != ".." and not folder.startswith(("../", "/"))


def _iter_settings(node: yaml.Node | None, plugin: str) -> Iterator[yaml.Node]:
    """The settings of a plugin, in a list of plugins or in a mapping."""
    each = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from filter(None, (_get(one, plugin) for one in each))


def _get(node: yaml.Node | None, name: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((value for key, value in pairs if key.value == name), None)


def _iter_texts(node: yaml.Node | None) -> Iterator[str]:
    """The texts in a list, or a single text."""
    each = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from (str(one.value) for one in each if isinstance(one, yaml.ScalarNode) and one.value)
