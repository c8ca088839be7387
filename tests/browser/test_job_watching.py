"""Who watches a job can press its buttons, although its part of the page is made anew each second."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

PART = """<section id="job-progress" hx-get="/admin/jobs/0/progress/" hx-trigger="every 200ms" hx-swap="outerHTML">
<button onclick="document.title = 'pressed'">Cancel</button> {} </section>"""

# In one step of the page: the button that was found would be another in the next.
FIND_BUTTON = """() => {
    const box = document.querySelector("#job-progress button").getBoundingClientRect();
    return [box.x + 5, box.y + 5];
}"""


def test_a_press_is_not_lost_while_the_part_is_made_anew(page: Page) -> None:
    asked = iter(range(1_000))

    def show_running(route: Route) -> None:
        """The page of a job that has ended, as of one that goes on."""
        body = route.fetch().text()
        shown = re.sub(
            r'<section class="dm-card" id="job-progress".*?</section>', PART.format("begun"), body, flags=re.DOTALL
        )
        route.fulfill(body=shown, content_type="text/html")

    page.goto("/admin/collections_app/ingestjob/")
    job = page.locator("#result_list tbody a").first.get_attribute("href")
    assert job
    page.route("**/ingestjob/*/change/**", show_running)
    page.route(
        "**/jobs/0/progress/", lambda route: route.fulfill(body=PART.format(next(asked)), content_type="text/html")
    )
    page.goto(job)
    progress = page.locator("#job-progress")
    expect(progress).to_contain_text("1")
    page.mouse.move(*page.evaluate(FIND_BUTTON))
    page.mouse.down()
    for _ in range(3):
        with page.expect_response("**/jobs/0/progress/"):
            pass
    page.mouse.up()
    expect(page).to_have_title("pressed")
    last = progress.inner_text()
    expect(progress).not_to_have_text(last)
