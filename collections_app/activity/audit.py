"""Records who did what, for the tenants' owners. Never contains a value that was typed in, only names, ids, and which fields changed.

Called by code that knows the person: the admin, pages, commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.db.models import CharField, Model
from django.http import HttpRequest

from collections_app.access.client_address import get_client_address
from collections_app.models import AuditEvent, Tenant, User
from collections_app.postgres.row_security import as_owner

COMMAND_LINE = "command line"
NAMED_ROWS = 20


def record(
    who: HttpRequest | str, action: str, row: Model | None = None, *, details: str = "", tenant: Tenant | None = None
) -> AuditEvent:
    """Records that `who` (a request, or a name where there is no request) did `action` to `row`. `tenant`: for rows without one."""
    event = describe(who, action, row, details=details, tenant=tenant)
    with as_owner():  # it may belong to a tenant that the person has just joined or left, or to none
        event.save()
    return event


def record_several(who: HttpRequest | str, action: str, rows: Sequence[Model]) -> None:
    """The same for many rows of a kind: one event for each tenant, which counts the rows and names the first."""
    by_tenant: dict[int | None, list[Model]] = {}
    for row in rows:
        by_tenant.setdefault(getattr(row, "tenant_id", None), []).append(row)
    tenants = Tenant.objects.in_bulk([pk for pk in by_tenant if pk is not None])
    events = [describe_several(who, action, own, tenants.get(pk or 0)) for pk, own in by_tenant.items()]
    with as_owner():
        AuditEvent.objects.bulk_create(events)


def describe_several(who: HttpRequest | str, action: str, rows: Sequence[Model], tenant: Tenant | None) -> AuditEvent:
    event = describe(who, action, rows[0], tenant=tenant)
    if len(rows) > 1:
        kind = str(rows[0]._meta.verbose_name_plural)
        event.object_type, event.object_id = kind, ""
        event.object_name = f"{len(rows):,} {kind}"
        event.details = shorten(", ".join(map(str, rows[:NAMED_ROWS])), "details")
    return event


def describe(
    who: HttpRequest | str, action: str, row: Model | None = None, *, details: str = "", tenant: Tenant | None = None
) -> AuditEvent:
    """The event, not saved: for rows that are about to be deleted."""
    tenant = tenant or find_tenant(row)
    return AuditEvent(
        tenant=tenant,
        tenant_slug=tenant.slug if tenant else "",
        action=shorten(action, "action"),
        object_type=str(row._meta.verbose_name) if row is not None else "",
        object_id=str(row.pk) if row is not None else "",
        object_name=shorten(str(row), "object_name") if row is not None else "",
        details=shorten(details, "details"),
        **describe_actor(who),
    )


def describe_actor(who: HttpRequest | str) -> dict[str, Any]:
    if isinstance(who, str):
        return {"actor_name": shorten(who, "actor_name")}
    user = who.user if isinstance(who.user, User) else None
    return {
        "actor": user,
        "actor_name": user.get_username() if user else "nobody signed in",
        "address": get_client_address(who.META),
    }


def find_tenant(row: Any) -> Tenant | None:
    return row if isinstance(row, Tenant) else getattr(row, "tenant", None)


def shorten(text: str, field: str) -> str:
    limit = cast("CharField[str, str]", AuditEvent._meta.get_field(field)).max_length
    return text[:limit]
