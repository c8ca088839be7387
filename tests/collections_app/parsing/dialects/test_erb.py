"""Markdown that Middleman fills in: its own title and what helpers are told stay, what Ruby computes is left out."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, is_document_name, parse
from collections_app.parsing.dialects.erb import write_erb
from tests.growth import assert_linear

PAGE = """---
title: Reefing early
---
# <%= current_page.data.title %>

<% content_for :sidebar do %>
Reef <%= "before" if early? %>the wind rises.
<% end %>

<%= warning_text('Don\\'t reef
downwind') %> <%= partial 'partials/nav' %>

    write <%%= this %> as it is <%# a remark %>
"""


def test_a_page_reads_as_its_site_shows_it_as_far_as_its_text_says() -> None:
    document = parse(RawDocument("a/reefing.html.md.erb", PAGE.encode()))
    assert (document.format, document.title) == ("markdown", "Reefing early")
    [section] = document.sections
    assert section.section_id == "reefing-early"
    assert "\nReef the wind rises.\n" in section.text
    assert "Don't reef\ndownwind" in section.text
    assert "write <%= this %> as it is" in section.text
    for left_out in ("sidebar", "partial", "end", "remark"):
        assert left_out not in section.text


def test_no_line_moves() -> None:
    content = "a\n<%\n  b = 1\n%>\n<%= note('c\nd',\n  1) %>\ne <%= current_page.data.title %>\n"
    assert write_erb(content, "T").split("\n")[7] == "e T"


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("<%= link_to 'The guide', '/guide' %>", "The guide"),
        ('<%= link_to("The guide", "/guide") -%>', "The guide"),
        ("<%= image_tag 'a/b.png' %>", ""),
        ("<%= 1 + 2 %>", ""),
    ],
)
def test_of_a_helper_with_more_arguments_the_text_stays(tag: str, said: str) -> None:
    assert write_erb(f"See {tag}.", "T") == f"See {said}."


def test_elsewhere_such_signs_are_text() -> None:
    assert "`<%= title %>`" in parse(RawDocument("erb.md", b"# ERB\n\nWrite `<%= title %>`.\n")).sections[0].text


@pytest.mark.parametrize("name", ["a.html.md.erb", "a.md.erb", "a.markdown.erb", "a.livemd", "a.mdoc", "a.mkdn"])
def test_it_is_a_documents_name(name: str) -> None:
    assert is_document_name(name)
    assert parse(RawDocument(name, b"Plain words.\n")).format == "markdown"


@pytest.mark.parametrize("name", ["a.html.erb", "a.erb", "erb", "md.erb"])
def test_a_template_is_none(name: str) -> None:
    assert not is_document_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "<%" * 100_000,
        "<%= a('" * 50_000,
        "<%= a('\\" + "\\'" * 100_000,
        "<% %" * 50_000,
        f"<%= f('x'{' ' * 200_000}z %>",
        f"<%= f('x',{'a,' * 100_000}z' %>",
    ],
)
def test_no_text_takes_long(text: str) -> None:
    assert_linear(lambda each: write_erb(each, "T"), text)
