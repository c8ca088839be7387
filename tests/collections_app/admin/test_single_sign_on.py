"""People sign in at the operator's provider: into the account that is theirs, and into no other."""

from __future__ import annotations

import html
import time
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_network
from threading import Barrier, Semaphore
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.utils.encoding import iri_to_uri
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from collections_app.access import invitations, single_sign_on
from collections_app.access.roles import Role
from collections_app.admin import single_sign_on as views
from collections_app.clients import openid
from collections_app.limits import sign_ins
from collections_app.models import AuditEvent, Identity, Invitation, Membership, Tenant, User
from tests.factories import make_tenant
from tests.fake_provider import CLIENT_ID, CLIENT_SECRET, FakeProvider, serving_provider
from tests.other_thread import start
from tests.web_login import signed_in_as_web_login

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Any) -> Iterator[FakeProvider]:
    single_sign_on.keep_provider.cache_clear()  # another test's provider may have had this one's port
    with serving_provider() as provider:
        configure(settings, oidc_issuer=provider.issuer, oidc_client_id=CLIENT_ID, oidc_client_secret=CLIENT_SECRET)
        yield provider


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme")


def configure(settings: Any, **changes: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=changes)


def sign_in(provider: FakeProvider, client: Client, wanted: str = "", **claims: Any) -> Any:
    """The answer to a person who comes back from the provider."""
    provider.claims = claims
    begun = client.get("/sign-in", {"next": wanted} if wanted else {})
    assert begun.status_code == 302, begun.content.decode()
    return client.get("/sign-in/return", provider.let_in(begun["Location"]))


def find_user(client: Client) -> User | None:
    """Who is signed in."""
    return User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()


def make_member(tenant: Tenant, name: str = "anna@example.org", **fields: Any) -> User:
    user = User.objects.create_user(name, password="right", **fields)
    Membership.objects.create(tenant=tenant, user=user)
    return user


def make_owner(tenant: Tenant, name: str = "owner") -> User:
    owner = make_member(tenant, name)
    Membership.objects.filter(user=owner).update(role="owner")
    return owner


def read(response: Any) -> str:
    return html.unescape(response.content.decode())


class TestKnownPeople:
    @pytest.fixture
    def anna(self, provider: FakeProvider, tenant: Tenant) -> User:
        user = make_member(tenant)
        Identity.objects.create(user=user, issuer=provider.issuer, subject="person-1")
        return user

    def test_they_are_signed_in_and_led_to_where_they_wanted(self, provider: FakeProvider, anna: User) -> None:
        client = Client()
        response = sign_in(provider, client, "/docs/acme/?page=2")
        assert (response.status_code, response["Location"]) == (302, "/docs/acme/?page=2")
        assert find_user(client) == anna
        assert client.get("/admin/").status_code == 200

    def test_their_address_at_the_provider_does_not_matter(self, provider: FakeProvider, anna: User) -> None:
        client = Client()
        make_member(make_tenant(), "bert@example.org")
        sign_in(provider, client, email="bert@example.org", email_verified=True)
        assert find_user(client) == anna

    @pytest.mark.parametrize(
        "wanted",
        ["https://evil.example/", "//evil.example", r"/\evil.example", "javascript:alert(1)", "docs", "sign_in", ""],
    )
    def test_they_are_led_to_no_other_site(self, provider: FakeProvider, anna: User, wanted: str) -> None:
        assert sign_in(provider, Client(), wanted)["Location"] == "/admin/"

    def test_a_browser_keeps_where_they_wanted_however_long_it_is(self, provider: FakeProvider, anna: User) -> None:
        """RFC 6265, 6.1: browsers keep 4,096 bytes of a cookie's name, value and attributes."""
        for wanted in ("/docs/" + "a,;" * 680, "/docs/" + "%22" * 680, "/docs/" + "\u00e9" * 300):
            begun = Client().get("/sign-in", {"next": wanted})
            assert len(begun.cookies["docsmcp_sign_in"].OutputString()) < 4096
            response = sign_in(provider, Client(), wanted)
            assert response["Location"] == iri_to_uri(wanted)
        begun = Client().get("/sign-in", {"next": "/docs/" + "\u00e9" * 1000})
        assert len(begun.cookies["docsmcp_sign_in"].OutputString()) < 4096

    def test_a_disabled_account_stays_outside(self, provider: FakeProvider, anna: User) -> None:
        User.objects.update(is_active=False)
        client = Client()
        response = sign_in(provider, client)
        assert response.status_code == 403
        assert "switched off" in read(response)
        assert find_user(client) is None

    def test_another_provider_s_person_of_the_same_number_is_somebody_else(
        self, provider: FakeProvider, anna: User
    ) -> None:
        Identity.objects.update(issuer="https://other.example")
        client = Client()
        assert sign_in(provider, client).status_code == 403
        assert find_user(client) is None

    def test_whoever_belongs_to_no_tenant_any_more_is_told(self, provider: FakeProvider, anna: User) -> None:
        Membership.objects.all().delete()
        response = sign_in(provider, Client())
        assert response.status_code == 403
        assert "belongs to no tenant" in read(response)


