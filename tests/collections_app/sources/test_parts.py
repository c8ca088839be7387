"""Files that are only a part of the pages that include them are no documents; what is a page by its name stays one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.includes import Kind, find_kind
from collections_app.parsing.navigation import mkdocs
from collections_app.sources.archive import ArchiveReading
from collections_app.sources.directory import DirectoryReading
from collections_app.sources.parts import PART, SNIPPET, SOURCE_OF_MARKDOWN, PartsOfPages
from collections_app.sources.selection import FileChoice, Selection
from tests.collections_app.sources.archives import make_zip

KNOTS = "A bowline holds.\n"


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    return root


def read_directory(root: Path, files: Mapping[str, str], only: Sequence[str] | None = None) -> list[str]:
    with DirectoryReading(write_files(root, files), only=only) as reading:
        listed = list(reading.listed)
        assert [file.path for file in reading if isinstance(file, RawDocument)] == listed
    return listed


def read_archive(files: Mapping[str, str], only: Sequence[str] | None = None) -> list[str]:
    with ArchiveReading(make_zip(files), only=only) as reading:
        listed = list(reading.listed)
        assert sorted(file.path for file in reading) == sorted(listed)
    return listed


def test_to_tell_parts_only_what_pages_include_is_looked_up() -> None:
    pages = {"a.md": '--8<-- "_knots.md"\n', "b.md": "# B\n\n{{ site.name }}\n", "_knots.md": KNOTS}
    asked: list[str] = []

    def find(path: str) -> bytes | None:
        asked.append(path)
        return pages[path].encode() if path in pages else None

    parts = PartsOfPages(lambda path: RawDocument(path, pages[path].encode()), find)
    assert set(parts.leave_out(Selection(), pages)) == {"_knots.md"}
    assert set(asked) <= {"_knots.md", *mkdocs.CONFIGURATIONS}


@pytest.mark.parametrize(
    ("page", "line", "part"),
    [
        ("a.rst", ".. include:: shared_snippets/knots.txt", "shared_snippets/knots.txt"),
        ("a.rst", ".. include:: knots.txt", "knots.txt"),
        ("a.rst", ".. include:: a_extra.rst", "a_extra.rst"),
        ("a.rst", ".. literalinclude:: output/knots.txt", "output/knots.txt"),
        ("a.md", '--8<-- "rest/_knots.md"', "rest/_knots.md"),
        ("a.md", "{!_parts/knots.md!}", "_parts/knots.md"),
        ("a.mdx", 'import Knots from "./_knots.mdx";\n\n<Knots />', "_knots.mdx"),
        ("a.md", '{{< embed-md "knots.md" >}}', "embeds/knots.md"),
        ("a.mdx", '<Snippet file="knots.mdx" />', "snippets/knots.mdx"),
        ("a.md", '{{% include "includes/knots.md" %}}', "includes/knots.md"),
        ("sea/a.md", '1. {{< include "knots" >}}', "includes/knots.md"),
        ("a.adoc", "include::partial-knots/_knots.adoc[]", "partial-knots/_knots.adoc"),
        ("modules/a/pages/a.adoc", "include::example$sea/knots.adoc[]", "modules/a/examples/sea/knots.adoc"),
        ("a.mdx", '<Markdown src="/snippets/knots.mdx" />', "snippets/knots.mdx"),
        ("modules/ROOT/pages/a.adoc", "include::partial$knots.adoc[]", "modules/ROOT/partials/knots.adoc"),
    ],
)
def test_what_a_page_includes_and_is_called_a_part_is_no_document(
    tmp_path: Path, page: str, line: str, part: str
) -> None:
    files = {part: KNOTS, page: f"{line}\n", "z.md": KNOTS}
    assert read_directory(tmp_path, files) == [page, "z.md"]
    assert read_archive(files) == [page, "z.md"]


@pytest.mark.parametrize(
    ("page", "line", "other"),
    [
        ("index.md", '--8<-- "README.md"', "README.md"),
        ("changes.rst", ".. include:: ../CHANGELOG.rst", "CHANGELOG.rst"),
        ("licence.rst", ".. include:: LICENSE.txt", "LICENSE.txt"),
        ("a.md", '--8<-- "guide/knots.md"', "guide/knots.md"),
        ("a.md", '--8<-- "includes/README.md"', "includes/README.md"),
        ("a.md", '--8<-- "includes/_index.md"', "includes/_index.md"),
        ("a.rst", ".. include:: knots.txt\n   :end-line: 1", "knots.txt"),
        ("a.rst", ".. include:: knots.txt\n   :start-after: A", "knots.txt"),
        ("a.txt", "A\n===\n\n.. include:: knots.txt", "knots.txt"),
        ("a.rst", ".. include:: /includes/knots.rst\n   :start-line: 0", "includes/knots.rst"),
        ("a.md", '--8<-- "snippets/knots.md:1:1"', "snippets/knots.md"),
        ("a.md", "{% include_relative _posts/knots.md %}", "_posts/knots.md"),
        ("a.rst", ".. include:: partials/gone.txt", "partials/knots.txt"),
    ],
)
def test_what_is_called_a_page_or_is_not_included_as_a_part_stays_a_document(
    tmp_path: Path, page: str, line: str, other: str
) -> None:
    files = {other: KNOTS, page: f"{line}\n"}
    assert sorted(read_directory(tmp_path, files)) == sorted(files)
    assert sorted(read_archive(files)) == sorted(files)


ORPHAN = f":orphan:\n:nosearch:\n\n{KNOTS}"


@pytest.mark.parametrize(
    ("page", "line", "part", "content"),
    [
        ("b.rst", ".. include:: knots.rst", "knots.rst", ORPHAN),
        ("b.rst", ".. include:: knots.rst\n   :start-after: :nosearch:", "knots.rst", ORPHAN),
        ("b.rst", ".. include:: _static/knots.rst\n   :start-after: :nosearch:", "_static/knots.rst", ORPHAN),
        ("b.rst", ".. include:: knots.rst", "knots.rst", f"\n:tags: of\n  ropes\n:nosearch:\n\n{KNOTS}"),
        (
            "b.rst",
            ".. include:: links.rst",
            "links.rst",
            ".. Ours.\n\n.. _a: https://a\n\n.. |b| replace:: c\n   d\n..\n",
        ),
        ("b.md", "```{include} knots.md\n```", "knots.md", f"---\ntitle: Knots\norphan: true\n---\n\n{KNOTS}"),
    ],
)
def test_what_no_table_of_contents_has_is_a_part_of_the_page_that_includes_it(
    tmp_path: Path, page: str, line: str, part: str, content: str
) -> None:
    files = {"a.rst": "A\n=\n", page: f"{line}\n", part: content, "z.rst": ORPHAN}
    assert read_directory(tmp_path, files) == ["a.rst", page, "z.rst"]
    assert read_archive(files) == ["a.rst", page, "z.rst"]


@pytest.mark.parametrize("line", ["{{#include made/knots.md}}", '--8<-- "made/knots.md"'])
def test_what_a_table_of_contents_leaves_out_is_a_part_of_the_page_that_it_has(tmp_path: Path, line: str) -> None:
    files = {"SUMMARY.md": "- [A](a.md)\n", "a.md": f"{line}\n", "made/knots.md": KNOTS, "z.md": KNOTS}
    assert sorted(read_directory(tmp_path, files)) == ["SUMMARY.md", "a.md", "z.md"]
    assert sorted(read_archive(files)) == ["SUMMARY.md", "a.md", "z.md"]


@pytest.mark.parametrize(
    ("contents", "line", "other"),
    [
        ("- [A](a.md)\n- [Knots](knots.md)\n", "{{#include knots.md}}", "knots.md"),
        ("- [B](b.md)\n", "{{#include knots.md}}", "knots.md"),
        ("- [A](a.md)\n", "{{#include knots.md:1}}", "knots.md"),
        ("- [A](a.md)\n", "{{#include CHANGELOG.md}}", "CHANGELOG.md"),
    ],
)
def test_what_a_page_shows_of_another_page_stays_a_document(
    tmp_path: Path, contents: str, line: str, other: str
) -> None:
    files = {"SUMMARY.md": contents, "a.md": f"{line}\n", "b.md": KNOTS, other: KNOTS}
    assert sorted(read_directory(tmp_path, files)) == sorted(files)
    assert sorted(read_archive(files)) == sorted(files)


@pytest.mark.parametrize(
    ("line", "other", "content"),
    [
        (".. include:: knots.rst", "knots.rst", f"{KNOTS}\n:orphan:\n"),
        (".. include:: knots.rst", "knots.rst", f":title: Knots\n\n{KNOTS}"),
        (".. include:: knots.rst\n   :start-line: 4", "knots.rst", f"{ORPHAN}\nB\n"),
        (".. include:: knots.rst\n   :start-after: A bowline", "knots.rst", f"{ORPHAN}\nB\n"),
        (".. include:: knots.rst\n   :start-after: :nosearch:\n   :end-before: B", "knots.rst", f"{ORPHAN}\nB\n"),
        (".. literalinclude:: knots.rst", "knots.rst", ORPHAN),
        (".. include:: links.rst", "links.rst", ".. _a: https://a\n\n.. note:: b\n"),
        (".. include:: CHANGELOG.rst", "CHANGELOG.rst", ORPHAN),
        (":orphan:\n\n.. include:: knots.rst", "knots.rst", ":orphan:\n\n.. include:: b.rst\n"),
    ],
)
def test_what_is_included_otherwise_stays_a_document(tmp_path: Path, line: str, other: str, content: str) -> None:
    files = {"b.rst": f"{line}\n", other: content}
    assert sorted(read_directory(tmp_path, files)) == sorted(files)
    assert sorted(read_archive(files)) == sorted(files)


def test_a_part_of_a_part_is_one_and_parts_that_no_page_includes_are_documents(tmp_path: Path) -> None:
    files = {
        "a.md": '--8<-- "_parts/b.md"\n',
        "_parts/b.md": '--8<-- "_parts/c.md"\n',
        "_parts/c.md": KNOTS,
        "_parts/d.md": '--8<-- "_parts/e.md"\n',
        "_parts/e.md": '--8<-- "_parts/d.md"\n',
    }
    assert read_directory(tmp_path, files) == ["_parts/d.md", "_parts/e.md", "a.md"]
    assert sorted(read_archive(files)) == ["_parts/d.md", "_parts/e.md", "a.md"]


def test_parts_are_counted_as_left_out_and_no_files_of_the_source(tmp_path: Path) -> None:
    files = {"a.rst": ".. include:: b.txt\n", "b.txt": KNOTS, "c.txt": KNOTS}
    with DirectoryReading(write_files(tmp_path, files)) as reading:
        assert reading.left_out == {PART: 1}
        assert len(reading.left_out.paths[PART]) == 1
        assert reading.is_complete
        assert list(reading.listed) == ["a.rst", "c.txt"]


@pytest.mark.parametrize("folder", ["", "docs/"])
def test_of_snippets_beside_the_configuration_of_mintlify_none_is_a_page(tmp_path: Path, folder: str) -> None:
    files = {
        f"{folder}docs.json": "{}",
        f"{folder}a.mdx": '<Snippet file="b.mdx" />\n\nMore.\n',
        f"{folder}snippets/b.mdx": KNOTS,
        f"{folder}snippets/code/c.mdx": KNOTS,
        "x/snippets/d.mdx": KNOTS,
        "x/other-docs.json": "{}",
    }
    taken = [f"{folder}a.mdx", "x/snippets/d.mdx"]
    assert read_directory(tmp_path, files) == taken
    assert sorted(read_archive(files)) == taken
    with DirectoryReading(tmp_path) as reading:
        assert (reading.left_out[PART], reading.left_out[SNIPPET]) == (1, 1)
    with DirectoryReading(tmp_path, FileChoice(include=["**/snippets/**"])) as reading:
        assert f"{folder}snippets/code/c.mdx" in reading.listed
    with DirectoryReading(tmp_path, FileChoice(include=["code-snippets/**", "**/*.mdx"])) as reading:
        assert f"{folder}snippets/code/c.mdx" not in reading.listed


def test_the_navigation_of_antora_is_no_document(tmp_path: Path) -> None:
    files = {
        "docs/modules/ROOT/nav.adoc": "* xref:a.adoc[A]\n",
        "docs/modules/ROOT/pages/a.adoc": "= A\n\nText.\n",
        "docs/modules/ROOT/pages/cli/nav.adoc": "= The nav command\n\nText.\n",
        "docs/modules/ROOT/pages/site-nav.adoc": "= Navigation\n\nText.\n",
        "nav.adoc": "= Nav\n\nText.\n",
    }
    pages = "docs/modules/ROOT/pages"
    taken = [f"{pages}/a.adoc", f"{pages}/cli/nav.adoc", f"{pages}/site-nav.adoc", "nav.adoc"]
    assert read_directory(tmp_path, files) == taken
    assert sorted(read_archive(files)) == taken
    with DirectoryReading(tmp_path, FileChoice(include=["docs/modules/ROOT/nav.adoc"])) as reading:
        assert list(reading.listed) == ["docs/modules/ROOT/nav.adoc"]


def test_of_markdown_that_was_made_of_a_text_with_code_the_text_is_no_document(tmp_path: Path) -> None:
    files = {
        "README.Rmd": "# Rig\n",
        "README.md": "# Rig\n",
        "a/b.qmd": "# B\n",
        "a/b.md": "# B\n",
        "a/c.Rmd": "# C\n",
        "c.md": "# C\n",
    }
    taken = ["README.md", "a/b.md", "a/c.Rmd", "c.md"]
    assert read_directory(tmp_path, files) == taken
    assert sorted(read_archive(files)) == taken
    with DirectoryReading(tmp_path, only=["README.Rmd", "c.md"]) as reading:
        assert list(reading.listed) == ["c.md"]
        assert reading.left_out == {SOURCE_OF_MARKDOWN: 2}


def test_a_run_over_some_files_knows_what_the_others_include(tmp_path: Path) -> None:
    files = {"a.rst": ".. include:: b.txt\n", "b.txt": KNOTS, "c.txt": KNOTS}
    assert read_directory(tmp_path, files, only=["b.txt", "c.txt"]) == ["c.txt"]
    assert read_archive(files, only=["b.txt", "c.txt"]) == ["c.txt"]


@pytest.mark.parametrize("part", ["_knots.rst", "knots.txt", "knots.rst.inc"])
def test_a_label_in_a_part_leads_to_the_page_that_includes_it(tmp_path: Path, part: str) -> None:
    files = {
        "a.rst": "See :ref:`knots`.\n",
        "b.rst": f"B\n=\n\n.. include:: {part}\n",
        part: ".. _knots:\n\nAll knots\n---------\n",
    }
    with DirectoryReading(write_files(tmp_path, files)) as directory, ArchiveReading(make_zip(files)) as archive:
        for read in (next(iter(directory)), next(file for file in archive if file.path == "a.rst")):
            assert isinstance(read, RawDocument)
            assert parse(read).content == "See [All knots](b.rst#knots).\n"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("guide/includes.md", Kind.PAGE),
        ("_index.md", Kind.PAGE),
        ("_sidebar.md", Kind.PAGE),
        ("snippets/README.de.md", Kind.PAGE),
        ("CODE_OF_CONDUCT.txt", Kind.PAGE),
        ("docs/snippets/support.md", Kind.PART_BY_NAME),
        ("docs/sources/shared/otel.md", Kind.PART_BY_NAME),
        ("Doc-Includes/a.md", Kind.PART_BY_NAME),
        ("boats/sloop_extra.rst", Kind.PART_BY_NAME),
        ("sloop-include.md", Kind.PART_BY_NAME),
        ("sloop.partial.md", Kind.PART_BY_NAME),
        ("boats/extra.rst", Kind.PAGE),
        ("extra_boats.rst", Kind.PAGE),
        ("requirements.txt", Kind.PART_BY_ENDING),
    ],
)
def test_names_say_what_may_be_a_part(path: str, kind: Kind) -> None:
    assert find_kind(path) is kind


@pytest.mark.parametrize("code", ["", "\n:literal: true"])
def test_a_text_of_which_pages_include_what_stands_between_two_words_is_a_part(tmp_path: Path, code: str) -> None:
    include = f"```{{include}} knots.txt\n:start-after: <!-- a -->\n:end-before: <!-- b -->{code}\n```\n"
    files = {"a.md": include, "knots.txt": f"Made.\n\n<!-- a -->\n{KNOTS}<!-- b -->\n", "z.md": KNOTS}
    assert sorted(read_directory(tmp_path, files)) == sorted(["a.md", "z.md", *(["knots.txt"] if code else [])])
