"""Descriptions of functions, classes and options: each becomes a section that can be found and linked to."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html import parse_html


def parse(body: str) -> NormalisedText:
    return parse_html(RawDocument("x.html", f"<main>{body}</main>".encode()))


def make_entry(identifier: str, name: str, signature: str, description: str = "") -> str:
    return (
        f'<dl class="py function"><dt id="{identifier}">{signature.replace(name, f"<span class=descname>{name}</span>")}'
        f"</dt><dd>{description}</dd></dl>"
    )


def test_an_entry_is_a_heading_below_the_one_above_it_with_its_signature_as_code() -> None:
    text = parse("<h2>Tea</h2>" + make_entry("tea.pour", "pour", "pour(cups=1)", "<p>Pours.</p>"))
    assert text.content == "## Tea\n\n### `tea.pour`\n\n```python\npour(cups=1)\n```\n\nPours.\n"
    assert text.anchors == {2: "tea.pour"}


def test_entries_within_an_entry_are_one_level_deeper_and_those_after_it_are_not() -> None:
    inner = make_entry("tea.Pot.pour", "pour", "pour()")
    text = parse(
        "<h1>Tea</h1>" + make_entry("tea.Pot", "Pot", "class Pot()", inner) + make_entry("tea.cup", "cup", "cup()")
    )
    headings = [line for line in text.content.split("\n") if line.startswith("#")]
    assert headings == ["# Tea", "## `tea.Pot`", "### `tea.Pot.pour`", "## `tea.cup`"]


def test_no_entry_is_deeper_than_markdown_has_levels() -> None:
    text = parse("<h6>Tea</h6>" + make_entry("tea.pour", "pour", "pour()"))
    assert "\n###### `tea.pour`\n" in text.content


@pytest.mark.parametrize(
    ("identifier", "term", "heading"),
    [
        ("c.pot_new", "Pot *<span class=descname>pot_new</span>()", "`pot_new`"),
        ("x", "<span class=descclassname>Pot.</span><span class=descname>lid</span>", "`Pot.lid`"),
        ("cmdoption-h", "<span class=descname>-h</span>, <span class=descname>--help</span>", "`-h, --help`"),
        ("GUC-HEAT", "<code>heat</code> (<code>integer</code>)", "`heat` (`integer`)"),
        ("term-tea", "tea", "tea"),
    ],
)
def test_an_entry_is_called_by_its_full_name(identifier: str, term: str, heading: str) -> None:
    assert parse(f"<dl><dt id='{identifier}'>{term}</dt><dd>x</dd></dl>").content.startswith(f"## {heading}\n")


def test_an_http_method_and_its_path_are_one_name() -> None:
    signature = '<span class="sig-name descname">GET </span><span class="sig-name descname">/cups</span>'
    text = parse(f'<dl class="http get"><dt id="get--cups">{signature}</dt><dd>Lists them.</dd></dl>')
    assert text.content == "## `GET /cups`\n\nLists them.\n"


def test_a_name_that_is_all_of_the_signature_is_not_repeated() -> None:
    assert parse(make_entry("tea.Pot.size", "size", "size", "Litres.")).content == "## `tea.Pot.size`\n\nLitres.\n"


def test_signatures_that_share_a_description_stand_together() -> None:
    body = "<dl><dt id=a><b class=descname>a</b>()</dt><dt id=b><b class=descname>a</b>(x)</dt><dd>Both.</dd></dl>"
    assert parse(body).content == "## `a`\n\n```\na()\na(x)\n```\n\nBoth.\n"


def test_terms_that_share_a_description_stand_together() -> None:
    body = "<dl><dt id=a>tea</dt><dt id=b>infusion</dt><dd>Hot.</dd></dl>"
    assert parse(body).content == "## tea\n\n**infusion**\n\nHot.\n"


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li><dl><dt id=a>tea</dt><dd>Hot.</dd></dl></li></ul>",
        "<dl class=footnote><dt id=a>1</dt><dd>Hot.</dd></dl>",
        "<dl><dt>tea</dt><dd>Hot.</dd></dl>",
    ],
)
def test_other_terms_are_items_of_a_list(body: str) -> None:
    assert "#" not in parse(body).content


def test_a_signature_without_an_id_is_an_item_with_its_code() -> None:
    body = "<dl><dt>tea.<b class=descname>pour</b>(<em>cup</em>)</dt><dd>Pours.</dd></dl>"
    assert parse(body).content == "- `tea.pour(cup)`: Pours.\n"


def test_permalinks_and_links_to_source_are_no_part_of_a_signature() -> None:
    links = '<a href="s.html"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#a">¶</a>'
    body = f"<dl><dt id=a><b class=descname>a</b>(){links}</dt><dd>x</dd></dl>"
    assert "```\na()\n```" in parse(body).content


@pytest.mark.parametrize(
    ("after", "written"),
    [
        ("<p>Both pour.</p>", "Both pour."),
        ("<ul><li>Both pour.</li></ul>", "- Both pour."),
        ("<blockquote>Both pour.</blockquote>", "> Both pour."),
        ("<pre>pour()</pre>", "```\npour()\n```"),
    ],
)
def test_text_after_an_entry_stands_behind_a_line_across(after: str, written: str) -> None:
    entry = make_entry("tea.Pot.size", "size", "size", "Litres.")
    assert parse(f"{entry}{after}<p>Pour.</p>").content.endswith(f"Litres.\n\n---\n\n{written}\n\nPour.\n")


def test_between_an_entry_and_a_heading_stands_no_line_across() -> None:
    entry = make_entry("tea.Pot.size", "size", "size", "Litres.")
    assert "---" not in parse(f"{entry}{entry}<h2>Cups</h2><p>Tilt.</p>{entry}").content


def test_text_after_an_entry_within_an_entry_is_told_from_it() -> None:
    inner = make_entry("tea.Pot.pour", "pour", "pour", "Pours.")
    assert parse(make_entry("tea.Pot", "Pot", "Pot", f"{inner}A pot.")).content.endswith("Pours.\n\n---\n\nA pot.\n")


def test_a_signature_whose_parameters_have_lines_of_their_own_is_whole() -> None:
    parameters = "<dl>\n<dd><em>length: float</em>,</dd>\n<dd><em>beam=(1,)</em>,</dd>\n</dl>"
    term = f'<b class="descname">Hull</b>(\n\n{parameters}\n\n) -&gt; <i>None</i>'
    text = parse(f'<dl class="py class"><dt id="boat.Hull">{term}</dt><dd>A hull.</dd></dl><p>After</p>').content
    code = "```python\nHull(length: float, beam=(1,)) -> None\n```"
    assert text == f"## `boat.Hull`\n\n{code}\n\nA hull.\n\n---\n\nAfter\n"
