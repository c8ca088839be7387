"""Reads the configuration of MkDocs: the folders from which pages include files, for snippets and for macros, and the titles and groups
of pages in its navigation. PURE.

https://www.mkdocs.org/user-guide/configuration/. Files that it names are read from the same source: the one that it inherits from
(`INHERIT`), and sites in its navigation (`!include ./api/mkdocs.yml`, of the plugin `monorepo`). `!ENV` has its default, as nothing is
known of what a build has set.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

import yaml

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.file_names import get_group_from_path
from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.front_matter.yaml_block import list_text_pairs, load_nodes
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.source_paths import Read, find_beside

CONFIGURATIONS = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml")
_MAX_FOLDERS = 20
_MAX_DEPTH = 20
_MAX_INHERITED = 5
_INHERIT = "INHERIT"
_MAX_SITES = 100
_SITE = re.compile(r"!include[ \t]+(\S.*)")
_DOCS = "docs"
_FIRST_PAGES = ("index.md", "README.md")
# The key of plugins or extensions, the name of one, and its option.
_TOLD = (("markdown_extensions", "pymdownx.snippets", "base_path"), ("plugins", "macros", "include_dir"))


_Nodes: TypeAlias = Mapping[str, yaml.Node]


class Configuration(NamedTuple):
    """The path of a configuration, and its content; then that of the one from which it inherits, and so on."""

    path: str
    contents: tuple[bytes, ...]


class _Entry(NamedTuple):
    """A page of the navigation. Its title is empty where it is named alone, its group where it stands under none."""

    page: str
    title: str
    group: str


def read_configuration(path: str, content: bytes, read: Read) -> Configuration:
    """The configuration at `path` with those from which it inherits, as far as these are in the source."""
    contents, place = [content], path
    while len(contents) < _MAX_INHERITED:
        named = next(_iter_texts(_load(contents[-1]).get(_INHERIT)), "") if _INHERIT.encode() in contents[-1] else ""
        above = find_beside(place, named) if named else None
        inherited = read(above) if above else None
        if above is None or inherited is None:
            break
        contents.append(inherited)
        place = above
    return Configuration(path, tuple(contents))


@lru_cache(maxsize=64)
def list_folders(configuration: Configuration) -> Sequence[str]:
    """The folders in the configuration, as paths from the source's root; none if it is broken or too long."""
    path, nodes = configuration.path, _load_all(configuration)
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
def read_titles(configuration: Configuration) -> Mapping[str, str]:
    """The titles that the navigation gives pages, by their paths from the source's root. The first mention of a page counts. The first page
    of all, mostly called `Home`, gets the name of the site.
    """
    path, nodes = configuration.path, _load_all(configuration)
    docs = _get_docs(nodes)
    titles: dict[str, str] = {}
    site = [_Entry(page, name, "") for name in _iter_texts(nodes.get("site_name")) for page in _FIRST_PAGES]
    for page, title, _ in [*site, *_iter_entries(nodes.get("nav"))]:
        if title:
            titles.setdefault(_join(path, docs, page), clean_heading(title))
    return titles


class Site(NamedTuple):
    """`docs`: the folder of the pages. `moved`: pages that the plugin `redirects` leads on, by their paths in it, with the path or address
    where each is now. `excluded`: patterns of files of which no page is made."""

    docs: str
    moved: Mapping[str, str]
    excluded: Sequence[str]


def read_site(configuration: Configuration) -> Site:
    nodes = _load_all(configuration)
    maps = (_get(settings, "redirect_maps") for settings in _iter_settings(nodes.get("plugins"), "redirects"))
    moved = dict(chain.from_iterable(map(list_text_pairs, maps)))
    excluded = [line for text in _iter_texts(nodes.get("exclude_docs")) for line in text.splitlines()]
    return Site(_join(configuration.path, _get_docs(nodes)), moved, excluded)


def parse_groups(path: str, text: str, read: Read) -> dict[str, str]:
    """Page path → group, as parse_navigation() has it, of the configuration at `path`. Pages of a site in it that are in no list have the
    name that the site has here.
    """
    configuration = read_configuration(path, text.encode(), read)
    nodes = _load_all(configuration)
    docs = _get_docs(nodes)
    groups: dict[str, str] = {}
    sites = 0
    for page, title, group in _iter_entries(nodes.get("nav")):
        if site := _SITE.fullmatch(page):
            sites += 1
            found = _parse_site(path, site[1], clean_heading(title) or group, read) if sites <= _MAX_SITES else {}
            groups = {**found, **groups}
        elif group:
            groups.setdefault(_join(path, docs, page), group)
    return groups


def _parse_site(path: str, name: str, group: str, read: Read) -> Mapping[str, str]:
    """The groups of the pages of a site that another one names in its navigation; sites in that do not count."""
    place = find_beside(path, name)
    content = read(place) if place else None
    if place is None or content is None:
        return {}
    nodes = _load_all(read_configuration(place, content, read))
    docs = _get_docs(nodes)
    entries = _iter_entries(nodes.get("nav"), group)
    return {
        _join(place, docs, page): group for page, _, group in reversed(list(entries)) if group and not _SITE.match(page)
    }


def _load_all(configuration: Configuration) -> _Nodes:
    """With what is inherited; a mapping has the keys of both."""
    merged: dict[str, yaml.Node] = {}
    for content in configuration.contents:
        for key, node in _load(content).items():
            own = merged.setdefault(key, node)
            if own is not node and isinstance(own, yaml.MappingNode) and isinstance(node, yaml.MappingNode):
                merged[key] = yaml.MappingNode(own.tag, [*own.value, *node.value])
    return merged


def _load(content: bytes) -> _Nodes:
    try:
        return _parse(decode_text(content)[0])
    except IngestError:
        return {}


def _parse(text: str) -> _Nodes:
    """Nothing of what is broken or too long. No tag is acted on."""
    try:
        return load_nodes(text, MAX_CONFIGURATION_CHARACTERS) if len(text) <= MAX_CONFIGURATION_CHARACTERS else {}
    except IngestError:
        return {}


def _get_docs(nodes: _Nodes) -> str:
    return next(_iter_texts(nodes.get("docs_dir")), _DOCS)


def _join(path: str, *names: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), *names))


def _iter_entries(node: yaml.Node | None, group: str = "", depth: int = 0) -> Iterator[_Entry]:
    """The pages in a list of the navigation, with the nearest group above each."""
    each = node.value if isinstance(node, yaml.SequenceNode) and depth < _MAX_DEPTH else ()
    for entry in map(_get_default, each):
        if isinstance(entry, yaml.ScalarNode):
            yield _Entry(entry.value, "", group)
        for key, told in entry.value if isinstance(entry, yaml.MappingNode) else ():
            value = _get_default(told)
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
    node = _get_default(node)
    each = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from (str(one.value) for one in each if isinstance(one, yaml.ScalarNode) and one.value)


def _get_default(node: yaml.Node | None) -> yaml.Node | None:
    """What counts if a build sets nothing: of `!ENV [NAME, default]` the default, of `!ENV NAME` nothing; all else as it is."""
    if node is None or node.tag != "!ENV":
        return node
    return node.value[-1] if isinstance(node, yaml.SequenceNode) and len(node.value) > 1 else None
