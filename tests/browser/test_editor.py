"""Somebody who never saw a terminal puts documents in, and sees that agents find them."""

from __future__ import annotations

import io
import zipfile

from playwright.sync_api import Page, expect

from tests.browser.conftest import BROKEN, Site, Watched, read_manual, sign_in


def make_archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, text in (read_manual() | BROKEN).items():
            archive.writestr(f"manual/{path}", text)
    return stream.getvalue()


def test_who_signs_in_comes_to_the_overview(visitor: Watched, site: Site) -> None:
    page = visitor.open("/admin/")
    sign_in(page, site.user, site.password)
    expect(page).to_have_url(f"{site.url}/admin/")


def test_a_wrong_password_is_told(visitor: Watched, site: Site) -> None:
    page = visitor.open("/admin/")
    page.get_by_label("Username").fill(site.user)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("do not belong together")).to_be_visible()


def test_a_zip_becomes_documents_that_are_found(page: Page) -> None:
    page.goto("/admin/add/")
    page.get_by_role("link", name="New collection").click()
    page.get_by_label("Name", exact=True).fill("Lamplight")
    page.get_by_label("Description").fill("How to keep the lamps of a harbour lit")
    page.get_by_role("button", name="Make it and add documents").click()
    page.locator("#file").set_input_files(
        {"name": "manual.zip", "mimeType": "application/zip", "buffer": make_archive()}
    )
    page.get_by_role("button", name="Add 1 file").click()

    page.wait_for_url("**/ingestjob/**")
    progress = page.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("Done")
    files = page.get_by_role("region", name="What became of each file")
    expect(files.get_by_role("row").filter(has_text="broken.docx")).to_contain_text("Failed")
    expect(files.get_by_role("link", name="dark-lamps.md")).to_be_visible()

    files.get_by_role("link", name="configuration.md").click()
    expect(page.locator("#as-read pre")).to_contain_text("lamp_timeout")
    page.get_by_role("region", name="Sections").get_by_role("link", name="Patterns").click()
    expect(page.locator("#as-read pre")).to_contain_text("A pattern is a list of flashes")
    expect(page.locator("#as-read pre")).not_to_contain_text("lamp_timeout")

    page.goto("/admin/playground/")
    page.get_by_label("Collection").select_option(label="default/lamplight")
    page.get_by_label("Question").fill("what to do when a lamp stays dark")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("#answer")).to_contain_text("dark-lamps.md")
    expect(page.get_by_role("heading", name="Why it is ranked so")).to_be_visible()
