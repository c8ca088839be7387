"""The consent page: what a person is shown, asked and told, and what the app is told."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client

from collections_app.access import connected_apps
from collections_app.models import Collection, ConnectedApp, Membership, OAuthClient, User
from tests.factories import make_collection, make_tenant
from tests.mcp_app.oauth.apps import (
    CALLBACK,
    CHALLENGE,
    Browser,
    ask_for,
    call_tool,
    connect,
    list_tools,
    read_return,
    redeem,
    register,
)


def read(response: Any) -> str:
    return html.unescape(response.content.decode())


@pytest.fixture
def client_id(db: None) -> str:
    found: str = register(client_name="Chat <b>")["client_id"]
    return found


class TestPage:
    def test_a_stranger_signs_in_first_and_comes_back(self, client_id: str) -> None:
        response = Browser(None).open(ask_for(client_id))
        assert response.status_code == 302
        assert response["Location"].startswith("/admin/login/?next=/oauth/authorize%3F")

    def test_it_says_who_asks_for_what_and_where_the_person_goes_next(
        self, browser: Browser, client_id: str, collection: Collection
    ) -> None:
        page = browser.open(ask_for(client_id))
        assert page.status_code == 200
        assert "Chat &lt;b&gt;" in page.content.decode()
        for told in (collection.tenant.name, "anna", "chat.example", "Handbook"):
            assert told in read(page)
        assert "no-store" in page["Cache-Control"]
        assert page["X-Frame-Options"] == "DENY"

    def test_the_browser_may_follow_the_answer_to_the_app_and_to_nothing_inline(
        self, browser: Browser, client_id: str
    ) -> None:
        policy = browser.open(ask_for(client_id))["Content-Security-Policy"]
        assert "form-action 'self' https:" in policy
        assert "default-src 'none'" in policy

    @pytest.mark.parametrize(
        ("scope", "checked"), [("read", {"read"}), ("", {"read", "ask"}), ("openid", {"read", "ask"})]
    )
    def test_what_the_app_asks_for_is_ticked(
        self, browser: Browser, client_id: str, scope: str, checked: set[str]
    ) -> None:
        form = browser.open(ask_for(client_id, scope=scope)).context["form"]
        assert set(form["may"].value()) == checked

    @pytest.mark.parametrize(("role", "offered"), [("viewer", {"read", "ask"}), ("editor", {"read", "ask", "write"})])
    def test_nobody_allows_more_than_their_role_has(
        self, browser: Browser, person: User, client_id: str, role: str, offered: set[str]
    ) -> None:
        Membership.objects.update(role=role)
        form = browser.open(ask_for(client_id, scope="read ask write")).context["form"]
        assert {value for value, _ in form.fields["may"].choices} == offered
        response = browser.answer(ask_for(client_id), may=["read", "write"])
        assert (response.status_code == 302) is ("write" in offered)

    def test_a_person_may_allow_more_than_was_asked_for(self, browser: Browser, person: User, client_id: str) -> None:
        Membership.objects.update(role="editor")
        code = browser.allow(ask_for(client_id, scope="read"), may=["read", "write"])
        assert "ingest_document" in list_tools(redeem(client_id, code).json()["access_token"])

    @pytest.mark.parametrize(
        ("form", "told"), [({"may": []}, "Choose at least one."), ({"reach": "chosen"}, "Choose at least one, or all.")]
    )
    def test_an_incomplete_form_is_asked_again(
        self, browser: Browser, client_id: str, form: dict[str, Any], told: str
    ) -> None:
        response = browser.answer(ask_for(client_id), **form)
        assert response.status_code == 200
        assert told in read(response)
        assert not ConnectedApp.objects.exists()

    def test_ticked_collections_do_not_become_all(
        self, browser: Browser, client_id: str, collection: Collection
    ) -> None:
        response = browser.answer(ask_for(client_id), reach="all", chosen=[collection.pk])
        assert response.status_code == 200
        assert "untick them" in read(response)
        assert not ConnectedApp.objects.exists()

    def test_a_collection_of_another_tenant_cannot_be_chosen(self, browser: Browser, client_id: str) -> None:
        response = browser.answer(ask_for(client_id), reach="chosen", chosen=[make_collection("foreign").pk])
        assert response.status_code == 200
        assert not ConnectedApp.objects.exists()

    def test_without_the_form_s_token_nothing_is_allowed(self, person: User, client_id: str) -> None:
        browser = Browser(person, Client(enforce_csrf_checks=True))
        assert browser.answer(ask_for(client_id)).status_code == 403
        assert not ConnectedApp.objects.exists()

    def test_saying_no_tells_the_app(self, browser: Browser, client_id: str) -> None:
        told = read_return(browser.answer(ask_for(client_id), deny="1"))
        assert (told["error"], told["state"], told["iss"]) == (
            "access_denied",
            "of the app",
            "https://testserver/oauth",
        )
        assert not ConnectedApp.objects.exists()


def test_nobody_connects_apps_without_end(browser: Browser, client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a rate limit of its own."""
    monkeypatch.setattr(connected_apps, "MOST_OF_PERSON", 2)
    for _ in range(2):
        connect(browser)
    response = browser.open(ask_for(client_id))
    assert response.status_code == 409
    assert "disconnect those" in read(response)
    assert browser.answer(ask_for(client_id)).status_code == 409
    connected_apps.end(ConnectedApp.objects.all()[0])
    assert browser.open(ask_for(client_id)).status_code == 200


