"""Remembers recent callers in this process, with conditions in SQL that hold while everything remembered is still true.

A request needs three exchanges with the database: to look up its key, to count it, and to read its collections. The first and the last
nearly always return what they returned before. So the rows are kept with their versions, and one statement checks that each is unchanged
and none was added; the same statement counts the request (limits/admission.py). The next request thus sees a revoked key, a withdrawn
grant or a new version of an index, as if it had read everything. Callers that are not known, have changed or whose use has to be noted go
the long way (authentication.py), and are remembered once their collections have been read (catalog/visible.py).
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

# All callers without a key are remembered as one.
ANONYMOUS = "caller:anonymous"


@dataclass(slots=True)
class KnownCaller:
    """A caller as it was found. `until`: when its key expires, or its use has to be noted again. `place`: where in memory it is kept, with
    `collections`: everything that it may read, or the one collection of a narrowed endpoint."""

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
        """What the caller may read, as of the beginning of this request. Only the first time it is asked: the request may change it."""
        if self.place != name_place(self.name, only):
            return None
        taken, self.collections = self.collections, None
        return taken

    def remember(self, collections: RowSet, only: Only) -> None:
        """Keeps the caller and the collections that it may read for the next requests, unless these are very many. For an endpoint of a
        collection that does not exist nothing is kept: of such names there is no end."""
        if collections.rows or not only:
            place = name_place(self.name, only)
            known = replace(self, place=place, collections=collections)
            keep(place, known, (self.until - timezone.now()).total_seconds())


def name_caller(credential: str | None) -> str:
    """The caller's name in memory, where no secret is kept."""
    return ANONYMOUS if credential is None else f"caller:{hashlib.sha256(credential.encode()).hexdigest()}"


def name_place(caller: str, only: Only) -> str:
    """The same for all spellings of the slugs. Hashed: until they are known to exist, they may have any length."""
    return f"{caller}:{hashlib.sha256(repr(only).lower().encode()).hexdigest()}" if only else caller


def recall_caller(credential: str | None, only: Only = None) -> KnownCaller | None:
    """The caller with this credential (or none), if it used the same endpoint a moment ago. Whether it still may is not checked yet."""
    place = name_place(name_caller(credential), only)
    known: KnownCaller | None = take([place]).get(place)
    return known if known and known.until > timezone.now() else None
