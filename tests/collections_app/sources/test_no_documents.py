"""What a folder holds beside its documents: templates, and files that a pattern takes with it, are told and fail no job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from collections_app.exceptions import UnsupportedFormat
from collections_app.parsing import RawDocument, parse
from collections_app.parsing.detection.error_pages import is_stand_in
from collections_app.parsing.detection.templates import is_frame_of_pages
from collections_app.sources.archive import ArchiveReading
from collections_app.sources.built_sites import REASON
from collections_app.sources.directory import DirectoryReading
from collections_app.sources.left_out import LeftOut
from collections_app.sources.parts import (
    CONTENTS,
    FRAME,
    OTHER_KIND,
    PRINT_PAGE,
    RUSTDOCS_LIST,
    SEARCH_PAGE,
    STAND_IN,
    TEMPLATE,
)
from collections_app.sources.selection import TEST_DATA, FileChoice
from tests.collections_app.sources.archives import make_zip
from tests.growth import assert_linear

TEMPLATES = {
    "theme/page.html": '{% extends "base.html" %}\n<p>a</p>',
    "docs/layouts/list.html": '<!-- ours -->\n{{ define "main" }}<p>',
    "boats/templates/boat/list.html": '{%extends "base.html"%}\n<h1>Boats</h1>',
    "boats/templates/base.html": "<!doctype html>\n<html>\n<head><title>{% block title %}{% endblock %}</title>",
    "boats/templates/parts/row.html": "<td>\n<code>{% a %}</code>\n{{ boat.name }}</td>",
    "boats/templates/parts/load.html": "<p>Loading</p>\n<script>let boats = {%- if a %}1{% endif %}</script>",
}
PAGES = {
    "a.md": "# Boats",
    "theme/b.html": "<h1>B</h1>",
    "theme/d.html": "<p>{{ boat }}</p>",
    "templates/c.html": "<p>Write <code>{% block %}</code>.</p>",
    "templates/d.html": "---\ntitle: D\n---\n<p>{{ boat }}</p>",
    "templates/e.html": "<!-- E --><html><body><p>Type {{ boat }}.</p></body></html>",
    "templates/f.html": "<p>{{boat}}</p>",
}


def read(root: Path, files: Mapping[str, str], include: Sequence[str] = ()) -> tuple[list[str], LeftOut]:
    """The paths of the documents, and what was left out; the same of a directory and of an archive."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    choice = FileChoice(include)
    with DirectoryReading(root, choice) as reading, ArchiveReading(make_zip(files), choice) as archive:
        paths = [file.path for file in reading]
        assert sorted(file.path for file in archive) == paths == sorted(archive.listed)
        assert reading.left_out == archive.left_out
        return paths, reading.left_out


@pytest.mark.parametrize("include", [(), ("**/*.html", "*.md"), ("theme/**", "boats/", "docs/", "templates/*", "a.md")])
def test_templates_are_passed_over_and_told(tmp_path: Path, include: Sequence[str]) -> None:
    paths, left_out = read(tmp_path, {**TEMPLATES, **PAGES}, include)
    is_asked_for = "templates/*" in include
    taken = [path for path in TEMPLATES if "/templates/" in path and is_asked_for]
    assert set(paths) == {*PAGES, *taken}
    assert left_out == {TEMPLATE: len(TEMPLATES) - len(taken)}


def test_a_template_that_is_named_by_itself_is_refused_with_its_reason(tmp_path: Path) -> None:
    (path, *_), files = TEMPLATES, TEMPLATES
    assert read(tmp_path, files, [path]) == ([path], {})
    with pytest.raises(UnsupportedFormat, match="a template that pages of a site are made with"):
        parse(RawDocument(path, files[path].encode()))