class TestNewPeople:
    def test_a_stranger_is_told_to_be_invited(self, provider: FakeProvider, tenant: Tenant) -> None:
        response = sign_in(provider, Client(), email="anna@example.org", email_verified=True)
        assert response.status_code == 403
        assert "to invite anna@example.org" in read(response)
        assert not User.objects.exists()

    @pytest.mark.parametrize("role", ["viewer", "editor"])
    def test_everybody_joins_the_tenant_of_the_setting(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, role: str
    ) -> None:
        configure(settings, oidc_tenant="acme", oidc_role=role)
        client = Client()
        assert sign_in(provider, client, email="Anna@Example.org")["Location"] == "/admin/"
        user = find_user(client)
        assert user
        assert (user.username, user.email, user.has_usable_password()) == (
            "anna@example.org",
            "anna@example.org",
            False,
        )
        assert [(each.tenant, each.role) for each in user.memberships.all()] == [(tenant, role)]
        assert AuditEvent.objects.get(action="connect single sign-on").actor == user
        joined = AuditEvent.objects.get(action="join by single sign-on")
        assert (joined.tenant, joined.actor) == (tenant, user)

    @pytest.mark.parametrize(
        ("email", "is_verified", "joins"),
        [
            ("Anna@example.org", True, True),
            ("anna@example.org", False, False),
            ("anna@sub.example.org", True, False),
            ("anna@sub.example.net", True, True),
            ("anna@example.org.evil.example", True, False),
            ("example.org@evil.example", True, False),
            ("", True, False),
        ],
    )
    def test_of_the_domains_of_the_setting_they_join(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, email: str, is_verified: bool, joins: bool
    ) -> None:
        configure(settings, oidc_tenant="acme", oidc_domains=("example.org", ".example.net"))
        response = sign_in(provider, Client(), email=email, email_verified=is_verified)
        assert response.status_code == (302 if joins else 403)
        assert User.objects.exists() == joins

    def test_who_is_invited_comes_from_any_domain(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> None:
        configure(settings, oidc_tenant="acme", oidc_domains=("example.org",))
        invitations.invite(tenant, "guest@other.example", Role.EDITOR, make_owner(tenant))
        for _ in range(2):
            response = sign_in(provider, Client(), email="guest@other.example", email_verified=True)
            assert response.status_code == 302
        assert Membership.objects.get(user__username="guest@other.example").role == "editor"

    def test_a_second_time_it_is_the_same_account(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> None:
        configure(settings, oidc_tenant="acme")
        for email in ("anna@example.org", "anna.new@example.org"):
            sign_in(provider, Client(), email=email)
        assert User.objects.count() == Identity.objects.count() == 1

    def test_a_role_that_was_taken_away_does_not_come_back(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        configure(settings, oidc_tenant="acme")
        sign_in(provider, Client())
        Membership.objects.all().delete()
        assert sign_in(provider, Client()).status_code == 403
        assert not Membership.objects.exists()

    @pytest.mark.parametrize(
        ("claims", "name"),
        [
            ({"preferred_username": "anna"}, "anna"),
            ({"preferred_username": "an\x00na"}, "person-1"),
            ({"preferred_username": "x" * 151}, "person-1"),
            ({"preferred_username": "\ufdfa" * 100}, "person-1"),
            ({"preferred_username": "an\u202ena"}, "anna"),
            ({"email": f"{'x' * 300}@example.org", "preferred_username": "anna"}, "anna"),
            ({"email": "an\x00na@example.org", "preferred_username": "anna"}, "anna"),
            ({"email": "no address", "preferred_username": "anna"}, "anna"),
            ({}, "person-1"),
            ({"email": 7, "preferred_username": []}, "person-1"),
        ],
    )
    def test_without_an_address_the_account_has_another_name(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, claims: dict[str, Any], name: str
    ) -> None:
        configure(settings, oidc_tenant="acme")
        client = Client()
        sign_in(provider, client, **claims)
        user = find_user(client)
        assert user
        assert user.username == name

    @pytest.mark.parametrize(
        "claims", [{"preferred_username": "Admin"}, {"preferred_username": "ａdmin"}, {"sub": "Admin"}]
    )
    def test_a_name_that_somebody_has_gives_no_way_into_the_account(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, claims: dict[str, str]
    ) -> None:
        configure(settings, oidc_tenant="acme")
        admin = User.objects.create_superuser("admin")
        client = Client()
        sign_in(provider, client, **claims)
        user = find_user(client)
        assert user
        assert user != admin
        assert not user.is_superuser
        assert user.username.lower().startswith("admin "), "who reads a list of accounts can tell them apart"

    def test_a_name_that_is_an_address_stands_for_one(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        configure(settings, oidc_tenant="acme")
        make_member(tenant, "anna", email="anna@example.org")
        response = sign_in(provider, Client(), preferred_username="Anna@Example.org", email_verified=True)
        assert "There is an account of anna@example.org" in read(response)

    def test_a_name_that_is_an_address_is_not_vouched_for(self, provider: FakeProvider, tenant: Tenant) -> None:
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, make_owner(tenant))
        response = sign_in(provider, Client(), preferred_username="anna@example.org", email_verified=True)
        assert response.status_code == 403
        assert Invitation.objects.get().accepted is None

    @pytest.mark.parametrize("email", ["\u212aate@example.org", "kate\u200b@example.org", "\uff4bate@example.org"])
    def test_an_address_that_looks_like_an_invited_one_is_not_it(
        self, provider: FakeProvider, tenant: Tenant, email: str
    ) -> None:
        invitations.invite(tenant, "kate@example.org", Role.EDITOR, make_owner(tenant))
        assert sign_in(provider, Client(), email=email, email_verified=True).status_code == 403
        assert not User.objects.exclude(username="owner").exists()

    def test_an_invitation_to_an_address_that_the_provider_vouches_for_is_accepted(
        self, provider: FakeProvider, tenant: Tenant
    ) -> None:
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, make_owner(tenant))
        client = Client()
        assert sign_in(provider, client, email="anna@example.org", email_verified=False).status_code == 403
        assert sign_in(provider, client, email="anna@example.org", email_verified=True).status_code == 302
        user = find_user(client)
        assert user
        assert user.memberships.get().role == "editor"
        assert Invitation.objects.get().accepted
        event = AuditEvent.objects.get(action="accept an invitation")
        assert (event.tenant, event.actor) == (tenant, user)

    def test_whoever_is_invited_by_several_joins_all(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        configure(settings, oidc_tenant="acme")
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, make_owner(tenant))
        other = make_tenant("other")
        invitations.invite(other, "anna@example.org", Role.VIEWER, make_owner(other, "owner of other"))
        client = Client()
        sign_in(provider, client, email="anna@example.org", email_verified=True)
        user = find_user(client)
        assert user
        assert {each.tenant: each.role for each in user.memberships.all()} == {tenant: "editor", other: "viewer"}
        assert not AuditEvent.objects.filter(action="join by single sign-on").exists()

    def test_an_invitation_whose_inviter_left_lets_nobody_in(self, provider: FakeProvider, tenant: Tenant) -> None:
        owner = make_owner(tenant)
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, owner)
        owner.memberships.all().delete()
        assert sign_in(provider, Client(), email="anna@example.org", email_verified=True).status_code == 403

    def test_an_invitation_that_is_taken_meanwhile_is_told(
        self, provider: FakeProvider, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owner = make_owner(tenant)
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, owner)
        is_backed, asked = invitations.is_backed, []

        def leave_after_the_first_look(invitation: Invitation) -> bool:
            asked.append(invitation)
            if len(asked) == 2:
                owner.memberships.all().delete()
            return is_backed(invitation)

        monkeypatch.setattr(invitations, "is_backed", leave_after_the_first_look)
        response = sign_in(provider, Client(), email="anna@example.org", email_verified=True)
        assert response.status_code == 403
        assert invitations.GONE in read(response)
        assert User.objects.get() == owner

    def test_an_accepted_invitation_s_page_is_not_shown_again(self, provider: FakeProvider, tenant: Tenant) -> None:
        _, token = invitations.invite(tenant, "anna@example.org", Role.VIEWER, make_owner(tenant))
        client = Client()
        response = sign_in(provider, client, f"/invitations/{token}", email="anna@example.org", email_verified=True)
        assert response["Location"] == "/admin/"
        assert client.get("/admin/").status_code == 200

    def test_an_invitation_s_link_is_accepted_on_its_page(self, provider: FakeProvider, tenant: Tenant) -> None:
        _, token = invitations.invite(tenant, "anna@example.org", Role.VIEWER, make_owner(tenant))
        page = f"/invitations/{token}"
        client = Client()
        assert f"/sign-in?next={page}" in read(client.get(page))
        response = sign_in(provider, client, page, email="anna.other@example.org")
        assert response["Location"] == page
        user = find_user(client)
        assert user
        assert not user.memberships.exists()
        client.post(page)
        assert user.memberships.get().tenant == tenant

    def test_an_invitation_that_is_over_lets_nobody_in(self, provider: FakeProvider, tenant: Tenant) -> None:
        response = sign_in(provider, Client(), "/invitations/made-up")
        assert response.status_code == 403
        assert not User.objects.exists()


class TestAccountsThatAreThere:
    """An address alone leads into no account: it has to be proved by its password once."""

    @pytest.mark.parametrize("fields", [{}, {"name": "anna", "email": "Anna@example.org"}])
    def test_its_owner_signs_in_by_password_once(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, fields: dict[str, Any]
    ) -> None:
        configure(settings, oidc_tenant="acme")
        anna = make_member(tenant, **fields)
        client = Client()
        response = sign_in(provider, client, "/docs/", email="anna@example.org", email_verified=True)
        assert response.status_code == 403
        assert "There is an account of anna@example.org" in read(response)
        assert "/admin/login/?next=/sign-in%3Fnext%3D%252Fdocs%252F" in read(response)
        assert find_user(client) is None
        client.force_login(anna)
        assert sign_in(provider, client, email="anna@example.org")["Location"] == "/admin/"
        other = Client()
        sign_in(provider, other)
        assert find_user(other) == anna

    def test_without_a_password_its_owner_is_not_sent_to_type_one(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        """As when this server is registered anew at a provider that then calls everybody otherwise."""
        configure(settings, oidc_tenant="acme")
        sign_in(provider, Client(), email="anna@example.org", email_verified=True)
        response = sign_in(provider, Client(), sub="another", email="anna@example.org", email_verified=True)
        assert response.status_code == 403
        assert "has no password. Ask a superuser" in read(response)
        assert "Sign in by password" not in read(response)

    def test_somebody_else_at_the_same_browser_does_not_get_it(self, provider: FakeProvider, tenant: Tenant) -> None:
        anna = make_member(tenant)
        client = Client()
        client.force_login(anna)
        response = sign_in(provider, client, email="bert@example.org", email_verified=True)
        assert response.status_code == 403
        assert "another address" in read(response)
        assert not Identity.objects.exists()

    @pytest.mark.parametrize(
        ("came_from", "is_connected"), [("cross-site", False), ("same-site", False), ("same-origin", True)]
    )
    def test_another_site_that_began_connects_nobody(
        self, provider: FakeProvider, tenant: Tenant, came_from: str, is_connected: bool
    ) -> None:
        """It may have signed in somebody of its own at the provider, who calls itself as the victim does."""
        client = Client()
        client.force_login(make_member(tenant))
        provider.claims = {"email": "anna@example.org"}
        begun = client.get("/sign-in", headers={"sec-fetch-site": came_from})
        response = client.get("/sign-in/return", provider.let_in(begun["Location"]))
        assert response.status_code == (302 if is_connected else 403)
        assert Identity.objects.exists() == is_connected

    def test_an_account_without_an_address_is_not_connected_by_having_none(
        self, provider: FakeProvider, tenant: Tenant
    ) -> None:
        client = Client()
        client.force_login(make_member(tenant, "anna"))
        assert sign_in(provider, client).status_code == 403
        assert not Identity.objects.exists()


class TestProof:
    """What comes back must be the provider's, for this server, this browser and this moment."""

    @pytest.fixture(autouse=True)
    def everybody_joins(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> None:
        configure(settings, oidc_tenant="acme")

    @pytest.mark.parametrize(
        "claims",
        [
            {"iss": "https://other.example"},
            {"aud": "another client"},
            {"aud": [CLIENT_ID, "another"], "azp": "another"},
            {"nonce": "of another browser"},
            {"exp": int(time.time()) - 600},
            {"iat": int(time.time()) + 6_000, "exp": int(time.time()) + 9_000},
            {"sub": ""},
            {"sub": 7},
            {"sub": "x" * 256},
            {"sub": "nul\x00"},
        ],
    )
    def test_claims_that_are_not_for_us_let_nobody_in(self, provider: FakeProvider, claims: dict[str, Any]) -> None:
        response = sign_in(provider, Client(), **claims)
        assert response.status_code == 403
        assert "does not prove" in read(response)
        assert not User.objects.exists()

    def test_a_signature_by_another_key_lets_nobody_in(self, provider: FakeProvider) -> None:
        client = Client()
        sign_in(provider, Client())
        User.objects.all().delete()
        stranger = RSAKey.generate_key(2048, {"kid": "first"})
        begun = client.get("/sign-in")
        provider.key, known = stranger, provider.key
        provider.changes["/realms/staff/keys"] = {"keys": [known.as_dict(private=False)]}
        assert client.get("/sign-in/return", provider.let_in(begun["Location"])).status_code == 403
        assert not User.objects.exists()

    def test_no_signature_and_one_by_a_secret_let_nobody_in(self, provider: FakeProvider) -> None:
        now = int(time.time())
        claims = {"iss": provider.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 60, "sub": "person-1"}
        for token in (
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
            jwt.encode({"alg": "HS256", "kid": "first"}, claims, OctKey.import_key(CLIENT_SECRET * 3)),
            "no token",
            "",
        ):
            provider.changes["/realms/staff/token"] = {"id_token": token, "access_token": "x"}
            assert sign_in(provider, Client()).status_code == 403
        assert not User.objects.exists()

    def test_a_provider_s_secret_keys_prove_nothing(self, provider: FakeProvider) -> None:
        """Whoever reads its list of keys could sign by them."""
        secret = OctKey.import_key("of everybody who asks for it", {"kid": "first"})
        place = "/realms/staff/.well-known/openid-configuration"
        described = provider.answer(place, {}, "")
        provider.changes[place] = {**described, "id_token_signing_alg_values_supported": ["HS256"]}
        provider.changes["/realms/staff/keys"] = {"keys": [secret.as_dict(private=True)]}
        provider.key, provider.header = secret, {"alg": "HS256"}
        assert sign_in(provider, Client()).status_code == 403
        assert not User.objects.exists()

    @pytest.mark.parametrize(
        ("key", "algorithm"),
        [
            (RSAKey.generate_key(2048, {"kid": "first"}), "PS384"),
            (ECKey.generate_key("P-256", {"kid": "first"}), "ES256"),
            (OKPKey.generate_key("Ed25519", {"kid": "first"}), "Ed25519"),
        ],
    )
    def test_other_signatures_are_read(self, provider: FakeProvider, key: Any, algorithm: str) -> None:
        provider.key, provider.header = key, {"alg": algorithm}
        assert sign_in(provider, Client()).status_code == 302

    @pytest.mark.parametrize(
        "other",
        [
            {"kty": "OKP", "crv": "X9", "x": "AA"},
            {"kty": "RSA"},
            {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
            7,
            {},
        ],
    )
    def test_a_key_beside_it_that_nobody_can_read_does_no_harm(self, provider: FakeProvider, other: Any) -> None:
        provider.changes["/realms/staff/keys"] = {"keys": [other, provider.key.as_dict(private=False)]}
        assert sign_in(provider, Client()).status_code == 302

    def test_new_keys_of_the_provider_are_read(self, provider: FakeProvider) -> None:
        sign_in(provider, Client())
        provider.key = RSAKey.generate_key(2048, {"kid": "second"})
        assert sign_in(provider, Client()).status_code == 302

    def test_its_description_is_not_read_each_time(self, provider: FakeProvider) -> None:
        for _ in range(3):
            sign_in(provider, Client())
        assert provider.asked.count("/realms/staff/.well-known/openid-configuration") == 1
        assert provider.asked.count("/realms/staff/keys") == 1

    def test_an_answer_for_another_browser_is_refused(self, provider: FakeProvider) -> None:
        begun = Client().get("/sign-in")
        answer = provider.let_in(begun["Location"])
        other = Client()
        assert other.get("/sign-in/return", answer).status_code == 400
        other.get("/sign-in")
        assert other.get("/sign-in/return", answer).status_code == 400
        assert "/realms/staff/token" not in provider.asked

    def test_an_answer_works_once(self, provider: FakeProvider) -> None:
        client = Client()
        answer = provider.let_in(client.get("/sign-in")["Location"])
        assert client.get("/sign-in/return", answer).status_code == 302
        assert client.get("/sign-in/return", answer).status_code == 400

    def test_an_answer_to_another_window_leaves_this_one_s_attempt(self, provider: FakeProvider) -> None:
        client = Client()
        first = provider.let_in(client.get("/sign-in")["Location"])
        second = provider.let_in(client.get("/sign-in")["Location"])
        response = client.get("/sign-in/return", first)
        assert response.status_code == 400
        assert "another window" in read(response)
        assert client.get("/sign-in/return", second).status_code == 302
        assert "Go on as person-1" in read(client.get("/sign-in/return", first))

    @pytest.mark.parametrize("refusal", ["invalid_grant", "invalid_request"])
    def test_whoever_tries_made_up_codes_has_to_wait(
        self, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch, refusal: str
    ) -> None:
        provider.refusal = refusal
        caches[settings.RATELIMIT_USE_CACHE].clear()
        monkeypatch.setattr(sign_ins, "TRIES_OF_ADDRESS", 2)
        for _ in range(5):
            assert sign_in(provider, Client()).status_code == 302, "who is let in is not counted"
        provider.asked.clear()

        def try_one(**where: Any) -> int:
            client = Client()
            state = provider.let_in(client.get("/sign-in")["Location"])["state"]
            return client.get("/sign-in/return", {"code": "made up", "state": state}, **where).status_code

        assert [try_one() for _ in range(5)] == [403, 403, 403, 429, 429]
        assert provider.asked.count("/realms/staff/token") == 3
        assert try_one(REMOTE_ADDR="192.0.2.77") == 403, "another address is not meant"

    @pytest.mark.parametrize("state", ["", "é", "\udcff"])
    def test_a_made_up_state_is_refused(self, provider: FakeProvider, state: str) -> None:
        client = Client()
        client.get("/sign-in")
        query: dict[str, str | bytes] = {"code": "x", "state": state.encode("utf-8", "surrogatepass")}
        assert client.get("/sign-in/return", query).status_code == 400

    def test_a_cookie_that_somebody_wrote_is_refused(self, provider: FakeProvider) -> None:
        client = Client()
        client.cookies["docsmcp_sign_in"] = '{"state": "x", "nonce": "x", "verifier": "x", "next": "/"}'
        assert client.get("/sign-in/return", {"code": "x", "state": "x"}).status_code == 400

    def test_whom_the_provider_does_not_let_in_is_told(self, provider: FakeProvider) -> None:
        client = Client()
        state = provider.let_in(client.get("/sign-in")["Location"])["state"]
        response = client.get("/sign-in/return", {"error": "access_denied", "state": state})
        assert response.status_code == 403
        assert "did not let you in" in read(response)


class TestProvider:
    @pytest.mark.parametrize(
        ("path", "answer"),
        [
            (".well-known/openid-configuration", None),
            (".well-known/openid-configuration", b"<html>"),
            (".well-known/openid-configuration", []),
            (".well-known/openid-configuration", {"issuer": "https://other.example"}),
            (".well-known/openid-configuration", b"x" * 2_000_000),
            (".well-known/openid-configuration", b"[" * 200_000),
            ("token", None),
            ("token", []),
            ("keys", None),
            ("keys", {"keys": 7}),
            ("keys", {"keys": []}),
        ],
    )
    def test_one_that_does_not_answer_as_it_should_is_told(
        self, provider: FakeProvider, path: str, answer: Any
    ) -> None:
        provider.changes[f"/realms/staff/{path}"] = answer
        client = Client()
        response = client.get("/sign-in")
        if response.status_code == 302:
            response = client.get("/sign-in/return", provider.let_in(response["Location"]))
        assert response.status_code == 503
        assert "sign-in provider" in read(response)

    @pytest.mark.parametrize("address", ["javascript:alert(1)", "https://[", 7])
    def test_a_description_without_its_places_is_told(self, provider: FakeProvider, address: Any) -> None:
        described = {"issuer": provider.issuer, "authorization_endpoint": address}
        provider.changes["/realms/staff/.well-known/openid-configuration"] = described
        assert Client().get("/sign-in").status_code == 503

    @pytest.mark.parametrize(
        "change",
        [{"token_endpoint": "http://"}, {"token_endpoint": "http://["}, {"jwks_uri": "http://127.0.0.1:99999"}],
    )
    def test_a_description_with_impossible_places_is_told(self, provider: FakeProvider, change: dict[str, str]) -> None:
        place = "/realms/staff/.well-known/openid-configuration"
        provider.changes[place] = {**provider.answer(place, {}, ""), **change}
        assert sign_in(provider, Client()).status_code == 503

    def test_what_it_tells_only_when_it_is_asked_is_asked(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        """Some providers put no address into the token."""
        configure(settings, oidc_tenant="acme", oidc_domains=("example.org",))
        provider.info = {"sub": "person-1", "email": "anna@example.org", "email_verified": True}
        client = Client()
        sign_in(provider, client)
        user = find_user(client)
        assert user
        assert user.email == "anna@example.org"

    def test_an_address_of_the_token_is_enough(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> None:
        configure(settings, oidc_tenant="acme")
        provider.info = {"sub": "person-1", "email": "other@example.org"}
        sign_in(provider, Client(), email="anna@example.org")
        assert User.objects.get().email == "anna@example.org"
        assert "/realms/staff/who" not in provider.asked

    @pytest.mark.parametrize(
        "info",
        [
            {"sub": "person-2", "email": "anna@example.org", "email_verified": True},
            {"email": "anna@example.org", "email_verified": True},
            {"sub": "person-1", "email": "anna@example.org"},
            {"sub": "person-1", "email": ["anna@example.org"], "email_verified": True},
        ],
    )
    def test_what_it_tells_of_somebody_else_or_does_not_vouch_for_is_no_proof(
        self, provider: FakeProvider, tenant: Tenant, info: dict[str, Any]
    ) -> None:
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, make_owner(tenant))
        provider.info = info
        assert sign_in(provider, Client(), email_verified=True).status_code == 403
        assert Invitation.objects.get().accepted is None

    @pytest.mark.parametrize("answer", [None, b"a.signed.token", []])
    def test_people_are_let_in_though_it_does_not_tell_of_them(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, answer: Any
    ) -> None:
        configure(settings, oidc_tenant="acme")
        provider.info, provider.changes["/realms/staff/who"] = {"sub": "person-1"}, answer
        client = Client()
        assert sign_in(provider, client, preferred_username="anna").status_code == 302
        user = find_user(client)
        assert user
        assert user.username == "anna"
        assert "/realms/staff/who" in provider.asked

    def test_lists_that_are_none_are_as_good_as_none(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        configure(settings, oidc_tenant="acme")
        place = "/realms/staff/.well-known/openid-configuration"
        lists = {"token_endpoint_auth_methods_supported": 7, "id_token_signing_alg_values_supported": {}}
        provider.changes[place] = {**provider.answer(place, {}, ""), **lists}
        assert sign_in(provider, Client()).status_code == 302

    @pytest.mark.parametrize(
        ("methods", "secret"), [(["client_secret_post"], CLIENT_SECRET), (["client_secret_basic"], ""), (None, "")]
    )
    def test_one_that_wants_to_be_told_by_the_form_who_asks_is_told_so(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, methods: list[str] | None, secret: str
    ) -> None:
        """Also of a public client, which has no secret (RFC 6749, 2.3.1 and 3.2.1)."""
        configure(settings, oidc_tenant="acme", oidc_client_secret=secret)
        provider.client, provider.is_by_form = (CLIENT_ID, secret), True
        place = "/realms/staff/.well-known/openid-configuration"
        described = {**provider.answer(place, {}, ""), "token_endpoint_auth_methods_supported": methods}
        provider.changes[place] = described
        assert sign_in(provider, Client()).status_code == 302

    def test_one_that_does_not_know_this_server_is_a_fault_of_the_operator(
        self, provider: FakeProvider, tenant: Tenant, settings: Any
    ) -> None:
        configure(settings, oidc_tenant="acme", oidc_client_secret="another")
        response = sign_in(provider, Client())
        assert response.status_code == 503
        assert "invalid_client" not in read(response)

    def test_one_that_failed_is_left_alone_for_a_while(
        self, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever waits for it at the same time does not try after the first: each would wait as long again."""
        now = [1000.0]
        monkeypatch.setattr(openid, "time", SimpleNamespace(monotonic=lambda: now[0]))
        place = "/realms/staff/.well-known/openid-configuration"
        provider.changes[place] = None
        for _ in range(3):
            assert Client().get("/sign-in").status_code == 503
        assert provider.asked == [place]
        del provider.changes[place]
        now[0] += openid.FAILURE_LIFE_SECONDS
        assert Client().get("/sign-in").status_code == 302

    def test_waiting_for_it_leaves_threads_to_others(
        self, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slots = Semaphore(0)
        monkeypatch.setattr(views, "get_slots", lambda: slots)
        response = Client().get("/sign-in")
        assert response.status_code == 503
        assert "Too many wait" in read(response)
        assert provider.asked == []
        slots.release()
        for _ in range(2):
            assert Client().get("/sign-in").status_code == 302, "the slot is given back"

    def test_one_that_is_away_is_told(self, settings: Any) -> None:
        configure(settings, oidc_issuer="http://127.0.0.1:9", oidc_client_id=CLIENT_ID)
        assert Client().get("/sign-in").status_code == 503


class TestPages:
    def test_a_superuser_takes_away_that_an_account_is_somebody_s(self, provider: FakeProvider, tenant: Tenant) -> None:
        anna = make_member(tenant)
        identity = Identity.objects.create(user=anna, issuer=provider.issuer, subject="person-1")
        root = Client()
        root.force_login(User.objects.create_superuser("root"))
        page = f"/admin/collections_app/user/{anna.pk}/change/"
        assert provider.issuer in read(root.get(page))
        counts = {"TOTAL_FORMS": 1, "INITIAL_FORMS": 1}
        form: dict[str, Any] = {f"identities-{name}": value for name, value in counts.items()}
        form |= {"identities-0-id": identity.pk, "identities-0-user": anna.pk, "identities-0-DELETE": "on"}
        root.post(page, {"username": anna.username, "is_active": "on", "email": "", **form})
        assert not Identity.objects.exists()
        assert "identity" in AuditEvent.objects.get(action="change").details
        assert sign_in(provider, Client()).status_code == 403

    def test_the_sign_in_page_offers_it_by_its_name_and_keeps_where_to_go(
        self, provider: FakeProvider, settings: Any
    ) -> None:
        configure(settings, oidc_name="Acme ID")
        page = read(Client().get("/admin/login/", {"next": "/oauth/authorize?a=b"}))
        assert "Sign in with Acme ID" in page
        assert "/sign-in?next=%2Foauth%2Fauthorize%3Fa%3Db" in page

    def test_an_account_that_is_somebody_s_there_can_be_deleted(self, provider: FakeProvider, tenant: Tenant) -> None:
        anna = make_member(tenant)
        Identity.objects.create(user=anna, issuer=provider.issuer, subject="person-1")
        root = Client()
        root.force_login(User.objects.create_superuser("root"))
        page = f"/admin/collections_app/user/{anna.pk}/delete/"
        assert root.get(page).status_code == 200
        root.post(page, {"post": "yes"})
        assert not Identity.objects.exists()
        assert not User.objects.filter(pk=anna.pk).exists()

    def test_its_form_may_lead_on_to_the_provider(self, provider: FakeProvider) -> None:
        """Who connects an account signs in here, is sent back to where the way there begins, and on."""
        policy = Client().get("/admin/login/")["Content-Security-Policy"]
        assert "form-action 'self' http:" in policy

    def test_where_there_is_none_nothing_is_offered(self, tenant: Tenant) -> None:
        assert "Sign in with" not in read(Client().get("/admin/login/"))
        assert Client().get("/sign-in").status_code == 404
        assert Client().get("/sign-in/return").status_code == 404

    def test_a_form_is_no_way_in(self, provider: FakeProvider) -> None:
        assert Client().post("/sign-in").status_code == 405

    def test_the_cookie_is_for_this_way_alone(self, provider: FakeProvider) -> None:
        cookie = Client().get("/sign-in", secure=True).cookies["docsmcp_sign_in"]
        assert (cookie["path"], cookie["samesite"]) == ("/sign-in", "Lax")
        assert cookie["httponly"]
        assert cookie["secure"]

    def test_behind_a_proxy_that_ends_https_people_come_back_over_https(
        self, provider: FakeProvider, settings: Any
    ) -> None:
        configure(settings, trusted_proxies=(ip_network("192.0.2.0/24"),))
        said = {"x-forwarded-proto": "https", "host": "testserver"}
        begun = Client().get("/sign-in", REMOTE_ADDR="192.0.2.1", headers=said)
        assert "redirect_uri=https%3A%2F%2Ftestserver%2Fsign-in%2Freturn" in begun["Location"]
        assert begun.cookies["docsmcp_sign_in"]["secure"]
        stranger = Client().get("/sign-in", REMOTE_ADDR="198.51.100.1", headers=said)
        assert "redirect_uri=http%3A%2F%2Ftestserver" in stranger["Location"]

    def test_the_provider_is_told_where_to_send_people_back(self, provider: FakeProvider) -> None:
        address = urlsplit(Client().get("/sign-in", secure=True)["Location"])
        assert "redirect_uri=https%3A%2F%2Ftestserver%2Fsign-in%2Freturn" in address.query


class TestBehindTheWall:
    """The database keeps tenants apart too, and knows the web server by a login of its own."""

    @pytest.fixture(autouse=True)
    def behind_the_wall(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> Iterator[None]:
        self.owner = make_owner(tenant)
        configure(settings, database_row_security="on")
        with signed_in_as_web_login():
            yield

    def test_an_invited_person_joins(self, provider: FakeProvider, tenant: Tenant) -> None:
        invitations.invite(tenant, "anna@example.org", Role.EDITOR, self.owner)
        client = Client()
        response = sign_in(provider, client, email="anna@example.org", email_verified=True)
        assert response["Location"] == "/admin/"
        assert client.get("/admin/").status_code == 200
        assert AuditEvent.objects.get(action="accept an invitation").tenant == tenant

    def test_everybody_joins_and_comes_back(self, provider: FakeProvider, tenant: Tenant, settings: Any) -> None:
        configure(settings, oidc_tenant="acme")
        for _ in range(2):
            client = Client()
            assert sign_in(provider, client)["Location"] == "/admin/"
            assert client.get("/admin/").status_code == 200


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_windows_of_a_new_person_make_one_account(
        self, provider: FakeProvider, tenant: Tenant, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Both find no account, and then make one: the later is told to try again, and is in then."""
        configure(settings, oidc_tenant="acme")
        both = Barrier(2, timeout=60)
        find = single_sign_on.find_own_invitations
        monkeypatch.setattr(single_sign_on, "find_own_invitations", lambda claims: (both.wait(), find(claims))[1])
        provider.claims = {"email": "anna@example.org", "email_verified": True}
        clients = [Client(), Client()]
        answers = [(each, provider.let_in(each.get("/sign-in")["Location"])) for each in clients]
        threads = [start(partial(client.get, "/sign-in/return", answer)) for client, answer in answers]
        responses: list[Any] = [each.result(timeout=60) for each in threads]
        assert sorted(each.status_code for each in responses) == [302, 403]
        assert "Try again" in read(max(responses, key=lambda each: each.status_code))
        assert User.objects.count() == Identity.objects.count() == Membership.objects.count() == 1
        for client in clients:
            assert sign_in(provider, client).status_code == 302
