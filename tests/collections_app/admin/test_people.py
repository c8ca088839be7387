"""Owners invite and change members; nobody makes itself more than it is, and a tenant keeps an owner."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app.access import invitations
from collections_app.access.roles import Role
from collections_app.admin import shown_once
from collections_app.exceptions import InvalidParameter
from collections_app.models import AuditEvent, Invitation, Membership, Tenant, User
from tests.collections_app.admin.conftest import choose, make_person
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-phrase-42"


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme")


@pytest.fixture
def owner(tenant: Tenant) -> Client:
    return make_person("owner", tenant)


def invite(client: Client, tenant: Tenant, email: str = "New@Example.org", role: str = "editor") -> str:
    """The path of the link that is shown."""
    given = {"tenant": tenant.pk, "email": email, "role": role}
    response = client.post(reverse("admin:collections_app_invitation_add"), given, follow=True)
    assert response.redirect_chain, response.context["adminform"].form.errors
    assert "no-store" in response.headers["Cache-Control"]
    found = re.search(r'value="http://testserver(/invitations/[^"]+)"', response.content.decode())
    assert found
    return found[1]


def get_member(tenant: Tenant, name: str) -> Membership:
    return Membership.objects.get(tenant=tenant, user__username=name)


def test_somebodys_tenants_are_listed_by_name(admin: Client) -> None:
    user = User.objects.create_user("somebody")
    for slug in ("beta", "alpha"):
        Membership.objects.create(tenant=make_tenant(slug), user=user, role="viewer")
    page = admin.get(reverse("admin:collections_app_user_changelist")).content.decode()
    assert re.search(r"alpha[^,<]* \(viewer\), beta[^,<]* \(viewer\)", page)


class TestInvitation:
    def test_the_invited_chooses_a_password_and_is_in(self, owner: Client, tenant: Tenant, client: Client) -> None:
        link = invite(owner, tenant)
        assert "new@example.org" in client.get(link).content.decode()
        answer = client.post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD})
        assert answer.headers["Location"] == reverse("admin:index")
        assert client.get(reverse("admin:collections_app_collection_changelist")).status_code == 200
        member = get_member(tenant, "new@example.org")
        assert (member.role, member.user.check_password(PASSWORD)) == ("editor", True)

    def test_its_link_works_once(self, owner: Client, tenant: Tenant, client: Client) -> None:
        link = invite(owner, tenant)
        client.post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD})
        again = Client().get(link)
        never = Client().get(reverse("invitation", args=["x" * 43]))
        assert (again.status_code, never.status_code) == (404, 404)
        assert again.content == never.content

    def test_its_time_ends(self, owner: Client, tenant: Tenant, client: Client) -> None:
        link = invite(owner, tenant)
        Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
        assert client.get(link).status_code == 404
        assert client.post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD}).status_code == 404
        assert not User.objects.filter(email="new@example.org").exists()

    def test_a_weak_password_is_refused(self, owner: Client, tenant: Tenant, client: Client) -> None:
        link = invite(owner, tenant)
        page = client.post(link, {"new_password1": "12345678", "new_password2": "12345678"})
        assert "too common" in page.content.decode()
        assert not User.objects.filter(email="new@example.org").exists()

    def test_who_has_an_account_signs_in_to_join(self, owner: Client, tenant: Tenant, client: Client) -> None:
        user = User.objects.create_user("somebody", "new@example.org", password="x")
        link = invite(owner, tenant)
        page = client.post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD})
        assert "No account was made" in page.content.decode()
        user.refresh_from_db()
        assert user.check_password("x"), "A link gives nobody another's account"
        client.force_login(user)
        assert "Join as somebody" in client.get(link).content.decode()
        assert not Membership.objects.filter(user=user).exists(), "Looking at it joins nothing"
        client.post(link)
        assert get_member(tenant, "somebody").role == "editor"

    def test_who_looks_is_not_told_whether_there_is_an_account(self, owner: Client, tenant: Tenant) -> None:
        User.objects.create_user("somebody", "old@example.org", password="x")
        pages = []
        for email in ("old@example.org", "new@example.org"):
            link = invite(owner, tenant, email)
            weak = {"new_password1": "12345678", "new_password2": "12345678"}
            shown = [Client().get(link).content.decode(), Client().post(link, weak).content.decode()]
            pages.append([self.leave_out(page, email, link) for page in shown])
        assert pages[0] == pages[1]
        assert "Sign in to join" in pages[0][0]
        assert "Make the account and join" in pages[0][0]

    def leave_out(self, page: str, email: str, link: str) -> str:
        return re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1", page.replace(email, "").replace(link, ""))

    def test_its_link_is_shown_once_and_a_reload_makes_no_other(self, owner: Client, tenant: Tenant) -> None:
        link = invite(owner, tenant)
        made = Invitation.objects.get()
        again = owner.get(reverse("admin:invited", args=[made.pk])).content.decode()
        assert "was shown already" in again
        assert link not in again
        assert Invitation.objects.get().digest == made.digest
        assert "shown-once" not in str(dict(owner.session.items()))

    def test_its_link_is_shown_to_nobody_else(self, tenant: Tenant, owner: Client) -> None:
        given = {"tenant": tenant.pk, "email": "a@example.org", "role": "viewer"}
        address = owner.post(reverse("admin:collections_app_invitation_add"), given).headers["Location"]
        assert make_person("owner", make_tenant()).get(address).status_code == 404
        assert make_person("editor", tenant).get(address).status_code == 403
        superuser = make_person("superuser", tenant)
        assert "was shown already" in superuser.get(address).content.decode()
        token = owner.session[f"shown-once:invitation {Invitation.objects.get().pk}"][0]
        assert Invitation.digest_of(token) != Invitation.objects.get().digest, "In the database it is encrypted"

    def test_its_link_is_not_shown_later(self, tenant: Tenant, owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shown_once, "LIFETIME_SECONDS", -1)
        given = {"tenant": tenant.pk, "email": "a@example.org", "role": "viewer"}
        page = owner.post(reverse("admin:collections_app_invitation_add"), given, follow=True)
        assert "was shown already" in page.content.decode()

    def test_it_takes_nothing_from_a_member_who_may_more(self, owner: Client, tenant: Tenant) -> None:
        owner.post(invite(owner, tenant, role="viewer"))
        assert get_member(tenant, "owner-acme").role == "owner"

    def test_a_new_one_replaces_the_one_before(self, owner: Client, tenant: Tenant, client: Client) -> None:
        first, second = invite(owner, tenant), invite(owner, tenant)
        assert (client.get(first).status_code, client.get(second).status_code) == (404, 200)

    @pytest.mark.parametrize("how", ["removed", "demoted", "switched off", "deleted"])
    def test_who_is_an_owner_no_more_has_invited_nobody(
        self, owner: Client, tenant: Tenant, client: Client, how: str
    ) -> None:
        second = Client()
        second.force_login(User.objects.create_user("second"))
        Membership.objects.create(tenant=tenant, user=User.objects.get(username="second"), role="owner")
        link = invite(second, tenant, role="owner")
        kept = invite(owner, tenant, "kept@example.org")
        member = get_member(tenant, "second")
        if how == "removed":
            choose(owner, "remove", member, post="yes")
        elif how == "demoted":
            address = reverse("admin:collections_app_membership_change", args=[member.pk])
            owner.post(address, {"role": "editor"})
            assert get_member(tenant, "second").role == "editor"
        elif how == "switched off":
            User.objects.filter(pk=member.user_id).update(is_active=False)
        else:
            member.user.delete()
        assert Invitation.objects.filter(email="new@example.org").exists() == (how in ("switched off", "deleted"))
        assert client.get(link).status_code == 404
        client.post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD})
        assert not User.objects.filter(email="new@example.org").exists()
        assert client.get(kept).status_code == 200

    def test_one_that_was_opened_before_its_inviter_left_is_refused(self, owner: Client, tenant: Tenant) -> None:
        invite(owner, tenant)
        found = Invitation.objects.get()
        Membership.objects.filter(tenant=tenant).update(role="editor")
        with pytest.raises(InvalidParameter, match="Ask for a new one"):
            invitations.accept_with_new_account(found, PASSWORD)
        assert not User.objects.filter(email="new@example.org").exists()

    def test_a_member_is_not_invited_again(self, owner: Client, tenant: Tenant) -> None:
        User.objects.filter(username="owner-acme").update(email="new@example.org")
        given = {"tenant": tenant.pk, "email": "new@example.org", "role": "viewer"}
        page = owner.post(reverse("admin:collections_app_invitation_add"), given).content.decode()
        assert "is a member of acme already" in page
        assert not Invitation.objects.exists()

    def test_it_is_for_ones_own_tenants(self, owner: Client) -> None:
        other = make_tenant()
        given = {"tenant": other.pk, "email": "a@example.org", "role": "owner"}
        owner.post(reverse("admin:collections_app_invitation_add"), given)
        assert not Invitation.objects.exists()

    def test_only_one_of_two_at_once_takes_it(self, tenant: Tenant) -> None:
        _, token = invitations.invite(tenant, "a@example.org", Role.VIEWER, User.objects.create_superuser("x"))
        first, second = invitations.find_open(token), invitations.find_open(token)
        assert first
        assert second
        invitations.accept_with_new_account(first, PASSWORD)
        with pytest.raises(InvalidParameter, match="used already"):
            invitations.accept(second, User.objects.get(username="x"))

    def test_an_account_that_is_made_meanwhile_is_told(self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
        inviting = User.objects.create_superuser("x")
        _, token = invitations.invite(tenant, "a@example.org", Role.VIEWER, inviting)
        User.objects.create_user("a@example.org", "a@example.org")
        monkeypatch.setattr(invitations, "find_account", lambda invitation: None)
        open_one = invitations.find_open(token)
        assert open_one
        with pytest.raises(invitations.AccountExists, match="Sign in to join"):
            invitations.accept_with_new_account(open_one, PASSWORD)
        assert invitations.find_open(token)  # still good for who signs in

    def test_its_token_is_kept_nowhere(self, owner: Client, tenant: Tenant) -> None:
        token = invite(owner, tenant).rpartition("/")[2]
        kept = f"{list(Invitation.objects.values())} {list(AuditEvent.objects.values())}"
        assert token not in kept
        assert AuditEvent.objects.get().action == "add"


class TestMembers:
    def change(self, client: Client, member: Membership, role: str) -> str:
        address = reverse("admin:collections_app_membership_change", args=[member.pk])
        return client.post(address, {"role": role}, follow=True).content.decode()

    @pytest.fixture
    def editor(self, tenant: Tenant) -> Membership:
        return Membership.objects.create(tenant=tenant, user=User.objects.create_user("ed"), role="editor")

    def test_an_owner_changes_a_role(self, owner: Client, editor: Membership) -> None:
        self.change(owner, editor, "viewer")
        editor.refresh_from_db()
        assert editor.role == "viewer"
        assert "Role" in AuditEvent.objects.get().details

    def test_an_owner_moves_nobody_to_another_tenant(self, owner: Client, editor: Membership, tenant: Tenant) -> None:
        address = reverse("admin:collections_app_membership_change", args=[editor.pk])
        other = User.objects.create_superuser("root")
        owner.post(address, {"role": "owner", "tenant": make_tenant().pk, "user": other.pk})
        editor.refresh_from_db()
        assert (editor.tenant, editor.user.username) == (tenant, "ed")

    def test_the_last_owner_stays(self, owner: Client, tenant: Tenant) -> None:
        member = get_member(tenant, "owner-acme")
        assert "is the last owner of acme" in self.change(owner, member, "viewer")
        assert "is the last owner of acme" in choose(owner, "remove", member, post="yes")
        assert get_member(tenant, "owner-acme").role == "owner"

    def test_one_of_two_owners_may_leave(self, owner: Client, tenant: Tenant, editor: Membership) -> None:
        self.change(owner, editor, "owner")
        assert "belongs to acme no more" in choose(owner, "remove", editor, post="yes")
        assert not Membership.objects.filter(pk=editor.pk).exists()

    def test_a_superuser_adds_an_account_that_is_there(self, admin: Client, tenant: Tenant) -> None:
        user = User.objects.create_user("somebody")
        given = {"tenant": tenant.pk, "user": user.pk, "role": "owner"}
        assert admin.post(reverse("admin:collections_app_membership_add"), given).status_code == 302
        assert get_member(tenant, "somebody").role == "owner"

    def test_an_owner_is_told_of_no_account_beside_its_members(self, owner: Client) -> None:
        query = {"app_label": "collections_app", "model_name": "membership", "field_name": "user"}
        assert owner.get(reverse("admin:autocomplete"), query).status_code == 403


class TestOwnPassword:
    def change(self, client: Client, old: str) -> int:
        given = {"old_password": old, "new_password1": PASSWORD, "new_password2": PASSWORD}
        return client.post(reverse("admin:password_change"), given).status_code

    def test_that_it_was_changed_is_in_the_audit_log(self, tenant: Tenant) -> None:
        client = make_person("viewer", tenant)
        user = User.objects.get(username="viewer-acme")
        user.set_password("the-old-one-7")
        user.save()
        client.force_login(user)
        assert self.change(client, "not-the-old-one") == 200
        assert not AuditEvent.objects.exists()
        assert self.change(client, "the-old-one-7") == 302
        event = AuditEvent.objects.get()
        assert (event.action, event.actor_name, event.object_name) == (
            "change own password",
            user.username,
            user.username,
        )
        assert PASSWORD not in str(AuditEvent.objects.values().get())
