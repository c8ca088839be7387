"""Groups of pages, from a collection's own table of contents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing.navigation import is_navigation, parse_navigation, parse_titles
from tests.growth import assert_linear


def read(text: str, path: str = "SUMMARY.md") -> dict[str, str]:
    return parse_navigation(path, text)


PARTS = """
# Table of contents

* [Welcome](README.md)

## First steps

* [Install](install.md)
  * [Linux](install/linux.md)

## Use

* [CLI](cli.md)
"""

BULLETS = """
- Getting started
  - [Install](install.md)
  - More
    - [Deep](deep.md)
- [Guide](guide.md)
  - [Sub](sub.md)
- [Alone](alone.md)
"""


def test_the_group_is_the_heading_above() -> None:
    assert read(PARTS) == {"install.md": "First steps", "install/linux.md": "First steps", "cli.md": "Use"}


def test_without_headings_it_is_the_top_level_bullet() -> None:
    groups = {"install.md": "Getting started", "deep.md": "Getting started", "guide.md": "Guide", "sub.md": "Guide"}
    assert read(BULLETS, "_sidebar.md") == groups


def test_a_heading_that_names_the_file_is_no_group() -> None:
    assert read("# Summary\n- [A](a.md)\n\n# Part one\n- [B](b.md)\n") == {"b.md": "Part one"}
    assert read("# Our handbook\n- [A](a.md)\n\n## Part one\n- [B](b.md)\n") == {"b.md": "Part one"}
    assert read("# Part one\n- [A](a.md)\n\n# Part two\n- [B](b.md)\n") == {"a.md": "Part one", "b.md": "Part two"}


def test_a_link_in_a_heading_or_a_paragraph_counts() -> None:
    text = "## [Guide](guide.md)\n\nSee [more](more.md).\n\n> - [Quoted](quoted.md)\n"
    assert read(text) == dict.fromkeys(["guide.md", "more.md", "quoted.md"], "Guide")


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("a.md", "docs/a.md"),
        ("./b/a.md#part", "docs/b/a.md"),
        ("../a.md", "a.md"),
        ("/a.md", "docs/a.md"),
        ("guide/", "docs/guide/README.md"),
        ("/", "docs/README.md"),
        ("guide", "docs/guide.md"),
        ("a%20b.md?x=1", "docs/a b.md"),
        ("<a b.md>", "docs/a b.md"),
        ("release\\_notes.md", "docs/release_notes.md"),
    ],
)
def test_links_are_relative_to_the_file(target: str, page: str) -> None:
    assert read(f"## G\n- [x]({target})\n", "docs/_sidebar.md") == {page: "G"}


@pytest.mark.parametrize(
    "target",
    ["https://example.org/a.md", "//host/a.md", "mailto:a@b.md", "../../a.md", "#part", "", "http://[bad/a.md"],
)
def test_links_that_leave_the_collection_are_ignored(target: str) -> None:
    assert read(f"## G\n- [x]({target})\n", "docs/sidebar.md") == {}


def test_the_first_mention_of_a_page_counts() -> None:
    assert read("## A\n- [x](x.md)\n\n## B\n- [x](x.md)\n") == {"x.md": "A"}


def test_inline_markup_and_colons_are_no_part_of_a_group() -> None:
    assert read("- **Getting `started`**:\n  - [x](x.md)\n") == {"x.md": "Getting started"}


def test_the_words_of_the_first_link_to_a_page_name_it() -> None:
    text = "# [Sea](sea.md)\n\n- [A `b` *c*](b/c.md) and [D](d)\n  - [E](b/c.md)\n\n[F](../f.md) [](g.md) ![H](h.md) [I](//i/)\n"
    named = {"a/sea.md": "Sea", "a/b/c.md": "A b c", "a/d.md": "D", "f.md": "F"}
    assert parse_titles("a/SUMMARY.md", text) == named


@pytest.mark.parametrize("address", ["a.md#part", "a.md?id=part"])
def test_a_link_to_a_part_of_a_page_names_it_not(address: str) -> None:
    text = f"- [Part]({address})\n- [All](a.md)\n"
    assert parse_titles("_sidebar.md", text) == {"a.md": "All"}


@given(st.text(alphabet="#-* []()./ab\n:>1!"))
def test_it_reads_anything(text: str) -> None:
    assert all(page and title for page, title in parse_titles("SUMMARY.md", text).items())
    assert all(page and group for page, group in read(text).items())


ANTORA = """\
* xref:index.adoc[Home]

.First *steps*:
* xref:install.adoc[Install]
** xref:linux/debian.adoc#apt[]
* xref:ops:backup.adoc[Backup]

