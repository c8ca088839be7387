"""Categories that navigation files give, as they are on disk."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from collections_app.parsing.navigation import MAX_NAVIGATION_BYTES
from collections_app.sources import categories
from collections_app.sources.categories import TOO_LARGE, read_categories
from collections_app.sources.left_out import LeftOut
from tests.growth import assert_linear


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
    found = read_categories(files, lambda name: files[name].encode() if name in files else None, left_out)
    return found, left_out


def note_parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files will have been parsed."""
    parsed: list[str] = []

    def note(path: str, text: str, read: object) -> dict[str, str]:
        parsed.append(path)
        return {}

    monkeypatch.setattr(categories, "parse_navigation", note)
    return parsed


def test_what_navigations_name_counts_to_the_limit_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    base = "nav: [{Sea: [a.md]}]"
    own = "INHERIT: ../base.yml"
    monkeypatch.setattr(categories, "MAX_NAVIGATIONS_BYTES", 2 * len(base) + 2 * len(own))
    files = {"x/mkdocs.yml": own, "y/mkdocs.yml": own, "base.yml": base}
    assert read(files) == ({"x/docs/a.md": "Sea", "y/docs/a.md": "Sea"}, {})
    assert read({**files, "base.yml": f"{base}#"}) == ({"y/docs/a.md": "Sea"}, {TOO_LARGE: 1})
    assert read({**files, "base.yml": base * 3}) == ({}, {TOO_LARGE: 1})


def test_the_file_nearest_to_the_root_decides() -> None:
    files = {
        "a/SUMMARY.md": "## Deep\n\n- [A](a.md)\n- [B](b.md)\n",
        "SUMMARY.md": "## High\n\n- [A](a/a.md)\n",
        "_sidebar.md": "## Later\n\n- [A](a/a.md)\n",
    }
    assert read(files) == ({"a/a.md": "Later", "a/b.md": "Deep"}, {})


def test_what_a_generator_is_configured_with_decides_before_lists_of_links() -> None:
    files = {
        "SUMMARY.md": "## List\n\n- [A](docs/a.md)\n- [B](docs/b.md)\n",
        "docs.json": '{"navigation": [{"group": "New", "pages": ["c"]}]}',
        "mint.json": '{"navigation": [{"group": "Old", "pages": ["c", "d"]}]}',
        "mkdocs.yml": "nav: [{Site: [a.md]}]",
    }
    found, _ = read(files)
    assert [found[path] for path in ("docs/a.md", "docs/b.md", "c.mdx", "d.mdx")] == ["Site", "List", "New", "Old"]


def test_a_page_that_no_list_groups_has_the_category_of_the_nearest_folder_with_a_name() -> None:
    label = '{"label": "LABEL"}'
    files = {
        "SUMMARY.md": "## List\n\n- [A](docs/rig/a.md)\n",
        "docs/_category_.json": label.replace("LABEL", "All"),
        "docs/rig/_category_.json": label.replace("LABEL", "Rigging"),
        "docs/rig/knots/_category_.json": "{",
        "readme.md": "",
        "docs/rig/a.md": "",
        "docs/rig/b.md": "",
        "docs/rig/knots/c.md": "",
        "docs/d.md": "",
        "docs/rigs/e.md": "",
    }
    found, _ = read(files)
    assert {path: found.get(path) for path in files if path.endswith(".md") and path != "SUMMARY.md"} == {
        "readme.md": None,
        "docs/rig/a.md": "List",
        "docs/rig/b.md": "Rigging",
        "docs/rig/knots/c.md": "Rigging",
        "docs/d.md": "All",
        "docs/rigs/e.md": "All",
    }
    assert not any(path.endswith("/") for path in found)


def test_a_deep_folder_is_not_looked_for_anew_for_each_of_its_pages() -> None:
    def read_deep(folder: str) -> Mapping[str, str]:
        paths = ["a/_category_.json", *(f"{folder}{number}.md" for number in range(2 * len(folder)))]
        return read_categories(paths, lambda path: b'{"label": "Deep"}', LeftOut())

    assert set(read_deep("a/" * 400).values()) == {"Deep"}
    assert_linear(read_deep, "a/" * 400)


def test_a_navigation_file_that_cannot_be_read_gives_none() -> None:
    assert read_categories(["mkdocs.yml"], lambda path: None, LeftOut()) == {}


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
