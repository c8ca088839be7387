"""Exports everything of a tenant into one zip file: its collections (by exporting.py), its members and keys, and how they were used.
Contains no secret.

tenant.json  members.json  api_keys.json  connected_apps.json  sources.json
collections/guide.zip     as `export_collection` writes it, for `import_collection`
history/searches.csv  answers.csv  feedback.csv  usage.csv  audit.csv
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from collections_app.models import (
    AnswerUsage,
    ApiKey,
    AuditEvent,
    ConnectedApp,
    DailyUsage,
    Feedback,
    Membership,
    SearchEvent,
    Source,
    Tenant,
)
from collections_app.transfer.exporting import export_collection

HISTORY: dict[str, type[Model]] = {
    "searches": SearchEvent,
    "answers": AnswerUsage,
    "feedback": Feedback,
    "usage": DailyUsage,
    "audit": AuditEvent,
}
TENANT_FIELDS = (
    "slug",
    "name",
    "rate_limit",
    "monthly_quota",
    "monthly_answer_cost",
    "max_documents",
    "max_bytes",
    "created",
)
MEMBER_FIELDS = ("user__username", "user__email", "role")
KEY_FIELDS = ("name", "prefix", "scopes", "all_collections", "rate_limit", "expires", "revoked", "created", "last_used")
APP_FIELDS = ("scopes", "all_collections", "collections", "revoked", "created", "last_used")
SOURCE_FIELDS = (
    "collection__slug", "kind", "location", "include", "exclude", "max_file_bytes", "refresh_interval_seconds", "auto_index",
)  # fmt: skip
ROWS_AT_ONCE = 2000
# Spreadsheets take text with such a beginning for a formula: https://owasp.org/www-community/attacks/CSV_Injection
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def export_tenant(tenant: Tenant, file: Path) -> None:
    """Writes everything into `file`, one collection and one row at a time."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive, TemporaryDirectory(dir=file.parent) as directory:
        keys = ApiKey.objects.given_to_agents().filter(tenant=tenant).prefetch_related("collections").order_by("pk")
        add_json(archive, "tenant.json", {name: getattr(tenant, name) for name in TENANT_FIELDS})
        members, sources = (model.objects.filter(tenant=tenant).order_by("pk") for model in (Membership, Source))
        add_json(archive, "members.json", list(members.values(*MEMBER_FIELDS)))
        add_json(archive, "api_keys.json", [describe_key(key) for key in keys])
        add_json(archive, "connected_apps.json", [describe_app(app) for app in list_apps(tenant)])
        add_json(archive, "sources.json", [describe_source(row) for row in sources.values(*SOURCE_FIELDS)])
        for collection in tenant.collections.all():
            part = Path(directory, "collection.zip")
            export_collection(collection, part)
            archive.write(part, f"collections/{collection.slug}.zip", ZIP_STORED)
        for name, model in HISTORY.items():
            add_rows(archive, f"history/{name}.csv", model._default_manager.filter(tenant=tenant))


def describe_key(key: ApiKey) -> dict[str, Any]:
    granted = [collection.slug for collection in key.collections.all()]
    return {name: getattr(key, name) for name in KEY_FIELDS} | {"collections": granted}


def list_apps(tenant: Tenant) -> QuerySet[ConnectedApp]:
    taken_up = tenant.connected_apps.exclude(code_redeemed=None)
    return taken_up.select_related("client", "api_key__person").prefetch_related("api_key__collections").order_by("pk")


def describe_app(app: ConnectedApp) -> dict[str, Any]:
    """As its key, whose name it has, without what a refresh changes."""
    key, person = describe_key(app.api_key), app.api_key.person
    told = {name: key[name] for name in APP_FIELDS}
    return {"app": app.client.name, "person": person.get_username() if person else None, **told}


def describe_source(row: dict[str, Any]) -> dict[str, Any]:
    """Leaves out a limit that follows the setting: the number that stands for it means nothing elsewhere."""
    limit = row["max_file_bytes"]
    return row | {"max_file_bytes": None if limit == Source.FOLLOWS_SETTING else limit}


def add_json(archive: ZipFile, name: str, value: Any) -> None:
    archive.writestr(name, json.dumps(value, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False) + "\n")


def add_rows(archive: ZipFile, name: str, rows: QuerySet[Any]) -> None:
    columns = [field.attname for field in rows.model._meta.concrete_fields if field.name != "tenant"]
    with archive.open(name, "w", force_zip64=True) as entry, TextIOWrapper(entry, "utf-8", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(columns)
        writer.writerows(iter_cells(rows, columns))


def iter_cells(rows: QuerySet[Any], columns: list[str]) -> Iterator[list[Any]]:
    for row in rows.order_by("pk").values_list(*columns).iterator(chunk_size=ROWS_AT_ONCE):
        yield [disarm(value) for value in row]


def disarm(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
