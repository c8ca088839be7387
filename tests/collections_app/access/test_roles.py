"""A role counts in its tenant, and holds what smaller ones may."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from collections_app.access.roles import Role, has_role, has_role_somewhere, tenants_of
from collections_app.models import Membership, Tenant, User
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme")


@pytest.fixture
def editor(tenant: Tenant) -> User:
    user = User.objects.create_user("ed")
    Membership.objects.create(tenant=tenant, user=user, role=Role.EDITOR)
    return user


def test_a_role_holds_what_smaller_ones_may(editor: User, tenant: Tenant) -> None:
    assert [has_role(editor, tenant.pk, role) for role in Role] == [True, True, False]
    assert [list(tenants_of(editor, role)) for role in Role] == [[tenant], [tenant], []]
    assert [has_role_somewhere(editor, role) for role in Role] == [True, True, False]


def test_it_counts_in_its_tenant(editor: User) -> None:
    other = make_tenant()
    assert not has_role(editor, other.pk, Role.VIEWER)
    assert not has_role(editor, None, Role.VIEWER)
    assert other not in tenants_of(editor)


def test_superusers_have_every_role_as_long_as_they_are_active(tenant: Tenant) -> None:
    root = User.objects.create_superuser("root")
    assert has_role(root, tenant.pk, Role.OWNER)
    assert list(tenants_of(root, Role.OWNER)) == [tenant]
    root.is_active = False
    assert not has_role(root, tenant.pk, Role.VIEWER)
    assert not tenants_of(root).exists()


def test_who_is_not_signed_in_has_none(tenant: Tenant) -> None:
    assert not has_role(AnonymousUser(), tenant.pk, Role.VIEWER)
    assert not has_role_somewhere(AnonymousUser())


def test_the_roles_of_a_request_are_asked_for_once(
    editor: User, tenant: Tenant, django_assert_num_queries: object
) -> None:
    user = User.objects.get(pk=editor.pk)
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert has_role(user, tenant.pk, Role.VIEWER)
        assert not has_role(user, tenant.pk, Role.OWNER)
        assert has_role_somewhere(user)
