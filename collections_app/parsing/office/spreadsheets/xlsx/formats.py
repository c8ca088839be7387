"""What cell formats say: how numbers are shown, what is bold, what is hidden (ECMA-376 part 1, section 18.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from collections_app.parsing.office.names import is_on
from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.spreadsheets.xlsx.names import SHEET
from collections_app.parsing.office.spreadsheets.xlsx.number_formats import BUILT_IN, GENERAL

_WHITE_INDICES = frozenset({"1", "9"})  # of the legacy palette (section 18.8.27)
_WHITE_THEME = "0"  # the theme's first light colour


@dataclass(frozen=True, slots=True)
class Format:
    """`has_white_text` is true if the text is white on white."""

    number: str = GENERAL
    is_bold: bool = False
    has_white_text: bool = False


PLAIN = Format()


def read_formats(styles: Element | None) -> Sequence[Format]:
    """The formats that cells refer to by their index."""
    if styles is None:
        return ()
    numbers = {
        read_number(each.get("numFmtId"), 0): each.get("formatCode", GENERAL)
        for each in styles.iterfind(f"{SHEET}numFmts/{SHEET}numFmt")
    }
    fonts = styles.findall(f"{SHEET}fonts/{SHEET}font")
    fills = styles.findall(f"{SHEET}fills/{SHEET}fill")
    return [_read_format(each, numbers, fonts, fills) for each in styles.iterfind(f"{SHEET}cellXfs/{SHEET}xf")]


def _read_format(
    format: Element, numbers: Mapping[int, str], fonts: Sequence[Element], fills: Sequence[Element]
) -> Format:
    number = read_number(format.get("numFmtId"), 0)
    font, fill = _find(fonts, format.get("fontId")), _find(fills, format.get("fillId"))
    bold = None if font is None else font.find(f"{SHEET}b")
    return Format(
        number=numbers.get(number, BUILT_IN.get(number, GENERAL)),
        is_bold=bold is not None and is_on(bold.get("val", "1")),
        has_white_text=font is not None and _is_white(font.find(f"{SHEET}color")) and _is_white_fill(fill),
    )


def _find(elements: Sequence[Element], number: str | None) -> Element | None:
    place = read_number(number, len(elements))
    return elements[place] if place < len(elements) else None


def _is_white(colour: Element | None) -> bool:
    if colour is None or colour.get("tint", "0") not in ("0", "0.0"):
        return False
    if value := colour.get("rgb"):
        return value[-6:].lower() == "ffffff"
    return colour.get("theme") == _WHITE_THEME or colour.get("indexed") in _WHITE_INDICES


def _is_white_fill(fill: Element | None) -> bool:
    """Whether the cell is filled with white, or not filled."""
    pattern = None if fill is None else fill.find(f"{SHEET}patternFill")
    if fill is None or (pattern is None and not len(fill)):
        return True
    if pattern is None:
        return False  # a gradient
    kind = pattern.get("patternType", "none")
    return kind == "none" or (kind == "solid" and _is_white(pattern.find(f"{SHEET}fgColor")))
