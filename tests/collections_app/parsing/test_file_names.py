"""What a document's path says about it."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("reefing.md", "reefing"),
        ("sails/reefing.txt", "reefing"),
        ("sails/index.md", "sails"),
        ("guide/sails/README.md", "sails"),
        ("guide/sails/_index.md", "sails"),
        ("guide/v1.2/index.md", "v1.2"),
        ("guide/sails/index.de.md", "sails"),
        ("guide/sails/default.md", "default"),
        ("index.md", "index"),
        ("sails/index-of-knots.md", "index-of-knots"),
        ("sails/reefing.html.md.erb", "reefing"),
        ("sails/index.html.md.erb", "sails"),
        ("sails/reefing.rst.txt", "reefing"),
        ("sails/index.rst.txt", "sails"),
    ],
)
def test_a_page_without_a_title_is_called_like_its_file_and_an_index_like_its_folder(path: str, title: str) -> None:
    assert parse(RawDocument(path, b"Plain words.\n")).title == title


@pytest.mark.parametrize(
    ("path", "title"),
    [("changelog/2026-01-16.md", "2026-01-16"), ("notes/2026-01-16.md", "Sails"), ("changelog/new-sails.md", "Sails")],
)
def test_a_page_about_changes_that_is_called_by_a_day_is_not_called_by_its_only_heading(path: str, title: str) -> None:
    assert parse(RawDocument(path, b"## Sails\n\nThey are red.\n\n### Jib\n\nIt is white.\n")).title == title