FRAMES = {
    "a.docc/header.html": '<!-- (c) -->\n<style>a { b: c }</style>\n<header hidden><nav><a title="a > b">Home</a></nav></header>\n',
    "a.docc/footer.html": "<script>if (1 < 2) {}</script>\n<footer>\n<p>All rights reserved.</p></footer>",
    "site/place.html": "<div id=app></div>",
}
OTHER_PAGES = {
    "a.docc/a.html": "<header>Boats</header>\n<p>Oars.</p>",
    "a.docc/b.html": "<!doctype html><header>Boats</header>",
    "a.docc/c.html": "---\ntitle: C\n---\n<header>Boats</header>",
    "a.docc/d.html": '<img src="oar.png" alt="An oar">',
    "a.docc/e.html": '<meta http-equiv="refresh" content="0; url=a.html">',
    "a.docc/f.html": '<!--#include virtual="a.html" -->',
    "a.docc/g.html": "Oars.",
    "a.docc/h.html": "",
}


@pytest.mark.parametrize("include", [(), ("**/*.html",), ("a.docc/", "site/**")])
def test_html_around_pages_is_passed_over_and_told(tmp_path: Path, include: Sequence[str]) -> None:
    paths, left_out = read(tmp_path, {**FRAMES, **OTHER_PAGES}, include)
    assert paths == [*OTHER_PAGES]
    assert left_out == {FRAME: len(FRAMES)}


def test_html_around_pages_that_is_named_by_itself_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, FRAMES, ["a.docc/footer.html"]) == (["a.docc/footer.html"], {})


@pytest.mark.parametrize("text", ['<a "' * 50_000, "<!--" * 50_000, "<header " * 50_000, "<a b='c" * 50_000])
def test_html_around_pages_is_told_in_linear_time(text: str) -> None:
    assert_linear(lambda content: is_frame_of_pages(RawDocument("a.html", content.encode())), text)


SEARCHES = {
    "api/search/all_0.html": '<!DOCTYPE html>\n<body class="SRPage">\n<div class="SRStatus" id="Loading">Loading...</div></body>',
    "search.html": '<!doctype html><script src="_static/searchtools.js"></script><p>Please activate JavaScript.</p>',
}
PAGES_ABOUT_SEARCHES = {
    "api/oars_8h.html": '<!DOCTYPE html><div class="SRPage">Loading...</div><h1>oars.h</h1><p>Oars.</p>',
    "guide/search.html": "<!doctype html><h1>Search</h1><p>Press / and type the name of a boat.</p>",
    "guide/widgets.html": '<!doctype html><h1>Widgets</h1><script src="_static/searchtools.js"></script><p>Oars.</p>',
}


def test_pages_in_which_built_sites_show_what_they_find_are_passed_over_and_told(tmp_path: Path) -> None:
    paths, left_out = read(tmp_path, {**SEARCHES, **PAGES_ABOUT_SEARCHES})
    assert (paths, left_out) == ([*PAGES_ABOUT_SEARCHES], {SEARCH_PAGE: len(SEARCHES)})


def test_a_search_page_is_taken_if_a_pattern_is_its_whole_path(tmp_path: Path) -> None:
    assert read(tmp_path, SEARCHES, ["search.html"]) == (["search.html"], {})


_UNLISTED = '<!doctype html><meta charset="utf-8">\n<meta name="robots" content="noindex, nofollow" />\n<h1>Boats</h1>'
PRINTED = dict.fromkeys(
    ["_print/index.html", "book/print.html", "docs/_print/index.html", "print_page.html"], _UNLISTED
)
PAGES_ABOUT_PRINTING = {
    "guide/blueprint.html": _UNLISTED,
    "guide/print.html": "<!doctype html><h1>Print</h1><p>Write <code>&lt;meta name=robots content=noindex></code>.</p>",
    "hidden/index.html": _UNLISTED,
}


def test_all_pages_once_more_are_passed_over_and_told(tmp_path: Path) -> None:
    paths, left_out = read(tmp_path, {**PRINTED, **PAGES_ABOUT_PRINTING})
    assert (paths, left_out) == ([*PAGES_ABOUT_PRINTING], {PRINT_PAGE: len(PRINTED)})


