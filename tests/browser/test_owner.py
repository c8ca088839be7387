"""An owner hands out keys without fear, and lets others in."""

from __future__ import annotations

import time
from typing import Any

from mcp import MCPError
from mcp_types import TextContent
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, away_from_the_browser, sign_in, watching
from tests.end_to_end.test_python_sdk import find_refusal, run_session

DEADLINE_SECONDS = 240


def search(site: Site, key: str, query: str) -> str:
    """What the official client is told; "" when the server refuses the key."""

    async def use(client: Any) -> str:
        answer = await client.call_tool("search_docs", {"query": query})
        return "".join(block.text for block in answer.content if isinstance(block, TextContent))

    def ask() -> str:
        try:
            return str(run_session(site.url, "legacy", use, key=key))
        except (Exception, ExceptionGroup) as error:
            if not isinstance(find_refusal(error), MCPError):
                raise
            return ""

    return str(away_from_the_browser(ask))


def read_secret(page: Page) -> str:
    secret = page.locator("#secret").inner_text()
    assert secret.startswith("dmcp_")
    return secret


def test_a_key_is_made_used_rotated_and_revoked(page: Page, site: Site) -> None:
    page.goto("/admin/collections_app/apikey/add/")
    page.get_by_label("Name", exact=False).first.fill("the night shift")
    page.get_by_role("button", name="Save").click()
    first = read_secret(page)
    expect(page.get_by_text("Copy the secret now")).to_be_visible()
    assert "dark-lamps.md" in search(site, first, "lamp stays dark")

    page.get_by_role("link", name="I have copied it").click()
    expect(page.get_by_text("shown once when it was made")).to_be_visible()
    assert first not in page.content()

    page.get_by_role("link", name="Rotate the secret").click()
    page.get_by_label("1 more hour").check()
    page.get_by_role("button", name="Rotate and show the new secret").click()
    second = read_secret(page)
    assert second != first
    assert "dark-lamps.md" in search(site, first, "lamp stays dark")
    assert "dark-lamps.md" in search(site, second, "lamp stays dark")

    page.get_by_role("link", name="I have copied it").click()
    page.get_by_role("button", name="End it now").click()
    expect(page.get_by_text("works no more")).to_be_visible()
    assert search(site, first, "lamp") == ""
    assert "dark-lamps.md" in search(site, second, "lamp stays dark")

    page.get_by_role("link", name="Revoke").click()
    page.get_by_role("button", name="Revoke now").click()
    expect(page.get_by_text("no agent can use it any more")).to_be_visible()
    assert search(site, second, "lamp") == ""


def test_somebody_who_is_invited_becomes_a_member(page: Page, browser: Browser, site: Site) -> None:
    page.goto("/admin/collections_app/invitation/add/")
    page.get_by_label("Email").fill("rosa@example.org")
    page.locator("[name=tenant]").select_option(label="default")
    page.locator("[name=role]").select_option("editor")
    page.get_by_role("button", name="Save", exact=True).click()
    link = page.get_by_label("The link, which is not shown again").input_value()

    with watching(browser, site) as guest:
        joining = guest.open(link)
        expect(joining.get_by_role("heading", name="Join Default")).to_be_visible()
        joining.get_by_label("New password", exact=True).fill("a lamp for the north pier")
        joining.get_by_label("New password confirmation").fill("a lamp for the north pier")
        joining.get_by_role("button", name="Make the account and join").click()
        sidebar = joining.get_by_role("navigation")
        expect(sidebar.get_by_role("link", name="Add documents")).to_be_visible()
        expect(sidebar.get_by_role("link", name="API keys")).not_to_be_attached()

    with watching(browser, site) as member:
        sign_in(member.open("/admin/"), "rosa@example.org", "a lamp for the north pier")

    with watching(browser, site) as late:
        late.allowed.add(404)
        expect(late.open(link).get_by_role("alert")).to_be_visible()

    page.goto("/admin/collections_app/membership/")
    expect(page.get_by_text("rosa@example.org")).to_be_visible()


def test_the_overview_shows_what_agents_asked(page: Page, site: Site) -> None:
    assert search(site, site.server.key, "pomegranate orchard") != ""
    page.goto("/admin/")
    unanswered = page.get_by_role("region", name="Questions without results")
    deadline = time.monotonic() + DEADLINE_SECONDS
    while "pomegranate orchard" not in unanswered.inner_text():  # searches are written each second
        assert time.monotonic() < deadline
        page.reload()
