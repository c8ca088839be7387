"""Pages that only say where their text has moved, and those that say more."""

from __future__ import annotations

import pytest

from collections_app.text.pages.moved import is_moved_page, make_redirect_text


@pytest.mark.parametrize(
    "text",
    [
        "This page has moved to [Knots](../knots.md).",
        "This page has been moved to the\n[knots guide](../knots.md)",
        "The contents of this document have now moved to: [Knots](../knots.md#all).",
        "The docs of knots have moved. The new location is here: [Knots](knots.md). Please update any links to this page.",
        "> ⚠️ This page has moved. See [Knots](knots.md)",
        "> **Note**\n>\n> This guide has been renamed to [Knots](knots.md).",
        "> [!NOTE]\n> These docs are now part of [Knots](knots.md).",
        "**This section now lives in [Knots](knots.md).**",
        "Moved to [`knots`](knots.md)!",
        "Redirecting to [Knots](/docs/knots).",
        "You can now find documentation for knots at [Knots](knots.md).",
        "The list of knots can now be found in the [Knots](knots.md) section.",
    ],
)
def test_a_page_that_only_leads_on_is_known(text: str) -> None:
    assert is_moved_page(f"# Knots and *ropes*\n\n{text}\n")
    assert is_moved_page(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "This page has moved.",
        "This page has moved to Knots.",
        "This page has moved to [Knots](https://example.org/knots).",
        "This page has moved to https://example.org/knots. See [Ropes](ropes.md).",
        "This page has moved to [Knots](knots.md) and [Ropes](ropes.md).",
        "This page has moved to [Knots](knots.md). A bowline holds.",
        "This page has moved to [Knots](knots.md).\n\n- A bowline holds.",
        "This page has moved to [Knots](knots.md).\n\n```\ntie\n```",
        "This page has moved to [Knots](knots.md).\n\n## Bowline",
        "This page has moved to [Knots](knots.md).\n\n![A knot](knot.png)",
        "This page shows how a rope is moved to [another boat](boats.md).",
        "The rope has moved to [another boat](boats.md).",
        "For knots the lines have been changed since the support was moved. See the [guide](guide.md) for the new lines.",
        "See [Knots](knots.md).",
        "You can find documentation for knots at [Knots](knots.md).",
        "Runnable examples of knots can be found in [examples](examples/knots).",
        "You can now find the builds at [builds](/builds/nightly.tar.gz).",
        "Redirecting to [the new tab](#tab).",
        "You can find knots at [Knots](knots.md). A bowline holds.",
        "You can find knots in many boats, such as [ours](boats.md), and tie them.",
        "This page is obsolete. Refer to [Knots](knots.md).",
        "This page has moved to [Knots](knots.md)" + ", as was to be expected" * 30,
    ],
)
def test_a_page_that_says_more_is_not(text: str) -> None:
    assert not is_moved_page(f"# Knots\n\n{text}\n")


@pytest.mark.parametrize("target", ["/docs/b", "https://example.org/a?b=c", "a b(c)[d]<e>*f*"])
def test_what_is_said_of_a_redirect_is_known(target: str) -> None:
    assert is_moved_page(make_redirect_text(target))


@pytest.mark.parametrize("sign", ["[a](b)", "> ", "this page has moved ", "*", "# a\n", "[", "moved to the ", "a\n"])
def test_a_long_text_is_left_at_once(sign: str) -> None:
    assert not is_moved_page(sign * 500_000)
    assert not is_moved_page((sign * 2_000)[:1_999])
