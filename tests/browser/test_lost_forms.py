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


def test_a_question_and_what_mends_it_come_back(browser: Browser, site: Site) -> None:
    with watching(browser, site) as person:
        page = person.open("/admin/")
        sign_in(page, site.user, site.password)
        page.goto("/admin/playground/?question=when+a+lamp+stays+dark")
        page.get_by_label("Question").fill("how to light it anew")
        person.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Search", exact=True).click()
        sign_in(page, site.user, site.password)
        expect(page.get_by_label("Question")).to_have_value("how to light it anew")

        page.get_by_role("button", name="Search", exact=True).click()
        expect(page).to_have_url(f"{site.url}/admin/playground/?question=how+to+light+it+anew")
        page.get_by_label("People ask for").fill("lantern")
        page.get_by_label("Documents say").fill("lamp")
        person.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Add it and ask again").click()
        sign_in(page, site.user, site.password)
        expect(page.get_by_label("People ask for")).to_have_value("lantern")
        page.get_by_role("button", name="Add it and ask again").click()
        expect(page.get_by_text("Added to")).to_be_visible()


def test_rows_that_were_added_come_back(browser: Browser, site: Site) -> None:
    with watching(browser, site) as person:
        page = person.open("/admin/")
        sign_in(page, site.user, site.password)
        page.goto("/admin/collections_app/collection/")
        page.get_by_role("link", name="handbook", exact=True).click()
        rows = page.locator("#synonyms-group")
        there = rows.locator("tbody:not(.empty-form)").count()
        for word in ("beacon", "torch"):
            rows.get_by_text("Add another").click()
            rows.get_by_label("Term").nth(there).fill(word)
            rows.get_by_label("Synonym", exact=True).nth(there).fill("lamp")
            there += 1
        person.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Save", exact=True).click()
        sign_in(page, site.user, site.password)
        expect(page.get_by_text("What you had filled in is here again")).to_be_visible()
        expect(rows.get_by_label("Term").nth(there - 1)).to_have_value("torch")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("was changed successfully")).to_be_visible()
        page.get_by_role("link", name="handbook", exact=True).first.click()
        expect(rows.get_by_label("Term").nth(there - 1)).to_have_value("torch")


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
