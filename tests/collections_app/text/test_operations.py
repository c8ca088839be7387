"""What an operation of an API does, as the line below its heading says."""

from __future__ import annotations

import pytest

from collections_app.text.operations import find_summary


@pytest.mark.parametrize(
    ("heading", "text", "summary"),
    [
        ("POST /boats", "### POST /boats\n\n**Moor a boat**\n\nIt needs a berth.\n", "Moor a boat"),
        ("POST /boats", "**Moor a boat**", "Moor a boat"),
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
    ],
)
def test_other_sections_and_other_lines_have_none(heading: str, text: str) -> None:
    assert find_summary(heading, text) == ""
