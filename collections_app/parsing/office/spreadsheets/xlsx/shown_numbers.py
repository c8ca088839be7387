"""Fills the digit placeholders of a format section with a number. Digits that `General` would round away are kept. PURE."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import takewhile

from collections_app.parsing.office.spreadsheets.xlsx.format_sections import Section, Sign, Token

_MAX_DECIMALS = 30
_PRECISION = 400  # digits of the largest number and its decimals
_MAX_WHOLE = 1e15  # Excel keeps no more digits


def write_general(value: float) -> str:
    return str(int(value)) if abs(value) < _MAX_WHOLE and value == int(value) else f"{value:.15g}"


def write_number(value: float, section: Section) -> str:
    """The number as the section shows it; fractions (`# ?/?`) are written as decimals."""
    tokens = section.tokens
    if section.holds(Sign.VALUE):
        return "".join(write_general(value) if token.sign is Sign.VALUE else token.shown for token in tokens).strip()
    if not section.holds(Sign.DIGIT):
        return "".join(token.shown for token in tokens).strip()
    if Token(Sign.LITERAL, "/") in tokens:
        return write_general(value)
    places = [n for n, token in enumerate(tokens) if token.sign is Sign.DIGIT]
    point = next((n for n, token in enumerate(tokens) if token.sign is Sign.POINT), len(tokens))
    if section.holds(Sign.EXPONENT):
        exponent = next(n for n, token in enumerate(tokens) if token.sign is Sign.EXPONENT)
        return f"{value:.{min(sum(point < n < exponent for n in places), _MAX_DECIMALS)}E}"
    thousands = sum(1 for _ in takewhile(lambda token: token.sign is Sign.COMMA, tokens[places[-1] + 1 :]))
    percents = sum(token.sign is Sign.PERCENT for token in tokens)
    shown = Decimal(repr(abs(value))).scaleb(2 * percents - 3 * thousands)
    step = Decimal(1).scaleb(-min(sum(n > point for n in places), _MAX_DECIMALS))
    with localcontext(prec=_PRECISION):
        whole, _, decimals = f"{shown.quantize(step, ROUND_HALF_UP):f}".partition(".")
    written = _write_whole(whole, tokens[:point]) + _write_decimals(decimals, tokens[point + 1 :])
    is_negative = value < 0 and any(digit in "123456789" for digit in whole + decimals)
    return f"{'-' * is_negative}{written.strip()}"


def _write_decimals(digits: str, tokens: Sequence[Token]) -> str:
    """Zeros at the end are kept only where the format demands them."""
    least = sum(token.sign is Sign.DIGIT and token.text != "#" for token in tokens)
    digits = digits[:least] + digits[least:].rstrip("0")
    return (f".{digits}" if digits else "") + "".join(token.shown for token in tokens)


def _write_whole(digits: str, tokens: Sequence[Token]) -> str:
    """Puts the digits into their placeholders from the right; the first placeholder takes all that are left."""
    places = [n for n, token in enumerate(tokens) if token.sign is Sign.DIGIT]
    if not places:
        return "".join(token.shown for token in tokens) + digits.lstrip("0")
    digits = digits.lstrip("0").zfill(sum(tokens[n].text == "0" for n in places))
    is_grouped = any(token.sign is Sign.COMMA for token in tokens[places[0] : places[-1]])
    if is_grouped and digits:
        digits = f"{int(digits):,}"
    if not any(token.shown for token in tokens[places[0] : places[-1]]):
        places = places[:1]
    written: list[str] = []
    for n in reversed(range(len(tokens))):
        if n not in places:
            written.append(tokens[n].shown)
        elif n == places[0]:
            written.append(digits)
        else:
            digits, digit = digits[:-1], digits[-1:]
            written.append(digit)
    return "".join(reversed(written))
