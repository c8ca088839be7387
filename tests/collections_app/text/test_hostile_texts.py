"""Texts built against what reads them: each is read in time that grows as it does. Whoever asks may be anonymous, and the text anybody's.

Each took from minutes to days where work grew faster than the text, and takes a fraction of a second. An expression that goes over it is
ended by the processor's time, whatever else the machine does.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from collections_app.answering.passages import choose_window, cut, split_paragraphs
from collections_app.search.snippets import drop_lines, drop_targets, make_code_snippet, make_snippet
from collections_app.text.analysis import make_heading_text, make_index_text, make_query_text
from collections_app.text.languages import take_prose
from collections_app.text.markdown.code_blocks import blank_code, find_code_languages, find_open_fence
from collections_app.text.markdown.link_targets import leave_out_targets
from collections_app.text.names.entries import find_entry, list_entry_names, list_names_of_heading, make_entry_pattern
from collections_app.text.names.headings import list_heading_names
from collections_app.text.passages.question_words import make_question_words
from mcp_app.pieces import cut_markdown, find_table_head

MAX_CPU_SECONDS = 20
SIZE = 200_000

WORDS = make_question_words("a fence of --all words")
READERS: dict[str, Callable[[str], object]] = {
    "blank_code": blank_code,
    "find_open_fence": find_open_fence,
    "find_code_languages": find_code_languages,
    "take_prose": take_prose,
    "leave_out_targets": leave_out_targets,
    "drop_targets": drop_targets,
    "drop_lines": drop_lines,
    "list_entry_names": list_entry_names,
    "find_entry": lambda text: find_entry(text, frozenset({"zentry0a0b"})),
    "an entry": lambda text: make_entry_pattern("a fence").search(text),
    "list_heading_names": list_heading_names,
    "list_names_of_heading": list_names_of_heading,
    "make_index_text": make_index_text,
    "make_heading_text": make_heading_text,
    "make_query_text": make_query_text,
    "make_snippet": lambda text: make_snippet(text, WORDS, 300),
    "make_code_snippet": lambda text: make_code_snippet(text, "python", WORDS, 300),
    "split_paragraphs": split_paragraphs,
    "choose_window": lambda text: choose_window(text, WORDS, 900),
    "cut": lambda text: cut(text, 900),
    "cut_markdown": lambda text: cut_markdown(f"{text}\n\n{text}", 2_000),
    "find_table_head": lambda text: find_table_head(f"{text}\n"),
}

# What is repeated, and what stands before and behind it.
SHAPES: dict[str, tuple[str, str, str]] = {
    "tildes before a backtick": ("", "~", "`"),
    "backticks before a tilde and a backtick": ("", "`", "~`"),
    "a fence and backticks": ("```", "` ", "`"),
    "quoted fences": ("", "> ~~~ `\n", ""),
    "containers": ("", ":::tip\n", ":::"),
    "a container's name and braces": (":::tip ", "{=", "}"),
    "callouts": ("", "> [!NOTE]\n", ""),
    "bars in a callout": ("> ", "[!a|", "]"),
    "words of an admonition": ("!!! note", " a", ' "a'),
    "quotes of a tab": ('=== "', "'\"", "a"),
    "directives": ("", "```{note}\n:class: a\n", "```"),
    "quotes before no fence": ("", "> ", "~~"),
    "no end of a target": ("](", ".md", ""),
    "targets in targets": ("", "](a.md", ""),
    "links in links": ("", "[a", "](/b)"),
    "rules without an end": ("| a |\n", "-|", "x"),
    "blank lines without an end": ("a", "\n ", "a"),
    "blanks": ("- a", " ", "b"),
    "marks of emphasis": ("- ", "*`", "a"),
    "labels of labels": ("- ", "`a`, ", ""),
    "names of names": ("- ", "a.", "`"),
    "underscores": ("", "a_", ""),
    "addresses": ("", "a@1", ""),
    "hyphens": ("", "a-", "1"),
    "slashes": ("", "a/", ":"),
    "signs": ("", "->", ""),
    "scopes": ("", "@a-", ""),
    "names called out": ("", "a!", "("),
    "tags and options": ("", "<a --a", ""),
    "capitals": ("", "aB", ""),
    "numbers": ("", "1,", ""),
    "abbreviations": ("", "U.", ""),
}


@pytest.fixture(autouse=True)
def _little_time() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"it took more than {MAX_CPU_SECONDS} seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_CPU_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_more_time_than_it_is_long(reader: str, shape: str) -> None:
    before, repeated, behind = SHAPES[shape]
    READERS[reader](before + repeated * (SIZE // len(repeated)) + behind)
