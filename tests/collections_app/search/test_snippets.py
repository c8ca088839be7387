"""What a snippet shows of a section: the words that were asked for, and no markup that says nothing."""

from __future__ import annotations

import pytest

from collections_app.search.snippets import make_code_snippet, make_snippet
from collections_app.text.passages.question_words import make_question_words

OPTIONS = "".join(f"| `frame_limit_{n}` | {n * 7} | Limit number {n} |\n" for n in range(60))
LIMITS = "".join(f"| `Frame{name}Limit` | 1 | A limit |\n" for name in ("Soft", "Hard", "Burst", "Window"))

SETTINGS = [(f"frame_limit_{n}", n * 7, f"Frames that wheel {n} may hold") for n in range(10, 40)]


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


@pytest.mark.parametrize("operator", ["|>", "->>", "&+"])
def test_it_is_around_an_operator(operator: str) -> None:
    text = f"Something else. {'More of that, and more. ' * 40}Write x {operator} f() to pass it on. {'And more. ' * 40}"
    assert f"x {operator} f()" in snip(text, operator, 150)
    assert f"x {operator} f()" in snip(text, f"what does {operator} do", 150)


def test_it_is_around_a_word_and_not_around_what_only_begins_like_it() -> None:
    codes = " ".join(f"PLR{number:04} is a rule." for number in range(200, 300))
    assert "PLR0250 is a rule" in snip(codes, "plr0250")
    text = f"Confirm every order.{' Plain words of it.' * 20} It is configured so.{' Plain words of it.' * 20}"
    assert "It is configured so" in snip(text, "configuration")


def test_a_name_of_prose_in_camel_case_is_found_in_the_singular() -> None:
    assert "a WebSocket is open" in snip(f"{'Plain words of it. ' * 20}While a WebSocket is open.", "WebSockets")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\n| Key | Value |\n|:------|------:|\n| gear | 7 |\n", "| Key | Value | | gear | 7 |"),
        ("\n|   |   |\n|---|---|\n| gear | 7 |\n", "| gear | 7 |"),
        ("\nOne\n-----\n\n--gear 7\n", "One --gear 7"),
        ("ALL GEARS\n=========\n\n--gear 7 a=1\n", "ALL GEARS --gear 7 a=1"),
        ("\n \n## Gears\n\n--gear 7\n", "--gear 7"),
        ('=== "Shell"\n\n    ```sh\n    gear 7\n    ```\n\nEnd.', "Shell: gear 7 End."),
        ("- ```sh\n  gear 7\n  ```\n", "gear 7"),
        ("The [gear](../gears.md#seven) of [all](https://x.example.org/a_b) [these](#here).", "The gear of all these."),
        ("![build](https://x.example.org/b.svg) The ![a gear](gear.png) turns.", "build The a gear turns."),
        ("Call `gears[name](event)` and `gears[0](x.y)`.", "Call `gears[name](event)` and `gears[0](x.y)`."),
        ("Give --gear | --wheel, as ```gear 7``` does.", "Give --gear | --wheel, as ```gear 7``` does."),
        ("The [gear][g-7] of [all][].\n\n[g-7]: gears.md#seven\n[all]: https://x.org\nEnd.", "The gear of all. End."),
        (
            "Gear[^1] `[a][b]`, rows[0][name].\n\n[^1]: Or a wheel.",
            "Gear[^1] `[a][b]`, rows[0][name]. [^1]: Or a wheel.",
        ),
        ("> **Note:** A gear\n> turns.\n>\n> - It is > 7\n\nEnd.", "> **Note:** A gear turns. - It is > 7 End."),
    ],
    ids=[
        "table",
        "empty head",
        "underline",
        "title's underline",
        "heading below blank lines",
        "tab",
        "list item",
        "links",
        "images",
        "calls",
        "options",
        "references",
        "no references",
        "quotation",
    ],
)
def test_markup_that_says_nothing_is_dropped(text: str, shown: str) -> None:
    assert snip(text, "gear", 200) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> [!NOTE]\n> A gear\n> turns.\n\n> So.", "Note: A gear turns. > So."),
        ("> [!tip]- Gears\n>\n> - They turn.", "Gears: - They turn."),
        (":::warning\n\nA gear turns.\n\n:::\n", "Warning: A gear turns."),
        ("::::info[Gears!]\n:::tip{#a}\nThey turn.\n:::\n::::", "Gears! Tip: They turn."),
        ("- So:\n  ::: details Gears {open}\n  They turn.\n  :::", "- So: Gears: They turn."),
        ("::: code-group\n\n```sh [Shell]\ngear 7\n```\n\n:::", "gear 7"),
        ('!!! note "Gears"\n    They turn.\n\n??? faq\n    Do they?', "Gears: They turn. FAQ: Do they?"),
        ("```{note}\nA gear turns.\n```\n```sh\n:::tip\n```\n:::tip", "Note: A gear turns. :::tip Tip:"),
        ("````{tab-set}\n```{tab-item} Gears\n:sync: a\nThey turn.\n```\n````", "Gears: They turn."),
    ],
)
def test_the_signs_of_boxes_are_words(text: str, shown: str) -> None:
    assert snip(text, "gear", 200) == shown


