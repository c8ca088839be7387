"""Which file defines a variable, for each generator that has variables. It reads no file.

{{ site.name }}, {{ site.data.f.name }}, {{ page.name }}      Jekyll: _config.yml, _data, front matter
{{ name }}                                                    the page itself, with `assign` of Liquid
{{ f.name }}                                                  Eleventy and others: _data/f, data/f
{% data variables.f.name %}, {% data reusables.d.f %}         GitHub's documentation: data/variables/f.yml, data/reusables/d/f.md
{{ name }}                                                    Elastic's (docset.yml), MkDocs' macros, MyST, Mintlify, GitBook (book.name)
{{< param name >}}                                            Hugo: front matter, params of its configuration
{{< var name >}}, {{< meta name >}}                           Quarto: _variables.yml; front matter, _quarto.yml
{{ $frontmatter.name }}                                       VitePress
%name%                                                        Writerside: v.list
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collections_app.parsing.navigation.mkdocs import CONFIGURATIONS as MKDOCS
from collections_app.parsing.navigation.sites import MINTLIFY

OWN: tuple[str, ...] = ()
"""Stands for the page's own front matter."""

ASSIGNED = ("{% assign %}",)
"""Stands for the page's own text."""

CONF = ("conf.py",)
IN_FILES_OF_CONF = "myst_substitutions in files"
"""The name, in what is read of Sphinx's configuration, of the files of YAML or JSON from which it takes substitutions of MyST."""

SNOOTY = ("snooty.toml",)
JEKYLL = ("_config.yml", "_config.yaml", "jekyll.yml")
HUGO = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml")
_HUGO_DEFAULT = tuple(f"config/_default/{name}" for name in HUGO)
_GITBOOK = ("book.json",)
_ELASTIC = ("docset.yml", "_docset.yml")
_QUARTO = ("_quarto.yml", "_quarto.yaml")
_QUARTO_METADATA = ("_metadata.yml", "_metadata.yaml")
_SUBSTITUTIONS = ("substitutions.yaml", "substitutions.yml")  # as Sphinx's configurations call them
_QUARTO_VARIABLES = ("_variables.yml", "_variables.yaml")
_HUGO_PARAMS = ("config/_default/params.toml", "config/_default/params.yaml", "config/_default/params.yml")
CONFIGURATION = JEKYLL
"""Files, one of which must exist for filters of addresses to be applied."""

_CONFIGURATIONS = frozenset(
    {
        *JEKYLL,
        *HUGO,
        *MKDOCS,
        *MINTLIFY,
        *_GITBOOK,
        *_ELASTIC,
        *_QUARTO,
        *_QUARTO_METADATA,
        *_QUARTO_VARIABLES,
        *_SUBSTITUTIONS,
    }
)
_DATA_EXTENSIONS = ("yml", "yaml", "json", "csv")
_MOST_DATA_NAMES = 5
_FOLDERS_OF_DATA = re.compile(r"(?:^|/)(?:_data|data/variables|config/_default)/")
_OWN_NAMES = frozenset({"page", "frontmatter", "$frontmatter"})


class Place(NamedTuple):
    """Where a value is: `names` lead to it in the first of `files` that exists, or in the page for OWN and ASSIGNED. `needs` must exist
    there too. `in_code` means that variables in code count, `is_text` that the whole file is the value.
    """

    files: tuple[str, ...]
    names: tuple[str, ...]
    in_code: bool = True
    needs: tuple[str, ...] = ()
    is_text: bool = False


def find_places(tag: re.Match[str]) -> Iterator[Place]:
    """The places that may define a tag, in order: the first that does counts."""
    if tag["braced"]:
        yield from _iter_braced(tuple(tag["braced"].split(".")))
    elif tag["data"]:
        yield from _iter_github(tuple(tag["data"].split(".")))
    elif tag["told"]:
        yield from _iter_told(tag["kind"], tuple(tag["told"].split(".")))
    elif tag["percent"]:
        yield Place(("v.list",), (tag["percent"],))


def tells_variables(path: str) -> bool:
    """Whether variables are read from a file with this path. Data files in other folders are not recognised."""
    return path.rpartition("/")[2] in _CONFIGURATIONS or _FOLDERS_OF_DATA.search(path) is not None


def _iter_braced(names: tuple[str, ...]) -> Iterator[Place]:
    first, *others = names
    rest = tuple(others)
    if first in _OWN_NAMES:
        yield Place(OWN, rest, in_code=False)
        return
    if not rest:
        yield Place(ASSIGNED, names, in_code=False)
    if rest and first == "site":
        if rest[0] == "data" and len(rest) > 1:
            yield Place(_list_data("_data", rest[1]), rest[2:])
        yield Place(JEKYLL, rest)
    if rest and first == "book":
        yield Place(_GITBOOK, ("variables", *rest))
    whole = (".".join(names),)
    for keys in (("sub",), ("substitutions",), ("myst", "substitutions")):
        yield Place(OWN, (*keys, *whole), in_code=False)
    yield Place(_ELASTIC, ("subs", *whole), in_code=False)
    for plugin in ("macros", "markdownextradata"):
        yield Place(MKDOCS, ("extra", *names), needs=("plugins", plugin))
    yield Place(MINTLIFY, ("variables", *whole))
    yield Place(JEKYLL, ("sphinx", "config", "myst_substitutions", *whole), in_code=False)
    yield Place(CONF, ("myst_substitutions", *whole), in_code=False)
    yield Place(CONF, (IN_FILES_OF_CONF, *whole), in_code=False)
    if rest:
        yield Place((*_list_data("_data", first), *_list_data("data", first)), rest, in_code=False)


def _iter_github(names: tuple[str, ...]) -> Iterator[Place]:
    kind, *rest = names
    if kind == "reusables" and rest:
        yield Place((f"data/{'/'.join(names)}.md",), (), is_text=True)
    elif kind == "variables" and len(rest) > 1:
        yield Place(_list_data("data/variables", rest[0]), tuple(rest[1:]))
    elif rest:
        yield Place(_list_data("data", kind), tuple(rest))


def _iter_told(kind: str, names: tuple[str, ...]) -> Iterator[Place]:
    match kind:
        case "var":
            yield Place(_QUARTO_VARIABLES, names, in_code=False)
        case "meta":
            for files in (OWN, _QUARTO_METADATA, _QUARTO):
                yield Place(files, names, in_code=False)
        case "param":
            yield Place(OWN, names)
            yield Place(OWN, ("params", *names))
            yield Place(_HUGO_PARAMS, names)
            for files in (_HUGO_DEFAULT, HUGO):
                yield Place(files, ("params", *names))


def iter_data_files(names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The files of Jekyll that `site.data.a.b` may be in, and how many of its names lead to each: `_data/a.yml`, `_data/a/b.yml`."""
    for count in range(3, min(len(names), _MOST_DATA_NAMES) + 1):
        for extension in _DATA_EXTENSIONS:
            yield count, f"_data/{'/'.join(names[2:count])}.{extension}"


def _list_data(folder: str, name: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.{extension}" for extension in ("yml", "yaml", "json", "toml"))
