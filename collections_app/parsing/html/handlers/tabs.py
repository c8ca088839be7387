"""Writes the label of each tab above its panel, because a reader of the text sees all panels. It knows no scripts."""

from __future__ import annotations

from itertools import islice

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave, TabSet, leave_out
from collections_app.parsing.html.escaping import escape_text
from collections_app.parsing.html.tree import Attributes, Element, get_attributes
from collections_app.parsing.html.visibility import get_visible_text

_MAX_TABS = 100
_MAX_LABEL_CHARACTERS = 200  # any number of panels may name one label
_TARGETS = ("href", "data-bs-target", "data-target")
_LABELLED_SETS = frozenset(
    {"sd-tab-set", "tabbed-set", "vp-code-group"}
)  # in these each label may stand directly before its panel


def is_tab_list(attributes: Attributes, facts: ClassFacts) -> bool:
    return facts.is_tab_list or attributes.get("role") == "tablist"


def is_tab_panel(attributes: Attributes, facts: ClassFacts) -> bool:
    is_titled = attributes.get("data-gtm") == "tab" and "data-title" in attributes  # Writerside
    return facts.is_tab_panel or attributes.get("role") == "tabpanel" or is_titled


def enter_tab_list(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Keep the labels for the panels that follow."""
    found = TabSet()
    for tab in islice(_find_tabs(element), _MAX_TABS):
        label = get_visible_text(tab)[:_MAX_LABEL_CHARACTERS]
        found.labels.append(label)
        targets = (tab.get(name, "") for name in _TARGETS)
        keys = [tab.get("id"), tab.get("aria-controls"), *(each[1:] for each in targets if each.startswith("#"))]
        found.labels_by_id.update((key, label) for key in keys if key)
    converter.tab_sets[-1] = found
    return leave_out


def enter_tab_panel(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.flush()
    if _holds_panels(element):
        return converter.flush
    _write_label(converter, converter.tab_sets[-1].take_label(attributes))
    converter.tab_sets.append(TabSet())

    def leave() -> None:
        converter.flush()
        converter.tab_sets.pop()

    return leave


def enter_label(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    parent = element.getparent()
    if parent is None or _LABELLED_SETS.isdisjoint(parent.get("class", "").split()):
        return None
    _write_label(converter, get_visible_text(element))
    return leave_out


def enter_code_group(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A group whose labels stand together in a list without roles: each label moves before its code block."""
    converter.flush()
    parts = list(element.iterchildren("div"))
    labels = [label for part in parts for label in part.iterchildren("label")]
    blocks = [block for part in parts for block in part.iterchildren("div")]
    for label, block in zip(labels, blocks, strict=False):
        element.extend((label, block))
    return converter.flush


def _find_tabs(tab_list: Element) -> list[Element]:
    tabs = [each for each in tab_list.iterdescendants("*") if each.get("role") == "tab"]
    return tabs or list(tab_list.iterdescendants("label", "li"))


def _holds_panels(element: Element) -> bool:
    """Whether this is a wrapper of panels, like Bootstrap's `tab-content`."""
    first = next(element.iterchildren("*"), None)
    return first is not None and is_tab_panel(get_attributes(first), read_class(first.get("class", "")))


def _write_label(converter: Converter, label: str) -> None:
    if label:
        converter.flush()
        converter.writer.write([f"**{escape_text(label)}**"])
