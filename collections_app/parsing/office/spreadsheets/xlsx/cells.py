"""The value of a cell as text (ECMA-376 part 1, section 18.3.1.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from xml.etree.ElementTree import Element

from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.spreadsheets.sheets import SIGNS_OF_CELL, Cell, check_characters
from collections_app.parsing.office.spreadsheets.xlsx.formats import PLAIN, Format
from collections_app.parsing.office.spreadsheets.xlsx.names import EXCEL, SHEET
from collections_app.parsing.office.spreadsheets.xlsx.number_formats import hides_text, write_value

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")  # section 22.9.2.19
_LINK = re.compile(
    r'HYPERLINK\(\s*"(?P<address>[^"]{1,2000})"\s*(?:[,;]\s*"(?P<text>(?:[^"]|"")*)"\s*)?\)', re.IGNORECASE
)
_VALUE, _FORMULA, _INLINE = f"{SHEET}v", f"{SHEET}f", f"{SHEET}is"
_TEXT, _RUN = f"{SHEET}t", f"{SHEET}r"


def read_shared_texts(table: Element | None) -> Sequence[str]:
    """The texts that cells refer to by their index."""
    return [] if table is None else [read_text(each) for each in table.iterfind(f"{SHEET}si")]


def read_text(element: Element) -> str:
    """The text of an element's runs, without its phonetic reading."""
    return _decode("".join(_iter_texts(element)))


def _iter_texts(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag == _TEXT:
            yield child.text or ""
        elif child.tag == _RUN:
            yield from (text.text or "" for text in child.iterfind(_TEXT))


def _decode(text: str) -> str:
    """Decodes escapes of characters that XML cannot hold or would change, and ends lines with `\\n`."""
    return _ESCAPE.sub(_unescape, text).replace("\r\n", "\n").replace("\r", "\n")


def _unescape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character.isprintable() or character in "\t\n\r" else ""


class CellReader:
    """Reads the cells of one workbook. `without_value` counts the formulas whose results are not in the file."""

    def __init__(self, texts: Sequence[str], formats: Sequence[Format], *, is_1904: bool) -> None:
        self._texts = texts
        self._formats = formats
        self._is_1904 = is_1904
        self._characters = 0
        self.without_value = 0

    def read(self, element: Element, *, address: str = "", columns: int = 1, rows: int = 1) -> tuple[Cell, bool]:
        """The cell, and whether its text is invisible. Raises ParseError if the cells together have too many characters."""
        format = self.find_format(element.get("s"))
        kind = element.get("t", "n")
        value, formula = element.find(_VALUE), element.find(_FORMULA)
        text = self._read_value(kind, "" if value is None else value.text or "", element, format)
        link = None if formula is None else _LINK.match((formula.text or "").strip())
        if formula is not None and value is None:
            kind, text = "str", "" if link is None else (link["text"] or link["address"]).replace('""', '"')
            self.without_value += not text
        text = text.strip()
        self._characters += len(text) + SIGNS_OF_CELL
        check_characters(self._characters, EXCEL)
        cell = Cell(
            text=text,
            address=address or ("" if link is None or link["address"].startswith("#") else link["address"]),
            is_bold=format.is_bold,
            is_number=kind == "n",
            columns=columns,
            rows=rows,
        )
        return cell, format.has_white_text or (kind != "n" and hides_text(format.number))

    def find_format(self, number: str | None) -> Format:
        place = read_number(number, len(self._formats))
        return self._formats[place] if place < len(self._formats) else PLAIN

    def _read_value(self, kind: str, value: str, element: Element, format: Format) -> str:
        match kind:
            case "s":
                place = read_number(value.strip(), len(self._texts))
                return self._texts[place] if place < len(self._texts) else ""
            case "inlineStr":
                inline = element.find(_INLINE)
                return "" if inline is None else read_text(inline)
            case "b":
                return "TRUE" if value.strip() == "1" else "FALSE" if value else ""
            case "n":
                return self._write_number(value, format)
            case "d":
                return value.replace("T00:00:00", "").replace("T", " ").removesuffix("Z")
            case _:
                return _decode(value)

    def _write_number(self, value: str, format: Format) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        return write_value(number, format.number, is_1904=self._is_1904) if isfinite(number) else ""
