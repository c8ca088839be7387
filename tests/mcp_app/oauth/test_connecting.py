"""A person connects an app that cannot be given a key: the app reads what the person allowed, until somebody ends it."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from collections_app.access import connected_apps
from collections_app.access.memberships import remove_member
from collections_app.models import ApiKey, AuditEvent, Collection, ConnectedApp, Membership, OAuthClient, User
from tests.factories import make_collection, make_tenant, put
from tests.mcp_app.oauth.apps import (
    CALLBACK,
    FORM,
    Browser,
    ask_for,
    call,
    call_tool,
    connect,
    list_tools,
    post_form,
    read_return,
    redeem,
    register,
    renew,
    send_token,
)


def pass_time(**by: float) -> None:
    """Every time that is kept is this much longer ago."""
    delta = timedelta(**by)
    for app in ConnectedApp.objects.all():
        for name in ("code_expires", "code_redeemed", "refresh_expires", "old_refresh_expires"):
            if getattr(app, name):
                setattr(app, name, getattr(app, name) - delta)
        app.save()
    for key in ApiKey.objects.exclude(person=None):
        for name in ("expires", "old_expires", "revoked"):
            if getattr(key, name):
                setattr(key, name, getattr(key, name) - delta)
        key.save()


class TestConnecting:
    def test_the_app_reads_what_the_person_allowed(self, browser: Browser) -> None:
        token = connect(browser)["access_token"]
        assert "thirty days" in call_tool(token, "search_docs", query="holidays")
        assert {"search_docs", "ask_docs"} <= list_tools(token)
        assert "ingest_document" not in list_tools(token)

    def test_the_answer_says_what_was_allowed_and_for_how_long(self, browser: Browser) -> None:
        client_id = register()["client_id"]
        response = redeem(client_id, browser.allow(ask_for(client_id), may=["read"]))
        assert response["Cache-Control"] == "no-store"
        answer = response.json()
        assert (answer["token_type"], answer["expires_in"], answer["scope"]) == ("Bearer", 3600, "read")
        assert "ask_docs" not in list_tools(answer["access_token"])

    def test_the_person_is_sent_back_with_the_state_and_the_issuer(self, browser: Browser) -> None:
        told = read_return(browser.answer(ask_for(register()["client_id"])))
        assert told["state"] == "of the app"
        assert told["iss"] == "https://testserver/oauth"

    def test_collections_can_be_chosen(self, browser: Browser, collection: Collection) -> None:
        other = make_collection("secrets", tenant=collection.tenant)
        put(other, {"plans.md": "# Plans\n\nNobody knows of these holidays.\n"})
        token = connect(browser, reach="chosen", chosen=[collection.pk])["access_token"]
        assert "Nobody knows" not in call_tool(token, "search_docs", query="holidays")
        assert "secrets" not in call_tool(token, "list_collections")

    def test_all_collections_are_later_ones_too(self, browser: Browser, collection: Collection) -> None:
        token = connect(browser)["access_token"]
        make_collection("later", tenant=collection.tenant)
        assert "later" in call_tool(token, "list_collections")

    def test_an_endpoint_of_one_collection_gives_that_alone(self, browser: Browser, collection: Collection) -> None:
        make_collection("secrets", tenant=collection.tenant)
        client_id, path = register()["client_id"], f"/oauth/mcp/{collection.tenant.slug}/handbook"
        asked = ask_for(client_id, resource=f"https://testserver{path}")
        assert "secrets" not in browser.open(asked).content.decode()
        token = redeem(client_id, browser.allow(asked)).json()["access_token"]
        assert "thirty days" in call_tool(token, "search_docs", path, query="holidays")
        assert "secrets" not in call_tool(token, "list_collections")

    def test_it_is_in_the_audit_log(self, browser: Browser, collection: Collection) -> None:
        connect(browser, may=["read"])
        event = AuditEvent.objects.get(action="connect an app")
        assert (event.tenant, event.actor_name) == (collection.tenant, "anna")
        assert event.details == "Chat: read in all collections, by chat.example"

    def test_its_requests_count_for_its_key_in_the_history(self, browser: Browser) -> None:
        token = connect(browser)["access_token"]
        call(token)
        assert ApiKey.objects.get(name="Chat of anna").last_used

    def test_no_secret_is_stored(self, browser: Browser) -> None:
        client_id = register(token_endpoint_auth_method="client_secret_post")
        code = browser.allow(ask_for(client_id["client_id"]))
        tokens = redeem(client_id["client_id"], code, client_secret=client_id["client_secret"]).json()
        stored = repr([*ConnectedApp.objects.values(), *ApiKey.objects.values(), *OAuthClient.objects.values()])
        for secret in (code, tokens["access_token"], tokens["refresh_token"], client_id["client_secret"]):
            assert secret not in stored


class TestCode:
    def test_it_works_once_and_its_second_use_ends_what_the_first_gave(self, browser: Browser) -> None:
        client_id = register()["client_id"]
        code = browser.allow(ask_for(client_id))
        token = redeem(client_id, code).json()["access_token"]
        again = redeem(client_id, code)
        assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
        assert call(token).status_code == 401

    def test_also_its_use_long_after_ends_it(self, browser: Browser) -> None:
        client_id = register()["client_id"]
        code = browser.allow(ask_for(client_id))
        token = redeem(client_id, code).json()["access_token"]
        pass_time(minutes=6)
        assert call(token).status_code == 200
        assert redeem(client_id, code).json()["error"] == "invalid_grant"
        assert call(token).status_code == 401
        event = AuditEvent.objects.get(action="disconnect")
        assert (event.object_name, "stolen" in event.details) == ("Chat of anna", True)

    def test_it_lasts_for_minutes(self, browser: Browser) -> None:
        client_id = register()["client_id"]
        code = browser.allow(ask_for(client_id))
        pass_time(minutes=6)
        assert redeem(client_id, code).json()["error"] == "invalid_grant"

    def test_another_app_cannot_use_it(self, browser: Browser) -> None:
        code = browser.allow(ask_for(register()["client_id"]))
        assert redeem(register()["client_id"], code).json()["error"] == "invalid_grant"

    @pytest.mark.parametrize("verifier", ["w" * 64, "short", ""])
    def test_whoever_only_saw_it_cannot_use_it(self, browser: Browser, verifier: str) -> None:
        client_id = register()["client_id"]
        response = redeem(client_id, browser.allow(ask_for(client_id)), code_verifier=verifier)
        assert response.status_code == 400
        assert not ConnectedApp.objects.exclude(code_redeemed=None).exists()

    def test_it_is_for_the_address_that_it_was_sent_to(self, browser: Browser) -> None:
        client_id = register(redirect_uris=[CALLBACK, "https://chat.example/other"])["client_id"]
        response = redeem(client_id, browser.allow(ask_for(client_id)), redirect_uri="https://chat.example/other")
        assert response.json()["error"] == "invalid_grant"

    def test_it_is_for_the_resource_that_was_allowed(self, browser: Browser, collection: Collection) -> None:
        client_id = register()["client_id"]
        other = f"https://testserver/oauth/mcp/{collection.tenant.slug}/handbook"
        response = redeem(client_id, browser.allow(ask_for(client_id)), resource=other)
        assert response.json()["error"] == "invalid_target"

    def test_before_it_is_redeemed_there_is_no_token(self, browser: Browser) -> None:
        browser.allow(ask_for(register()["client_id"]))
        assert not any(key.is_usable(timezone.now()) for key in ApiKey.objects.exclude(person=None))


class TestSecret:
    """Apps that have one must show it, in either way."""

    @pytest.mark.parametrize("way", ["client_secret_post", "client_secret_basic"])
    def test_it_is_needed(self, browser: Browser, way: str) -> None:
        app = register(token_endpoint_auth_method=way)
        client_id, secret = app["client_id"], app["client_secret"]
        code = browser.allow(ask_for(client_id))
        for wrong in ("", "wrong"):
            assert redeem(client_id, code, client_secret=wrong).json()["error"] == "invalid_client"
        assert redeem(client_id, code, client_secret=secret).status_code == 200

    def test_it_may_be_in_the_header(self, browser: Browser) -> None:
        app = register(token_endpoint_auth_method="client_secret_basic")
        code = browser.allow(ask_for(app["client_id"]))
        right = b64encode(f"{app['client_id']}:{app['client_secret']}".encode()).decode()
        wrong = b64encode(f"{app['client_id']}:wrong".encode()).decode()
        refused = redeem("", code, authorization=f"Basic {wrong}")
        assert (refused.status_code, refused["WWW-Authenticate"][:5]) == (401, "Basic")
        assert redeem("", code, authorization=f"Basic {right}").status_code == 200

    def test_an_app_without_one_needs_none_and_cannot_make_one_up(self, browser: Browser) -> None:
        client_id = register()["client_id"]
        code = browser.allow(ask_for(client_id))
        assert redeem(client_id, code, client_secret="made up").json()["error"] == "invalid_client"


class TestRefreshing:
    def test_it_gives_new_tokens(self, browser: Browser) -> None:
        first = connect(browser)
        pass_time(hours=2)
        assert call(first["access_token"]).status_code == 401
        second = renew(first["client_id"], first["refresh_token"]).json()
        assert second["scope"] == "read ask"
        assert second["refresh_token"] != first["refresh_token"]
        assert call(second["access_token"]).status_code == 200
        assert call(first["access_token"]).status_code == 401

    def test_the_tokens_before_work_for_a_minute_more(self, browser: Browser) -> None:
        first = connect(browser)
        renew(first["client_id"], first["refresh_token"])
        assert call(first["access_token"]).status_code == 200
        pass_time(minutes=2)
        assert call(first["access_token"]).status_code == 401

    def test_an_answer_that_was_lost_can_be_asked_for_again(self, browser: Browser) -> None:
        first = connect(browser)
        lost = renew(first["client_id"], first["refresh_token"]).json()
        pass_time(minutes=29)
        again = renew(first["client_id"], first["refresh_token"]).json()
        assert {**again, "expires_in": lost["expires_in"]} == lost
        assert again["expires_in"] < 31 * 60
        assert call(again["access_token"]).status_code == 200
        assert renew(first["client_id"], again["refresh_token"]).status_code == 200

    def test_an_old_one_shown_later_ends_everything(self, browser: Browser) -> None:
        first = connect(browser)
        second = renew(first["client_id"], first["refresh_token"]).json()
        pass_time(minutes=31)
        assert renew(first["client_id"], first["refresh_token"]).json()["error"] == "invalid_grant"
        assert renew(first["client_id"], second["refresh_token"]).json()["error"] == "invalid_grant"
        assert call(second["access_token"]).status_code == 401

    @pytest.mark.parametrize("refreshes", [2, 5])
    def test_also_one_that_was_replaced_several_times(self, browser: Browser, refreshes: int) -> None:
        """As of an app whose token somebody else used first, and went on from there."""
        first = connect(browser)
        last = first
        for _ in range(refreshes):
            last = renew(first["client_id"], last["refresh_token"]).json()
        assert renew(first["client_id"], first["refresh_token"]).status_code == 400
        assert call(last["access_token"]).status_code == 200
        pass_time(minutes=31)
        assert renew(first["client_id"], first["refresh_token"]).status_code == 400
        assert call(last["access_token"]).status_code == 401
        assert renew(first["client_id"], last["refresh_token"]).status_code == 400

    def test_it_is_for_the_resource_that_was_allowed(self, browser: Browser, collection: Collection) -> None:
        first = connect(browser)
        other = f"https://testserver/oauth/mcp/{collection.tenant.slug}/handbook"
        refused = renew(first["client_id"], first["refresh_token"], resource=other)
        assert refused.json()["error"] == "invalid_target"
        own = renew(first["client_id"], first["refresh_token"], resource="https://testserver/oauth/mcp")
        assert own.status_code == 200

    def test_the_key_stays_the_same(self, browser: Browser) -> None:
        first = connect(browser)
        second = renew(first["client_id"], first["refresh_token"]).json()
        assert second["access_token"].split("_")[:2] == first["access_token"].split("_")[:2]
        assert ApiKey.objects.exclude(person=None).count() == 1

    def test_without_use_it_ends_after_a_month(self, browser: Browser) -> None:
        first = connect(browser)
        pass_time(days=31)
        assert renew(first["client_id"], first["refresh_token"]).json()["error"] == "invalid_grant"

    def test_another_app_cannot_use_it(self, browser: Browser) -> None:
        first = connect(browser)
        assert renew(register()["client_id"], first["refresh_token"]).json()["error"] == "invalid_grant"
        assert call(first["access_token"]).status_code == 200


class TestEnding:
    @pytest.mark.parametrize("which", ["access_token", "refresh_token"])
    def test_the_app_may_give_either_token_back(self, browser: Browser, which: str) -> None:
        tokens = connect(browser)
        given = {"client_id": tokens["client_id"], "token": tokens[which]}
        assert post_form("/oauth/revoke", given).status_code == 200
        assert call(tokens["access_token"]).status_code == 401
        assert renew(tokens["client_id"], tokens["refresh_token"]).json()["error"] == "invalid_grant"
        assert AuditEvent.objects.get(action="disconnect").details == "The app gave its tokens back."

    def test_another_app_cannot(self, browser: Browser) -> None:
        tokens = connect(browser)
        post_form("/oauth/revoke", {"client_id": register()["client_id"], "token": tokens["access_token"]})
        assert call(tokens["access_token"]).status_code == 200

    def test_a_token_that_never_was_is_no_error(self, browser: Browser) -> None:
        given = {"client_id": register()["client_id"], "token": "made up"}
        assert post_form("/oauth/revoke", given).status_code == 200

    def test_it_ends_when_the_person_leaves(self, browser: Browser, person: User, collection: Collection) -> None:
        tokens = connect(browser)
        assert call(tokens["access_token"]).status_code == 200
        remove_member(Membership.objects.get(user=person))
        assert call(tokens["access_token"]).status_code == 401
        assert renew(tokens["client_id"], tokens["refresh_token"]).json()["error"] == "invalid_grant"
        Membership.objects.create(tenant=collection.tenant, user=person)
        assert call(tokens["access_token"]).status_code == 401

    def test_it_rests_while_the_account_is_disabled(self, browser: Browser, person: User) -> None:
        tokens = connect(browser)
        call(tokens["access_token"])
        User.objects.filter(pk=person.pk).update(is_active=False)
        assert call(tokens["access_token"]).status_code == 401
        assert renew(tokens["client_id"], tokens["refresh_token"]).json()["error"] == "invalid_grant"
        User.objects.filter(pk=person.pk).update(is_active=True)
        assert call(tokens["access_token"]).status_code == 200

    def test_it_goes_with_the_account(self, browser: Browser, person: User) -> None:
        tokens = connect(browser)
        person.delete()
        assert call(tokens["access_token"]).status_code == 401
        assert not ConnectedApp.objects.exists()

    def test_who_may_no_longer_write_has_no_app_that_does(self, person: User) -> None:
        Membership.objects.filter(user=person).update(role="editor")
        writing = connect(Browser(person), may=["read", "write"])
        reading = connect(Browser(person), may=["read"])
        assert "ingest_document" in list_tools(writing["access_token"])
        Membership.objects.filter(user=person).update(role="viewer")
        assert call(writing["access_token"]).status_code == 401
        assert call(reading["access_token"]).status_code == 200

    def test_a_superuser_needs_no_membership_and_loses_it_with_the_rank(self, collection: Collection) -> None:
        root = User.objects.create_superuser("root")
        tokens = connect(Browser(root), may=["read", "write"])
        assert "handbook" in call_tool(tokens["access_token"], "list_collections")
        User.objects.filter(pk=root.pk).update(is_superuser=False)
        assert call(tokens["access_token"]).status_code == 401


class TestForgetting:
    def test_what_was_never_taken_up_goes_with_its_key(self, browser: Browser) -> None:
        kept = connect(browser)
        browser.allow(ask_for(register()["client_id"]))
        pass_time(minutes=6)
        connected_apps.forget_old_apps()
        assert ConnectedApp.objects.count() == ApiKey.objects.exclude(person=None).count() == 1
        assert renew(kept["client_id"], kept["refresh_token"]).status_code == 200

    def test_what_ended_stays_in_the_list_for_a_month(self, browser: Browser) -> None:
        connect(browser)
        connected_apps.end(ConnectedApp.objects.get())
        pass_time(days=29)
        connected_apps.forget_old_apps()
        assert ConnectedApp.objects.count() == 1
        pass_time(days=2)
        connected_apps.forget_old_apps()
        assert not ConnectedApp.objects.exists()

    def test_apps_that_nobody_connected_go_after_a_day(self, browser: Browser) -> None:
        connect(browser)
        register()
        OAuthClient.objects.update(read=timezone.now() - timedelta(hours=25))
        connected_apps.forget_old_apps()
        assert OAuthClient.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": 'a "kind"'}, "invalid_request"),
        ({}, "invalid_request"),
        ({"grant_type": "authorization_code"}, "invalid_client"),
        ({"grant_type": "authorization_code", "client_id": "nobody"}, "invalid_client"),
        ({"grant_type": "refresh_token", "client_id": "nobody\x00"}, "invalid_request"),
    ],
)
def test_a_bad_request_for_a_token_gets_the_error_of_the_standard(db: None, form: Any, error: str) -> None:
    response = send_token(**form)
    assert response.status_code in {400, 401}
    assert response.json()["error"] == error


def test_a_missing_code_and_a_missing_refresh_token_are_told(db: None) -> None:
    client_id = register()["client_id"]
    for grant in ("authorization_code", "refresh_token"):
        answer = send_token(grant_type=grant, client_id=client_id).json()
        assert answer["error"] == "invalid_request"
        assert "Missing" in answer["error_description"]


def test_no_token_is_issued_over_plain_http(db: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["docs.example"]
    response = Client().post("/oauth/token", "grant_type=refresh_token", FORM, headers={"Host": "docs.example"})
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")
    assert "https" in response.json()["error_description"]


def test_a_stranger_has_nothing_to_connect(collection: Collection) -> None:
    stranger = User.objects.create_user("stranger")
    Membership.objects.create(tenant=make_tenant(), user=stranger)
    asked = ask_for(register()["client_id"], resource=f"https://testserver/oauth/mcp/{collection.tenant.slug}/handbook")
    response = Browser(stranger).open(asked)
    missing = Browser(stranger).open({**asked, "resource": "https://testserver/oauth/mcp/none/none"})
    assert response.status_code == missing.status_code == 404
    assert "Handbook" not in response.content.decode()
    assert response.content == missing.content
