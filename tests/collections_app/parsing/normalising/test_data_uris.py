"""Data of pictures and files embedded in a text is removed; the descriptions stay."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.documents import ContentPolicy
from collections_app.parsing.formats import Format
from collections_app.parsing.normalising.data_uris import drop_data_uris
from collections_app.parsing.pipeline import parse_as
from tests.growth import assert_linear

DATA = "data:image/png;base64," + "iVBORw0KGgo" * 30
PROGRAM = "eNp9kU1u_z-AQ" * 20
SHORT = "data:image/png;base64,…"


def drop(text: str) -> str:
    written = drop_data_uris(text, has_markup=True)
    assert written.count("\n") == text.count("\n")
    return written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"See ![a *jib*]({DATA}).", "See a *jib*."),
        (f'![A jib]({DATA} "Sails")', "A jib"),
        (f"![]({DATA})", ""),
        (f"[![A jib]({DATA})](sails.md)", "[A jib](sails.md)"),
        ("![A jib](data:image/svg+xml,%3Csvg%3E%3C/svg%3E)", "A jib"),
        (f"Get [the file]({DATA}).", "Get the file."),
        (f"![A jib][one] ![main][] ![it][two]\n\n[one]: <{DATA}>\n[Main]: {DATA}", "A jib main ![it][two]\n\n\n"),
        (f'A <img src="{DATA}" alt="jib" style="width: 3px"/> sail', "A jib sail"),
        (f"A <img class=x src='{DATA}'> sail", "A  sail"),
        (f'<p>\n<img\n src="{DATA}"\n alt="A [red](b) `jib`">\n</p>', "<p>\nA red (b) jib\n\n\n</p>"),
        (f'<audio controls>\n<source src="{DATA}">\nNo sound.\n</audio>\nThen', "\n\n\n\nThen"),
        (f"Say <a href='{DATA}'>it</a>", f"Say <a href='{SHORT}'>it</a>"),
        (f'```html\n<img src="{DATA}" alt="x">\n```', f'```html\n<img src="{SHORT}" alt="x">\n```'),
        (f"`![x]({DATA})`", f"`![x]({SHORT})`"),
        (f'    url = "{DATA}"', f'    url = "{SHORT}"'),
        (f"[Try](https://play.example/#{PROGRAM}) it", "[Try](https://play.example/#…) it"),
        (f"`/play?v=3#code/{PROGRAM}`", "`/play?v=3#…`"),
        (f"body {{ background: url({DATA}) }}", f"body {{ background: url({SHORT}) }}"),
    ],
)
def test_words_stay_and_data_goes(text: str, expected: str) -> None:
    assert drop(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Write `data:text/plain;base64,SGVsbG8=`.",
        f"See [it](guide.md#{quote('настройка-подключения-к-базе-данных-сервера-приложений')})",
        f"See [it](/page#{PROGRAM[:150]}), #{PROGRAM} and /page#{'a word ' * 50}",
        "The data: image/png;base64 of metadata:a/b",
        f"<img hidden src='{SHORT}' alt='unseen'>",
        f'<img style="display:none" src="{SHORT}" alt="unseen">',
        '<img src="a.png" alt="data:">',
        '<audio src="a.mp3">No data: here</audio>',
        "![a](b.png) [data:c](d.md)",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert drop(text) == text


@pytest.mark.parametrize("words", ["# A", "1. A", "- A", "> A", "```a", "  A", "<b>", "* A"])
def test_words_begin_no_block(words: str) -> None:
    document = parse(RawDocument("a.md", f"T\n\n![{words}]({DATA})\n\n# B\n".encode()))
    assert [section.heading for section in document.sections] == ["B"]
    assert all(
        not line.startswith(("# A", "1.", "-", ">", "`", "<", " ", "*")) for line in document.content.split("\n")
    )


def test_plain_text_has_no_markup() -> None:
    assert drop_data_uris(f"![a]({DATA})", has_markup=False) == f"![a]({SHORT})"


NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": f"# A\n\n![jib]({DATA})", "metadata": {}},
            {"cell_type": "code", "source": f'show("{DATA}")', "metadata": {}, "outputs": []},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


@pytest.mark.parametrize(
    ("path", "source", "told"),
    [
        ("a.md", f'# A\n\n<p>\n<img src="{DATA}" alt="jib">\n</p>\n', "jib"),
        ("a.mdx", f'# A\n\n<img src="{DATA}" alt="jib" />\n', "jib"),
        ("a.ipynb", NOTEBOOK, f'jib\n\n```\nshow("{SHORT}")'),
        ("a.html", f"<h1>A</h1><p>a <img src='{DATA}' alt='jib'></p><pre>{DATA}</pre>", f"a jib\n\n```\n{SHORT}"),
        ("a.rst", f"A\n=\n\n.. image:: {DATA}\n   :alt: jib\n\n::\n\n   {DATA}\n", SHORT),
        ("a.adoc", f"= A\n\nSee image:{DATA}[jib].\n\n----\n{DATA}\n----\n", SHORT),
        ("a.txt", f"A\n{DATA}\n", SHORT),
    ],
)
def test_it_holds_for_every_format(path: str, source: str, told: str) -> None:
    content = parse(RawDocument(path, source.encode())).content
    assert told in content
    assert "iVBORw" not in content


PIECES = st.sampled_from(
    ["word", " ", "\n", "![", "[", "](", ")", "]: ", DATA, "data:a", "<img src='", "'>", "`", "```\n", "<audio>", "</audio>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_line_moves_and_no_word_beside_is_lost(text: str) -> None:
    written = drop(text)
    assert "audio" in text or written.count("word") <= text.count("word")


@pytest.mark.parametrize(
    "source",
    [
        "![a](data:image/png;base64," + "A" * 20_000_000 + ")",
        "```\ndata:image/png;base64," + "A" * 20_000_000 + "\n```",
        "data:" * 400_000,
        "data:a/b;c=d" * 100_000,
        "![a](data:" * 100_000,
        "[a](data:()" * 100_000,
        '<img src="data:a' * 50_000,
        "<audio src='data:a'><source>" * 30_000,
        f"[a]: <{DATA}>\n\n" + "![b][a] " * 50_000,
    ],
    ids=["picture", "code", "data", "parameters", "open", "parentheses", "tags", "recordings", "labels"],
)
def test_it_takes_linear_time(source: str) -> None:
    assert_linear(
        lambda source: parse_as(
            Format.MARKDOWN, RawDocument("a.md", f"# A\n\n{source}\n".encode()), ContentPolicy.STRIP
        ),
        source,
    )
