"""Notebooks: cells in order, outputs of limited size, and unclosed Markdown that does not affect other cells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.notebook import MAX_OUTPUT_CHARACTERS


def parse_cells(*cells: dict[str, Any], **more: Any) -> ParsedDocument:
    return parse(
        RawDocument("book.ipynb", json.dumps({"cells": cells, "nbformat": 4, "metadata": {}, **more}).encode())
    )


def make_code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def make_text(source: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def test_cells_are_text_and_code_in_their_order() -> None:
    document = parse_cells(make_text(["# A\n", "text"]), make_code("x = 1"), metadata={"language_info": {"name": "R"}})
    assert document.content == "# A\ntext\n\n```r\nx = 1\n```\n"
    assert (document.title, document.format, document.metadata) == ("A", "notebook", {"language": "r"})


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("**Chapter 3 – `Sails`**", "Chapter 3 – Sails"),
        ("**Mind the gap.**", "Setup"),
        ("**Sails** and masts", "Setup"),
        ("**Note**", "Setup"),
        ("**Copyright 2024 The Sailors**", "Setup"),
        ("**Last updated: 2024-05-03**", "Setup"),
        ("**Jane Doe, 3 May 2024**", "Setup"),
        ("**[Open in Colab](https://example.org)**", "Setup"),
        ("**Part 1**", "Setup"),
    ],
)
def test_a_bold_line_above_sections_of_level_1_is_the_title(first: str, title: str) -> None:
    cells = [make_text(first), make_text("# Setup\ntext"), make_text("# Sails up\ntext")]
    assert parse_cells(*cells).title == title
    assert parse_cells(*cells[:2]).title == "Setup"


def test_text_cells_may_be_myst() -> None:
    document = parse_cells(
        make_text("(here)=\n# Sails"), make_code("x = '{ref}`here`'"), make_text("```{note}\nSee {ref}`here`.\n```")
    )
    assert document.content == "\n# Sails\n\n```\nx = '{ref}`here`'\n```\n\n:::{note}\nSee [Sails](#here).\n:::\n"
    assert document.sections[0].anchor == "here"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"output_type": "stream", "text": ["a\n", "b\n"]}, "```text\na\nb\n```"),
        ({"output_type": "execute_result", "data": {"text/plain": "7"}}, "```text\n7\n```"),
        ({"output_type": "execute_result", "data": {"text/plain": "7", "text/markdown": "*seven*"}}, "*seven*"),
        ({"output_type": "error", "ename": "E", "evalue": "why", "traceback": ["long"]}, "```text\nE: why\n```"),
        ({"output_type": "stream", "text": "\x1b[31mred\x1b[0m"}, "```text\nred\n```"),
        ({"output_type": "stream", "text": "```"}, "````text\n```\n````"),
    ],
)
def test_text_output_follows_its_code(output: dict[str, Any], expected: str) -> None:
    assert parse_cells(make_code("x", output)).content == f"```\nx\n```\n\n{expected}\n"


def test_pictures_and_empty_cells_are_left_out() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}}
    assert parse_cells(make_code("x", picture), make_text(" \n"), make_code("")).content == "```\nx\n```\n"


def test_long_output_is_cut_and_says_so() -> None:
    document = parse_cells(make_code("x", {"output_type": "stream", "text": "line\n" * 10_000}))
    assert len(document.content) < MAX_OUTPUT_CHARACTERS + 200
    assert "more characters of output" in document.content


@pytest.mark.parametrize("unclosed", ["```\ncode", "<!-- note", "<pre>\nx"])
def test_an_unclosed_cell_takes_nothing_of_the_next(unclosed: str) -> None:
    document = parse_cells(make_text(unclosed), make_text("# Next"))
    assert [section.heading for section in document.sections if section.level] == ["Next"]


@pytest.mark.parametrize(
    ("kernel", "language"),
    [
        ("python3", "python"),
        ("python", "python"),
        ("ir", "r"),
        ("julia-1.9", "julia"),
        ("irony", ""),
        ("my-env", ""),
        (3, ""),
    ],
)
def test_the_kernel_tells_the_language_where_nothing_else_does(kernel: Any, language: str) -> None:
    metadata = {"kernelspec": {"name": kernel, "display_name": "Any"}}
    assert parse_cells(make_code("x"), metadata=metadata).content == f"```{language}\nx\n```\n"
    metadata["kernelspec"]["language"] = "Sage"
    assert parse_cells(make_code("x"), metadata=metadata).content == "```sage\nx\n```\n"


def test_a_comment_behind_a_form_is_left_out() -> None:
    form = {"metadata": {"cellView": "form"}}
    cells = [
        make_code("#@title Licence\n\n# words") | form,
        make_code("#@title Size\nx = 1") | form,
        make_code("# words"),
    ]
    assert parse_cells(*cells).content == "```\n#@title Size\nx = 1\n```\n\n```\n# words\n```\n"


def test_front_matter_in_the_first_cell_counts() -> None:
    document = parse_cells({"cell_type": "raw", "source": "---\ntitle: T\nlevel: 2\n---"}, make_text("text"))
    assert (document.title, document.metadata, document.content) == ("T", {"level": 2}, "text\n")


def test_version_3_has_worksheets_and_heading_cells() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "H"},
        {"cell_type": "code", "input": "x", "language": "python"},
    ]
    notebook = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}
    document = parse(RawDocument("old.ipynb", json.dumps(notebook).encode()))
    assert document.content == "## H\n\n```python\nx\n```\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"nbformat": 4,\n "cells": [}', "line 2"),
        (b"[]", "no object"),
        (b'{"nbformat": 4}', "no `cells`"),
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "too deep"),
    ],
)
def test_a_broken_notebook_is_refused_with_the_reason(content: bytes, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(RawDocument("a.ipynb", content))
    assert words in caught.value.message


@pytest.mark.parametrize(
    "cells", [[1, None, "x"], [{}], [{"cell_type": "code", "source": 3, "outputs": [{"data": []}]}], "x"]
)
def test_cells_of_a_wrong_shape_are_passed_over(cells: Any) -> None:
    assert parse(RawDocument("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}).encode())).content == ""


@pytest.mark.parametrize("kind", [None, 1, True, [], {}, "unknown"])
def test_a_cell_of_no_known_kind_is_shown_as_it_stands(kind: Any) -> None:
    cells = [{"cell_type": kind, "source": "# words"}]
    parsed = parse(RawDocument("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}).encode()))
    assert parsed.content == "```\n# words\n```\n"