.{product}
* Guides
** xref:guide[A guide]
* xref:install.adoc[Again]
* xref:tea.adoc[Tea]
// a comment
** xref:cup.adoc[Cup]
*** xref:other:ROOT:far.adoc[]
* xref:alone.adoc[Alone] and https://example.org[a site]
"""


@pytest.mark.parametrize("folder", ["", "docs/"])
def test_the_navigation_of_an_antora_module_groups_pages_by_titles_and_top_level_items(folder: str) -> None:
    assert read(ANTORA, f"{folder}modules/ROOT/nav.adoc") == {
        f"{folder}modules/{page}.adoc": group
        for page, group in {
            "ROOT/pages/install": "First steps",
            "ROOT/pages/linux/debian": "First steps",
            "ops/pages/backup": "First steps",
            "ROOT/pages/guide": "Guides",
            "ROOT/pages/tea": "Tea",
            "ROOT/pages/cup": "Tea",
        }.items()
    }


@pytest.mark.parametrize(
    ("title", "group"),
    [
        (".OUT_DIR and C#", "OUT_DIR and C#"),
        (".The `OUT_DIR` _of_ **all**", "The OUT_DIR of all"),
        (".*_Both_ ways*", "Both ways"),
        ("== Guides", "Guides"),
    ],
)
def test_formatting_of_a_title_goes_in_pairs(title: str, group: str) -> None:
    assert read(f"{title}\n* xref:a.adoc[A]\n", "modules/ROOT/nav.adoc") == {"modules/ROOT/pages/a.adoc": group}


def test_the_title_of_a_navigation_of_antora_is_no_group() -> None:
    text = "= Navigation\n\n* xref:a.adoc[A]\n.Use\n* xref:b.adoc[B]\n"
    assert read(text, "modules/ROOT/nav.adoc") == {"modules/ROOT/pages/b.adoc": "Use"}


def test_comments_in_a_navigation_of_antora_are_passed_over() -> None:
    text = ".Use\n////\n.Old\n* xref:b.adoc[B]\n/////\n////\n* xref:a.adoc[A]\n"
    assert read(text, "modules/ROOT/nav.adoc") == {"modules/ROOT/pages/a.adoc": "Use"}


@pytest.mark.parametrize("part", ["xref:", "xref:a#", "xref:a[", "link:", "*a", "_a "])
def test_long_lines_of_a_navigation_of_antora_are_read_in_linear_time(part: str) -> None:
    line = part * (900 // len(part))
    assert_linear(lambda line: read(f"* {line}\n" * 200, "modules/ROOT/nav.adoc"), line)


@pytest.mark.parametrize("part", ["x\n> [a]: b\n", "<x-\n> [a]: b\n", "[a\n", "![", "- [a]: b\n", "- "])
def test_a_table_of_contents_that_is_made_to_be_slow_is_read_in_linear_time(part: str) -> None:
    """It is read in the worker itself. The first versions took minutes."""
    text = part * (40_000 // len(part))
    assert_linear(lambda text: read(f"{text}\n\n## Use\n\n- [A](a.md)\n"), text)


def test_links_in_a_quotation_are_links_of_its_heading() -> None:
    assert read("## Use\n\n> [A](a.md) and\n> more\n\n- [B](b.md)\n") == {"a.md": "Use", "b.md": "Use"}


def test_a_page_without_words_in_a_navigation_of_antora_is_called_like_its_file() -> None:
    text = "* xref:first-steps/index.adoc[]\n** xref:a.adoc[]\n* xref:ops:tea_pots.adoc[]\n** xref:b.adoc[]\n"
    text += "* xref:{c}.adoc[{c}]\n** xref:d.adoc[]\n"
    assert read(text, "modules/ROOT/content-nav.adoc") == {
        "modules/ROOT/pages/first-steps/index.adoc": "First steps",
        "modules/ROOT/pages/a.adoc": "First steps",
        "modules/ops/pages/tea_pots.adoc": "Tea pots",
        "modules/ROOT/pages/b.adoc": "Tea pots",
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("SUMMARY.md", True),
        ("docs/modules/ROOT/nav.adoc", True),
        ("modules/ROOT/partials/nav-guides.adoc", True),
        ("modules/ROOT/content-nav.adoc", True),
        ("nav.adoc", False),
        ("modules/ROOT/pages/site-nav.adoc", False),
        ("modules/ROOT/navy.adoc", False),
        ("docs/a.md", False),
    ],
)
def test_navigation_is_told_by_its_name(path: str, expected: bool) -> None:
    assert is_navigation(path) is expected


def test_outside_of_a_module_there_is_no_navigation_of_antora() -> None:
    assert read(ANTORA, "guide/nav.adoc") == {}


@given(st.text(alphabet=".*= xref:[]#$@./ab{}\n"))
def test_it_reads_anything_as_navigation_of_antora(text: str) -> None:
    assert all(page and group for page, group in read(text, "modules/ROOT/nav.adoc").items())
