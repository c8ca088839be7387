"""Tables of members that generators lay out as a grid of other elements (Javadoc since 16), or as a table with headings in it (Doxygen):
they become tables, or lists below their headings.
"""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave
from collections_app.parsing.html.handlers.flow import enter_block
from collections_app.parsing.html.handlers.grids import iter_rows
from collections_app.parsing.html.handlers.tables import enter_table
from collections_app.parsing.html.tree import Attributes, Element, empty_element, get_text
from collections_app.parsing.html.visibility import is_unread

_FIRST_PARTS = frozenset({"memTemplParams"})  # of a member that continues in the next row
_DESCRIPTIONS = frozenset({"mdescLeft", "mdescRight"})
_MORE = "More..."  # links to the same text further down
_SEPARATORS = frozenset({"memSeparator"})


def enter_summary_table(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """Javadoc's grid, whose cells are in no rows; those of the header come first. Other grids, and incomplete ones, stay blocks."""
    cells = list(element.iterchildren("div"))
    width = sum("table-header" in cell.get("class", "").split() for cell in cells)
    is_grid = width and len(cells) % width == 0 and len(cells) == len(element)
    if not is_grid or any(map(is_unread, cells)) or _holds_grid(element):
        return enter_block(converter, element, attributes, facts)
    for start in range(0, len(cells), width):
        row = etree.SubElement(element, "tr")
        for cell in cells[start : start + width]:
            cell.tag = "td" if start else "th"
            row.append(cell)
    return enter_table(converter, element, attributes, facts)


def _holds_grid(element: Element) -> bool:
    return any(read_class(each.get("class", "")).is_summary_table for each in element.iterdescendants("div"))


def enter_member_table(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """Doxygen's table: a row with a member's declaration, one with its description, and rows of headings."""
    members: Element | None = None
    is_open = False  # whether the last member continues in this row
    for row in list(iter_rows(element)):
        cells = list(row.iterchildren("td", "th"))
        names = {name for cell in cells for name in cell.get("class", "").split()}
        if names & _SEPARATORS:
            _drop(row)
        elif row in converter.headed or (len(cells) == 1 and not names & _FIRST_PARTS):
            members, is_open = None, False
            _retag(row, cells, "div", "div")
            element.append(row)
        else:
            if members is None:
                members = etree.SubElement(element, "ul")
            for link in row.iter("a") if names & _DESCRIPTIONS else ():
                if get_text(link) == _MORE:
                    empty_element(link)
            last = next(members.iterchildren("li", reversed=True), None)
            if last is not None and (is_open or names & _DESCRIPTIONS):
                _retag(row, cells, "div" if names & _DESCRIPTIONS else "span", "span")
                last.append(row)
                is_open = False
            else:
                _retag(row, cells, "li", "span")
                members.append(row)
                is_open = bool(names & _FIRST_PARTS)
    return enter_block(converter, element, attributes, facts)


def _retag(row: Element, cells: list[Element], row_tag: str, cell_tag: str) -> None:
    """Change the tags, with a blank between the cells, which the layout kept apart."""
    row.tag = row_tag
    for cell in cells:
        cell.tag, cell.tail = cell_tag, " "


def _drop(row: Element) -> None:
    parent = row.getparent()
    if parent is not None:
        parent.remove(row)
