"""Where no script runs the admin is plainer, and does the same."""

from __future__ import annotations

from playwright.sync_api import Browser, FilePayload, expect

from tests.browser.conftest import Site, watching


def test_somebody_signs_in_and_adds_a_file(browser: Browser, site: Site) -> None:
    with watching(browser, site, java_script_enabled=False) as person:
        page = person.open("/admin/")
        page.get_by_label("Username").fill(site.user)
        page.get_by_label("Password").fill(site.password)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("navigation").get_by_role("link", name="Collections").click()
        page.get_by_role("link", name="Add documents").last.click()
        page.locator("#file").set_input_files(
            FilePayload(name="plain.md", mimeType="text/markdown", buffer=b"# Plain\n\nNo script.\n")
        )
        page.get_by_role("button", name="Add them").click()
        expect(page.get_by_text("1 files were taken and are being read")).to_be_visible()