@pytest.mark.parametrize(
    "text",
    [
        ":::gears\nThey turn.",
        "> [!GEARS]\n\nThey turn.",
        "!!! gears",
        "[!NOTE] gears",
        "A gear::: turns, !!! note [!NOTE] ??? tip",
        "`a` === b",
    ],
)
def test_what_is_no_box_stays(text: str) -> None:
    assert snip(text, "turn", 200) == " ".join(text.split())


def test_a_link_is_no_box() -> None:
    assert snip("> [!note][a] gears", "turn", 200) == "> !note gears"


def test_code_that_shows_boxes_stays_as_it_is() -> None:
    shown = "~~~md\n:::tip\ngear\n:::\n> [!NOTE]\n!!! note\n~~~\n"
    assert snip(shown, "gear", 200) == ":::tip gear ::: > [!NOTE] !!! note"


def test_a_box_is_shown_from_its_title_on() -> None:
    assert snip(f"{'Before. ' * 40}\n\n:::tip The turbine\n\nIt turns.\n\n:::\n", "turbine", 60).endswith(
        "The turbine: It turns."
    )


def test_it_is_as_long_as_it_may_be_where_links_lead_far() -> None:
    links = " ".join(f"[gear {n}](https://x.example.org/{'long/' * 6}{n})" for n in range(40))
    assert snip(f"Turn them. {links}", "turn", 40) == "Turn them. gear 0 gear 1 gear 2 gear 3 …"


def test_it_may_begin_within_a_link() -> None:
    link = f"[{'plain ' * 20}and the turbine](https://x.example.org/turbines)"
    assert snip(f"{'Before. ' * 20}{link} turns.", "turbine", 40).endswith("and the turbine turns.")


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("| `{}` | {} | {} |\n", "| `frame_limit_21` | 147 | Frames that"),
        ("- `{}` (default {}): {}.\n", "- `frame_limit_21` (default 147): Frames that"),
        ("* **{}** = {}: {}.\n", "* **frame_limit_21** = 147: Frames that"),
        ("1. `{}`, {}: {}.\n", "1. `frame_limit_21`, 147: Frames that"),
        ("> - `{}` {} {}\n", "- `frame_limit_21` 147 Frames that"),
        ("  {}: {}  # {}\n", "frame_limit_21: 147 # Frames that"),
        ("`{}` | {} | {}\n", "`frame_limit_21` | 147 | Frames that"),
        ("{}\n:   Default {}. {}.\n\n", "frame_limit_21 : Default 147. Frames that"),
        ("The setting `{}` is {} at first. {}.\n", "The setting `frame_limit_21` is 147 at first. Frames that"),
        ("Turn, and it turns. `{}` is {} at first. {}. ", "`frame_limit_21` is 147 at first. Frames that"),
    ],
    ids=["row", "item", "star", "number", "quoted", "YAML", "bare row", "term", "line", "sentence"],
)
def test_it_begins_with_the_entry_that_was_found_and_shows_no_value_of_the_one_before(form: str, begins: str) -> None:
    text = "".join(form.format(*setting) for setting in SETTINGS)
    assert snip(text, "frame_limit_21", 120).startswith(f"… {begins}")


