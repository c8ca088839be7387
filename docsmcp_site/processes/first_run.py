"""Makes an administrator and an API key on the first run, and keeps them in first-run.json of the data directory. Also makes MCP_API_KEY.

Later runs read the file. What is no longer true (a changed password, a revoked key) is not repeated, and neither is made a
second time, unless the database is new.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from collections_app.models import ApiKey, Tenant, User
from collections_app.provisioning import issue_api_key
from docsmcp_site.private_files import write_private

ADMIN = "admin"


@dataclass(frozen=True)
class Credentials:
    """Each is None if it is not known here, or no longer true."""

    admin_user: str | None = None
    admin_password: str | None = None
    api_key: str | None = None


def ensure_credentials(tenant: Tenant, data_dir: Path, configured_key: str) -> None:
    """Makes the configured key, once. On the first run also makes an administrator and a key, if there is none of them."""
    path = get_path(data_dir)
    with transaction.atomic():
        is_first_run = not path.exists() or is_database_new()
        ensure_configured_key(tenant, configured_key)
        if is_first_run:
            draft = path.with_suffix(".new")
            write_private(draft, json.dumps(asdict(_make_credentials(tenant)), indent=2) + "\n")
            draft.replace(path)


def ensure_configured_key(tenant: Tenant, secret: str) -> None:
    """Makes the key once: a revoked one stays revoked."""
    if secret and ApiKey.objects.find_by_secret(secret) is None:
        issue_api_key(tenant, "MCP_API_KEY", secret=secret)


def find_credentials(data_dir: Path, configured_key: str) -> Credentials:
    """What may be shown to the operator. Checking the password takes half a second."""
    kept = _read(get_path(data_dir))
    api_key = next((key for key in (configured_key, kept.api_key) if key and is_usable_key(key)), None)
    named = {"username": kept.admin_user} if kept.admin_user else {"username": ADMIN, "is_superuser": True}
    user = User.objects.filter(**named, is_active=True).first()
    if user is None:
        return Credentials(api_key=api_key)
    is_unchanged = kept.admin_password is not None and user.check_password(kept.admin_password)
    return Credentials(user.username, kept.admin_password if is_unchanged else None, api_key)


def get_path(data_dir: Path) -> Path:
    return data_dir / "first-run.json"


def is_database_new() -> bool:
    """True if nobody could have used the database, so an existing file is about another one."""
    return not User.objects.exists() and not ApiKey.objects.exists()


def has_usable_key(tenant: Tenant) -> bool:
    now = timezone.now()
    return any(key.is_usable(now) for key in ApiKey.objects.given_to_agents().filter(tenant=tenant))


def is_usable_key(secret: str) -> bool:
    key = ApiKey.objects.find_by_secret(secret)
    return key is not None and key.is_usable(timezone.now())


def _make_credentials(tenant: Tenant) -> Credentials:
    user, password, api_key = None, None, None
    if not User.objects.filter(is_superuser=True).exists() and not User.objects.filter(username=ADMIN).exists():
        user, password = ADMIN, secrets.token_urlsafe(15)
        User.objects.create_superuser(user, password=password)
    if not tenant.api_keys.exists():
        _, api_key = issue_api_key(tenant, "first run")
    return Credentials(user, password, api_key)


def _read(path: Path) -> Credentials:
    try:
        kept: Any = json.loads(path.read_text())
        return Credentials(**{name: str(value) for name, value in kept.items() if value is not None})
    except (OSError, ValueError, TypeError, AttributeError):  # an operator may edit or delete the file
        return Credentials()
