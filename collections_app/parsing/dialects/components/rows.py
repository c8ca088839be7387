"""Tables whose rows are passed to a component as arrays of texts (`<Table rows={[["p-4", "padding: 1rem;"], …]} />`): readers see them,
although they are not among its children. PURE. It runs nothing: only arrays of texts become tables.
"""

from __future__ import annotations

import re

_TEXT = r"(?:[a-z]\w*)?(?:\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\$])*+`)"
_ARRAY = rf"\[\s*{_TEXT}(?:\s*,\s*{_TEXT})*+\s*,?\s*\]"
_ROWS = re.compile(rf"(?<![\w-])[a-z]\w*\s*=\s*\{{\s*\[\s*(?P<rows>{_ARRAY}(?:\s*,\s*{_ARRAY})*+)\s*,?\s*\]\s*\}}")
_HEADER = re.compile(rf"(?<![\w-])(?:columns|head|header|headers|headings)\s*=\s*\{{\s*(?P<row>{_ARRAY})\s*\}}")
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


def _read(row: str) -> list[str]:
    """The cells of a row. A text with symbols that Markdown could interpret is written as code."""
    texts = (_ESCAPED.sub(r"\1", re.sub(r"^\w+", "", text)[1:-1]) for text in _EACH_TEXT.findall(row))
    cells = (" ".join(text.split()).replace("|", r"\|") for text in texts)
    return [f"`{cell}`" if _IS_CODE.search(cell) and "`" not in cell else cell for cell in cells]
