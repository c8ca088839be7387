"""Substitutions of reStructuredText (`|release|`) that Sphinx's configuration defines: as `version` and `release`, and in the text that it
adds before and after each page. PURE.

https://www.sphinx-doc.org/en/master/usage/restructuredtext/roles.html#default-substitutions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from collections_app.parsing.variables.values import Tree

_MAX_ADDED = 200
_REFERENCE = re.compile(r"(?<![\w|\\])\|(?P<name>[^|\s](?:[^|\n]{0,80}[^|\s])?)\|(?!\|)")
_DEFINITION = re.compile(
    r"^[ \t]*\.\.[ \t]+\|(?P<name>[^|\n]+)\|[ \t]+[^\n]*(?:\n(?:[ \t]*\n)*[ \t]+[^\n]+)*", re.MULTILINE
)
_OWN_DEFINITION = re.compile(r"^[ \t]*\.\.[ \t]+\|(?P<name>[^|\n]+)\|[ \t]", re.MULTILINE)
_GIVEN = ("version", "release")


def add_substitutions(text: str, find_configuration: Callable[[], Tree | None]) -> str:
    """The text, followed by definitions of the substitutions that it uses but does not define."""
    wanted = _find_names(text)
    if not wanted:
        return text
    known = {_fold(found["name"]) for found in _OWN_DEFINITION.finditer(text)}
    if wanted <= known:
        return text
    definitions = {name: each for name, each in _iter_definitions(find_configuration() or {}) if name not in known}
    added: dict[str, str] = {}
    while missing := sorted((wanted & definitions.keys()) - added.keys())[: _MAX_ADDED - len(added)]:
        added |= {name: definitions[name] for name in missing}
        wanted = set().union(*(_find_names(added[name]) for name in missing))
    return "\n".join([text, "", *added.values(), ""]) if added else text


def _find_names(text: str) -> set[str]:
    return {_fold(found["name"]) for found in _REFERENCE.finditer(text)} if "|" in text else set()


def _iter_definitions(configuration: Tree) -> Iterator[tuple[str, str]]:
    for name in _GIVEN:
        value = configuration.get(name)
        if isinstance(value, str) and value.strip() and "\n" not in value:
            yield name, f".. |{name}| replace:: {value.strip()}"
    for name in ("rst_prolog", "rst_epilog"):
        value = configuration.get(name)
        for found in _DEFINITION.finditer(value) if isinstance(value, str) else ():
            yield _fold(found["name"]), found[0].strip()


def _fold(name: str) -> str:
    """The name as docutils compares it if no name is spelled the same."""
    return " ".join(name.split()).lower()
