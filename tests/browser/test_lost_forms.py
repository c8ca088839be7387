"""What somebody typed is not lost when the session ends in the middle of it, the form is too old, or a page refuses it."""

from __future__ import annotations

import json
import time

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, sign_in, watching
from tests.browser.test_owner import DEADLINE_SECONDS, search


def fill(page: Page, name: str) -> None:
    page.goto("/admin/collections/new/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Description").fill("Written for an hour")
    page.get_by_label("Language").select_option(label="German")


def expect_filled(page: Page, name: str) -> None:
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    expect(page.get_by_label("Description")).to_have_value("Written for an hour")
    expect(page.get_by_label("Language")).to_have_value("german")
    expect(page.get_by_text("What you had filled in is here again")).to_be_visible()


def test_a_form_comes_back_when_the_session_had_ended_or_the_form_was_too_old(browser: Browser, site: Site) -> None:
    with watching(browser, site) as person:
        page = person.open("/admin/")
        sign_in(page, site.user, site.password)
        fill(page, "Tides")
        person.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Make it and add documents").click()
        sign_in(page, site.user, site.password)
        expect_filled(page, "Tides")

        person.context.clear_cookies(name="csrftoken")
        person.allowed.add(403)
        page.get_by_role("button", name="Make it and add documents").click()
        expect(page.get_by_role("heading", name="Forbidden")).to_be_visible()
        page.go_back()
        expect_filled(page, "Tides")
        page.get_by_role("button", name="Make it and add documents").click()
        expect(page.get_by_text("The collection “Tides” is there")).to_be_visible()

        page.goto("/admin/collections/new/")
        expect(page.get_by_label("Name", exact=True)).to_have_value("")


def test_it_does_not_come_back_to_somebody_else(browser: Browser, site: Site) -> None:
    with watching(browser, site) as person:
        page = person.open("/admin/")
        sign_in(page, site.user, site.password)
        fill(page, "Plans")
        person.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Make it and add documents").click()
        expect(page.get_by_label("Password")).to_be_visible()
        kept = page.evaluate("sessionStorage.getItem('docsmcp-draft')")
        assert "Written for an hour" in kept
        theirs = json.dumps(json.loads(kept) | {"person": "#0"})
        page.evaluate("kept => sessionStorage.setItem('docsmcp-draft', kept)", theirs)
        sign_in(page, site.user, site.password)
        expect(page.get_by_label("Name", exact=True)).to_have_value("")
        assert page.evaluate("sessionStorage.getItem('docsmcp-draft')") is None


def test_what_the_overview_refuses_stays_in_its_form(page: Page, site: Site) -> None:
    search(site, site.server.key, "quince marmalade")
    page.goto("/admin/")
    asked = page.get_by_role("region", name="Questions without results").get_by_role("listitem")
    question = asked.filter(has=page.get_by_text("quince marmalade", exact=True))
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not question.count():  # searches are written each second
        assert time.monotonic() < deadline
        page.reload()
    question.locator("summary").click()
    question.get_by_label("Is answered by the page").fill("lamps/quince.md")
    question.get_by_role("button", name="Pin page").click()
    expect(page.locator(".db-told")).to_contain_text("has no page 'lamps/quince.md'")
    expect(question.get_by_label("Is answered by the page")).to_have_value("lamps/quince.md")
    expect(question.get_by_label("Is answered by the page")).to_be_visible()
