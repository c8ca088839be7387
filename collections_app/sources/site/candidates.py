"""A page that something named: where it is, and by what it was found. What becomes of it is decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FoundIn(StrEnum):
    """What named a page."""

    START = "start page"
    SITEMAP = "sitemap"
    LLMS_TXT = "llms.txt"
    LINK = "link"
    REDIRECT = "redirect"
    CANONICAL = "canonical link"
    LAST_READING = "last reading"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page to visit. `is_promised`: its site or the caller says that it exists, so that its absence is worth telling.

    With `ignores_canonical` it is taken even if it says that another page stands for it.
    """

    url: str
    path: str
    found_in: FoundIn
    found_on: str = ""
    is_promised: bool = False
    ignores_canonical: bool = False
