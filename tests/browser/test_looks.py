"""Every page in the light, in the dark and on a phone: no serious fault for screen readers, nothing wider than the screen.

The pictures are kept in build/screenshots, to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.browser.conftest import DESK, PHONE, Site, watching

PICTURES = PROJECT_ROOT / "build" / "screenshots"
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESK, "color_scheme": "light"},
    "dark": {"viewport": DESK, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "has_touch": True},
}


@dataclass(frozen=True)
class Shown:
    """A page: its path, with `{}` for the id of the first row of the list `of`; what is done there; the status that it has."""

    path: str
    of: str = ""
    act: Callable[[Page], None] = lambda page: None
    status: int = 200
    is_signed_in: bool = True


def ask(page: Page) -> None:
    page.get_by_label("Question").fill("when a lamp stays dark")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("#answer")).to_be_visible()


def type_query(page: Page) -> None:
    page.get_by_role("searchbox").or_(page.get_by_role("combobox")).first.fill("lamp")
    expect(page.get_by_role("option").first).to_be_visible()


def add_rows(page: Page) -> None:
    for name in ("synonyms", "pins"):
        page.locator(f"#{name}-group").get_by_text("Add another").click()
        expect(page.locator(f"#{name}-group").get_by_role("textbox").first).to_be_visible()


def wait_for_text(page: Page) -> None:
    expect(page.locator("#as-read pre")).to_be_visible()


def choose_to_delete(page: Page) -> None:
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").first.select_option("delete_selected")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Delete")).not_to_have_count(0)


def invite(page: Page) -> None:
    page.get_by_label("Email").fill("guest@example.org")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("The link, which is not shown again")).to_be_visible()


def open_invitation(page: Page) -> None:
    """As who is signed in nowhere."""
    invite(page)
    link = page.get_by_label("The link, which is not shown again").input_value()
    page.context.clear_cookies()
    page.goto(link)
    expect(page.get_by_role("link", name="Sign in to join")).to_be_visible()


def wait_for_job(page: Page) -> None:
    expect(page.get_by_role("region", name="Progress")).to_contain_text("Done")


LISTS = (
    "collection", "document", "source", "ingestjob", "upload", "removeddocument", "apikey", "searchevent", "feedback", "answerusage",
    "tenant", "membership", "invitation", "user", "auditevent",
)  # fmt: skip
HANDBOOK = "/docs/default/handbook/"
PAGES = {
    "sign-in": Shown("/admin/login/", is_signed_in=False),
    "landing": Shown("/", is_signed_in=False),
    "not-found": Shown("/docs/nobody/nothing/", status=404, is_signed_in=False),
    "invitation-gone": Shown("/invitations/nothing", status=404, is_signed_in=False),
    "docs": Shown("/docs/"),
    "docs-nothing": Shown("/docs/", is_signed_in=False),
    "docs-contents": Shown(HANDBOOK),
    "docs-page": Shown(f"{HANDBOOK}getting-started"),
    "docs-table": Shown(f"{HANDBOOK}configuration"),
    "docs-typing": Shown(HANDBOOK, act=type_query),
    "docs-search": Shown(f"{HANDBOOK}-/search?q=lamp"),
    "docs-search-nothing": Shown(f"{HANDBOOK}-/search?q=pomegranates"),
    "docs-connect": Shown(f"{HANDBOOK}-/connect"),
    "overview": Shown("/admin/"),
    "playground": Shown("/admin/playground/"),
    "playground-asked": Shown("/admin/playground/", act=ask),
    "add": Shown("/admin/add/"),
    "add-collection": Shown("/admin/collections/new/"),
    "add-files": Shown("/admin/collections/{}/add/", "collection/"),
    "add-site": Shown("/admin/collections/{}/add/site/", "collection/"),
    "add-repository": Shown("/admin/collections/{}/add/repository/", "collection/"),
    "add-folder": Shown("/admin/collections/{}/add/folder/", "collection/"),
    "sources": Shown("/admin/collections/{}/sources/", "collection/"),
    "source": Shown("/admin/collections_app/source/{}/change/", "source/"),
    "webhook": Shown("/admin/sources/{}/webhook/", "source/"),
    "document": Shown("/admin/collections_app/document/{}/change/", "document/?q=configuration", wait_for_text),
    "document-failed": Shown("/admin/collections_app/document/{}/change/", "document/?q=broken"),
    "document-remove": Shown("/admin/collections_app/document/{}/delete/", "document/"),
    "documents-delete": Shown("/admin/collections_app/document/", act=choose_to_delete),
    "job": Shown("/admin/collections_app/ingestjob/{}/change/", "ingestjob/", wait_for_job),
    "collection": Shown("/admin/collections_app/collection/{}/change/", "collection/", add_rows),
    "collection-delete": Shown("/admin/collections_app/collection/{}/delete/", "collection/"),
    "key": Shown("/admin/collections_app/apikey/{}/change/", "apikey/"),
    "key-new": Shown("/admin/collections_app/apikey/add/"),
    "key-rotate": Shown("/admin/collections_app/apikey/{}/rotate/", "apikey/?state=usable"),
    "key-revoke": Shown("/admin/collections_app/apikey/{}/revoke/", "apikey/?state=usable"),
    "tenant": Shown("/admin/collections_app/tenant/{}/change/", "tenant/"),
    "tenant-data": Shown("/admin/tenants/{}/data/", "tenant/"),
    "invitation-new": Shown("/admin/collections_app/invitation/add/"),
    "invitation-made": Shown("/admin/collections_app/invitation/add/", act=invite),
    "invitation": Shown("/admin/collections_app/invitation/add/", act=open_invitation),
    **{f"list-{name}": Shown(f"/admin/collections_app/{name}/") for name in LISTS},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fit_to_be_seen(name: str, look: str, browser: Browser, site: Site, signed_in: Any) -> None:
    shown = PAGES[name]
    state = {"storage_state": signed_in} if shown.is_signed_in else {}
    with watching(browser, site, **LOOKS[look], **state) as watched:
        watched.allowed.add(shown.status)
        page = watched.open()
        page.goto(find_path(page, shown))
        shown.act(page)
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}-{look}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        faults = list_faults(page)
        assert not faults, "\n".join(faults)


@pytest.mark.parametrize("look", LOOKS)
def test_a_name_without_blanks_is_no_wider_than_the_screen(
    look: str, browser: Browser, site: Site, signed_in: Any
) -> None:
    with watching(browser, site, **LOOKS[look], storage_state=signed_in) as watched:
        page = watched.open("/admin/collections/new/")
        page.get_by_label("Name", exact=True).fill("N" * 200)
        page.get_by_label("Short name").fill(f"long-{look}-{'x' * 50}")
        page.get_by_role("button", name="Make it and add documents").click()
        change = page.get_by_role("link", name="Settings").get_attribute("href")
        page.goto("/admin/collections_app/apikey/add/")
        page.get_by_label("Name", exact=False).first.fill("K" * 200)
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="I have copied it").click()
        key = page.url.removesuffix("change/")
        paths = [
            "/admin/add/",
            change,
            f"{HANDBOOK.replace('handbook', f'long-{look}-' + 'x' * 50)}",
            f"{key}rotate/",
            f"{key}revoke/",
        ]
        lists = ["/admin/collections_app/collection/", "/admin/collections_app/apikey/"]
        for path in paths + lists:
            page.goto(str(path))
            width = "Math.max(document.documentElement.scrollWidth, document.querySelector('#result_list')?.scrollWidth || 0)"
            assert page.evaluate(f"{width} - innerWidth") <= 0, path


def test_on_a_phone_a_card_of_a_list_is_headed_by_what_its_row_is_called(
    browser: Browser, site: Site, signed_in: Any
) -> None:
    with watching(browser, site, **LOOKS["phone"], storage_state=signed_in) as watched:
        page = watched.open("/admin/collections_app/document/")
        row = page.locator("#result_list .data-row").first
        label = "cell => getComputedStyle(cell, '::before').content"
        box, name = row.locator("td.action-checkbox"), row.locator("th")
        assert [box.evaluate(label), name.evaluate(label)] == ["none", "none"]
        expect(name).to_have_text("broken.docx")
        expect(box.get_by_role("checkbox")).to_be_visible()
        top = "cell => cell.getBoundingClientRect().top"
        assert abs(box.evaluate(top) - name.evaluate(top)) < 10, "They are on one line"


def find_path(page: Page, shown: Shown) -> str:
    if not shown.of:
        return shown.path
    page.goto(f"/admin/collections_app/{shown.of}")
    found = re.search(r"/(\d+)/change/", page.content())
    assert found, f"{shown.of} has no row"
    return shown.path.format(found[1])


def list_faults(page: Page) -> list[str]:
    """What axe takes for serious or critical, but for what is the theme's."""
    return [
        f"{each['id']}: {node['target']} {node['html'][:200]}"
        for each in Axe().run(page).response["violations"]
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]
