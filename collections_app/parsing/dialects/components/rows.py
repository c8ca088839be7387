"""What is passed to a component as an array, and is not among its children although readers see it: rows of texts as a table (`<Table
rows={[["p-4", "padding: 1rem;"], …]} />`), entries that lead somewhere as a list (`<Steps of={[{ title: "Start", link: "/start" }]} />`).
PURE. It runs nothing: only what is written out counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.parsing.dialects.shown_tags import is_address

_TEXT = r"(?:[a-z]\w*)?(?:\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\$])*+`)"
_ARRAY = rf"\[\s*{_TEXT}(?:\s*,\s*{_TEXT})*+\s*,?\s*\]"
_ROWS = re.compile(rf"(?<![\w-])[a-z]\w*\s*=\s*\{{\s*\[\s*(?P<rows>{_ARRAY}(?:\s*,\s*{_ARRAY})*+)\s*,?\s*\]\s*\}}")
_HEADER = re.compile(rf"(?<![\w-])(?:columns|head|header|headers|headings)\s*=\s*\{{\s*(?P<row>{_ARRAY})\s*\}}")
_OBJECT = r"\{[^{}\[\]]*+\}"
_ENTRIES = re.compile(
    rf"(?<![\w-])[a-z]\w*+\s*+=\s*+\{{\s*+\[\s*+(?P<entries>{_OBJECT}(?:\s*+,\s*+{_OBJECT})*+)\s*+,?\s*+\]\s*+\}}"
)
_EACH_ENTRY = re.compile(_OBJECT)
_FIELD = re.compile(
    r"(?<![\w$.-])(?P<quote>[\"']?)(?P<name>\w++)(?P=quote)\s*+:\s*+(?P<text>\"[^\"\\\n]*+\"|'[^'\\\n]*+'|`[^`\\$\n]*+`)"
)
_TITLES = ("title", "label", "name", "heading", "text")
_TARGETS = ("href", "link", "url", "to")
# Which entry is the page itself: `current="rust"`.
_CURRENT = re.compile(r"(?<![\w-])(?:active|current|selected)=(?:\"([^\"]*)\"|'([^']*)')")
_EACH_ROW = re.compile(_ARRAY)
_EACH_TEXT = re.compile(_TEXT)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_IS_CODE = re.compile(r"[<>{}()\[\];=*_]")
_MOST_COLUMNS = 10


def write_rows(attributes: str) -> str:
    """The first such array in a component's attributes as a Markdown table; empty if there is none. Without given labels the header is
    empty.
    """
    found = _ROWS.search(attributes) if "[" in attributes else None
    if not found:
        return ""
    rows = [_read(row[0]) for row in _EACH_ROW.finditer(found["rows"])]
    columns = len(rows[0])
    if not 1 < columns <= _MOST_COLUMNS or any(len(row) != columns for row in rows):
        return ""
    given = _HEADER.search(attributes)
    header = _read(given["row"]) if given else []
    header = header if len(header) == columns else [""] * columns
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * columns, *rows))


def write_entries(attributes: str) -> str:
    """The entries in such arrays of a component's attributes that have a title and an address, as a list of links; empty if there are
    none, or if one is the page itself: then they only lead from page to page.
    """
    if "[" not in attributes:
        return ""
    arrays = (found["entries"] for found in _ENTRIES.finditer(attributes))
    entries = [
        {field["name"]: field["text"][1:-1] for field in _FIELD.finditer(entry[0])}
        for array in arrays
        for entry in _EACH_ENTRY.finditer(array)
    ]
    current = {double or single for double, single in _CURRENT.findall(attributes)} - {""}
    is_navigation = any(not current.isdisjoint(entry.values()) for entry in entries)
    return "" if is_navigation else "\n".join(filter(None, map(_write_entry, entries)))


def _write_entry(fields: Mapping[str, str]) -> str:
    title = next((fields[name] for name in _TITLES if fields.get(name)), "")
    target = next((fields[name] for name in _TARGETS if is_address(fields.get(name, ""))), "")
    described = f": {fields['description']}" if fields.get("description") else ""
    return f"- [{title}]({target}){described}" if title and target and not set("[]") & {*title} else ""


def _read(row: str) -> list[str]:
    """The cells of a row. A text with symbols that Markdown could interpret is written as code."""
    texts = (_ESCAPED.sub(r"\1", re.sub(r"^\w+", "", text)[1:-1]) for text in _EACH_TEXT.findall(row))
    cells = (" ".join(text.split()).replace("|", r"\|") for text in texts)
    return [f"`{cell}`" if _IS_CODE.search(cell) and "`" not in cell else cell for cell in cells]
