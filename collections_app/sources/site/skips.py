"""Why pages of a site are not taken, and how to say so. Other modules decide for which page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SkipReason(Enum):
    """Each reason with its text for many pages, and for one if it has a detail: an address, a status, a language, a media type."""

    EXCLUDED = "excluded by a pattern"
    NOT_INCLUDED = "not among what the include patterns ask for"
    FOR_BROWSING = "made for browsing, not for reading"
    NO_DOCUMENT = "not a document", "not a document ({})"
    OTHER_LANGUAGE = "in another language", "in another language ({})"
    DISALLOWED = "not allowed by robots.txt"
    NO_INDEX = "its site asks not to index it"
    TRAP = "one of endlessly many that are alike"
    OVER_LIMIT = "beyond the limit of {} pages"
    LEADS_OUT = "redirects out of the site", "redirects out of the site, to {}"
    REDIRECTED = "redirects to another page", "redirects to {}"
    COPY = "the same as another page", "the same as {}"
    MISSING = "not there", "not there ({})"
    FRAMESET = "a frame around other pages"

    def __init__(self, of_many: str, of_one: str = "") -> None:
        self.of_many = of_many
        self.of_one = of_one or of_many


# Pages that are read under another name, or do not exist: nobody misses them.
NOT_MISSED = frozenset({SkipReason.REDIRECTED, SkipReason.COPY, SkipReason.MISSING, SkipReason.FRAMESET})


@dataclass(frozen=True, slots=True)
class Skip:
    """A page that is not taken."""

    reason: SkipReason
    detail: str = ""

    def __str__(self) -> str:
        return (self.reason.of_one if self.detail else self.reason.of_many).format(self.detail)

    @property
    def kind(self) -> str:
        """What it has in common with other pages that are skipped for the same reason."""
        return self.reason.of_many.format(self.detail)
