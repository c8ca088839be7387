"""The words of a heading, and its slug."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from collections_app.parsing.headings.text import MAX_HEADING_CHARACTERS, clean_heading, get_words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("plain", "plain"),
        ("`code` and *emphasis* and **strong**", "code and emphasis and strong"),
        ("[a link](https://example.org 'title')", "a link"),
        ("![an image](a.png) beside", "an image beside"),
        ("[![nested](a.png)](b)", "nested"),
        ("<a name='x'></a>Tags <kbd>Ctrl</kbd> <!-- c -->", "Tags Ctrl"),
        ("<https://example.org>", "https://example.org"),
        ("escaped \\* and \\_", "escaped * and _"),
        ("&amp; &#233; &copy;", "& é ©"),
        ("snake_case_name and __init__", "snake_case_name and init"),
        ("System.String[]", "System.String[]"),
        ("[text][label]", "[text][label]"),
        ("a  b\tc", "a b c"),
        ("Title {#own-id}", "Title"),
        ("Title { #own-id }", "Title"),
        ("Title {: #own-id .big}", "Title"),
        ('Title { id="own-id" data-toc-label="T" }', "Title"),
        ("Title {: .big}", "Title"),
        ("Title {.big #own-id key=val other='a b'}", "Title"),
        ("Title{#own-id}", "Title"),
        ("C# {#own-id}", "C#"),
        ("Title {class=big}", "Title"),
        ("Title {-}", "Title"),
        ("Title {name}", "Title {name}"),
        ("GET /knots/{id}", "GET /knots/{id}"),
        ("Title {key=val}", "Title {key=val}"),
        ("Two digits {:.2f}", "Two digits {:.2f}"),
        ("Length ${#ropes}", "Length ${#ropes}"),
        ("Print #{#rope}", "Print #{#rope}"),
        ("Each {#each ropes as rope}", "Each {#each ropes as rope}"),
        ("A {{ .Title }}", "A {{ .Title }}"),
        ("A {# note #}", "A {# note #}"),
        ("A {}", "A {}"),
        ("{#only}", ""),
        ("Title \\{#kept}", "Title {#kept}"),
        ("`{#kept}`", "{#kept}"),
        ("{#kept} inside", "{#kept} inside"),
        ("", ""),
    ],
)
def test_it_leaves_the_words_of_a_heading(source: str, words: str) -> None:
    assert clean_heading(source) == words


@given(st.text(alphabet="ab _*`[]()<>&;\\!#é1", max_size=30))
def test_it_skips_the_inline_parser_only_where_that_would_change_nothing(source: str) -> None:
    parsed = get_words(MarkdownIt("commonmark").parseInline(source.rstrip(" ")))
    assert clean_heading(source) == " ".join(parsed.split())


@pytest.mark.parametrize(
    "source",
    [
        "x " * 3_000_000,
        "![[" * 1_000_000,
        "*a " * 1_000_000,
        "{#" * 1_000_000,
        "a {" + ".a" * 1_000_000,
        "a " + "{.a " * 1_000_000,
    ],
)
def test_it_cuts_an_endless_heading(source: str) -> None:
    assert 0 < len(clean_heading(source)) <= MAX_HEADING_CHARACTERS


def test_headings_of_any_length_do_not_fill_the_memory() -> None:
    tracemalloc.start()
    for number in range(100):
        clean_heading(f"{number} {'x' * 200_000}")
    kept_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept_bytes < 5_000_000
