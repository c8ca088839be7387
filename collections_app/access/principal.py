"""Who asks: plain values, made by authentication.py, understood by every QuerySet's `visible_to`. PURE."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections_app.access.known_callers import KnownCaller


class Scope(StrEnum):
    """What a principal may do. Tools outside its scopes look like tools that do not exist."""

    READ = "read"
    ASK = "ask"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Principal:
    """An API key, a user, a tenant's local operator, or an anonymous address.

    A key sees the collections granted to it (`all_collections`: all of its tenant's) and nothing else. A user sees the
    collections of its tenants, a superuser all of them. An operator (a tenant without a key) sees all of the tenant's.
    A principal that is none of these sees public collections only.

    `is_trial`: a person looks at what the principal would be told. That leaves no trace in its history.
    """

    scopes: frozenset[Scope] = frozenset({Scope.READ})
    api_key_id: int | None = None
    tenant_id: int | None = None
    all_collections: bool = False
    user_id: int | None = None
    is_superuser: bool = False
    address: str = ""
    # Requests per window, if they differ from the setting's; and requests per month of all the tenant's keys, 0 for any number.
    rate_limit: int | None = None
    monthly_quota: int = 0
    is_trial: bool = False
    label: str = field(default="anonymous", compare=False)
    # For a request with a key: what the process remembers of it, or is to remember.
    known: KnownCaller | None = field(default=None, compare=False, repr=False)

    @property
    def is_anonymous(self) -> bool:
        return self.api_key_id is None and self.user_id is None and self.tenant_id is None

    def may(self, scope: Scope) -> bool:
        return scope in self.scopes
