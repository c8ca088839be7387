"""Somebody comes with nothing but an account at the organisation's provider, and is in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Site, watching
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
