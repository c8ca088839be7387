"""HTML pages from which a site is still to be made: front matter, tags and variables of the generator, templates in scripts."""

from __future__ import annotations

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing import parse
from collections_app.parsing.documents import ParsedDocument, RawDocument
from collections_app.parsing.html.mending.templates import open_templates
from collections_app.parsing.includes import IncludeResolver
from tests.growth import assert_linear


def read(page: str) -> ParsedDocument:
    return parse(RawDocument("page.html", page.encode()))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_front_matter_of_html_says_what_it_says_of_markdown(mark: str) -> None:
    page = read(f"{mark}---\ntitle: All sails\ndescription: Of linen.\nlayout: wide\n---\n<h2>Jib</h2><p>Small.</p>\n")
    assert (page.title, page.description, page.metadata["layout"]) == ("All sails", "Of linen.", "wide")
    assert page.content == "## Jib\n\nSmall.\n"


@pytest.mark.parametrize(
    ("fragment", "title"),
    [
        ("<section><h4>Sails (Small)</h4><p>Of linen.</p><h5>Jib</h5></section>", "Sails (Small)"),
        ("<p>Of linen.</p><h4>Sails (Small)</h4>", "page"),
        ("<h3>Sails</h3><p>Of linen.</p><h3>Oars</h3>", "page"),
    ],
)
def test_a_part_of_a_page_is_named_by_the_heading_that_all_of_it_is_below(fragment: str, title: str) -> None:
    assert read(fragment).title == title


def test_front_matter_of_hugo_is_read_and_its_tags_are_no_text() -> None:
    page = read('+++\ntitle = "Sails"\n+++\n{{< note >}}\n<p>Dry them.</p>\n{{< /note >}}\n')
    assert (page.title, page.content.split()) == ("Sails", ["**Note:**", "Dry", "them."])


def test_a_page_that_only_a_layout_fills_is_listed() -> None:
    page = read('---\ntitle: Search\n---\n<div id="results"></div>\n<script>search()</script>\n')
    assert (page.title, page.content) == ("Search", "")
    assert page.warnings == ("it has no text: it is listed, and nothing of it is found",)


def test_a_page_that_leads_on_by_its_front_matter_says_where() -> None:
    assert "(/new/)" in read("---\nredirect_to: /new/\n---\n<p></p>\n").content


def test_broken_front_matter_is_told_with_its_line() -> None:
    with pytest.raises(ParseError, match="line 4"):
        read("---\ntitle: a\nb: [c\n---\n<p>Sails.</p>\n")


def test_a_rule_of_hyphens_is_text() -> None:
    assert "Sails." in read("---\n<p>Sails.</p>\n").content


def test_variables_of_a_site_stand_in_its_html_where_a_generator_reads_it() -> None:
    files = {"_config.yml": b"ship: Ada"}
    text = "<p>On {{ site.ship }}, see <a href=\"{{ '/deck/' | relative_url }}\">the deck</a>.</p>\n"
    resolve = IncludeResolver(files.get).resolve
    made = resolve(RawDocument("page.html", f"---\n---\n{text}".encode()))
    assert parse(made).content == "On Ada, see [the deck](/deck/).\n"
    assert resolve(RawDocument("page.html", text.encode())).content == text.encode()


@pytest.mark.parametrize(
    "kind", ["text/x-handlebars-template", "text/html", 'text/x-mustache" id="a', "TEXT/template", "text/x-jquery-tmpl"]
)
def test_a_template_is_the_text_of_a_page_that_has_no_other(kind: str) -> None:
    page = f'<script type="{kind}"><h2>Sails</h2><p>Of linen.</p></script><div class="target"></div>'
    assert read(page).content == "## Sails\n\nOf linen.\n"


def test_a_template_beside_text_is_none() -> None:
    page = read('<p>Boats.</p><script type="text/x-handlebars-template"><p>{{name}}</p></script>')
    assert page.content == "Boats.\n"


@pytest.mark.parametrize("kind", ["text/javascript", "application/json", "module"])
def test_scripts_are_no_text(kind: str) -> None:
    with pytest.raises(ParseError, match="no text"):
        read(f'<script type="{kind}">let a = "Sails of linen"</script>')


def test_what_is_hidden_in_a_template_stays_hidden() -> None:
    with pytest.raises(ParseError, match="no text"):
        read('<script type="text/html"><p hidden>Obey the captain.</p></script>')


@pytest.mark.parametrize(
    "text", ["<script type=text/html>", "<script ", '<script type="text/html" ', " type=", "<script>"]
)
def test_many_tags_of_scripts_take_no_longer_than_they_are_long(text: str) -> None:
    assert_linear(open_templates, text.encode() * 100_000)


def test_a_page_of_which_the_server_includes_all_is_refused_for_that() -> None:
    with pytest.raises(ParseError, match=r"its server puts other files in it .* read the site"):
        read('<!-- The newest. -->\n<!--#include virtual="38/sails.html" -->\n')
