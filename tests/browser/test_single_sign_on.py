"""Somebody comes with nothing but an account at the organisation's provider, and is in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Site, sign_in, watching
from tests.browser.test_looks import list_faults
from tests.fake_provider import CLIENT_ID, CLIENT_SECRET, FakeProvider, serving_provider
from tests.running_server import running_server


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with serving_provider() as provider:
        provider.claims = {"email": "anna@example.org", "email_verified": True}
        yield provider


@pytest.fixture
def own_site(provider: FakeProvider, browser: Browser) -> Iterator[Site]:
    """A server where everybody whom the provider knows joins the default tenant."""
    settings = {
        "OIDC_ISSUER": provider.issuer,
        "OIDC_CLIENT_ID": CLIENT_ID,
        "OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "OIDC_NAME": "Acme ID",
        "OIDC_TENANT": "default",
    }
    with running_server({"index.md": "# Handbook\n"}, **settings) as server:
        yield Site(server, server.admin_user, server.admin_password)


def test_a_person_signs_in_at_the_provider(browser: Browser, own_site: Site) -> None:
    with watching(browser, own_site) as watched:
        page = watched.open("/admin/collections_app/collection/")
        assert list_faults(page) == []
        page.get_by_role("link", name="Sign in with Acme ID").click()
        expect(page.get_by_role("heading", name="Collections")).to_be_visible()
        expect(page.get_by_role("link", name="handbook").first).to_be_visible()
        assert page.url.endswith("/admin/collections_app/collection/")


def test_an_account_s_owner_connects_it_by_its_password(browser: Browser, own_site: Site) -> None:
    with watching(browser, own_site) as watched:
        page = watched.open("/admin/")
        sign_in(page, own_site.user, own_site.password)
        page.goto("/admin/collections_app/user/")
        page.get_by_role("link", name=own_site.user, exact=True).first.click()
        page.get_by_label("Email address").fill("anna@example.org")
        page.get_by_role("button", name="Save", exact=True).click()
        page.context.clear_cookies()
        watched.allowed.add(403)
        page.goto("/admin/collections_app/collection/")
        page.get_by_role("link", name="Sign in with Acme ID").click()
        expect(page.get_by_role("alert")).to_contain_text("There is an account of anna@example.org here")
        assert list_faults(page) == []
        page.get_by_role("link", name="Sign in by password").click()
        page.get_by_label("Username").fill(own_site.user)
        page.get_by_label("Password").fill(own_site.password)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", name="Collections")).to_be_visible()
        page.context.clear_cookies()
        page.goto("/admin/collections_app/collection/")
        page.get_by_role("link", name="Sign in with Acme ID").click()
        expect(page.get_by_role("heading", name="Collections")).to_be_visible()
