"""Says what abbreviations stand for at their first place in the content of a page, outside of headings, terms and code."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from string import ascii_letters, digits

from collections_app.parsing.html.tree import Element, get_text
from collections_app.parsing.html.visibility import is_unread
from collections_app.parsing.html.vocabulary import CODE_TAGS, HEADING_TAGS, make_set
from collections_app.parsing.markdown.abbreviations import Abbreviations

_TAGS = ("abbr", "acronym")
_SILENT = CODE_TAGS | set(HEADING_TAGS) | make_set("dt script style title")
_CHARACTERS_AROUND = 200
_LETTERS = ascii_letters + digits


def write_abbreviations(contents: Iterable[Element]) -> None:
    abbreviations, silent = Abbreviations(), dict[Element, bool]()
    for content in contents:
        for element in content.iter(*_TAGS):
            title, parent = element.get("title", ""), element.getparent()
            if title and parent is not None and not _is_silent(parent, silent):
                _tell(element, title, abbreviations)


def _is_silent(element: Element, known: dict[Element, bool]) -> bool:
    """Whether nothing is told in an element. `known`: what this says of others, so that each of many around many is looked at once."""
    unknown, is_silent = list[Element](), False
    for each in chain([element], element.iterancestors()):
        if each in known:
            is_silent = known[each]
            break
        unknown.append(each)
    for each in reversed(unknown):
        is_silent = known[each] = is_silent or each.tag in _SILENT or is_unread(each)
    return is_silent


def _tell(element: Element, title: str, abbreviations: Abbreviations) -> None:
    """Writes what an abbreviation stands for behind it and its ending (`<abbr title="…">API</abbr>s`)."""
    before, behind = _get_before(element), element.tail or ""
    told = abbreviations.tell(get_text(element), title, f"{before[-_CHARACTERS_AROUND:]} {behind[:_CHARACTERS_AROUND]}")
    if told:
        ending = len(behind) - len(behind.lstrip(_LETTERS))
        element.tail = f"{behind[:ending]}{told}{behind[ending:]}"


def _get_before(element: Element) -> str:
    before, parent = element.getprevious(), element.getparent()
    return (before.tail if before is not None else parent.text if parent is not None else None) or ""
