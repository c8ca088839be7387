"""Links by label: where the address is put, what stays as it is written, and which definitions are removed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.markdown.reference_links import write_reference_links
from tests.growth import assert_linear

DEFINITIONS = "\n\n[1]: /sails\n[Mast]: <masts of oak.md> 'Of oak'\n[boom]: https://example.org/a_(b)"


def write(line: str) -> str:
    """Write the text in a page with these definitions."""
    return write_reference_links(line + DEFINITIONS).partition("\n\n")[0].rstrip("\n")


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("See [the sails][1].", "See [the sails](/sails)."),
        ("[mast] and [MAST][]", "[mast](<masts of oak.md> 'Of oak') and [MAST](<masts of oak.md> 'Of oak')"),
        ("[`mast[0]`][  mast ]", "[`mast[0]`](<masts of oak.md> 'Of oak')"),
        ("![A sail][1] and ![boom]", "![A sail](/sails) and ![boom](<https://example.org/a_(b)>)"),
        ("[![A sail][1]][boom]", "[![A sail](/sails)](<https://example.org/a_(b)>)"),
        ("| [sail][1] | [there](a.md) [1] |", "| [sail](/sails) | [there](a.md) [1](/sails) |"),
        ("> - *[sail][1]*", "> - *[sail](/sails)*"),
        ("- [x] [sail][1]", "- [x] [sail](/sails)"),
        ("## [The sails][1]", "## [The sails](/sails)"),
        ("`one\ntwo` and\n[the\nsails][1]", "`one\ntwo` and\n[the\nsails](/sails)"),
    ],
)  # fmt: skip
def test_a_link_has_its_address_beside_it(line: str, written: str) -> None:
    assert write(line) == written


@pytest.mark.parametrize(
    "line",
    ["Write `[sail][1]`.", "\\[sail][1\\]", "[sail][2]", "[sail](a.md)", "[[1]]", "```\n[sail][1]\n```",
     "    [sail][1]", '<a title="[1]">', "A `code\nthat [goes][1] on`", "Stray ` [goes\n][1]", "[a][ma\nst]", "- [a\n- b][1]",
     "[sail](a[1].md)"],
)  # fmt: skip
def test_what_is_no_link_stays(line: str) -> None:
    assert write_reference_links(line + DEFINITIONS).startswith(f"{line}\n")


@pytest.mark.parametrize(
    "definition",
    ["[^1]: A note", "[//]: # (A comment)", "[1]: #", "Text\n[1]: /sails", "[1]: /sails\n'Title'", "[1]:\n/sails", "[1]: /sails x",
     "```\n[1]: /sails\n```", "    [1]: /sails"],
)  # fmt: skip
def test_what_defines_no_address_on_a_line_of_its_own_is_no_definition(definition: str) -> None:
    text = f"See [1], [^1] and [//].\n\n{definition}\n"
    assert write_reference_links(text) == text


def test_a_checkbox_is_no_link() -> None:
    text = "- [x] Done\n\n[x]: /sails\n"
    assert write_reference_links(text) == text


def test_the_first_of_two_definitions_counts() -> None:
    assert write_reference_links("[a]\n\n[a]: /one\n[A]: /two\n").startswith("[a](/one)\n")


def test_an_address_does_not_end_the_cell_of_a_table() -> None:
    text = "| [a] |\n\n[a]: /one|two\n"
    assert write_reference_links(text) == text


def test_definitions_that_nothing_names_any_more_go_and_other_lines_keep_their_places() -> None:
    text = "See [a] and [b].\n\n[a]: /a\n<!-- more -->\n[b]: /b\n\nMore of [b][b\n].\n\n[c]: /c\n"
    assert write_reference_links(text) == (
        "See [a](/a) and [b](/b).\n\n\n<!-- more -->\n[b]: /b\n\nMore of [b][b\n].\n\n[c]: /c\n"
    )
    assert write_reference_links("See [a].\n\n[a]: /a\n\n") == "See [a](/a).\n"


def test_a_heading_is_called_by_the_words_of_its_link() -> None:
    page = "# Changes\n\n## [1.2.0] - in May\n\n## [Later][]\n\n[1.2.0]: /compare/1.2.0\n[Later]: /later\n"
    document = parse(RawDocument("a.md", page.encode()))
    assert [section.heading for section in document.sections] == ["Changes", "1.2.0 - in May", "Later"]


def test_the_address_of_a_definition_may_be_one_of_hugos() -> None:
    page = '# A\n\nSee [the sails][], or [masts][oak].\n\n[the sails]: {{< relref sails >}}\n[oak]: {{< relref "masts" >}}#oak\n'
    assert (
        parse(RawDocument("a.md", page.encode())).content.rstrip()
        == "# A\n\nSee [the sails](sails), or [masts](masts#oak)."
    )


def test_a_section_has_the_addresses_of_its_links() -> None:
    page = "# Sails\n\n## Linen\n\nSee [masts][1] and [the API][2].\n\n## Links\n\nMore.\n\n[1]: masts.md\n[2]: xref:Sail\n"
    sections = parse(RawDocument("a.md", page.encode())).sections
    assert sections[1].text == "## Linen\n\nSee [masts](masts.md) and the API.\n\n"
    assert sections[2].text == "## Links\n\nMore.\n"


PIECES = st.sampled_from(
    ["word", " ", "\n", "\n\n", "`", "[", "]", "[a]", "[b]", "[a][b]", "![", "(", ")", "|", "\\", "<b>", "- ", "# ", "> ", "```\n",
     "\n\n[a]: /x\n", "\n\n[b]: <y z> \"t\"\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_it_renders_as_before(text: str) -> None:
    """Compared by another CommonMark parser. Two lists may become one, if what divided them is removed."""
    assert show(write_reference_links(text)) == show(text)


def show(text: str) -> list[str]:
    return re.sub(r"</?(?:p|ul|ol|li|blockquote)>|\s+", " ", MarkdownIt("commonmark").render(text)).split()


@pytest.mark.parametrize(
    "line", ["[" * 4900, "[a" * 2400, "![" * 2400, "[a]" * 1600, "[a][" * 1200, "`[a" * 1600, "[a]: " * 900]
)
def test_it_takes_linear_time(line: str) -> None:
    assert_linear(lambda line: write_reference_links("\n".join([line] * 100) + "\n\n[a]: /a\n"), line)


@pytest.mark.parametrize("line", ["words", "[a] words", "- [a]", "```", "> # [a]", "[b]:", "[b]: /b"])
def test_many_lines_take_linear_time(line: str) -> None:
    assert_linear(lambda lines: write_reference_links("\n".join([*lines, "[a]", "", "[a]: /a"])), [line] * 20_000)