class TestTenants:
    def test_whoever_belongs_to_several_chooses_one(
        self, browser: Browser, person: User, client_id: str, collection: Collection
    ) -> None:
        other = make_collection("manual", tenant=make_tenant("other"))
        Membership.objects.create(tenant=other.tenant, user=person)
        make_tenant("foreign")
        asked = ask_for(client_id)
        page = browser.open(asked)
        assert "form" not in page.context
        assert "tenant=other" in read(page)
        assert "foreign" not in read(page)
        token = redeem(client_id, browser.allow(asked | {"tenant": "other"})).json()["access_token"]
        assert "manual" in call_tool(token, "list_collections")
        assert "handbook" not in call_tool(token, "list_collections")

    def test_a_foreign_tenant_cannot_be_chosen(self, browser: Browser, person: User, client_id: str) -> None:
        Membership.objects.create(tenant=make_tenant(), user=person)
        make_tenant("foreign")
        page = browser.answer(ask_for(client_id, tenant="foreign"))
        assert page.status_code == 200
        assert not ConnectedApp.objects.exists()

    def test_an_account_without_a_tenant_is_told(self, client_id: str) -> None:
        response = Browser(User.objects.create_user("alone")).open(ask_for(client_id))
        assert response.status_code == 404
        assert "Ask an owner" in read(response)


