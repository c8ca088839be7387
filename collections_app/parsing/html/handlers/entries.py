"""Makes descriptions of functions, classes and options sections of their own.

An agent asks for `asyncio.Queue.get` or `work_mem`, not for the page that has fifty of them. A term that can be linked to (`dt` with an id)
becomes a heading below the one it stands under; a signature follows as code, its description as text.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, takewhile

from lxml import etree

from collections_app.parsing.html.anchors import get_id
from collections_app.parsing.html.classes import read_class
from collections_app.parsing.html.converter import Converter, Leave, OpenList, leave_out
from collections_app.parsing.html.escaping import escape_heading_end, make_code_span
from collections_app.parsing.html.handlers.inline import make_strong
from collections_app.parsing.html.paragraph import wrap_keeping_blanks
from collections_app.parsing.html.tree import Element, find_elements, get_text
from collections_app.parsing.html.visibility import get_visible_text

_MAX_HEADING_LEVEL = 6
_BESIDE_BRACKETS = re.compile(r"(\() +|,? +(\))")
_NAME_CLASSES = frozenset({"descname", "sig-name"})
_QUALIFIERS = etree.XPath(".//*[contains(concat(' ', @class, ' '), ' descclassname ')]")
_LANGUAGES = {"py": "python", "c": "c", "cpp": "cpp", "js": "javascript"}  # by Sphinx's domains


def is_entry(converter: Converter, term: Element) -> bool:
    """Whether the term becomes a heading: not in lists, quotes and tables, and not a footnote."""
    if converter.writer.is_nested or not term.get("id"):
        return False
    parent = term.getparent()
    return parent is None or not read_class(parent.get("class", "")).is_footnote


def is_signature(term: Element) -> bool:
    return bool(_find_names(term))


def enter_entry(converter: Converter, term: Element, open_list: OpenList) -> Leave | None:
    is_first, open_list.is_entry = not open_list.is_entry, True
    names = _find_names(term)
    if names and is_first:
        _write_signatures(converter, term, names)
        return leave_out
    if not is_first:
        return _enter_synonym(converter, is_written=bool(names))
    converter.heading_level = get_level(converter)
    return partial(_leave_term, converter, get_id(term))


def _enter_synonym(converter: Converter, *, is_written: bool) -> Leave:
    if is_written or converter.paragraph.is_open("term"):
        return leave_out
    converter.paragraph.open("term", wrap_keeping_blanks(make_strong))

    def leave() -> None:
        converter.paragraph.close()
        converter.flush()

    return leave


def _leave_term(converter: Converter, anchor: str) -> None:
    level, converter.heading_level = converter.heading_level, 0
    text = " ".join(" ".join(converter.paragraph.take_lines()).split())
    if level and text:
        converter.writer.write_heading(level, escape_heading_end(text), anchor)


def _write_signatures(converter: Converter, term: Element, names: list[Element]) -> None:
    """Write the name as a heading, and the signatures of the term and those that share its description as one code block."""
    name = _make_name(term, names)
    converter.writer.write_heading(get_level(converter), make_code_span(name), get_id(term))
    others = takewhile(lambda each: each.tag == "dt", term.itersiblings())
    signatures = [_get_signature(each) for each in chain([term], others)]
    if not all(map(name.endswith, signatures)):  # an attribute without a type has only its name
        converter.writer.write_code("\n".join(signatures), _find_language(term))


def _find_names(term: Element) -> list[Element]:
    """The names in the term, without those in terms inside it: however deep terms are nested, each element is visited once."""
    names = []
    walk = etree.iterwalk(term, events=("start",))
    for _, each in walk:
        if each is not term and each.tag == "dt":
            walk.skip_subtree()
        elif not _NAME_CLASSES.isdisjoint(each.get("class", "").split()):
            names.append(each)
    return names


def _get_signature(term: Element) -> str:
    """The signature on one line, even if each parameter has a line of its own."""
    text = get_visible_text(term)
    return _BESIDE_BRACKETS.sub(r"\1\2", text) if term.find(".//dl") is not None else text


def get_level(converter: Converter) -> int:
    return min(converter.section_level + converter.entry_depth + 1, _MAX_HEADING_LEVEL)


def _make_name(term: Element, names: list[Element]) -> str:
    """The full name. For a Python object, Sphinx's id is the full name, when the signature only says `get()`."""
    separator = " " if "http" in _get_list_classes(term) else ", "  # a method and its path, or several names
    name = separator.join(dict.fromkeys(map(get_text, names)))
    identifier = get_id(term)
    if identifier.endswith(f".{name}") and not identifier.startswith("c."):
        return identifier
    qualifier = "".join(map(get_text, find_elements(_QUALIFIERS, term)))
    return f"{qualifier}{name}" if qualifier.endswith((".", ":", "#")) else name


def _find_language(term: Element) -> str:
    return next((_LANGUAGES[each] for each in _get_list_classes(term) if each in _LANGUAGES), "")


def _get_list_classes(term: Element) -> list[str]:
    """The classes of the list, which name Sphinx's domain."""
    parent = term.getparent()
    return [] if parent is None else parent.get("class", "").split()
