"""No file that somebody chose is lost on the way: neither with the connection, nor while others are sent, nor to another of its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from tests.browser.conftest import Site, watching


def open_form(page: Page, name: str) -> None:
    """Of a new collection."""
    page.goto("/admin/collections/new/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Make it and add documents").click()
    expect(page.get_by_role("heading", name=f"Add documents to {name}")).to_be_visible()


def choose(page: Page, *names: str) -> None:
    page.locator("#file").set_input_files(
        [FilePayload(name=name, mimeType="text/markdown", buffer=f"# About {name}\n".encode()) for name in names]
    )


def expect_read(page: Page, *names: str) -> None:
    page.wait_for_url("**/ingestjob/**")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("Done")
    files = page.get_by_role("region", name="What became of each file")
    for name in names:
        expect(files.get_by_role("link", name=name)).to_be_visible()


def test_what_was_not_sent_is_still_chosen(browser: Browser, site: Site, signed_in: object) -> None:
    with watching(browser, site, storage_state=signed_in) as person:
        page = person.open()
        open_form(page, "Lost lines")
        choose(page, "one.md", "two.md")
        person.context.set_offline(True)
        page.get_by_role("button", name="Add 2 files").click()
        expect(page.locator("#upload-status")).to_contain_text("2 files not sent. The server could not be reached")
        person.context.set_offline(False)
        person.problems.clear()
        page.get_by_role("button", name="Add 2 files").click()
        expect_read(page, "one.md", "two.md")


@pytest.mark.parametrize(
    ("status", "told"),
    [(404, "This collection is not there any more. Choose another one"), (503, "The database is away.")],
)
def test_why_the_server_itself_took_nothing_is_told(
    browser: Browser, site: Site, signed_in: object, status: int, told: str
) -> None:
    with watching(browser, site, storage_state=signed_in) as person:
        person.allowed.add(status)
        page = person.open()
        open_form(page, f"Refused with {status}")
        error = {"error": {"code": "ANY", "message": "The database is away.", "details": {}}}
        page.route("**/add/", lambda route: route.fulfill(status=status, json=error))
        choose(page, "one.md")
        page.get_by_role("button", name="Add 1 file").click()
        expect(page.locator("#upload-status")).to_contain_text(f"1 file not sent. {told}")
        page.unroute("**/add/")
        page.get_by_role("button", name="Add 1 file").click()
        expect_read(page, "one.md")


def test_what_is_chosen_while_others_are_sent_is_sent_too(page: Page) -> None:
    open_form(page, "Late comers")
    held: list[Route] = []
    page.route("**/add/", lambda route: route.continue_() if held else held.append(route))
    choose(page, "first.md")
    with page.expect_request("**/add/"):
        page.get_by_role("button", name="Add 1 file").click()
    choose(page, "second.md")
    expect(page.locator("#upload-status")).to_have_text("Sending 2 files…")
    with page.expect_request("**/add/") as second:
        held[0].continue_()
    assert b"second.md" in (second.value.post_data_buffer or b"")
    page.wait_for_url("**/ingestjob/**")


def test_the_later_of_two_files_of_a_name_says_that_it_takes_the_others_place(page: Page, tmp_path: Path) -> None:
    open_form(page, "Twins")
    for folder, text in (("a", "# First\n"), ("b", "# Second, and longer\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "readme.md").write_text(text)
        page.locator("#file").set_input_files(tmp_path / folder / "readme.md")
    row = page.get_by_role("listitem").filter(has_text="readme.md")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("21 B, in place of the other file of this name")
    expect(page.locator("#upload-status")).to_have_text("1 file chosen.")


def test_code_in_the_reason_of_a_refusal_is_code(browser: Browser, site: Site, signed_in: object) -> None:
    with watching(browser, site, storage_state=signed_in) as person:
        person.allowed.add(400)
        page = person.open()
        open_form(page, "Refused")
        choose(page, "boat.topic")
        page.get_by_role("button", name="Add 1 file").click()
        row = page.get_by_role("listitem").filter(has_text="boat.topic")
        expect(row).to_contain_text("It is no topic of Writerside, which begins with <topic.")
        expect(row.locator("code")).to_have_text("<topic")
