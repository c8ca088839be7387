"""Finds or makes the rows of sources, and gives them new settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from collections_app.encryption import encrypt
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, Source
from collections_app.removal.closing import check_is_open
from collections_app.sources.git import GitOptions
from collections_app.sources.selection import FileChoice
from collections_app.sources.site import SiteOptions
from collections_app.webhooks import make_secret

UPLOADS = "uploads"
"""The location of a collection's one source of uploads."""

Kind = Source.Kind

# Those of SiteOptions for which every kind of source has a column; `url` is the location, and the rest is kept in `options`.
_SITE_COLUMNS = ("include", "exclude", "max_file_bytes")


def ensure_directory_source(
    collection: Collection,
    root: Path,
    choice: FileChoice | None = None,
    *,
    refresh_interval_seconds: int = 0,
    is_operators: bool = True,
    changed: Source | None = None,
) -> Source:
    """The collection's source for this directory. The interval is only for a new source; an existing one keeps its own.

    A source that is not the operator's is only read while it is below ALLOWED_ROOTS. `changed`: see ensure_source(). Raises
    InvalidParameter if the directory's name is not UTF-8.
    """
    try:
        str(root).encode()
    except UnicodeEncodeError:
        raise InvalidParameter(
            "The directory's name is not UTF-8. Rename it, or reach it by a symbolic link."
        ) from None
    columns = make_columns(choice) | {"is_operators": is_operators}
    of_new = make_interval(refresh_interval_seconds)
    return ensure_source(collection, Kind.DIRECTORY, str(root.resolve()), columns, of_new, changed)


def find_directory_source(collection: Collection, root: Path) -> Source | None:
    """The source that ensure_directory_source() would find. The collection need not be saved."""
    sources = Source.objects.filter(tenant=collection.tenant_id, collection=collection.pk, kind=Kind.DIRECTORY)
    return sources.filter(location=str(root.resolve())).first()


def ensure_site_source(
    collection: Collection,
    options: SiteOptions,
    *,
    refresh_interval_seconds: int | None = None,
    changed: Source | None = None,
) -> Source:
    """The collection's source for the site at `options.url`.

    If no interval is given, a new source is refreshed each day and an existing one keeps its interval. `changed`: see ensure_source().
    Raises InvalidParameter for an interval that is too short.
    """
    given = options.model_dump(exclude={"max_concurrent_fetches"})
    location = given.pop("url")
    columns = {name: given.pop(name) for name in _SITE_COLUMNS}
    columns |= {"include": list(options.include), "exclude": list(options.exclude), "options": given}
    columns |= make_interval(refresh_interval_seconds)
    return ensure_source(collection, Kind.SITE, location, columns, changed=changed)


def get_site_options(source: Source) -> SiteOptions:
    """The options of a site. How many pages are fetched at once is the server's setting, not the source's."""
    return SiteOptions.model_validate(
        {
            **source.options,
            **asdict(get_choice(source)),
            "url": source.location,
            "max_concurrent_fetches": settings.DOCSMCP.max_concurrent_fetches,
        }
    )


def ensure_git_source(
    collection: Collection,
    url: str,
    options: GitOptions,
    choice: FileChoice | None = None,
    *,
    token: str | None = None,
    refresh_interval_seconds: int | None = None,
    changed: Source | None = None,
) -> Source:
    """The collection's source for this branch and folder of a repository.

    The interval is as in ensure_site_source(), `changed` as in ensure_source(). The token is stored encrypted; None keeps the present one,
    and an empty one removes it. A token belongs to one address: if the source gets another address, it does not keep its token.
    """
    columns = make_columns(choice) | {"options": options.model_dump()}
    if token is None and changed and get_repository_url(changed) != url:
        token = ""
    if token is not None:
        columns["encrypted_token"] = encrypt(token) if token else ""
    columns |= make_interval(refresh_interval_seconds)
    return ensure_source(collection, Kind.GIT, name_git_location(url, options), columns, changed=changed)


def name_git_location(url: str, options: GitOptions) -> str:
    """The location of a git source, `https://example.org/r.git#main:docs`: each branch and folder is a source of its own."""
    place = f"{options.branch}:{options.folder}" if options.folder else options.branch
    return f"{url}#{place}" if place else url


