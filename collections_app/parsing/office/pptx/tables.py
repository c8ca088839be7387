"""Tables of slides → tables of HTML (ECMA-376 part 1, section 21.1.3)."""

from __future__ import annotations

from xml.etree.ElementTree import Element as Source

from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.html import add
from collections_app.parsing.office.names import is_on
from collections_app.parsing.office.package import Part
from collections_app.parsing.office.pptx.levels import NO_LEVELS
from collections_app.parsing.office.pptx.names import DRAWING, read_number
from collections_app.parsing.office.pptx.text import TextWriter


def write_table(parent: Element, source: Source, links: Part) -> None:
    """Write a table with its first row as the header, whether it is marked as one or not."""
    table = add(parent, "table")
    rows = source.findall(f"{DRAWING}tr")
    for number, row in enumerate(rows):
        written = add(table, "tr")
        for cell in row.findall(f"{DRAWING}tc"):
            if is_on(cell.get("hMerge")) or is_on(cell.get("vMerge")):
                continue
            place = add(written, "th" if number == 0 and len(rows) > 1 else "td")
            for name, span in (("colspan", "gridSpan"), ("rowspan", "rowSpan")):
                if (count := read_number(cell.get(span), 1)) > 1:
                    place.set(name, str(count))
            body = cell.find(f"{DRAWING}txBody")
            if body is not None:
                TextWriter(place, links).write(body, NO_LEVELS)
