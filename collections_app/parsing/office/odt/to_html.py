"""The text of an OpenDocument file as HTML, which the HTML converter turns into Markdown. Pictures are left out, except for their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from html import escape, unescape
from itertools import chain
from xml.etree.ElementTree import Element, tostring

from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.odt.hiding import is_hidden_paragraph, is_hidden_section
from collections_app.parsing.office.odt.names import DRAW, MATH, OFFICE, SVG, TABLE, TEXT, XLINK, XML_ID
from collections_app.parsing.office.odt.numbering import DEEPEST_LEVEL, MAX_NUMBER, Numbering, Numberings
from collections_app.parsing.office.odt.styles import Kind, Look, Styles
from collections_app.parsing.office.odt.tables import MAX_CELL_CHARACTERS, holds_data, iter_cells, iter_rows

_MARKUP = re.compile(r"<sup><a .*?</sup>|<[^<>]*>")  # of notes as well
_MAX_BLANKS = 100
_MAX_REPEATED = 50
_DEEPEST_HEADING = 6
_BLOCK_KINDS: Mapping[Kind, tuple[str, str]] = {
    Kind.TITLE: ("<h1>", "</h1>"),
    Kind.QUOTE: ("<blockquote><p>", "</p></blockquote>"),
    Kind.PLAIN: ("<p>", "</p>"),
}
# Not part of the text, or not for readers: comments, deleted text, forms, scripts, tables of contents and indexes.
_UNSEEN = frozenset(
    {
        *(f"{OFFICE}annotation", f"{OFFICE}annotation-end", f"{OFFICE}forms", f"{OFFICE}event-listeners"),
        *(f"{TEXT}tracked-changes", f"{TEXT}ruby-text", f"{TEXT}script", f"{TEXT}index-title", f"{TEXT}meta-field-source"),
        *(f"{TEXT}{name}-decls" for name in ("variable", "sequence", "user-field", "dde-connection")),
        *(f"{TEXT}{name}-index" for name in ("illustration", "table", "object", "user", "alphabetical")),
        *(f"{TEXT}table-of-content", f"{TEXT}bibliography-source", f"{TEXT}alphabetical-index-auto-mark-file"),
        *(f"{DRAW}image", f"{DRAW}object", f"{DRAW}object-ole"),
    }
)  # fmt: skip


class TextWriter:
    """Writes one text. `find_formula` returns the XML of an object at an address. `hidden` collects what is not shown, `title` is the first
    title.
    """

    def __init__(self, styles: Styles, numberings: Numberings, find_formula: Callable[[str], Element | None]) -> None:
        self._styles = styles
        self._numberings = numberings
        self._find_formula = find_formula
        self._pieces: list[str] = []
        self._code: list[str] = []
        self._waiting: list[Element] = []  # boxes and shapes of a paragraph, whose text is written after it
        self._notes: list[str] = []
        self._lists: list[str] = []  # the styles of the open lists
        self._ended: dict[str, dict[int, int]] = {}  # the numbers of lists that others may continue, by id
        self._label = ""  # of an item whose first paragraph has not come yet
        self.title = ""
        self.hidden: list[str] = []

    def write(self, body: Element) -> str:
        """Raises RecursionError."""
        text = self._write_inside(body)
        notes = f"<ol>{''.join(self._notes)}</ol>" if self._notes else ""
        return f"<html><body>{text}{notes}</body></html>"

    def _write_inside(self, parent: Element) -> str:
        """Write the blocks of an element separately, and return them."""
        around, self._pieces = self._pieces, []
        self._write_blocks(parent)
        self._end_code()
        inside, self._pieces = self._pieces, around
        return "".join(inside)

    def _write_blocks(self, parent: Element) -> None:
        for block in parent:
            if block.tag == f"{TEXT}p":
                self._write_paragraph(block)
                continue
            self._end_code()
            if block.tag == f"{TEXT}h":
                self._write_heading(block, read_number(block.get(f"{TEXT}outline-level"), 1, DEEPEST_LEVEL))
            elif block.tag == f"{TEXT}list":
                self._write_list(block)
            elif block.tag == f"{TABLE}table":
                self._write_table(block)
            elif block.tag == f"{TEXT}section" and is_hidden_section(block):
                self._hide(block)
            elif block.tag.startswith(DRAW):
                self._write_frame(block)
            elif block.tag not in _UNSEEN and not block.tag.startswith(SVG):
                self._write_blocks(block)

    def _write_paragraph(self, paragraph: Element) -> None:
        style = paragraph.get(f"{TEXT}style-name", "")
        look = self._styles.get("paragraph", style)
        if look.is_hidden or is_hidden_paragraph(paragraph):
            self._hide(paragraph)
        elif look.kind is Kind.CODE:
            self._code.append(self._get_code(paragraph))
        elif look.level:
            self._end_code()
            self._write_heading(paragraph, look.level)
        else:
            self._end_code()
            words = self._write_words(paragraph)
            if look.kind is Kind.TITLE:
                self.title = self.title or " ".join(unescape(_MARKUP.sub("", words)).split())
            elif words.strip() and self._styles.is_bold_by_itself(style):
                words = f"<b>{words}</b>"
            self._write_block(words, *_BLOCK_KINDS[look.kind])

    def _write_heading(self, heading: Element, level: int) -> None:
        depth = max(level, 1)
        look = self._styles.get("paragraph", heading.get(f"{TEXT}style-name", ""))
        if look.is_hidden or is_hidden_paragraph(heading):
            self._hide(heading)
            return
        words = self._write_words(heading)
        if words.strip() and not look.is_unnumbered and heading.get(f"{TEXT}is-list-header") != "true":
            is_anew = heading.get(f"{TEXT}restart-numbering") == "true"
            start = read_number(heading.get(f"{TEXT}start-value"), 1, MAX_NUMBER) if is_anew else None
            self._numberings.headings.count(depth, start)
            words = f"{escape(self._numberings.headings.write_label(depth))} {words}"
        tag = f"h{min(depth, _DEEPEST_HEADING)}"
        self._write_block(words, f"<{tag}>", f"</{tag}>")

    def _write_block(self, words: str, before: str, behind: str) -> None:
        if words.strip() or self._label:
            label, self._label = self._label, ""
            self._pieces.append(f"{before}{escape(label)} {words.strip()}{behind}")
        self._write_waiting()

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for frame in waiting:
            self._write_frame(frame)

    def _write_label(self) -> None:
        """Write the number of an item that does not begin with a paragraph."""
        self._pieces += [f"<p>{escape(self._label)}</p>"] if self._label else []
        self._label = ""

    def _end_code(self) -> None:
        lines, self._code = "\n".join(self._code).split("\n"), []
        while lines and not lines[-1].strip():
            lines.pop()
        if lines:
            self._write_label()
            self._pieces.append(f"<pre>{escape(chr(10).join(lines))}</pre>")
            self._write_waiting()

    def _write_list(self, element: Element) -> None:
        style = element.get(f"{TEXT}style-name") or (self._lists[-1] if self._lists else "")
        numbering = self._numberings.get(style)
        self._lists.append(style)
        depth = min(len(self._lists), DEEPEST_LEVEL)
        continued = element.get(f"{TEXT}continue-list", "")
        if continued in self._ended:
            numbering.resume(self._ended[continued])
        elif element.get(f"{TEXT}continue-numbering") != "true":
            numbering.restart(depth)
        items = self._write_items(element, numbering, depth)
        self._pieces.append("".join(chain.from_iterable(items)))
        if identifier := element.get(XML_ID):
            self._ended[identifier] = numbering.counters
        self._lists.pop()

    def _write_items(self, element: Element, numbering: Numbering, depth: int) -> list[list[str]]:
        """Write items with the tags of their list, but chapters of the text and headers outside of it."""
        tag = "ol" if numbering.get_level(depth).is_plain else "ul"
        items = [[f"<{tag}>"]]
        for item in element:
            is_list = all(child.tag == f"{TEXT}list" for child in item)
            if is_list and items[-1][-1] == "</li>":  # of the previous item
                items[-1].insert(-1, self._write_inside(item))
            elif is_list or item.tag == f"{TEXT}list-header" or item.find(f"{TEXT}h") is not None:
                items.append([f"</{tag}>{self._write_inside(item)}<{tag}>"])
            elif written := self._write_item(item, numbering, depth):
                items.append(written)
        return [*items, [f"</{tag}>"]]

    def _write_item(self, item: Element, numbering: Numbering, depth: int) -> list[str]:
        start = item.get(f"{TEXT}start-value")
        number = numbering.count(depth, None if start is None else read_number(start, 1, MAX_NUMBER))
        is_plain = numbering.get_level(depth).is_plain
        value = f' value="{number}"' if is_plain else ""
        self._label = "" if is_plain else numbering.write_label(depth)
        inside = self._write_inside(item)
        self._label = ""
        return [f"<li{value}>", inside, "</li>"] if inside else []

    def _write_table(self, table: Element) -> None:
        self._write_label()
        lists, self._lists = self._lists, []
        rows = list(iter_rows(table, is_header=False))
        cells = [list(iter_cells(row)) for row, _ in rows]
        if [len(row) for row in cells] == [1]:
            self._write_blocks(cells[0][0])
        else:
            is_marked = any(is_header for _, is_header in rows)
            has_header = not is_marked and holds_data(table, cells)
            self._pieces.append("<table>")
            for number, ((_, is_header), row) in enumerate(zip(rows, cells, strict=True)):
                tag = "th" if is_header or (has_header and number == 0) else "td"
                self._pieces.append(f"<tr>{''.join(self._write_cell(cell, tag) for cell in row)}</tr>")
            self._pieces.append("</table>")
        self._lists = lists

    def _write_cell(self, cell: Element, tag: str) -> str:
        columns = read_number(cell.get(f"{TABLE}number-columns-spanned"), 1, _MAX_REPEATED)
        rows = read_number(cell.get(f"{TABLE}number-rows-spanned"), 1, _MAX_REPEATED)
        inside = self._write_inside(cell)
        is_short = len(inside) <= MAX_CELL_CHARACTERS
        repeated = read_number(cell.get(f"{TABLE}number-columns-repeated"), 1, _MAX_REPEATED) if is_short else 1
        return f'<{tag} colspan="{columns}" rowspan="{rows}">{inside}</{tag}>' * repeated

    def _write_frame(self, frame: Element) -> None:
        """The text of a box or a shape; the description of a picture."""
        if shown := self._write_formula(frame) or _describe(frame):
            self._pieces.append(f"<p>{shown}</p>")
        self._write_blocks(frame)
        self._end_code()

    def _write_formula(self, frame: Element) -> str:
        for each in frame.findall(f"{DRAW}object"):
            found = each if len(each) else self._find_formula(each.get(f"{XLINK}href", ""))
            formula = None if found is None else deepcopy(next(found.iter(f"{MATH}math"), None))
            if formula is not None:
                for part in formula.iter():
                    part.tag = part.tag.removeprefix(MATH)
                formula.tail = None
                return tostring(formula, "unicode")
        return ""

    def _write_words(self, parent: Element) -> str:
        pieces = [escape(parent.text or "")]
        for child in parent:
            pieces += [self._write_inline(child), escape(child.tail or "")]
        return "".join(pieces)

    def _write_inline(self, element: Element) -> str:
        tag = element.tag
        if tag in _UNSEEN:
            return ""
        if tag == f"{TEXT}span":
            return self._write_span(element)
        if tag == f"{TEXT}a":
            words, address = self._write_words(element), element.get(f"{XLINK}href", "")
            is_elsewhere = address and not address.startswith("#")
            return f'<a href="{escape(address)}">{words}</a>' if is_elsewhere and words.strip() else words
        if tag == f"{TEXT}line-break":
            return "<br>"
        if tag in (f"{TEXT}s", f"{TEXT}tab"):
            return " "
        if tag == f"{TEXT}note":
            return self._write_note(element)
        if tag == f"{TEXT}hidden-text":
            return escape(self._take_hidden_text(element))
        if tag.startswith(DRAW):
            formula = self._write_formula(element)
            self._waiting += [] if formula else [element]
            return formula
        return self._write_words(element)

    def _write_span(self, span: Element) -> str:
        look = self._styles.get("text", span.get(f"{TEXT}style-name", ""))
        if look.is_hidden:
            self._hide(span)
            return ""
        if look.is_code:
            code = escape(self._get_code(span))
            return f"<code>{code}</code>" if code.strip() else code
        words = self._write_words(span)
        for name in _iter_marks(look) if words.strip() else ():
            words = f"<{name}>{words}</{name}>"
        return words

    def _write_note(self, note: Element) -> str:
        """The mark of a note. The note itself is put after the text, where office/notes.py expects it."""
        body = note.find(f"{TEXT}note-body")
        lists, self._lists = self._lists, []
        waiting, self._waiting = self._waiting, []
        code, self._code = self._code, []
        label, self._label = self._label, ""
        inside = "" if body is None else self._write_inside(body)
        self._lists, self._waiting, self._code, self._label = lists, waiting, code, label
        number = len(self._notes) + 1
        self._notes.append(f'<li id="footnote-{number}">{inside}</li>')
        return f'<sup><a href="#footnote-{number}" id="footnote-ref-{number}">[{number}]</a></sup>'

    def _get_code(self, element: Element) -> str:
        """Code with its characters, blanks and lines unchanged. The text of its notes and boxes is written where theirs always is."""
        pieces = [element.text or ""]
        for child in element:
            pieces += [self._get_code_within(child), child.tail or ""]
        return "".join(pieces)

    def _get_code_within(self, element: Element) -> str:
        if element.tag == f"{TEXT}span" and self._styles.get("text", element.get(f"{TEXT}style-name", "")).is_hidden:
            self._hide(element)
            return ""
        if element.tag == f"{TEXT}hidden-text":
            return self._take_hidden_text(element)
        if element.tag == f"{TEXT}note":
            self._write_note(element)
            return ""
        if element.tag in _UNSEEN or element.tag.startswith(DRAW):
            self._waiting += [element] if element.tag.startswith(DRAW) else []
            return ""
        match element.tag.removeprefix(TEXT):
            case "s":
                return " " * read_number(element.get(f"{TEXT}c"), 1, _MAX_BLANKS)
            case "tab":
                return "\t"
            case "line-break":
                return "\n"
        return self._get_code(element)

    def _take_hidden_text(self, field: Element) -> str:
        """The visible text of a field that may be hidden."""
        words = field.get(f"{TEXT}string-value", "") or "".join(field.itertext())
        if field.get(f"{TEXT}is-hidden") == "false":
            return "".join(field.itertext())
        self.hidden.append(words)
        return ""

    def _hide(self, element: Element) -> None:
        self.hidden.append(" ".join(" ".join(element.itertext()).split()))


def _iter_marks(look: Look) -> Iterator[str]:
    yield from ["b"] if look.is_bold else []
    yield from ["i"] if look.is_italic else []
    yield from ["s"] if look.is_struck else []
    if look.position.startswith("super"):
        yield "sup"
    elif look.position.startswith("sub"):
        yield "sub"


def _describe(frame: Element) -> str:
    """The author's description of a picture."""
    found = frame.find(f"{SVG}desc") if frame.find(f"{SVG}desc") is not None else frame.find(f"{SVG}title")
    words = "" if found is None or frame.find(f"{DRAW}image") is None else " ".join("".join(found.itertext()).split())
    return f'<img src="picture" alt="{escape(words)}">' if words else ""
