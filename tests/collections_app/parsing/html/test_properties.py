"""Whatever a page contains, its title, its headings in order and its code come out unchanged."""

from __future__ import annotations

from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html import parse_html

# Text as documentation has it, with every sign that Markdown and HTML give a meaning.
CHARACTERS = st.one_of(
    st.sampled_from("#*_`<>&[]()\\|~+-=.!{}:\"'1a \n"), st.characters(codec="utf-8", categories=["L", "N", "P", "S"])
)
WORDS = st.text(CHARACTERS, min_size=1, max_size=30).map(lambda text: " ".join(text.split())).filter(bool)
CODE = st.text(st.one_of(CHARACTERS, st.just("\t")), max_size=80).filter(lambda text: text.strip() != "")
HEADINGS = st.tuples(st.integers(2, 6), WORDS)


def write_heading(level: int, text: str) -> str:
    return f"<h{level}>{escape(text)}</h{level}>"


def write_code(code: str) -> str:
    return f"<pre>\n{escape(code)}</pre>"


def write_list(text: str) -> str:
    return f"<ul><li>{escape(text)}</li><li><p>{escape(text)}</p></li></ul>"


def write_table(text: str) -> str:
    return f"<table><tr><th>{escape(text)}</th><th>x</th></tr><tr><td>1</td><td>{escape(text)}</td></tr></table>"


def write_text(text: str) -> str:
    return f"<p>{escape(text)}</p><blockquote>{escape(text)}</blockquote>"


BLOCKS = st.lists(
    st.one_of(
        HEADINGS.map(lambda heading: write_heading(*heading)),
        *(WORDS.map(write) for write in (write_list, write_table, write_text)),
        CODE.map(write_code),
    ),
    max_size=8,
)


def convert(body: str) -> tuple[str, str]:
    text = parse_html(RawDocument("x.html", f"<html><body><main>{body}</main></body></html>".encode()))
    return text.title, text.content


@settings(max_examples=200, deadline=None)
@given(title=WORDS, headings=st.lists(HEADINGS, max_size=5), between=st.lists(BLOCKS, min_size=5, max_size=5))
def test_title_and_headings_are_kept_in_order(
    title: str, headings: list[tuple[int, str]], between: list[list[str]]
) -> None:
    blocks = [[block for block in each if not block.startswith("<h")] for each in between]
    written = [
        write_heading(level, text) + "".join(rest) for (level, text), rest in zip(headings, blocks, strict=False)
    ]
    found_title, content = convert(write_heading(1, title) + "".join(written))
    found = [(heading.level, clean_heading(heading.text)) for heading in iter_headings(content.split("\n"))]
    assert found == [(1, title), *headings]
    assert found_title == title


@settings(max_examples=200, deadline=None)
@given(code=CODE, before=BLOCKS, after=BLOCKS)
def test_code_is_kept_exactly(code: str, before: list[str], after: list[str]) -> None:
    _, content = convert("".join([*before, write_code(code), *after]))
    assert f"\n{code.rstrip(chr(10))}\n" in f"\n{content}"


@settings(max_examples=200, deadline=None)
@given(page=st.one_of(st.text(max_size=200), st.binary(max_size=200).map(lambda content: content.decode("latin-1"))))
def test_no_page_is_too_odd_to_be_read(page: str) -> None:
    convert(f"text <p>{page}")


INLINE_TAGS = ["a", "b", "br", "code", "em", "span", "sup"]
BLOCK_TAGS = ["blockquote", "details", "div", "h1", "h2", "p", "pre", "summary"]
LIST_TAGS = ["dd", "dl", "dt", "li", "ol", "ul", "table", "td", "th", "tr"]
TAGS = [*INLINE_TAGS, *BLOCK_TAGS, *LIST_TAGS]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(TAGS), st.booleans(), st.sampled_from(["", "x", "# y", " "])), max_size=40))
def test_tags_in_any_order_leave_no_container_open(tags: list[tuple[str, bool, str]]) -> None:
    _, content = convert(
        "".join(f"<{'/' if closes else ''}{tag} id=i>{text}" for tag, closes, text in tags) + "<h1>End</h1>"
    )
    assert "End" in content