def test_all_pages_once_more_are_taken_if_a_pattern_is_their_whole_path(tmp_path: Path) -> None:
    assert read(tmp_path, PRINTED, ["book/print.html"]) == (["book/print.html"], {})


def test_lists_and_code_of_rustdoc_are_passed_over_and_told(tmp_path: Path) -> None:
    page = '<!doctype html><meta name="generator" content="rustdoc"><h1>Boats</h1>'
    made = ["boats/all.html", "boats/sea/all.html", "settings.html"]
    items = ["boats/fn.moor.html", "boats/index.html", "guide/all.html"]
    files = {**dict.fromkeys([*made, *items[:2], "src/boats/lib.rs.html"], page), items[2]: "<h1>All boats</h1>"}
    paths, left_out = read(tmp_path, files)
    assert (paths, left_out) == (items, {RUSTDOCS_LIST: len(made), REASON: 1})


OF_TESTS = ["tests/testthat/_snaps/across.md", "src/__snapshots__/a.md", "cmd/testdata/b/c.md", "revdep/README.md"]


def test_what_tests_compare_with_or_read_is_passed_over_and_told(tmp_path: Path) -> None:
    pages = ["a/my_snaps/a.md", "docs/testdata.md", "revdeps/a.md"]
    paths, left_out = read(tmp_path, dict.fromkeys([*OF_TESTS, *pages], "# A"))
    assert (paths, left_out) == (pages, {TEST_DATA: 4})


@pytest.mark.parametrize("path", OF_TESTS)
def test_what_tests_read_is_taken_if_a_pattern_names_its_folder(tmp_path: Path, path: str) -> None:
    folder = path.rpartition("/")[0]
    assert read(tmp_path, dict.fromkeys(OF_TESTS, "# A"), [f"{folder}/"]) == ([path], {})


OTHERS = {
    "LICENSE": "MIT",
    "content/package.json": '{"name": "boats"}',
    "content/Cargo.toml": 'name = "boats"',
    "content/yarn.lock": "boats@1",
    "content/sail.py": "import sea",
}


@pytest.mark.parametrize("include", ["content/**", "content", "/content/*", "*"])
def test_what_a_pattern_takes_with_its_folder_and_is_no_document_is_told(tmp_path: Path, include: str) -> None:
    files = {
        "content/a.md": "# A",
        "content/boats.json": '{"openapi": "3.0.0"}',
        "content/table.csv": "a,b\n",
        **OTHERS,
    }
    paths, left_out = read(tmp_path, {**files, "content/a.png": "png"}, [include])
    assert paths == [
        *(["LICENSE"] if include == "*" else []),
        "content/a.md",
        "content/boats.json",
        "content/table.csv",
    ]
    assert {reason.partition(" ")[0]: count for reason, count in left_out.items()} == {"No": 3, "JSON": 1}
    assert left_out.paths[OTHER_KIND] == ["content/Cargo.toml", "content/sail.py", "content/yarn.lock"]


@pytest.mark.parametrize(
    ("include", "path"),
    [
        ("content/yarn.lock", "content/yarn.lock"),
        ("./content/yarn.lock", "content/yarn.lock"),
        ("*.lock", "content/yarn.lock"),
        ("content/**/*.json", "content/package.json"),
        ("*.png", "content/a.png"),
    ],
)
def test_what_a_pattern_names_is_refused_if_it_is_no_document(tmp_path: Path, include: str, path: str) -> None:
    files = {**OTHERS, "content/a.png": "\0png"}
    assert read(tmp_path, files, [include]) == ([path], {})
    with pytest.raises(UnsupportedFormat):
        parse(RawDocument(path, files[path].encode()))


