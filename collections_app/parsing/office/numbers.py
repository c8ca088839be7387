"""Parses numbers in files, and writes the numbers of headings and items as letters and Roman numerals. PURE."""

from __future__ import annotations

_MAX_REPEATED_LETTERS = 5
_MAX_ROMAN = 3999
_ROMAN_DIGITS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def read_number(value: str | None, default: int, most: int = 999_999_999) -> int:
    """A number in a file, limited to 0 to `most`."""
    is_number = value is not None and value.isascii() and value.isdigit() and len(value) <= 9
    return min(int(value), most) if value is not None and is_number else default


def write_number(number: int, sign: str) -> str:
    """A number written like `sign`, the form of the first number: `1`, `a`, `A`, `i` or `I`."""
    match sign:
        case "a" | "A":
            written = _write_letters(number)
        case "i" | "I":
            written = _write_roman(number)
        case _:
            return str(number)
    return written.upper() if sign.isupper() else written


def _write_letters(number: int) -> str:
    """`a` to `z`, then `aa`, `bb`."""
    repeated, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (repeated + 1) if 0 <= repeated < _MAX_REPEATED_LETTERS else str(number)


def _write_roman(number: int) -> str:
    if not 0 < number <= _MAX_ROMAN:
        return str(number)
    written = ""
    for value, digit in _ROMAN_DIGITS:
        count, number = divmod(number, value)
        written += digit * count
    return written
