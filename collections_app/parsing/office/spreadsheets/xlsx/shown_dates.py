"""Dates and times, which Excel stores as numbers of days, in ISO 8601: `2026-03-01` means the same everywhere. PURE."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from collections_app.parsing.office.spreadsheets.xlsx.format_sections import Section, Sign

_EPOCH = datetime(1899, 12, 30)
_EPOCH_OF_TWO_MONTHS = datetime(1899, 12, 31)  # for Excel, 1900 has a 29 February (section 18.17.4.1)
_FIRST_TRUE_DAY = 61
_EPOCH_1904 = datetime(1904, 1, 1)
_MAX_DAYS = 2_957_003  # of 9999-12-31, counted from 1904
_DAY = 86_400  # in seconds


def write_date(days: float, section: Section, *, is_1904: bool) -> str | None:
    """As much of the date as the format shows: a date, a month, a year, a time, or date and time; None for a number that is no date."""
    if not 0 <= days <= _MAX_DAYS:
        return None
    letters = "".join(token.text.lower() for token in section.tokens if token.sign is Sign.DATE)
    has_time = "h" in letters or "s" in letters or section.holds(Sign.HALF)
    moment = _find_epoch(days, is_1904=is_1904) + timedelta(seconds=round(days * _DAY))
    written_time = f"{moment:%H:%M:%S}" if "s" in letters else f"{moment:%H:%M}"
    if has_time and not {"y", "d", "e"}.intersection(letters):
        return written_time
    day = moment.date().isoformat()
    if has_time:
        return day if moment.time() == time.min else f"{day} {written_time}"
    if "d" in letters:
        return day
    return day[: len("2026-03")] if "m" in letters else day[: len("2026")]


def write_elapsed(days: float, section: Section) -> str | None:
    """Elapsed time, such as `26:30` in hours and minutes; None if it is negative or too long."""
    if not 0 <= days <= _MAX_DAYS:
        return None
    letters = "".join(token.text.lower() for token in section.tokens if token.sign is Sign.DATE)
    minutes, seconds = divmod(round(days * _DAY), 60)
    behind = f":{seconds:02}" if "s" in letters else ""
    match section.elapsed:
        case "s":
            return str(60 * minutes + seconds)
        case "m":
            return f"{minutes}{behind}"
        case _:
            hours, minutes = divmod(minutes, 60)
            return f"{hours}:{minutes:02}{behind}"


def _find_epoch(days: float, *, is_1904: bool) -> datetime:
    if is_1904:
        return _EPOCH_1904
    return _EPOCH if days >= _FIRST_TRUE_DAY else _EPOCH_OF_TWO_MONTHS
