"""A reader finds a page, follows its links, searches by keyboard alone, and reads in the dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, watching


def open_handbook(page: Page) -> None:
    page.goto("/docs/")
    page.get_by_role("link", name="handbook", exact=False).first.click()
    page.wait_for_url(re.compile(r"/docs/default/handbook/?$"))  # with its scripts, which listen to the keyboard


def test_a_link_to_a_section_leads_to_it(page: Page) -> None:
    open_handbook(page)
    page.get_by_role("main").get_by_role("link", name="Getting started").click()
    page.get_by_role("link", name="what to do when a lamp stays dark").click()
    expect(page).to_have_url(re.compile(r"/operations/dark-lamps(\.md)?#when-a-lamp-stays-dark$"))
    heading = page.get_by_role("heading", name="When a lamp stays dark")
    expect(heading).to_be_in_viewport()
    expect(page.get_by_role("link", name="Link to “When a lamp stays dark”")).to_have_attribute(
        "href", "#dark-lamps/when-a-lamp-stays-dark"
    )


def test_the_search_needs_no_mouse(page: Page) -> None:
    open_handbook(page)
    page.keyboard.press("/")
    page.keyboard.type("fog horn")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/docs/default/handbook/(operations/dark-lamps|configuration)"))


@pytest.mark.parametrize(
    ("status", "told"), [(503, "away for a moment"), (429, "Too many searches"), (404, "load the page again")]
)
def test_a_search_that_is_not_answered_shows_no_page_in_its_list(
    browser: Browser, site: Site, signed_in: object, status: int, told: str
) -> None:
    with watching(browser, site, storage_state=signed_in) as person:
        person.allowed.add(status)
        page = person.open()
        open_handbook(page)
        whole = "<!doctype html><title>Away</title><h1>All of a page</h1>"
        page.route(
            "**/-/search?part=*", lambda route: route.fulfill(status=status, content_type="text/html", body=whole)
        )
        page.get_by_role("combobox").fill("fog horn")
        expect(page.locator("#_suggestions")).to_contain_text(told)
        expect(page.locator("#_suggestions h1")).to_have_count(0)


def test_a_page_whose_title_is_written_from_the_right_is_laid_out_so_and_its_code_is_not(page: Page) -> None:
    page.goto("/docs/default/handbook/getting-started")
    article = page.locator("article")
    direction = "element => getComputedStyle(element).direction"
    assert article.evaluate(direction) == "ltr"
    page.locator("h1").evaluate("heading => { heading.textContent = 'دليل'; }")
    article.evaluate("article => { article.insertAdjacentHTML('beforeend', '<pre>x = 1</pre><ul><li>نص</li></ul>'); }")
    assert [article.evaluate(direction), article.locator("ul").last.evaluate(direction)] == ["rtl", "rtl"]
    assert [article.locator(name).last.evaluate(direction) for name in ("pre", ".facts")] == ["ltr", "ltr"]
    marker = article.locator("li").last.evaluate("item => getComputedStyle(item.parentElement).paddingRight")
    assert marker != "0px"


def test_the_dark_theme_is_remembered(page: Page) -> None:
    open_handbook(page)
    background = "getComputedStyle(document.body).backgroundColor"
    bright = page.evaluate(background)
    toggle = page.get_by_role("button", name="Theme")
    toggle.click()
    toggle.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate(background)
    assert dark != bright
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(background) == dark