class TestRequests:
    """What is wrong with what the app asks is told the app, once it is known where to; before, the person."""

    @pytest.mark.parametrize(
        ("changes", "error"),
        [
            ({"response_type": "token"}, "unsupported_response_type"),
            ({"code_challenge": ""}, "invalid_request"),
            ({"code_challenge_method": "plain"}, "invalid_request"),
            ({"code_challenge_method": ""}, "invalid_request"),
            ({"code_challenge": "short"}, "invalid_request"),
            ({"code_challenge": "v" * 128}, "invalid_request"),
            ({"code_challenge": "v" * 43 + "\n"}, "invalid_request"),
            ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
            ({"resource": "https://testserver/mcp"}, "invalid_target"),
            ({"resource": "https://[broken"}, "invalid_target"),
            ({"resource": "https://testserver:x/oauth/mcp"}, "invalid_target"),
            ({"resource": "https://testserver:8443/oauth/mcp"}, "invalid_target"),
            ({"resource": "https://somebody@testserver/oauth/mcp"}, "invalid_target"),
            ({"resource": "https://testserver/oauth/mcp#x"}, "invalid_target"),
        ],
    )
    def test_the_app_is_told(
        self, browser: Browser, client_id: str, changes: dict[str, str], error: str, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": ("chat.example",)})
        told = read_return(browser.open(ask_for(client_id, **changes)))
        assert (told["error"], told["state"], told["iss"]) == (error, "of the app", "https://testserver/oauth")
        assert read_return(browser.answer(ask_for(client_id, **changes)))["error"] == error
        assert not ConnectedApp.objects.exists()

    @pytest.mark.parametrize("changes", [{"response_type": "token"}, {"code_challenge": ""}, {"resource": "x"}])
    @pytest.mark.parametrize("hosts", [(), ("*",)])
    def test_a_link_to_this_server_does_not_lead_to_any_website(
        self, browser: Browser, client_id: str, changes: dict[str, str], hosts: tuple[str, ...], settings: Any
    ) -> None:
        """Unless the operator has named it, or the person is asked."""
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": hosts})
        response = browser.open(ask_for(client_id, **changes))
        assert response.status_code == 400
        assert "The app asked for something that cannot be" in read(response)
        own = register(redirect_uris=["http://localhost/callback"])["client_id"]
        asked = ask_for(own, redirect_uri="http://localhost:3000/callback", **changes)
        assert browser.open(asked)["Location"].startswith("http://localhost:3000/callback?error=")

    @pytest.mark.parametrize(
        "changes",
        [
            {"client_id": "app_unknown"},
            {"client_id": ""},
            {"client_id": "app\x00"},
            {"redirect_uri": "https://evil.example/callback"},
            {"redirect_uri": CALLBACK + "/more"},
            {"redirect_uri": 'https://chat.example/"'},
            {"redirect_uri": "javascript:alert(1)"},
            {"scope": 'a "scope"'},
            {"response_type": "cödé"},
        ],
    )
    def test_the_person_is_told_and_sent_nowhere(
        self, browser: Browser, client_id: str, changes: dict[str, str]
    ) -> None:
        for response in (browser.open(ask_for(client_id, **changes)), browser.answer(ask_for(client_id, **changes))):
            assert response.status_code == 400
            assert 'role="alert"' in response.content.decode()
        assert not ConnectedApp.objects.exists()

    def test_the_only_address_need_not_be_named(self, browser: Browser, client_id: str) -> None:
        code = browser.allow(ask_for(client_id, redirect_uri=""))
        assert redeem(client_id, code).status_code == 200
        assert redeem(client_id, browser.allow(ask_for(client_id)), redirect_uri="").status_code == 200

    def test_of_several_it_must_be(self, browser: Browser) -> None:
        client_id = register(redirect_uris=[CALLBACK, "https://chat.example/other"])["client_id"]
        assert browser.open(ask_for(client_id, redirect_uri="")).status_code == 400

    @pytest.mark.parametrize(
        "resource",
        [
            "",
            "https://testserver/oauth/mcp/",
            "HTTPS://TESTSERVER/oauth/mcp",
            "https://testserver:443/oauth/mcp",
            "https://testserver/oauth/mcp?profile=openai",
        ],
    )
    def test_a_resource_may_be_left_out_or_spelled_otherwise(
        self, browser: Browser, client_id: str, resource: str
    ) -> None:
        browser.allow(ask_for(client_id, resource=resource))
        assert ConnectedApp.objects.get().resource == "/oauth/mcp"

    def test_parameters_that_come_twice_are_refused(self, browser: Browser, client_id: str) -> None:
        twice = {**ask_for(client_id), "state": ["a", "b"]}
        assert browser.client.get("/oauth/authorize", twice, secure=True).status_code == 400

    def test_the_operator_decides_to_which_websites_people_are_sent(
        self, browser: Browser, client_id: str, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": ("claude.ai", ".chat.example")})
        assert browser.open(ask_for(client_id)).status_code == 200
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": ("claude.ai",)})
        assert browser.open(ask_for(client_id)).status_code == 400
        assert browser.open(ask_for(client_id, redirect_uri="", response_type="token")).status_code == 400

    def test_of_several_addresses_those_that_the_operator_allows_can_be_used(
        self, browser: Browser, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": ("claude.ai",)})
        client_id = register(redirect_uris=[CALLBACK, "http://127.0.0.1/"])["client_id"]
        assert browser.open(ask_for(client_id, redirect_uri="http://127.0.0.1:33418/")).status_code == 200
        refused = browser.open(ask_for(client_id))
        assert refused.status_code == 400
        assert "OAUTH_REDIRECT_HOSTS" in read(refused)

    def test_a_program_on_the_person_s_machine_listens_on_any_port(self, browser: Browser) -> None:
        client_id = register(redirect_uris=["http://127.0.0.1/callback"])["client_id"]
        page = browser.open(ask_for(client_id, redirect_uri="http://127.0.0.1:53124/callback"))
        assert "a program on your own computer" in read(page)
        assert browser.open(ask_for(client_id, redirect_uri="http://127.0.0.1:53124/other")).status_code == 400

    def test_an_app_with_a_scheme_of_its_own_is_named_by_it(self, browser: Browser) -> None:
        client_id = register(redirect_uris=["editor://docs/callback"])["client_id"]
        asked = ask_for(client_id, redirect_uri="editor://docs/callback")
        page = browser.open(asked)
        assert "the app on your computer that opens editor: addresses" in read(page)
        assert "form-action 'self' editor:" in page["Content-Security-Policy"]
        assert browser.answer(asked)["Location"].startswith("editor://docs/callback?code=")

    @pytest.mark.parametrize(
        "uri",
        [
            "com.example.app:///callback",
            "editor:callback",
            "https://chat.example",
            "https://chat.example/callback?empty=&flag&a=%ff",
        ],
    )
    def test_the_address_to_go_back_to_stays_as_it_was_registered(self, browser: Browser, uri: str) -> None:
        client_id = register(redirect_uris=[uri])["client_id"]
        sign = "&" if "?" in uri else "?"
        for form, told in (({}, "code="), ({"deny": "1"}, "error=")):
            location = browser.answer(ask_for(client_id, redirect_uri=uri), **form)["Location"]
            assert location.startswith(f"{uri}{sign}{told}")

    def test_a_long_address_with_a_port_of_its_own_is_refused(self, browser: Browser) -> None:
        path = "x" * 1_980
        client_id = register(redirect_uris=[f"http://127.0.0.1/{path}"])["client_id"]
        assert browser.answer(ask_for(client_id, redirect_uri=f"http://127.0.0.1:65535/{path}")).status_code == 400

    def test_it_is_no_page_where_oauth_is_off(self, browser: Browser, client_id: str, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": False})
        assert browser.open(ask_for(client_id)).status_code == 404

    def test_it_needs_https(self, browser: Browser, client_id: str) -> None:
        response = browser.client.get("/oauth/authorize", ask_for(client_id))
        assert response.status_code == 400
        assert "https" in read(response)

    @pytest.mark.parametrize(
        "host", ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000"]
    )
    def test_it_needs_none_on_the_machine_itself(
        self, browser: Browser, client_id: str, settings: Any, host: str
    ) -> None:
        settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
        asked = ask_for(client_id, resource="")
        assert browser.client.get("/oauth/authorize", asked, headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS"])
    def test_it_is_opened_and_answered_only(self, browser: Browser, client_id: str, method: str) -> None:
        response = browser.client.generic(method, "/oauth/authorize", query_params=ask_for(client_id), secure=True)
        assert response.status_code == 405

    def test_requests_are_limited(self, browser: Browser, client_id: str, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_rate_limit_requests": 2})
        statuses = [browser.open(ask_for(client_id)).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


def test_a_name_made_to_look_like_another_is_shown_as_it_is(browser: Browser) -> None:
    client_id = register(client_name="evil\u202egpj.app\n")["client_id"]
    assert OAuthClient.objects.get(client_id=client_id).name == "evilgpj.app"


def test_the_challenge_is_kept_as_it_was_sent(browser: Browser, client_id: str) -> None:
    browser.allow(ask_for(client_id))
    assert ConnectedApp.objects.get().code_challenge == CHALLENGE
