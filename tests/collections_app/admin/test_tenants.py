"""Tenants have slugs that commands can name; neither a tenant loses its last owner nor the installation its last superuser."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.models import AuditEvent, Membership, Tenant, User
from tests.collections_app.admin.conftest import choose
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db


class TestSlugs:
    def add(self, admin: Client, slug: str) -> str:
        address = reverse("admin:collections_app_tenant_add")
        return admin.post(address, {"slug": slug, "name": "A name", "monthly_quota": "0"}).content.decode()

    def test_one_is_kept_in_lower_case(self, admin: Client) -> None:
        self.add(admin, "Delta")
        assert Tenant.objects.get().slug == "delta"

    def test_capital_letters_make_no_other_one(self, admin: Client) -> None:
        make_tenant("gamma")
        assert "Tenant with this Slug already exists" in self.add(admin, "Gamma")
        assert Tenant.objects.count() == 1

    @pytest.mark.parametrize("slug", ["-_x", "_x", "-"])
    def test_what_no_command_could_name_is_refused(self, admin: Client, slug: str) -> None:
        assert "is no name for a tenant" in self.add(admin, slug)
        assert not Tenant.objects.exists()


class TestAccounts:
    @pytest.fixture
    def owner(self, db: None) -> User:
        """The only one of two tenants."""
        user = User.objects.create_user("rosa")
        for slug in ("acme", "beta"):
            Membership.objects.create(tenant=make_tenant(slug), user=user, role="owner")
        return user

    def change(self, admin: Client, user: User, **given: str) -> str:
        dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
        address = reverse("admin:collections_app_user_change", args=[user.pk])
        return admin.post(address, {"username": user.username, **dates, **given}, follow=True).content.decode()

    def delete(self, admin: Client, user: User) -> str:
        address = reverse("admin:collections_app_user_delete", args=[user.pk])
        return admin.post(address, {"post": "yes"}, follow=True).content.decode()

    def test_the_last_owner_is_neither_switched_off_nor_deleted(self, admin: Client, owner: User) -> None:
        told = "acme, beta would have no owner left. Make another member an owner there first."
        assert told in self.change(admin, owner)
        assert told in self.delete(admin, owner)
        assert told in choose(admin, "delete_selected", owner, post="yes")
        owner.refresh_from_db()
        assert owner.is_active
        assert not AuditEvent.objects.exists()

    @pytest.mark.django_db(transaction=True)
    def test_the_page_that_asks_first_says_whether_it_can_be(self, admin: Client, owner: User) -> None:
        address = reverse("admin:collections_app_user_delete", args=[owner.pk])
        assert "acme, beta would have no owner left" in admin.get(address, follow=True).content.decode()
        other = User.objects.create_user("otto")
        page = admin.get(reverse("admin:collections_app_user_delete", args=[other.pk]))
        assert (page.status_code, "otto" in page.content.decode()) == (200, True)
        assert "otto" in choose(admin, "delete_selected", other)
        assert User.objects.filter(pk__in=[owner.pk, other.pk]).count() == 2

    def test_nor_are_all_owners_at_once(self, admin: Client, owner: User) -> None:
        second = User.objects.create_user("otto")
        Membership.objects.create(tenant=Tenant.objects.get(slug="acme"), user=second, role="owner")
        address = reverse("admin:collections_app_user_changelist")
        given = {"action": "delete_selected", "_selected_action": [owner.pk, second.pk], "post": "yes"}
        assert "acme, beta would have no owner left" in admin.post(address, given, follow=True).content.decode()
        assert User.objects.filter(pk__in=[owner.pk, second.pk]).count() == 2

    def test_who_is_switched_off_keeps_no_tenant(self, admin: Client, owner: User) -> None:
        for tenant in Tenant.objects.all():
            second, _ = User.objects.get_or_create(username="otto")
            Membership.objects.create(tenant=tenant, user=second, role="owner")
        self.change(admin, second)
        second.refresh_from_db()
        assert not second.is_active
        assert "acme, beta would have no owner left" in self.delete(admin, owner)
        member = Membership.objects.get(tenant__slug="acme", user=owner)
        assert "is the last owner of acme" in choose(admin, "remove", member, post="yes")

    def test_one_of_two_owners_may_go(self, admin: Client, owner: User) -> None:
        for tenant in Tenant.objects.all():
            second, _ = User.objects.get_or_create(username="otto")
            Membership.objects.create(tenant=tenant, user=second, role="owner")
        self.delete(admin, owner)
        assert not User.objects.filter(pk=owner.pk).exists()

    def test_the_only_superuser_stays_one(self, admin: Client) -> None:
        root = User.objects.get(username="root")
        told = "There would be no superuser left. Make another account one first."
        assert told in self.change(admin, root, is_active="on")
        assert told in self.change(admin, root, is_superuser="on")
        assert told in self.delete(admin, root)
        root.refresh_from_db()
        assert (root.is_active, root.is_superuser) == (True, True)
        User.objects.create_superuser("second")
        self.change(admin, root, is_active="on")
        root.refresh_from_db()
        assert not root.is_superuser
