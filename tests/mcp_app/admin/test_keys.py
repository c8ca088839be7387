"""An owner hands out keys without fear: a secret is in one answer and nowhere else, and nobody else touches a key."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app.access.api_keys import rotate_api_key
from collections_app.access.authentication import InvalidCredential, authenticate
from collections_app.access.principal import Scope
from collections_app.models import ApiKey, AuditEvent, Collection, Membership, Tenant, User
from mcp_app.admin.key_forms import KeyForm
from tests.factories import make_collection, make_tenant

pytestmark = pytest.mark.django_db

SECRET = re.compile(r"dmcp_[0-9a-f]{8}_[\w-]{43}")


def sign_in(tenant: Tenant, role: str) -> Client:
    user = User.objects.create_user(f"{role}-of-{tenant.slug}")
    Membership.objects.create(tenant=tenant, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def collection() -> Collection:
    return make_collection("guide")


@pytest.fixture
def owner(collection: Collection) -> Client:
    return sign_in(collection.tenant, "owner")


def url(page: str, key: ApiKey | None = None) -> str:
    return reverse(f"admin:collections_app_apikey_{page}", args=[key.pk] if key else [])


def fill_in(tenant: Tenant, **fields: Any) -> dict[str, Any]:
    return {"tenant": tenant.pk, "name": "agent", "scopes": ["read", "ask"], "all_collections": "on", **fields}


def find_secret(response: Any) -> str:
    found = SECRET.search(response.content.decode())
    assert found is not None
    return found[0]


def issue(collection: Collection) -> tuple[ApiKey, str]:
    return ApiKey.objects.issue(tenant=collection.tenant, name="agent")


class TestMaking:
    def test_the_answer_shows_a_secret_that_works(self, owner: Client, collection: Collection) -> None:
        principal = authenticate(find_secret(owner.post(url("add"), fill_in(collection.tenant))))
        assert (principal.tenant_id, principal.all_collections) == (collection.tenant_id, True)
        assert principal.scopes == {Scope.READ, Scope.ASK}

    def test_no_browser_keeps_the_answer(self, owner: Client, collection: Collection) -> None:
        response = owner.post(url("add"), fill_in(collection.tenant))
        assert "no-store" in response["Cache-Control"]
        assert response["Referrer-Policy"] == "no-referrer"

    def test_each_client_is_configured_with_the_secret(self, owner: Client, collection: Collection) -> None:
        response = owner.post(url("add"), fill_in(collection.tenant))
        shown = html.unescape(response.content.decode())
        secret = find_secret(response)
        for client in ("Claude Code", "Cursor", "VS Code", "Claude Desktop", "Codex", "curl"):
            assert client in shown
        assert (
            f"claude mcp add --transport http docsmcp http://testserver/mcp --header 'Authorization: Bearer {secret}'"
            in shown
        )

    def test_sent_again_by_a_reload_it_makes_no_second_key(self, owner: Client, collection: Collection) -> None:
        sent = fill_in(collection.tenant, once="of-this-form")
        owner.post(url("add"), sent)
        again = owner.post(url("add"), sent)
        assert ApiKey.objects.count() == 1
        assert "This was done already" in again.content.decode()
        assert not SECRET.search(again.content.decode())

    def test_sent_again_without_its_mistake_it_makes_the_key(self, owner: Client, collection: Collection) -> None:
        sent = fill_in(collection.tenant, once="of-this-form")
        assert "greater than or equal to 1" in owner.post(url("add"), sent | {"rate_limit": "0"}).content.decode()
        assert find_secret(owner.post(url("add"), sent | {"rate_limit": "5"}))
        assert ApiKey.objects.get().rate_limit == 5

    def test_the_secret_is_nowhere_afterwards(self, owner: Client, collection: Collection, caplog: Any) -> None:
        with caplog.at_level("DEBUG"):
            secret = find_secret(owner.post(url("add"), fill_in(collection.tenant)))
        key = ApiKey.objects.get()
        private = secret.removeprefix(f"{key.prefix}_")
        kept = [*ApiKey.objects.values(), *LogEntry.objects.values(), *AuditEvent.objects.values()]
        for page in (url("change", key), url("changelist"), url("history", key), url("rotate", key)):
            assert private not in owner.get(page).content.decode()
        assert private not in json.dumps(kept, default=str) + json.dumps(dict(owner.session)) + caplog.text

    def test_chosen_collections_are_granted_and_no_others(self, owner: Client, collection: Collection) -> None:
        make_collection("other", tenant=collection.tenant)
        sent = fill_in(collection.tenant, granted=[collection.pk])
        del sent["all_collections"]
        principal = authenticate(find_secret(owner.post(url("add"), sent)))
        assert list(Collection.objects.visible_to(principal)) == [collection]

    def test_with_none_chosen_it_reads_nothing(self, owner: Client, collection: Collection) -> None:
        sent = fill_in(collection.tenant)
        del sent["all_collections"]
        assert not Collection.objects.visible_to(authenticate(find_secret(owner.post(url("add"), sent)))).exists()

    def test_limit_and_expiry_are_taken(self, owner: Client, collection: Collection) -> None:
        owner.post(url("add"), fill_in(collection.tenant, rate_limit="7", expires_0="2999-01-31", expires_1="12:00"))
        key = ApiKey.objects.get()
        assert (key.rate_limit, key.expires and key.expires.year) == (7, 2999)

    def test_an_owner_gives_a_key_no_more_than_its_tenant_has_and_an_operator_does(
        self, owner: Client, collection: Collection
    ) -> None:
        Tenant.objects.filter(pk=collection.tenant_id).update(rate_limit=7)
        sent = fill_in(collection.tenant, rate_limit="8")
        page = owner.post(url("add"), sent).content.decode()
        assert "At most 7, which holds now: an operator of the server can raise it." in page
        operator = Client()
        operator.force_login(User.objects.create_superuser("operator"))
        operator.post(url("add"), sent)
        key = ApiKey.objects.get()
        assert key.rate_limit == 8
        owner.post(url("change", key), fill_in(collection.tenant, rate_limit="8", name="Renamed"))
        key.refresh_from_db()
        assert (key.rate_limit, key.name) == (8, "Renamed")
        assert (
            "At most 8" in owner.post(url("change", key), fill_in(collection.tenant, rate_limit="9")).content.decode()
        )

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ({"scopes": []}, "", "required"),
            ({"scopes": ["admin"]}, "", "not one of the available choices"),
            ({"expires_0": "2001-01-01", "expires_1": "12:00"}, "", "To end a key now, revoke it"),
            ({"rate_limit": "0"}, "", "greater than or equal to 1"),
            ({"name": "bell\a"}, "", "has control characters"),
        ],
    )
    def test_a_mistake_stands_in_the_form(
        self, owner: Client, collection: Collection, field: dict[str, Any], value: str, message: str
    ) -> None:
        assert message in html.unescape(owner.post(url("add"), fill_in(collection.tenant, **field)).content.decode())
        assert not ApiKey.objects.exists()

    def test_another_tenant_and_its_collections_are_not_offered(self, owner: Client, collection: Collection) -> None:
        theirs = make_collection("secret-plans")
        assert "secret-plans" not in owner.get(url("add")).content.decode()
        owner.post(url("add"), fill_in(theirs.tenant))
        owner.post(url("add"), fill_in(collection.tenant, granted=[theirs.pk], all_collections=""))
        assert not ApiKey.objects.exists()

    def test_a_key_reads_collections_of_its_own_tenant_only(self, owner: Client, collection: Collection) -> None:
        """Also of somebody who owns both tenants."""
        theirs = make_collection("theirs")
        user = User.objects.get(memberships__tenant=collection.tenant)
        Membership.objects.create(tenant=theirs.tenant, user=user, role="owner")
        sent = fill_in(collection.tenant, granted=[theirs.pk])
        del sent["all_collections"]
        assert "collections of" in owner.post(url("add"), sent).content.decode()
        assert not ApiKey.objects.exists()


class TestRotating:
    def test_the_new_secret_is_shown_and_the_old_one_goes_on(self, owner: Client, collection: Collection) -> None:
        key, old = issue(collection)
        response = owner.post(url("rotate", key), {"hours": "24"})
        assert authenticate(find_secret(response)) == authenticate(old)
        assert "no-store" in response["Cache-Control"]
        assert f"{key.prefix}…" in owner.get(url("change", key)).content.decode()

    def test_at_once_means_at_once(self, owner: Client, collection: Collection) -> None:
        key, old = issue(collection)
        owner.post(url("rotate", key), {"hours": "0"})
        with pytest.raises(InvalidCredential):
            authenticate(old)

    def test_who_rotates_again_is_told_that_the_secret_before_ends(self, owner: Client, collection: Collection) -> None:
        key, _ = issue(collection)
        assert "ends at once" not in owner.get(url("rotate", key)).content.decode()
        owner.post(url("rotate", key), {"hours": "24"})
        key.refresh_from_db()
        shown = owner.get(url("rotate", key)).content.decode()
        assert "ends at once" in shown
        assert key.old_prefix in shown

    def test_a_reload_rotates_no_second_time(self, owner: Client, collection: Collection) -> None:
        key, _ = issue(collection)
        sent = {"hours": "24", "once": "of-this-form"}
        secret = find_secret(owner.post(url("rotate", key), sent))
        assert not SECRET.search(owner.post(url("rotate", key), sent).content.decode())
        assert authenticate(secret)

    def test_looking_at_the_page_changes_nothing(self, owner: Client, collection: Collection) -> None:
        key, secret = issue(collection)
        assert owner.get(url("rotate", key)).status_code == owner.get(url("revoke", key)).status_code == 200
        assert authenticate(secret)

    def test_a_key_that_is_over_is_not_rotated(self, owner: Client, collection: Collection) -> None:
        key, _ = issue(collection)
        key.revoke()
        for response in (owner.get(url("rotate", key), follow=True), owner.post(url("rotate", key), follow=True)):
            assert "revoked or has expired" in response.content.decode()
            assert "Rotate and show" not in response.content.decode()
        assert not SECRET.search(response.content.decode())

    def test_what_was_done_is_in_the_audit_log(self, owner: Client, collection: Collection) -> None:
        key, _ = issue(collection)
        owner.post(url("rotate", key), {"hours": "24"})
        owner.post(url("revoke", key), {"old_only": "1"})
        owner.post(url("revoke", key))
        done = AuditEvent.objects.order_by("pk").values_list("action", "object_id", "tenant_id")
        assert list(done) == [
            (action, str(key.pk), collection.tenant_id) for action in ("rotate", "end the old secret of", "revoke")
        ]


class TestRevoking:
    def test_it_ends_the_key_at_once(self, owner: Client, collection: Collection) -> None:
        key, secret = issue(collection)
        assert owner.post(url("revoke", key)).status_code == 302
        with pytest.raises(InvalidCredential):
            authenticate(secret)

    def test_it_can_end_the_old_secret_alone(self, owner: Client, collection: Collection) -> None:
        key, old = issue(collection)
        new = rotate_api_key(key)
        owner.post(url("revoke", key), {"old_only": "1"})
        assert authenticate(new)
        with pytest.raises(InvalidCredential):
            authenticate(old)

    def test_several_are_revoked_from_the_list(self, owner: Client, collection: Collection) -> None:
        keys = [issue(collection) for _ in range(2)]
        chosen = {"action": "revoke_chosen", "_selected_action": [key.pk for key, _ in keys], "post": "yes"}
        owner.post(url("changelist"), chosen)
        assert not ApiKey.objects.filter(revoked=None).exists()
        assert set(AuditEvent.objects.values_list("action", flat=True)) == {"revoke"}

    def test_a_revoked_key_is_only_looked_at(self, owner: Client, collection: Collection) -> None:
        key, _ = issue(collection)
        key.revoke()
        assert owner.get(url("change", key)).status_code == 200
        assert owner.post(url("change", key), fill_in(collection.tenant, name="renamed")).status_code == 403


class TestChanging:
    def test_what_was_done_to_the_key_meanwhile_stays_done(
        self, owner: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        key, secret = issue(collection)
        check = KeyForm.clean

        def revoke_meanwhile(form: KeyForm) -> Any:
            ApiKey.objects.get(pk=key.pk).revoke()
            return check(form)

        monkeypatch.setattr(KeyForm, "clean", revoke_meanwhile)
        assert owner.post(url("change", key), fill_in(collection.tenant, name="renamed")).status_code == 302
        key.refresh_from_db()
        assert key.name == "renamed"
        with pytest.raises(InvalidCredential):
            authenticate(secret)

    def test_grants_can_be_narrowed(self, owner: Client, collection: Collection) -> None:
        make_collection("other", tenant=collection.tenant)
        key, secret = issue(collection)
        sent = {"name": "narrowed", "scopes": ["read"], "granted": [collection.pk]}
        assert owner.post(url("change", key), sent).status_code == 302
        principal = authenticate(secret)
        assert list(Collection.objects.visible_to(principal)) == [collection]
        assert principal.scopes == {Scope.READ}

    def test_the_page_has_a_passage_for_agents_without_a_secret(self, owner: Client, collection: Collection) -> None:
        key, secret = issue(collection)
        shown = html.unescape(owner.get(url("change", key)).content.decode())
        assert "`guide`" in shown
        assert "DOCSMCP_API_KEY" in shown
        assert secret not in shown

    def test_the_page_tells_when_an_old_secret_was_used(self, owner: Client, collection: Collection) -> None:
        key, old = issue(collection)
        rotate_api_key(key)
        authenticate(old)
        assert "It was used last" in owner.get(url("change", key)).content.decode()

    def test_the_list_tells_states_apart(self, owner: Client, collection: Collection) -> None:
        for name in ("usable", "rotated", "revoked", "expired"):
            ApiKey.objects.issue(tenant=collection.tenant, name=name)
        rotate_api_key(ApiKey.objects.get(name="rotated"), timedelta(hours=1))
        ApiKey.objects.get(name="revoked").revoke()
        ApiKey.objects.filter(name="expired").update(expires=timezone.now())

        def list_names(state: str) -> set[str]:
            found = owner.get(url("changelist"), {"state": state}).context["cl"].result_list
            return {key.name for key in found}

        assert list_names("usable") == {"usable", "rotated"}
        for state in ("rotated", "revoked", "expired"):
            assert list_names(state) == {state}


PAGES = ("change", "rotate", "revoke", "history")


class TestOthers:
    @pytest.mark.parametrize("role", ["viewer", "editor"])
    def test_who_is_no_owner_has_no_keys(self, collection: Collection, role: str) -> None:
        key, secret = issue(collection)
        client = sign_in(collection.tenant, role)
        assert client.get(url("changelist")).status_code == 403
        assert client.get(url("add")).status_code == 403
        for page in PAGES:
            assert client.get(url(page, key)).status_code in (403, 404)
            assert client.post(url(page, key), {"hours": "0"}).status_code in (403, 404)
        assert authenticate(secret)

    def test_another_tenants_key_is_like_none(self, owner: Client) -> None:
        key, secret = issue(make_collection())
        for page in PAGES:
            theirs, none = (
                owner.get(reverse(f"admin:collections_app_apikey_{page}", args=[pk])) for pk in (key.pk, 999_999)
            )
            assert theirs.status_code == none.status_code == 404
        for page in ("rotate", "revoke"):
            assert owner.post(url(page, key), {"hours": "0"}).status_code == 404
        owner.post(url("changelist"), {"action": "revoke_chosen", "_selected_action": [key.pk], "post": "yes"})
        assert authenticate(secret)
        assert key.prefix not in owner.get(url("changelist")).content.decode()

    def test_a_name_that_is_no_number_is_not_found(self, owner: Client) -> None:
        assert owner.get(reverse("admin:collections_app_apikey_rotate", args=["x"])).status_code == 404

    def test_strangers_sign_in_first(self, collection: Collection) -> None:
        key, _ = issue(collection)
        assert Client().get(url("rotate", key)).status_code == 302

    def test_an_owner_of_nothing_else_sees_its_tenant_only(self, owner: Client, collection: Collection) -> None:
        make_tenant("elsewhere")
        assert "elsewhere" not in owner.get(url("add")).content.decode()


@pytest.fixture(autouse=True)
def forget_forms() -> None:
    cache.clear()