@pytest.mark.parametrize("include", [[], ["docs/**"]])
def test_a_file_that_is_named_after_an_api_is_a_document_if_it_describes_one(
    tmp_path: Path, include: list[str]
) -> None:
    described = "# Boats\nopenapi: 3.0.3\ninfo: {title: Boats, version: '1'}\npaths: {}\n"
    files = {
        "LICENSE": "MIT",
        "docs/a.md": "# A",
        "docs/boats_api.yaml": described,
        "docs/api.json": '{"swagger": "2.0", "info": {"title": "Boats", "version": "1"}, "paths": {}}',
        "docs/data-api.json": '{"boats": 1}',
        "docs/values-api.yaml": "api:\n  openapi: 3.0.3\n",
        "docs/rest.yml": "a: [",
    }
    paths, left_out = read(tmp_path, files, include)
    assert paths == ["docs/a.md", "docs/api.json", "docs/boats_api.yaml"]
    assert {reason.partition(" ")[0]: count for reason, count in left_out.items()} == {
        "JSON": 3
    }  # fmt: skip


def test_a_table_of_contents_of_docfx_is_passed_over_and_told(tmp_path: Path) -> None:
    files = {
        "a/TOC.md": "# [Boats](boats.md)\r\n\r\n## Sails\r\n### [Hoist `C#`](hoist.md)\r\n",
        "b/toc.md": "# Contents\n\n## [Boats](boats.md)\n\nOf all boats.\n",
        "c/toc.md": "# Contents\n",
    }
    assert read(tmp_path, files) == (["b/toc.md", "c/toc.md"], {CONTENTS: 1})
    assert read(tmp_path, files, ["a/TOC.md"]) == (["a/TOC.md"], {})


_MENU = f"<!doctype html><nav>{'<a href=/boats>Boats</a> ' * 2000}</nav>"
STAND_INS = {
    "404.md": "---\ntitle: '404'\ntemplate: splash\n---\n",
    "de/404.de.mdx": "# Nicht gefunden\n\nSuche nach [Booten](/boats).\n",
    "pages/404.html": f"---\nlayout: error\n---\n<style>{'.a {} ' * 500}</style><h1>404</h1>\n<p>No such boat.</p>\n",
    "built/book/404.html": f"{_MENU}<main><h1>No such boat</h1></main>",
    "built/material/404.html": f"<main>{_MENU}<article><h1>404</h1></article></main>",
    "built/sphinx/404.html": f'{_MENU}<section role="main"><h1>No such boat</h1></section><footer>{_MENU}</footer>',
    "rst/404.rst": ":orphan:\n\nOops\n====\n\nNo such boat.\n",
}
ABOUT_ERRORS = {
    "errors/404.md": "# 404\n\nNo boat has this name.\n",
    "errors/409.md": "# 409\n\nThe boat has left.\n",
    "guide/404.html": f"{_MENU}<main><h1>404</h1><article>{'The boat has left. ' * 60}</article></main>",
    "guide/404.md": "# Your own page\n\n```html\n<h1>404</h1>\n```\n",
    "help/404.md": f"# 404\n\n{'The boat has left. ' * 60}\n",
    "help/boat-404.md": "# Boat 404\n\nIt has left.\n",
}


@pytest.mark.parametrize("include", [[], ["*"]])
def test_pages_for_addresses_without_one_are_passed_over_and_told(tmp_path: Path, include: Sequence[str]) -> None:
    paths, left_out = read(tmp_path, {**STAND_INS, **ABOUT_ERRORS}, include)
    assert paths == sorted(ABOUT_ERRORS)
    assert left_out == {STAND_IN: len(STAND_INS)}


def test_a_page_for_addresses_without_one_that_is_named_by_itself_is_taken(tmp_path: Path) -> None:
    assert read(tmp_path, STAND_INS, ["404.md"]) == (["404.md"], {})


@pytest.mark.parametrize("text", ["<script", "<style>", "<", "| ", " "])
def test_pages_for_addresses_without_one_are_told_in_linear_time(text: str) -> None:
    assert_linear(lambda content: is_stand_in(RawDocument("404.md", content.encode())), text * (20_000 // len(text)))
