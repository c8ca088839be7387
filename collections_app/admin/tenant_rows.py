"""Rows that a person may see: of tenants in which they have a role. Another tenant's row is a 404."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from collections_app.access.roles import Role, RoleNeeded, has_role, is_superuser, tenants_of
from collections_app.models import Tenant

Row = TypeVar("Row", bound=Model)


def get_row_or_404(
    request: HttpRequest,
    rows: type[Row] | QuerySet[Row],
    pk: Any,
    role: Role = Role.VIEWER,
    tenant_path: str = "tenant",
) -> Row:
    """A row for a page of our own. 404 if the user may not see it; 403 if the user may see it but lacks the role."""
    queryset: QuerySet[Row] = rows if isinstance(rows, QuerySet) else rows._default_manager.all()
    row: Row = get_object_or_404(limit_to_tenants(queryset, request, Role.VIEWER, tenant_path), pk=pk)
    if not has_role(request.user, get_tenant_id(row, tenant_path), role):
        raise RoleNeeded(role)
    return row


def limit_to_tenants(
    rows: QuerySet[Any], request: HttpRequest, role: Role | None, tenant_path: str | None = None
) -> QuerySet[Any]:
    """The rows of tenants in which the user has the role. Rows of a model without a tenant are only for superusers."""
    if is_superuser(request.user):
        return rows
    path = find_tenant_path(rows.model) if tenant_path is None else tenant_path
    if role is None or path is None:
        return rows.none()
    return rows.filter(**{f"{path or 'pk'}__in": tenants_of(request.user, role)})


def find_tenant_path(model: type[Model]) -> str | None:
    """The lookup that leads from a row of the model to its tenant; None if there is none."""
    if model is Tenant:
        return ""
    return "tenant" if any(field.name == "tenant" for field in model._meta.fields) else None


def get_tenant_id(row: Any, tenant_path: str) -> int | None:
    """Does not load the tenant itself, since this is called for many rows."""
    *steps, last = f"{tenant_path}_id".split("__") if tenant_path else ["pk"]
    for step in steps:
        row = getattr(row, step)
    found: int | None = getattr(row, last)
    return found


def sees_several(request: HttpRequest) -> bool:
    """Whether the person's lists can have rows of more than one tenant."""
    return tenants_of(request.user).count() > 1
