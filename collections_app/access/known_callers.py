"""Callers of a moment ago: what this process knows of them, with conditions in SQL that hold as long as all of it is still so.

A request has its key found, is counted, and has its collections read: three exchanges with the database, two of which nearly always
bring what they brought before. So the rows are kept with their versions, and one statement says that each is as it was and that none
has joined them; the same one counts the request (limits/admission.py). A key that was revoked, a grant that was taken back, an index that
has grown: the next request sees it, as if it had read everything. Who is not known, has changed or has its use to be noted goes the long
way (authentication.py), and is known from then on: from when its collections are read (catalog.py).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from collections_app.process_memory import keep, take

if TYPE_CHECKING:
    from collections_app.access.principal import Principal
    from collections_app.models.prepared import RowSet

Only = tuple[str, str] | None
"""Slugs of the tenant and the collection of a narrowed endpoint."""

# All who show no key are known as one.
ANONYMOUS = "caller:anonymous"


@dataclass(slots=True)
class KnownCaller:
    """A caller as it was found. `until`: when its key ends, or when its use has to be noted again. `place`: where in memory it is kept with
    `collections`, which are all that it may read, or the one of a narrowed endpoint."""

    name: str
    principal: Principal
    until: datetime
    key: RowSet | None = None
    place: str = ""
    collections: RowSet | None = None

    @property
    def row_sets(self) -> list[RowSet]:
        return [each for each in (self.key, self.collections) if each]

    def make_principal(self, address: str = "") -> Principal:
        return replace(self.principal, address=address, known=self)

    def take_collections(self, only: Only) -> RowSet | None:
        """What it may read, as of the beginning of this request: for the first who asks, since a request may change it."""
        if self.place != name_place(self.name, only):
            return None
        taken, self.collections = self.collections, None
        return taken

    def remember(self, collections: RowSet, only: Only) -> None:
        """Keep the caller for the requests that follow, with the collections that it may read, unless these are very many. An endpoint of a
        collection that is not there is not kept: of such names there is no end."""
        if collections.rows or not only:
            place = name_place(self.name, only)
            known = replace(self, place=place, collections=collections)
            keep(place, known, (self.until - timezone.now()).total_seconds())


def name_caller(credential: str | None) -> str:
    """No secret stands in memory."""
    return ANONYMOUS if credential is None else f"caller:{hashlib.sha256(credential.encode()).hexdigest()}"


def name_place(caller: str, only: Only) -> str:
    """One for all spellings of the slugs, which are of any length while nothing is known of them."""
    return f"{caller}:{hashlib.sha256(repr(only).lower().encode()).hexdigest()}" if only else caller


def recall_caller(credential: str | None, only: Only = None) -> KnownCaller | None:
    """The caller who shows this, or nothing, if it asked the same endpoint a moment ago. That it may still do so is yet to be found out."""
    place = name_place(name_caller(credential), only)
    known: KnownCaller | None = take([place]).get(place)
    return known if known and known.until > timezone.now() else None
