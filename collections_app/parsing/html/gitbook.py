"""Changes GitBook's HTML in Markdown to what readers see: hidden columns, cards, titles of code, icons. It converts nothing.

Columns marked `data-hidden` are not shown on the page: the target of a card becomes the link of its title; covers and choices are dropped.
If such a column contains prose, the HTML is left as it is, for the content policy to judge.

https://gitbook.com/docs/creating-content/blocks/cards
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from collections_app.parsing.html.handlers.grids import iter_rows
from collections_app.parsing.html.tree import Element, clean_text, empty_element, get_attributes, get_text_start
from collections_app.parsing.html.vocabulary import HEADING_TAGS
from collections_app.parsing.safety.prose import is_prose

_CHOICES = re.compile(r"<select(?: multiple)?>(?:<option(?=[\s>])[^<>]*+></option>)*+</select>")
_ICON = re.compile(r":[\w-]+:|")
_ICON_CLASS = re.compile(r"(?:^|\s)fa-[\w-]")
_MAX_TITLE_CHARACTERS = 200
_JUDGED_CHARACTERS = 1_000
_TITLE_TAGS = ("strong", *HEADING_TAGS)

_Cells = Sequence[Element]


def drop_choices(html: str) -> str:
    """The HTML without the lists of values in the headers of choice columns: the chosen values are in the cells."""
    return _CHOICES.sub("", html) if "<select" in html else html


def mend_gitbook(body: Element) -> bool:
    """Leave only what readers see of GitBook's tables, titles of code and icons. False if hidden cells contain prose, or if text between
    cells would be lost.
    """
    has_icons = _drop_icons(body)
    tables = [
        table
        for table in body.iter("table")
        if next(table.iterdescendants("table"), None) is None  # GitBook does not nest tables
        and (has_icons or "data-view" in table.attrib or _list_hidden(table))
    ]
    if any(map(_has_text_outside, tables)) or any(map(_hides_prose, tables)):
        return False
    for table in tables:
        _mend_table(table)
    for code in list(body.iter("pre")):
        _write_title(code)
    return True


def _write_title(code: Element) -> None:
    """Write the title of a code block above it."""
    title = " ".join(clean_text(code.get("data-title", "")).split())
    if title and code.getparent() is not None:
        above = etree.Element("p")
        etree.SubElement(above, "strong").text = title[:_MAX_TITLE_CHARACTERS]
        code.addprevious(above)


def _drop_icons(body: Element) -> bool:
    icons = [
        icon
        for icon in body.iter("i")
        if len(icon) == 0 and _ICON_CLASS.search(icon.get("class", "")) and _ICON.fullmatch((icon.text or "").strip())
    ]
    for icon in icons:
        empty_element(icon)
        icon.tag = "span"
    return bool(icons)


def _read_rows(table: Element) -> list[_Cells]:
    """The cells of each row; no rows if cells are merged."""
    rows: list[_Cells] = [list(row.iterchildren("td", "th")) for row in iter_rows(table)]
    is_merged = any("colspan" in cell.attrib or "rowspan" in cell.attrib for row in rows for cell in row)
    return [] if is_merged else rows


def _list_hidden(table: Element) -> list[int]:
    rows = _read_rows(table)
    return [number for number, cell in enumerate(rows[0]) if "data-hidden" in cell.attrib] if rows else []


def _hides_prose(table: Element) -> bool:
    """Whether a cell of a hidden column contains prose and no link."""
    hidden = _list_hidden(table)
    cells = [row[number] for row in _read_rows(table) for number in hidden if number < len(row)]
    return any(
        is_prose(get_text_start(cell, _JUDGED_CHARACTERS)) for cell in cells if next(cell.iter("a"), None) is None
    )


def _has_text_outside(table: Element) -> bool:
    """Whether there is text between cells, which would be lost with them."""
    return any((cell.tail or "").strip() for row in iter_rows(table) for cell in row)


def _mend_table(table: Element) -> None:
    rows, hidden = _read_rows(table), dict.fromkeys(_list_hidden(table))
    is_target = [number for number in hidden if "data-card-target" in get_attributes(rows[0][number])]
    for row in rows[1:]:
        seen = [cell for number, cell in enumerate(row) if number not in hidden]
        links = (next(row[number].iter("a"), None) for number in is_target if number < len(row))
        if seen and (link := next((each for each in links if each is not None), None)) is not None:
            _link_title(seen, link)
    for row in rows:
        for number in hidden:
            if number < len(row):
                _remove(row[number])
    for heading in list(table.iter(*HEADING_TAGS)):
        _write_bold(heading)
    _drop_empty_columns(table)


def _link_title(cells: _Cells, link: Element) -> None:
    """Put the link around the title of a card, or below the title if that has a link or is empty."""
    cell, title = _find_title(cells)
    if _says_something(title) and next(title.iter("a"), None) is None:
        _move_into(title, etree.Element("a", {"href": clean_text(link.get("href", ""))}))
        return
    link.tail = None
    below = etree.SubElement(cell, "p")
    below.append(link)


def _find_title(cells: _Cells) -> tuple[Element, Element]:
    """The cell with the title, and the title in it: a heading or bold text, also in several pieces, else the first cell that is not
    empty.
    """
    titles = ((cell, each) for cell in cells for each in cell.iter(*_TITLE_TAGS) if _says_something(each))
    first = next(filter(_says_something, cells), cells[0])
    cell, title = next(titles, (first, first))
    return cell, cell if _is_bold_in_pieces(cell) else title


def _is_bold_in_pieces(cell: Element) -> bool:
    """Whether all words of the cell are bold, on one line: `<strong>Set up</strong> <strong>boats</strong>`."""
    bold = list(cell.iter("strong"))
    if len(bold) < 2 or next(cell.iter("br", "p", "div", *HEADING_TAGS), None) is not None:
        return False
    return "".join(map(_get_letters, bold)) == _get_letters(cell)


def _get_letters(element: Element) -> str:
    return "".join(get_text_start(element, _MAX_TITLE_CHARACTERS).split())


def _write_bold(heading: Element) -> None:
    heading.tag = "p"
    _move_into(heading, etree.Element("strong"))


def _move_into(outer: Element, inner: Element) -> None:
    """Put everything in an element into a new element within it."""
    inner.text, outer.text = clean_text(outer.text), None
    for child in list(outer):
        inner.append(child)
    outer.append(inner)


def _drop_empty_columns(table: Element) -> None:
    """Drop columns without text and pictures, such as those of icons and of a card's cover."""
    rows = _read_rows(table)
    for number in range(max(map(len, rows), default=0)):
        cells = [row[number] for row in rows if number < len(row)]
        if not any(_says_something(cell) or next(cell.iter("img"), None) is not None for cell in cells):
            for cell in cells:
                _remove(cell)


def _remove(cell: Element) -> None:
    """Remove a cell and the blanks behind it."""
    row = cell.getparent()
    if row is not None:
        row.remove(cell)


def _says_something(element: Element) -> bool:
    return bool(get_text_start(element, 1))
