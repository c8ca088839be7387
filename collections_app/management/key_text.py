"""API keys as a terminal and a program are told of them; never a secret. Times are UTC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from collections_app.management.tables import format_table
from collections_app.models import ApiKey

HEADINGS = ("KEY", "NAME", "SCOPES", "COLLECTIONS", "STATE", "LAST USED")


def format_keys(keys: Sequence[ApiKey], *, with_tenant: bool = False) -> str:
    """A table, a line for each."""
    if with_tenant:
        return format_table(("TENANT", *HEADINGS), [(key.tenant.slug, *make_row(key)) for key in keys])
    return format_table(HEADINGS, [make_row(key) for key in keys])


def make_row(key: ApiKey) -> tuple[str, ...]:
    return (
        key.prefix,
        key.name,
        " ".join(key.scopes),
        name_granted(key),
        describe_state(key),
        format_minute(key.used_at),
    )


def name_granted(key: ApiKey) -> str:
    return "all" if key.all_collections else " ".join(each.slug for each in key.collections.all()) or "none"


def describe_state(key: ApiKey) -> str:
    now = timezone.now()
    if key.revoked:
        return "revoked"
    if not key.is_usable(now):
        return "expired"
    if key.has_old_secret(now):
        return f"rotated; {key.old_prefix} until {format_minute(key.old_expires)}"
    return f"until {format_minute(key.expires)}" if key.expires else "good"


def format_minute(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "never"


def make_report(key: ApiKey) -> dict[str, Any]:
    has_old = key.has_old_secret(timezone.now())
    return {
        "prefix": key.prefix,
        "tenant": key.tenant.slug,
        "name": key.name,
        "scopes": key.scopes,
        "collections": None if key.all_collections else [each.slug for each in key.collections.all()],
        "rate_limit": key.rate_limit,
        "created": key.created,
        "expires": key.expires,
        "revoked": key.revoked,
        "last_used": key.last_used,
        "old_secret": {"prefix": key.old_prefix, "expires": key.old_expires, "last_used": key.old_last_used}
        if has_old
        else None,
    }
