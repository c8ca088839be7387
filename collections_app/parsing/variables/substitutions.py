"""Substitutions (`|release|`) and addresses (`` `Docs`_ ``) of reStructuredText that Sphinx's configuration defines: as `version` and
`release`, and in the text that it adds before and after each page, which may include files. PURE.

https://www.sphinx-doc.org/en/master/usage/restructuredtext/roles.html#default-substitutions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from collections_app.parsing.variables.values import Tree

_MAX_ADDED = 200
_REFERENCE = re.compile(r"(?<![\w|\\])\|(?P<name>[^|\s](?:[^|\n]{0,80}[^|\s])?)\|(?!\|)")
_DEFINITION = re.compile(
    r"^[ \t]*\.\.[ \t]+\|(?P<name>[^|\n]+)\|[ \t]+[^\n]*(?:\n(?:[ \t]*\n)*[ \t]+[^\n]+)*", re.MULTILINE
)
_OWN_DEFINITION = re.compile(r"^[ \t]*\.\.[ \t]+\|(?P<name>[^|\n]+)\|[ \t]", re.MULTILINE)
_ADDRESS = re.compile(r"^\.\.[ \t]+_(?P<name>`[^`\n]+`|[^`:\n]+):[ \t]+[^\s<>`]+[ \t]*$", re.MULTILINE)
_OWN_ADDRESS = re.compile(r"^[ \t]*\.\.[ \t]+_(?P<name>`[^`\n]+`|[^`:\n]+):", re.MULTILINE)
_LINK = re.compile(r"`(?P<quoted>[^`<>\n]{1,200})`_(?!_)|(?<![\w`])(?P<plain>[A-Za-z][\w.+-]{0,100})_(?![\w`])")
_INCLUDED = re.compile(r"^[ \t]*\.\.[ \t]+include::[ \t]+(?P<target>\S+)[ \t]*$", re.MULTILINE)
_GIVEN = ("version", "release")
_ADDED = ("rst_prolog", "rst_epilog")


def read_definitions(configuration: Tree, find_text: Callable[[str], str | None]) -> Mapping[str, str]:
    """What the configuration defines for each page, by the names as they are compared; `find_text` returns a file that it includes."""
    definitions = {}
    for name in _GIVEN:
        value = configuration.get(name)
        if isinstance(value, str) and value.strip() and "\n" not in value:
            definitions[name] = f".. |{name}| replace:: {value.strip()}"
    for name in _ADDED:
        value = configuration.get(name)
        text = _INCLUDED.sub(lambda found: find_text(found["target"]) or "", value) if isinstance(value, str) else ""
        definitions |= {_fold(found["name"]): found[0].strip() for found in _DEFINITION.finditer(text)}
        definitions |= {_name_link(found["name"]): found[0] for found in _ADDRESS.finditer(text)}
    return definitions


def add_substitutions(text: str, find_definitions: Callable[[], Mapping[str, str]]) -> str:
    """The text, followed by definitions of the substitutions and addresses that it uses but does not define."""
    if "|" not in text and "_" not in text:
        return text
    definitions = find_definitions()
    if not (wanted := _find_defined(text, definitions)):
        return text
    known = {_fold(found["name"]) for found in _OWN_DEFINITION.finditer(text)}
    known |= {_name_link(found["name"]) for found in _OWN_ADDRESS.finditer(text)}
    added: dict[str, str] = {}
    while missing := sorted(wanted - known - added.keys())[: _MAX_ADDED - len(added)]:
        added |= {name: definitions[name] for name in missing}
        wanted = set().union(*(_find_defined(added[name], definitions) for name in missing))
    return "\n".join([text, "", *added.values(), ""]) if added else text


def _find_defined(text: str, definitions: Mapping[str, str]) -> set[str]:
    """The names in the text that have a definition."""
    if not definitions:
        return set()
    names = {_fold(found["name"]) for found in _REFERENCE.finditer(text)} if "|" in text else set()
    links = _LINK.finditer(text) if any(name.startswith("`") for name in definitions) else ()
    return definitions.keys() & (names | {_name_link(found["quoted"] or found["plain"]) for found in links})


def _name_link(name: str) -> str:
    """The name of an address, which is none of a substitution."""
    return f"`{_fold(name.strip('`'))}"


def _fold(name: str) -> str:
    """The name as docutils compares it if no name is spelled the same."""
    return " ".join(name.split()).lower()
