"""Numbers as Excel shows them with a cell's format (ECMA-376 part 1, section 18.8.31). PURE.

A format has up to four sections: for positive numbers, negative ones, zero and text. shown_numbers.py and shown_dates.py fill them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from collections_app.parsing.office.spreadsheets.xlsx.format_sections import Section, Sign, Token
from collections_app.parsing.office.spreadsheets.xlsx.shown_dates import write_date, write_elapsed
from collections_app.parsing.office.spreadsheets.xlsx.shown_numbers import write_general, write_number

GENERAL = "General"
BUILT_IN: Final[Mapping[int, str]] = {
    0: GENERAL,
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0;-#,##0",
    42: "#,##0;-#,##0",
    43: "#,##0.00;-#,##0.00",
    44: "#,##0.00;-#,##0.00",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),  # East Asian dates (section 18.8.30)
    **dict.fromkeys(range(32, 36), "h:mm:ss"),
}
"""The text of the formats that cells refer to by number alone. Currency formats are without their symbol, which depends on the country."""

_MAX_CHARACTERS = 255  # of a format, as in Excel
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[(?P<bracketed>[^\]]*)\]|(?P<general>General)'
    r"|(?P<exponent>E[+-])|(?P<half>AM/PM|A/P|上午/下午)|(?P<sign>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$")
_ELAPSED = re.compile(r"(?:h+|m+|s+)$", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-\]]*)")
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
_PLAIN = Section([Token(Sign.VALUE, GENERAL)])
_SIGNS: Mapping[str, Sign] = {
    **dict.fromkeys("0#?", Sign.DIGIT),
    **dict.fromkeys("ymdhsegbYMDHSEGB", Sign.DATE),
    ".": Sign.POINT,
    ",": Sign.COMMA,
    "%": Sign.PERCENT,
    "@": Sign.VALUE,
}


def write_value(value: float, format: str, *, is_1904: bool = False) -> str:
    """The number as it is shown; empty if the format shows nothing. `is_1904` is whether days count from 1904."""
    sections = _read_format(format[:_MAX_CHARACTERS])
    section = _choose(sections, value)
    if section.elapsed or section.holds(Sign.DATE):
        shown = write_elapsed(value, section) if section.elapsed else write_date(value, section, is_1904=is_1904)
        return write_general(value) if shown is None else shown
    says_sign = section.condition is None and value < 0 and section is not sections[0]
    return write_number(-value if says_sign else value, section)


def hides_text(format: str) -> bool:
    """Whether the format's fourth section, which is for text, shows nothing, as in `;;;`."""
    sections = _read_format(format[:_MAX_CHARACTERS])
    return len(sections) > 3 and not any(token.shown or token.sign is Sign.VALUE for token in sections[3].tokens)


@lru_cache(maxsize=256)
def _read_format(format: str) -> Sequence[Section]:
    sections = [Section()]
    for found in _TOKEN.finditer(format):
        kind = found.lastgroup or ""
        text = found[kind] if kind else ""
        if kind == "sign" and text == ";":
            sections.append(Section())
        elif kind == "bracketed":
            _read_brackets(text, sections[-1])
        elif kind:
            sections[-1].tokens.append(_make_token(kind, text))
    return sections


def _read_brackets(text: str, section: Section) -> None:
    """Reads a condition, a unit of elapsed time or a currency symbol; colours and languages change nothing here."""
    if match := _CONDITION.match(text):
        section.condition = match[1], float(match[2])
    elif _ELAPSED.match(text):
        section.elapsed = text[0].lower()
    elif match := _CURRENCY.match(text):
        section.tokens.append(Token(Sign.LITERAL, match[1]))


def _make_token(kind: str, text: str) -> Token:
    match kind:
        case "general":
            return Token(Sign.VALUE, text)
        case "exponent":
            return Token(Sign.EXPONENT, text)
        case "half":
            return Token(Sign.HALF, text)
        case "sign":
            return Token(_SIGNS.get(text, Sign.LITERAL), text)
        case _:
            return Token(Sign.LITERAL, text)


def _choose(sections: Sequence[Section], value: float) -> Section:
    if any(section.condition for section in sections[:2]):
        met = (
            each
            for each in sections[:3]
            if each.condition is None or _COMPARISONS[each.condition[0]](value, each.condition[1])
        )
        return next(met, _PLAIN)
    if len(sections) > 1 and value < 0:
        return sections[1]
    return sections[2] if len(sections) > 2 and value == 0 else sections[0]
