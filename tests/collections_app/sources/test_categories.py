"""Categories that navigation files give, as they are on disk."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from collections_app.parsing.navigation import MAX_NAVIGATION_BYTES
from collections_app.sources import categories
from collections_app.sources.categories import TOO_LARGE, read_categories
from collections_app.sources.left_out import LeftOut


@pytest.mark.parametrize(
    ("path", "page", "text"),
    [
        ("SUMMARY.md", "a.md", "## Use\n\n- [A](a.md)\n"),
        ("modules/ROOT/nav.adoc", "modules/ROOT/pages/a.adoc", ".Use\n* xref:a.adoc[A]\n"),
    ],
)
def test_a_byte_order_mark_hides_nothing(path: str, page: str, text: str) -> None:
    found = read_categories([path], lambda name: text.encode("utf-8-sig"), LeftOut())
    assert found == {page: "Use"}


def read(files: dict[str, str]) -> tuple[Mapping[str, str], LeftOut]:
    left_out = LeftOut()
    found = read_categories(files, lambda name: files[name].encode(), left_out)
    return found, left_out


def note_parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files will have been parsed."""
    parsed: list[str] = []

    def note(path: str, text: str) -> dict[str, str]:
        parsed.append(path)
        return {}

    monkeypatch.setattr(categories, "parse_navigation", note)
    return parsed


def test_the_file_nearest_to_the_root_decides() -> None:
    files = {
        "a/SUMMARY.md": "## Deep\n\n- [A](a.md)\n- [B](b.md)\n",
        "SUMMARY.md": "## High\n\n- [A](a/a.md)\n",
        "_sidebar.md": "## Later\n\n- [A](a/a.md)\n",
    }
    assert read(files) == ({"a/a.md": "Later", "a/b.md": "Deep"}, {})


def test_a_navigation_file_that_is_too_large_is_not_read_but_told(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = note_parsed(monkeypatch)
    files = {"SUMMARY.md": "![" * MAX_NAVIGATION_BYTES, "a/SUMMARY.md": "![" * (MAX_NAVIGATION_BYTES // 2)}
    assert read(files) == ({}, {TOO_LARGE: 1})
    assert parsed == ["a/SUMMARY.md"]


def test_of_many_navigation_files_those_nearest_to_the_root_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = note_parsed(monkeypatch)
    files = {f"{'a/' * depth}SUMMARY.md": "![" * (MAX_NAVIGATION_BYTES // 2) for depth in reversed(range(12))}
    assert read(files)[1] == {TOO_LARGE: 4}
    assert parsed == [f"{'a/' * depth}SUMMARY.md" for depth in range(8)]
