"""Moments and spans as people type them: `2027-01-31`, `2027-01-31T12:00`, `12h`, `30d`, `8w`. Refuses, for argparse, what is none."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

SPAN = re.compile(r"(\d{1,5})([hdw])")
UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def parse_span(text: str) -> timedelta | None:
    """None for what is written otherwise."""
    span = SPAN.fullmatch(text)
    return timedelta(**{UNITS[span[2]]: int(span[1])}) if span else None


def parse_moment(text: str) -> datetime:
    """A date (its first moment) or a date with a time, in UTC where no zone is given."""
    try:
        day = parse_date(text)
        moment = datetime(day.year, day.month, day.day) if day else parse_datetime(text)
    except ValueError:  # written like one, and none: 2027-02-30
        moment = None
    if moment is None:
        raise ArgumentTypeError(f"{text!r} is no date: write 2027-01-31, 2027-01-31T12:00, or 12h, 30d, 8w")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
