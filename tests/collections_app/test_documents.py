"""What documents say: by path, by section id, in one version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.documents import (
    OUTLINE_SECTIONS,
    DocumentReplaced,
    get_document,
    get_outline,
    get_sections,
    iter_page,
    outline,
    read_steadily,
    sections,
)
from collections_app.documents.fragments import find_fragment
from collections_app.documents.lookup import open_document
from collections_app.exceptions import DocsError, DocumentNotFound, InvalidParameter, SectionNotFound
from collections_app.ingest import remove_documents
from collections_app.jobs import ensure_upload_source
from collections_app.jobs.moves import keep_told
from collections_app.models import Collection, Document, Section
from collections_app.naming.sections import NamedSection, index_names
from tests.factories import make_collection, put

pytestmark = pytest.mark.django_db

GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nUnpack.\n\n### Linux\n\nUse apt.\n\n## Configure\n\nWrite.\n"


@pytest.fixture
def collection() -> Collection:
    collection = make_collection("manual")
    put(collection, {"guide.md": GUIDE})
    return collection


def look_up(collection: Collection, path: str = "guide.md") -> Document:
    return get_document([Collection.objects.select_related("tenant").get(pk=collection.pk)], path)


def make_long(sections: int) -> str:
    return "# Long\n\n" + "".join(f"## Part {n}\n\ntext {n}\n\n" for n in range(sections))


class TestVersions:
    """A document that is replaced between two queries is not read as a mixture of both."""

    def test_sections_of_an_older_version_are_not_there(self, collection: Collection) -> None:
        document = look_up(collection)
        put(collection, {"guide.md": GUIDE.replace("## Install", "## Before\n\nx\n\n## Install")})
        for read in (
            lambda: get_sections(document, ["guide/install"]),
            lambda: get_outline(document),
            lambda: list(iter_page(document)),
        ):
            with pytest.raises(DocumentReplaced, match="is being replaced"):
                read()

    def test_texts_are_of_the_version_of_their_headings(
        self, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        get_texts = sections.get_texts

        def replace_before(document: Document, outer: Any) -> dict[int, list[str]]:
            put(collection, {"guide.md": GUIDE.replace("## Install", "## Before\n\nx\n\n## Install")})
            return get_texts(document, outer)

        document = look_up(collection)
        monkeypatch.setattr(sections, "get_texts", replace_before)
        with pytest.raises(DocumentReplaced):
            get_sections(document, ["guide/install"])

    def test_the_pieces_of_a_page_are_of_one_version(self, collection: Collection) -> None:
        put(collection, {"long.md": make_long(150)})
        page = iter_page(look_up(collection, "long.md"))
        assert next(page).section_id == "long"
        put(collection, {"long.md": "# Before\n\nx\n\n" + make_long(150)})
        with pytest.raises(DocumentReplaced):
            list(page)

    def test_the_levels_of_an_outline_are_of_one_version(
        self, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        count_levels = outline.count_levels

        def replace_after(document: Document) -> Any:
            levels = count_levels(document)
            put(collection, {"long.md": make_long(OUTLINE_SECTIONS + 9)})
            return levels

        put(collection, {"long.md": make_long(OUTLINE_SECTIONS)})
        monkeypatch.setattr(outline, "count_levels", replace_after)
        with pytest.raises(DocumentReplaced):
            get_outline(look_up(collection, "long.md"))

    def test_a_removed_document_has_no_sections(self, collection: Collection) -> None:
        document = look_up(collection)
        remove_documents(collection, [document.pk])
        with pytest.raises(DocumentReplaced):
            get_sections(document, ["guide"])

    def test_an_empty_document_is_no_replaced_one(self, collection: Collection) -> None:
        put(collection, {"empty.md": ""})
        document = look_up(collection, "empty.md")
        assert list(iter_page(document)) == []
        assert get_outline(document).section_count == 0
        with pytest.raises(SectionNotFound):
            get_sections(document, ["x"])

    def test_reading_begins_anew_so_many_times(self, collection: Collection) -> None:
        document = look_up(collection)
        attempts = iter([DocumentReplaced(document), DocumentReplaced(document), None, DocumentReplaced(document)])

        def read() -> str:
            if error := next(attempts):
                raise error
            return "read"

        assert read_steadily(read) == "read"
        attempts = iter([DocumentReplaced(document)] * 3)
        with pytest.raises(DocumentReplaced):
            read_steadily(read)


class TestSections:
    @pytest.mark.parametrize("name", ["guide/install", "#guide/install", "install", "Install", "GUIDE/Install/"])
    def test_they_are_known_by_id_last_part_and_heading(self, collection: Collection, name: str) -> None:
        (section,) = get_sections(look_up(collection), [name])
        assert section.section_id == "guide/install"
        assert section.text == "## Install\n\nUnpack.\n\n### Linux\n\nUse apt.\n\n"

    def test_the_first_of_several_namesakes_is_meant(self, collection: Collection) -> None:
        put(collection, {"twice.md": "# Twice\n\n## A\n\n### Same\n\none\n\n## B\n\n### Same\n\ntwo\n"})
        assert "one" in get_sections(look_up(collection, "twice.md"), ["same"])[0].text

    def test_exact_ids_and_other_names_may_be_mixed(self, collection: Collection) -> None:
        names = ["Linux", "guide/configure", "guide/install/linux"]
        found = get_sections(look_up(collection), names)
        assert [section.section_id for section in found] == ["guide/install/linux", "guide/configure"]

    def test_exact_ids_do_not_cost_the_whole_outline(
        self, collection: Collection, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
    ) -> None:
        put(collection, {"long.md": make_long(300)})
        document = look_up(collection, "long.md")
        monkeypatch.setattr(sections, "NamedSection", None)
        with django_assert_num_queries(2):
            assert len(get_sections(document, [f"long/part-{n}" for n in range(100)])) == 100

    def test_other_names_cost_the_outline_once(
        self, collection: Collection, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
    ) -> None:
        put(collection, {"long.md": make_long(300)})
        document = look_up(collection, "long.md")
        indexed: list[int] = []

        def count_and_index(sections: Sequence[NamedSection], **options: bool) -> list[dict[str, list[int]]]:
            indexed.append(len(sections))
            return index_names(sections, **options)

        monkeypatch.setattr(sections, "index_names", count_and_index)
        with django_assert_num_queries(4):
            assert len(get_sections(document, [f"Part {n}" for n in range(100)])) == 100
        assert indexed == [301]


class TestOutline:
    def test_it_is_whole_for_most_documents(self, collection: Collection, django_assert_num_queries: Any) -> None:
        document = look_up(collection)
        with django_assert_num_queries(1):
            outline = get_outline(document)
        assert [entry.section_id for entry in outline.entries] == [
            "guide",
            "guide/install",
            "guide/install/linux",
            "guide/configure",
        ]
        assert (outline.section_count, outline.token_count) == (4, outline.entries[0].token_count)

    def test_it_has_the_higher_levels_of_a_long_one_and_the_first_of_the_next(self, collection: Collection) -> None:
        detail = "".join(f"### Detail {n}\n\nx\n\n" for n in range(200))
        text = "---\ntitle: All\n---\nBefore.\n\n" + "".join(
            f"# Book {b}\n\n" + f"## Part\n\n{detail}" * 2 for b in range(3)
        )
        put(collection, {"long.md": text})
        outline = get_outline(look_up(collection, "long.md"))
        levels = [entry.level for entry in outline.entries]
        assert [levels.count(level) for level in (0, 1, 2, 3)] == [1, 3, 6, OUTLINE_SECTIONS]
        assert [entry.position for entry in outline.entries] == sorted(entry.position for entry in outline.entries)
        assert outline.section_count == Section.objects.filter(document__path="long.md").count()
        outermost = Section.objects.filter(document__path="long.md", level__lte=1)
        assert outline.token_count == sum(outermost.values_list("token_count", flat=True))

    def test_it_goes_on_from_a_position_with_all_levels(self, collection: Collection) -> None:
        put(collection, {"long.md": make_long(2 * OUTLINE_SECTIONS)})
        outline = get_outline(look_up(collection, "long.md"), start=5)
        assert [entry.position for entry in outline.entries] == list(range(5, 5 + OUTLINE_SECTIONS))
        assert outline.section_count == 2 * OUTLINE_SECTIONS + 1


def test_the_first_meaning_of_a_path_that_is_there_is_taken(collection: Collection) -> None:
    put(collection, {"a b.md": "# One\n", "a%20b.md": "# Two\n", "a.md": "# Three\n"})
    assert [look_up(collection, path).title for path in ("a%20b.md", "a b", "a%20b", "a")] == [
        "Two",
        "One",
        "Two",
        "Three",
    ]


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("manual/start", "manual/start.rst"),
        ("/manual/start.html", "manual/start.rst"),
        ("manual/start.html#rope", "manual/start.rst"),
        ("manual", "manual/index.md"),
        ("manual/", "manual/index.md"),
        ("sails.html", "sails.html"),
        ("sails", "sails.mdx"),
        ("two words", "two words.adoc"),
        ("two%20words", "two words.adoc"),
    ],
)
def test_a_page_is_found_by_the_name_that_its_site_gives_it(collection: Collection, asked: str, path: str) -> None:
    put(collection, {"manual/start.rst": "Start\n=====\n\nRope\n----\n\nx\n", "manual/index.md": "# Manual\n"})
    put(
        collection, {"sails.mdx": "# Sails\n", "sails.html": "<h1>Cloth</h1><p>x</p>", "two words.adoc": "= Two\n\nx\n"}
    )
    assert look_up(collection, asked).path == path


def test_of_pages_with_the_same_end_the_one_with_more_folders_of_the_address_is_meant(collection: Collection) -> None:
    put(collection, {"guidelines/sc/21/reflow.md": "# Reflow\n", "understanding/21/reflow.md": "# Reflow\n"})
    collections = [Collection.objects.select_related("tenant").get(pk=collection.pk)]
    address = "https://site.example/WCAG22/Understanding/reflow.html"
    found = open_document(collections, address, is_named=True)
    assert (found.document.path, found.is_taken) == ("understanding/21/reflow.md", True)
    with pytest.raises(DocumentNotFound):
        open_document(collections, address.replace("Understanding", "other"), is_named=True)


def test_a_number_is_an_id_before_a_folder_is_guessed(collection: Collection) -> None:
    put(collection, {"a.md": "# One\n"})
    pk = Document.objects.get(path="a.md").pk
    put(collection, {f"{pk}/index.md": "# Two\n"})
    assert look_up(collection, str(pk)).path == "a.md"
    assert look_up(collection, f"{pk}/").path == f"{pk}/index.md"


def test_a_former_address_takes_as_many_queries_in_many_collections_as_in_one(collection: Collection) -> None:
    """Of each it leads to an address of its own, nowhere, or on."""
    for number in range(3):
        other = make_collection(f"other-{number}", tenant=collection.tenant)
        put(other, {f"content/boats/sail-{number}.md": "# Sail\n"})
        told = {"/old/sail": f"/boats/sail-{number}", "/dead": f"/gone/{number}", "/led": f"/via-{number}"}
        keep_told(ensure_upload_source(other), told | {f"/via-{number}": f"/gone/{number}"})
    others = list(Collection.objects.exclude(pk=collection.pk).select_related("tenant").order_by("slug"))

    def count(asked: str, collections: Sequence[Collection], error: type[DocsError]) -> int:
        with CaptureQueriesContext(connection) as queries, pytest.raises(error):
            open_document(collections, asked)
        return len(queries)

    for asked in ("dead", "https://example.org/dead.html", "led"):
        assert count(asked, others, DocumentNotFound) == count(asked, others[:1], DocumentNotFound) < 30
    assert open_document(others[1:2], "old/sail").document.path == "content/boats/sail-1.md"
    assert count("old/sail", others, InvalidParameter) == count("old/sail", others[:2], InvalidParameter) < 10


def test_a_page_is_where_all_of_its_folder_has_moved_unless_another_page_is_meant(collection: Collection) -> None:
    """Of an address with a host, only where that is the site's."""
    pages = (
        "content/new/Sail.md",
        "content/other/sail.md",
        "content/rope.md",
        "content/new/hitch.md",
        "x/old/hitch.md",
    )
    put(collection, {path: f"# {path}\n" for path in pages})
    told = {"/old/*": "/new/:splat", "/old/ropes/*": "/:splat", "/old/gone": "/away"}
    keep_told(ensure_upload_source(collection), told)
    collections = [Collection.objects.select_related("tenant").get(pk=collection.pk)]

    def find(asked: str) -> str:
        return open_document(collections, asked).document.path

    for asked in ("old/sail", "manual:/old/sail.html", "https://docs.manual.org/old/sail/#boom"):
        assert find(asked) == "content/new/Sail.md"
    assert find("old/ropes/rope") == "content/rope.md", "the innermost folder that is told"
    assert find("old/hitch") == "x/old/hitch.md", "which has more of the address"
    for asked in ("https://example.org/old/sail", "old", "a/old/sail", "old/gone", "old/*"):
        with pytest.raises(DocumentNotFound):
            find(asked)


def test_a_guess_in_several_collections_is_no_answer(collection: Collection) -> None:
    other = make_collection("other", tenant=collection.tenant)
    put(collection, {"manual.rst": "One\n===\n\nx\n"})
    put(other, {"manual/index.md": "# Two\n"})
    with pytest.raises(InvalidParameter, match="Several collections"):
        get_document([collection, other], "manual")


def test_a_fragment_behind_the_name_of_a_site_names_a_section(collection: Collection) -> None:
    put(collection, {"manual/start.rst": "Start\n=====\n\nx\n\nRope\n----\n\ny\n"})
    found = find_fragment(look_up(collection, "manual/start.html#rope"), "manual/start.html#rope")
    assert found
    assert found.section
    assert found.section.section_id == "start/rope"


def test_a_fragment_may_be_that_of_github(collection: Collection) -> None:
    put(collection, {"rope.md": "# Rope\n\n## `rope.coil()`\n\nx\n\n## rope:cut\n\ny\n"})
    found = find_fragment(look_up(collection, "rope.md"), "rope.md#ropecoil")
    assert found
    assert found.section
    assert found.section.heading == "rope.coil()"
