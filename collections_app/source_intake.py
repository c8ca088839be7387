"""What a caller names as a place of documents (a site, a repository, a directory of the server), as the source that it becomes, or that
one there becomes by it. Checked as far as that can be done without reading it; when it is read is the caller's to say.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from collections_app.access.principal import Principal
from collections_app.exceptions import InvalidParameter, PermissionDenied
from collections_app.intake import check_url
from collections_app.jobs import (
    change_source,
    check_directory,
    ensure_directory_source,
    ensure_git_source,
    ensure_site_source,
    get_choice,
    make_columns,
)
from collections_app.models import Collection, Source
from collections_app.sources.allowed_roots import is_allowed, resolve_allowed
from collections_app.sources.git import GitOptions
from collections_app.sources.selection import FileChoice
from collections_app.sources.site import SiteOptions

Kind = Source.Kind
Options = TypeVar("Options", bound=BaseModel)


def make_directory(
    principal: Principal, collection: Collection, given: dict[str, Any], changed: Source | None = None
) -> Source:
    """Anywhere for superusers; for others below ALLOWED_ROOTS, and elsewhere they change nothing of what is read. Raises PermissionDenied,
    InvalidParameter."""
    refuse_unknown(given, "options", "token")
    choice, is_operators = pick_choice(given), principal.is_superuser
    if changed and given["location"] == changed.location:
        if get_choice(changed) == choice and (changed.is_operators or not is_operators):
            return changed
        if not is_operators and not is_allowed(changed.location):
            raise PermissionDenied(
                "This directory is outside of those that the server's operator allows (ALLOWED_ROOTS): only a superuser changes what is "
                "read of it."
            )
        return change_source(changed, changed.location, make_columns(choice) | {"is_operators": is_operators})
    root = Path(given["location"]).resolve() if principal.is_superuser else resolve_allowed(given["location"])[0]
    check_directory(root)
    usual = Source.DEFAULT_REFRESH_SECONDS[Kind.DIRECTORY]
    return ensure_directory_source(
        collection, root, choice, refresh_interval_seconds=usual, is_operators=is_operators, changed=changed
    )


def make_site(
    principal: Principal, collection: Collection, given: dict[str, Any], changed: Source | None = None
) -> Source:
    refuse_unknown(given, "token")
    columns = asdict(pick_choice(given)) | {"url": check_url(given["location"])}
    if twice := sorted(columns.keys() & given["options"].keys()):
        raise InvalidParameter(f"{', '.join(twice)} does not stand in options, but beside them; url is the location.")
    return ensure_site_source(collection, validate_options(SiteOptions, columns | given["options"]), changed=changed)


def make_repository(
    principal: Principal, collection: Collection, given: dict[str, Any], changed: Source | None = None
) -> Source:
    options = validate_options(GitOptions, given["options"])
    url, token = check_url(given["location"]), given.get("token")
    return ensure_git_source(collection, url, options, pick_choice(given), token=token, changed=changed)


class MakeSource(Protocol):
    """The collection's source for a place, made if there is none; with `changed`, that one gets what is given instead.

    `given`: kind, location, include, exclude, max_file_bytes, options (what only this kind has), and a token where there is one.
    """

    def __call__(
        self, principal: Principal, collection: Collection, given: dict[str, Any], changed: Source | None = None
    ) -> Source: ...


MAKERS: dict[str, MakeSource] = {
    Kind.DIRECTORY: make_directory,
    Kind.SITE: make_site,
    Kind.GIT: make_repository,
}


def pick_choice(given: dict[str, Any]) -> FileChoice:
    return FileChoice(given["include"], given["exclude"], given["max_file_bytes"])


def refuse_unknown(given: dict[str, Any], *names: str) -> None:
    """What another kind of source has."""
    for name in names:
        if given.get(name):
            raise InvalidParameter(f"A source of the kind {given['kind']} has no {name}. Leave it out.")


def validate_options(kind: type[Options], given: dict[str, Any]) -> Options:
    """Raises InvalidParameter with every mistake."""
    try:
        return kind.model_validate(given)
    except ValidationError as invalid:
        mistakes = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in invalid.errors()]
        raise InvalidParameter(f"The options are not valid. {'; '.join(mistakes)}.") from None