def make_columns(choice: FileChoice | None) -> dict[str, Any]:
    """The columns for a choice of files; without one, the source has every file, as large as the setting allows."""
    if choice is None:
        return {"include": [], "exclude": [], "max_file_bytes": None}
    return {
        "include": list(choice.include),
        "exclude": list(choice.exclude),
        "max_file_bytes": choice.max_file_bytes,
    }


def get_choice(source: Source) -> FileChoice:
    return FileChoice(source.include, source.exclude, get_max_file_bytes(source))


def get_max_file_bytes(source: Source) -> int:
    """The size of the largest file that the source takes: its own number, if it has one, but at most the setting's."""
    most: int = settings.DOCSMCP.max_file_bytes
    return most if source.max_file_bytes is None else min(source.max_file_bytes, most)


def choose_max_file_bytes(size_bytes: int | None) -> int:
    """What a source stores for this largest file size: the number itself, or FOLLOWS_SETTING if it is None or equals the setting.

    In the latter case the source follows later changes of the setting. Raises InvalidParameter for more than the setting allows.
    """
    most = settings.DOCSMCP.max_file_bytes
    if size_bytes is None or size_bytes == most:
        return Source.FOLLOWS_SETTING
    if size_bytes > most:
        raise InvalidParameter(
            f"max_file_bytes may be at most {most:,} here. Choose a lower number, or let an operator raise MAX_FILE_BYTES."
        )
    return size_bytes


def get_repository_url(source: Source) -> str:
    return source.location.partition("#")[0]


def get_git_options(source: Source) -> GitOptions:
    return GitOptions.model_validate(source.options)


def ensure_upload_source(collection: Collection) -> Source:
    """The collection's source for uploads. An existing row is not locked: a running job is using it."""
    source, _ = Source.objects.get_or_create(
        tenant_id=collection.tenant_id,
        collection=collection,
        kind=Kind.UPLOAD,
        location=UPLOADS,
    )
    return source


def make_interval(seconds: int | None) -> dict[str, Any]:
    if seconds is None:
        return {}
    check_interval(seconds)
    return {"refresh_interval_seconds": seconds}


def check_interval(seconds: int) -> None:
    """Raises InvalidParameter for an interval that is too short; 0 means never."""
    least = Source.LEAST_REFRESH_SECONDS
    if seconds and seconds < least:
        raise InvalidParameter(
            f"A source is looked at every {least} seconds at most. Give {least} or more, or 0 for never."
        )


def renew_webhook_secret(source: Source) -> str:
    """Replace the source's webhook secret, and return the new one; it cannot be shown again."""
    secret = make_secret()
    source.encrypted_webhook_secret = encrypt(secret)
    source.save(update_fields=["encrypted_webhook_secret"])
    return secret


@transaction.atomic
def ensure_source(
    collection: Collection,
    kind: Source.Kind,
    location: str,
    columns: Mapping[str, Any],
    columns_of_new: Mapping[str, Any] | None = None,
    changed: Source | None = None,
) -> Source:
    """The collection's source of this kind and location, found or made, with these columns; `columns_of_new` are only for a new one.

    With `changed`, none is looked for: that source gets the location and the columns.

    Raises InvalidParameter for a max_file_bytes above the setting's, and CollectionClosed.
    """
    check_is_open(collection.tenant_id, collection.pk)
    if changed:
        return change_source(changed, location, columns)
    columns = {**columns, "max_file_bytes": choose_max_file_bytes(columns["max_file_bytes"])}
    usual = {"refresh_interval_seconds": Source.DEFAULT_REFRESH_SECONDS[kind]}
    source, _ = Source.objects.update_or_create(
        tenant_id=collection.tenant_id,
        collection=collection,
        kind=kind,
        location=location,
        defaults=columns,
        create_defaults={**usual, **columns, **(columns_of_new or {})},
    )
    return source


def change_source(source: Source, location: str, columns: Mapping[str, Any]) -> Source:
    """Give a source another location and columns; its next run reads from there.

    Raises InvalidParameter if the collection has another source with that location, and for a max_file_bytes above the setting's.
    """
    given = {"location": location, **columns, "max_file_bytes": choose_max_file_bytes(columns["max_file_bytes"])}
    for name, value in given.items():
        setattr(source, name, value)
    try:
        with transaction.atomic():
            source.save(update_fields=list(given))
    except IntegrityError:
        raise InvalidParameter(
            "This collection has another source for that place already. Change that one, or remove it first."
        ) from None
    return source
