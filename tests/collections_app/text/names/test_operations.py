"""What an operation of an API does, as the line below its heading says."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.text.names.operations import find_summary


@pytest.mark.parametrize(
    ("heading", "text", "summary"),
    [
        ("POST /boats", "### POST /boats\n\n**Moor a boat**\n\nIt needs a berth.\n", "Moor a boat"),
        ("POST /boats", "**Moor a boat**", "Moor a boat"),
        ("POST boatLeft", "### POST boatLeft\n\n**A boat has left**\n", "A boat has left"),
        ("DELETE /boats/{id}", "## DELETE /boats/{id}\nCasts a boat off.\n\nMore.\n", "Casts a boat off."),
        ("Callback left: POST {$request.body#/url}", "#### Callback left\n\n**A boat has left**\n", "A boat has left"),
    ],
)
def test_the_line_below_a_call_is_its_summary(heading: str, text: str, summary: str) -> None:
    assert find_summary(heading, text) == summary


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Mooring", "## Mooring\n\n**Moor a boat**\n"),
        ("GET things done", "## GET things done\n\n**How it goes**\n"),
        ("get /boats", "## get /boats\n\n**Boats**\n"),
        ("GET /boats", "## GET /boats\n\nOperation: `listBoats` · Tags: `boats`\n"),
        ("GET /boats", "## GET /boats\n\n| Name | In |\n|---|---|\n"),
        ("GET /boats", "## GET /boats\n\nLists boats\nthat are here.\n"),
        ("GET /boats", f"## GET /boats\n\n{'many words ' * 12}\n"),
        ("GET /boats", "## GET /boats\n"),
        ("GET /boats", ""),
        ("GET /boats", "## GET /boats\n\nRequest:\n\nx\n"),
        ("GET /boats", "## GET /boats\n\nThe answer:\n\nx\n"),
        ("GET /boats", "## GET /boats\n\n- one boat\n"),
        ("GET /boats", "## GET /boats\n\n1. one boat\n"),
        ("GET /boats", "## GET /boats\n\n> a note\n"),
        ("GET /boats", "## GET /boats\n\n<div class=a>\n"),
        ("GET /boats", "## GET /boats\n\n[See the docs](https://example.org)\n"),
        ("GET /boats", "## GET /boats\n\n{% raw %} x\n"),
        ("DELETE operations", "## DELETE operations\n\nThey take long.\n"),
    ],
)
def test_other_sections_and_other_lines_have_none(heading: str, text: str) -> None:
    assert find_summary(heading, text) == ""


@pytest.mark.parametrize(
    ("operation", "summary"),
    [
        ("summary: Moor a boat", "Moor a boat"),
        ("description: Moors a boat.", "Moors a boat."),
        ("responses: {'200': {description: Moored.}}", ""),
        ("deprecated: true", ""),
        ("parameters: [{name: id, in: query}]", ""),
        ("operationId: moorBoat", ""),
    ],
)
def test_an_operation_of_a_description_has_what_it_says_itself(operation: str, summary: str) -> None:
    text = f"openapi: 3.0.3\ninfo: {{title: A}}\npaths:\n  /boats:\n    post: {{{operation}}}\n"
    section = next(
        each for each in parse(RawDocument("openapi.yaml", text.encode())).sections if "POST" in each.heading
    )
    assert find_summary(section.heading, section.text) == summary