def test_it_begins_with_the_name_of_an_entry_whose_description_was_found() -> None:
    rows = [f"| `gear_{n}` | integer | no | How many turns the gear makes at first. |\n" for n in range(9)]
    rows[5] = rows[5].replace("turns", "revolutions")
    assert snip("".join(rows), "revolutions").startswith("… | `gear_5` | integer | no | How many revolutions the gear")


def test_no_word_that_was_asked_for_is_lost_for_the_beginning_of_an_entry() -> None:
    shown = snip(f"{'Before. ' * 20}\n- `gear` is for those who like it: wheels {'of a kind ' * 4}turn.", "wheels turn")
    assert shown.startswith("… those who like it: wheels")
    assert "turn" in shown


def test_lines_of_a_paragraph_are_no_entries() -> None:
    assert "that is the gear's" in snip(
        f"{'Before. ' * 20}\nand\nof the speed that is\nthe gear's revolutions", "revolutions"
    )


@pytest.mark.parametrize(
    "address",
    [f"[of teeth](https://x.example.org/{'long/' * 20}mac)", f"<https://x.example.org/{'long/' * 10}mac>"],
    ids=["link", "address"],
)
def test_it_begins_in_no_address(address: str) -> None:
    text = f"{'plain words ' * 20}{address} gears turn there{' more words' * 20}"
    for length in range(60, 480, 7):
        shown = snip(text, "gears", length)
        assert "gears turn" in shown
        assert shown.startswith(("… plain", "… words", "… teeth", "… gears", "… <https://x.example.org/long/"))


def test_it_begins_in_no_tag() -> None:
    link = '[the wheel <img src="/gears/icon.svg" class="external link to all">](https://x.example.org/wheel)'
    text = f"{'plain words ' * 20}see {link} turns turbines{' more words' * 20}"
    begun = {snip(text, "turbines", length).split()[1] for length in range(20, 480, 3)}
    assert begun <= {"words", "see", "the", "wheel", "<img", "turns", "turbines"}


def test_what_is_asked_for_in_a_tag_is_shown_with_it() -> None:
    tag = '<gear-wheel with="some other words that are long" turbine="7">'
    assert snip(f"{'Plain words of it, ' * 20}{tag}{' more words' * 20}", "turbine", 40).startswith(f"… {tag[:20]}")


CODE = """let limits_of_connections = Limits {
  first_value: Some(5),
  second_value: Some(1200),
  third_value: Some(1200000),
}
let settings = UploadSettings {
  enabled: Some(true),
  upload_retry_limit: Some(3).or_else(|| read_default("RETRY")),
  other: None,
};
"""


def test_code_is_shown_from_the_first_line_from_which_whole_lines_have_most_of_the_words() -> None:
    words = make_question_words("set the retry limit of uploads", {"set", "the", "of"})
    snippet = make_code_snippet(f"```rust\n{CODE}```\n", "rust", words, 200)
    assert snippet.startswith("```rust\n…\nlet settings = UploadSettings {\n")
    assert "upload_retry_limit: Some(3)" in snippet
    first = make_question_words("limits of connections", {"of"})
    assert make_code_snippet(f"```rust\n{CODE}```\n", "rust", first, 60).startswith(
        "```rust\nlet limits_of_connections"
    )


def test_code_that_fits_is_shown_whole_and_a_long_line_is_cut() -> None:
    words = make_question_words("retry")
    assert make_code_snippet("```rust\necho a\nretry\n```\n", "rust", words, 50) == "```rust\necho a\nretry\n```"
    assert make_code_snippet(f"```rust\n{'a' * 300} retry\n```\n", "rust", words, 50) == f"```rust\n{'a' * 50}\n…\n```"
