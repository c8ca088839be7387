"""Which rows a principal may see: the one rule behind every `visible_to`.

Another tenant's row does not exist for it: every query of the read side starts here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self, TypeVar

from django.db import models
from django.db.models import Q

from collections_app.access.principal import Principal

if TYPE_CHECKING:
    from collections_app.models.library import Collection

Row = TypeVar("Row", bound=models.Model)


def tenant_rule(principal: Principal, tenant: str = "tenant") -> Q:
    """The rows of the principal's own tenants; none if it has no tenant. `tenant` is the lookup that leads to it."""
    if principal.is_superuser:
        return Q()
    if principal.user_id is not None:
        return Q(**{f"{tenant}__memberships__user_id": principal.user_id})
    if principal.tenant_id is not None:
        return Q(**{f"{tenant}_id": principal.tenant_id})
    return Q(pk__in=[])


def collection_rule(principal: Principal, prefix: str = "") -> Q:
    """The collections that a principal may read. `prefix` is the lookup that leads to the collection, such as `collection__`."""
    if principal.is_anonymous:
        return Q(**{f"{prefix}is_public": True})
    rule = tenant_rule(principal, f"{prefix}tenant")
    if principal.api_key_id is not None and not principal.all_collections:
        rule &= Q(**{f"{prefix}grants__api_key_id": principal.api_key_id})
    return rule


class TenantQuerySet(models.QuerySet[Row]):
    """Rows that belong to a tenant as a whole."""

    def visible_to(self, principal: Principal) -> Self:
        return self.filter(tenant_rule(principal))


class InCollectionQuerySet(models.QuerySet[Row]):
    """Rows that belong to a collection, and are seen with it."""

    def visible_to(self, principal: Principal) -> Self:
        return self.filter(collection_rule(principal, "collection__"))

    def in_collections(self, collections: Iterable[Collection]) -> Self:
        """Names their tenants too, since every index begins with them."""
        members = list(collections)
        return self.filter(tenant_id__in={c.tenant_id for c in members}, collection_id__in=[c.pk for c in members])
