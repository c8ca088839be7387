"""What has to be there before documents can be: the default tenant, a collection, an API key. Found again if it is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from collections_app.access.principal import Scope
from collections_app.exceptions import CollectionNotFound, InvalidParameter
from collections_app.models import ApiKey, Collection, Tenant
from collections_app.text.control_characters import has_control_characters

DEFAULT_TENANT = "default"
MAX_NAME_CHARACTERS = 200
# Of a key for which nobody says otherwise: what an agent needs that only asks.
USUAL_SCOPES = (Scope.READ, Scope.ASK)
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


def check_slug(slug: str, what: str) -> str:
    """The slug in lower case. Raises InvalidParameter for what is none."""
    if not SLUG.fullmatch(slug.lower()):
        raise InvalidParameter(
            f"{slug!r} is no name for a {what}: use 1 to 63 letters a-z, digits, - and _, beginning with a letter or digit."
        )
    return slug.lower()


def get_tenant(slug: str = DEFAULT_TENANT) -> Tenant:
    """The tenant; the default one is made when it is missing. Raises InvalidParameter for another that does not exist.

    First by exactly this slug: tenants made by earlier releases may have one that check_slug() would change or refuse.
    """
    if tenant := Tenant.objects.filter(slug=slug).first():
        return tenant
    slug = check_slug(slug, "tenant")
    if slug == DEFAULT_TENANT:
        return Tenant.objects.get_or_create(slug=slug, defaults={"name": "Default"})[0]
    tenant = Tenant.objects.filter(slug=slug).first()
    if tenant is None:
        raise InvalidParameter(
            f"There is no tenant {slug!r}. There are: {', '.join(Tenant.objects.values_list('slug', flat=True))}."
        )
    return tenant


def write_tenant_option(tenant: Tenant) -> str:
    """What a command that is told to type needs behind its name, a blank before it; nothing for the default tenant."""
    return "" if tenant.slug == DEFAULT_TENANT else f" --tenant {tenant.slug}"


def find_collection(tenant: Tenant, slug: str) -> Collection | None:
    return (
        Collection.objects.filter(tenant=tenant, slug=check_slug(slug, "collection")).select_related("tenant").first()
    )


def ensure_collection(tenant: Tenant, slug: str) -> Collection:
    """The tenant's collection of this name, made if it is unknown. Its language is found out from its first documents."""
    slug = check_slug(slug, "collection")
    new = {"name": slug, "is_language_settled": False}
    collection, _ = Collection.objects.get_or_create(tenant=tenant, slug=slug, defaults=new)
    return collection


def issue_api_key(
    tenant: Tenant,
    name: str,
    *,
    scopes: Iterable[str] = USUAL_SCOPES,
    collections: Sequence[str] | None = None,
    rate_limit: int | None = None,
    expires: datetime | None = None,
    secret: str | None = None,
) -> tuple[ApiKey, str]:
    """A key and its secret, which is not kept. `collections` are slugs; None grants all of the tenant's.

    Raises InvalidParameter for a name or a scope that cannot be, and CollectionNotFound."""
    if not name.strip() or len(name) > MAX_NAME_CHARACTERS:
        raise InvalidParameter(f"A key's name has 1 to {MAX_NAME_CHARACTERS} characters: say what the key is for.")
    if has_control_characters(name):
        raise InvalidParameter(f"The name {name!r} has control characters: a key's name is one line of text.")
    granted = None if collections is None else [get_collection(tenant, slug) for slug in collections]
    return ApiKey.objects.issue(
        tenant=tenant,
        name=name,
        scopes=check_scopes(scopes),
        collections=granted,
        rate_limit=rate_limit,
        expires=expires,
        secret=secret,
    )


def get_collection(tenant: Tenant, slug: str) -> Collection:
    """Raises CollectionNotFound, which names those there are."""
    collection = find_collection(tenant, slug)
    if collection is None:
        slugs = ", ".join(Collection.objects.filter(tenant=tenant).values_list("slug", flat=True)) or "none"
        raise CollectionNotFound(f"Tenant {tenant.slug!r} has no collection {slug!r}. There are: {slugs}.")
    return collection


def check_scopes(scopes: Iterable[str]) -> list[Scope]:
    try:
        chosen = [Scope(scope.strip().lower()) for scope in scopes]
    except ValueError:
        raise InvalidParameter(f"The scopes of a key are {', '.join(Scope)}: choose among these.") from None
    if not chosen:
        raise InvalidParameter(f"A key needs at least one scope of {', '.join(Scope)}.")
    return chosen
