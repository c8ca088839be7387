"""Who may do what in which tenant. An editor may do more than a viewer, an owner more than an editor; superusers may do everything.

Knows people only: a Principal says what a key may do.
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from collections_app.models import Membership, Tenant, User

Role = Membership.Role
Person = AbstractBaseUser | AnonymousUser


class RoleNeeded(PermissionDenied):
    """The person sees the row, or that such rows exist, but lacks the role; None: lacks that of a superuser. The text is for the person."""

    def __init__(self, role: Role | None) -> None:
        needed = (
            f"the role {role.value} in this tenant: ask an owner for it"
            if role
            else "a superuser: ask one of this server"
        )
        super().__init__(f"This needs {needed}.")


RANKS = {Role.VIEWER: 0, Role.EDITOR: 1, Role.OWNER: 2}


def has_role(user: Person, tenant_id: int | None, role: Role) -> bool:
    """Whether the user has at least this role in the tenant."""
    if is_superuser(user):
        return True
    return tenant_id in find_tenant_ids(user, role)


def has_role_somewhere(user: Person, role: Role = Role.VIEWER) -> bool:
    return is_superuser(user) or bool(find_tenant_ids(user, role))


def tenants_of(user: Person, role: Role = Role.VIEWER) -> QuerySet[Tenant]:
    """The tenants in which the user has at least this role; for a superuser, all."""
    return Tenant.objects.all() if is_superuser(user) else Tenant.objects.filter(pk__in=find_tenant_ids(user, role))


def is_superuser(user: Person) -> bool:
    return isinstance(user, User) and user.is_active and user.is_superuser


def find_tenant_ids(user: Person, role: Role) -> set[int]:
    """Judged by memberships alone."""
    if not isinstance(user, User) or not user.is_active:
        return set()
    return {tenant_id for tenant_id, has in user.roles.items() if RANKS[Role(has)] >= RANKS[role]}
