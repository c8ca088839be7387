"""The admin without a mouse: past the menu, into the filters of a list, to the account and the sidebar."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_the_first_stop_leads_past_the_menu(page: Page) -> None:
    page.goto("/admin/collections_app/document/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip the menu")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#content') !== null")


def test_the_filters_of_a_list_are_opened_and_used(page: Page) -> None:
    page.goto("/admin/collections_app/ingestjob/")
    page.get_by_role("button", name="Filters").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#changelist-filter a").first).to_be_focused()
    page.locator("#changelist-filter").get_by_role("link", name="Failed").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/ingestjob/?state__exact=failed")


def test_the_account_and_the_sidebar_are_opened(page: Page) -> None:
    page.goto("/admin/")
    page.get_by_role("button", name="Account").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Light colours")).to_be_focused()
    expect(page.get_by_role("link", name="Change password")).to_be_visible()
    sidebar = page.get_by_role("button", name="Show or hide the menu")
    link = page.get_by_role("navigation").get_by_role("link", name="Playground")
    expect(link).to_be_visible()
    for shows in (False, True):
        sidebar.focus()
        page.keyboard.press("Enter")
        expect(link).to_be_visible(visible=shows)
