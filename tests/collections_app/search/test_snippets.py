"""What a snippet shows of a section: the words that were asked for, and no markup that says nothing."""

from __future__ import annotations

import pytest

from collections_app.search.question_words import make_question_words
from collections_app.search.snippets import make_snippet

OPTIONS = "".join(f"| `frame_limit_{n}` | {n * 7} | Limit number {n} |\n" for n in range(60))
LIMITS = "".join(f"| `Frame{name}Limit` | 1 | A limit |\n" for name in ("Soft", "Hard", "Burst", "Window"))


def snip(text: str, question: str, length: int = 80) -> str:
    return make_snippet(text, make_question_words(question), length)


def test_it_is_around_the_identifier_that_was_asked_for_and_not_around_one_that_begins_like_it() -> None:
    assert "`frame_limit_42` | 294" in snip(OPTIONS, "frame_limit_42")


@pytest.mark.parametrize("question", ["frame_burst_limit", "FrameBurstLimit", "FRAME_BURST_LIMIT", "frameBurstLimits"])
def test_it_is_around_an_identifier_that_is_written_otherwise(question: str) -> None:
    assert "`FrameBurstLimit`" in snip(LIMITS * 2, question, 40)
    assert "--frame-burst-limit" in snip(f"{'Plain words of it. ' * 20}Give --frame-burst-limit 3.", question)


@pytest.mark.parametrize(
    "name", ["frame-burst-limit", "frame.burst.limit", "frame::burst::limit", "frame.io/burst-limit"]
)
def test_it_is_around_a_name_with_signs_and_not_around_its_parts(name: str) -> None:
    text = f"A frame of io has a burst limit.{' Plain words of it.' * 20} Give --{name} 3.{' More words.' * 20}"
    assert f"--{name} 3" in snip(text, f"--{name}")


def test_a_name_of_prose_in_camel_case_is_found_in_the_singular() -> None:
    assert "a WebSocket is open" in snip(f"{'Plain words of it. ' * 20}While a WebSocket is open.", "WebSockets")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\n| Key | Value |\n|:------|------:|\n| gear | 7 |\n", "| Key | Value | | gear | 7 |"),
        ("\nOne\n-----\n\n--gear 7\n", "One --gear 7"),
        ('=== "Shell"\n\n    ```sh\n    gear 7\n    ```\n\nEnd.', '=== "Shell" gear 7 End.'),
        ("- ```sh\n  gear 7\n  ```\n", "gear 7"),
        ("The [gear](../gears.md#seven) of [all](https://x.example.org/a_b) [these](#here).", "The gear of all these."),
        ("![build](https://x.example.org/b.svg) The ![a gear](gear.png) turns.", "build The a gear turns."),
        ("Call `gears[name](event)` and `gears[0](x.y)`.", "Call `gears[name](event)` and `gears[0](x.y)`."),
        ("Give --gear | --wheel, as ```gear 7``` does.", "Give --gear | --wheel, as ```gear 7``` does."),
    ],
    ids=["table", "underline", "tab", "list item", "links", "images", "calls", "options"],
)
def test_markup_that_says_nothing_is_dropped(text: str, shown: str) -> None:
    assert snip(text, "gear", 200) == shown


def test_it_is_as_long_as_it_may_be_where_links_lead_far() -> None:
    links = " ".join(f"[gear {n}](https://x.example.org/{'long/' * 6}{n})" for n in range(40))
    assert snip(f"Turn them. {links}", "turn", 40) == "Turn them. gear 0 gear 1 gear 2 gear 3 …"


def test_it_may_begin_within_a_link() -> None:
    link = f"[{'plain ' * 20}and the turbine](https://x.example.org/turbines)"
    assert snip(f"{'Before. ' * 20}{link} turns.", "turbine", 40).endswith("and the turbine turns.")
