"""A question that is a page's whole title, or the name of the class that the page documents, gets the beginning of that page first."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Collection
from collections_app.search import Mode
from tests.factories import find, find_paths, make_collection, put
from tests.fake_embedder import FakeEmbedder

pytestmark = pytest.mark.django_db

MEMBERS = "".join(f"## toPeriod{n}\n\nThe period as a period: period.\n\n" for n in range(5))
PAGES = {
    "keys/spans.md": "# Period\n\nA length of time in fields.\n\n## More\n\nSee elsewhere.\n",
    "api/org/Instant.md": f"# Class Instant\n\nA moment.\n\n{MEMBERS}",
    "api/org/ReadablePeriod.md": f"# Interface ReadablePeriod\n\nA period to read.\n\n{MEMBERS}",
    "api/org/MutablePeriod.md": f"# Class MutablePeriod\n\nA period to change.\n\n{MEMBERS}## toReadablePeriod\n\nReadablePeriod.\n",
    "uml/pictures.md": "# Class Drawings\n\nBoxes and lines.\n",
    "drawings.md": "# How to make them\n\n## Drawings\n\nDrawings of drawings.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection()
    put(collection, PAGES)
    return collection


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.SEMANTIC])
@pytest.mark.parametrize(
    ("question", "path", "heading"),
    [
        ("period", "keys/spans.md", "Period"),
        ("Périod?", "keys/spans.md", "Period"),
        ("class Instant", "api/org/Instant.md", "Class Instant"),
        ("Instant", "api/org/Instant.md", "Class Instant"),
        ("what is a period?", "keys/spans.md", "Period"),
        ("ReadablePeriod", "api/org/ReadablePeriod.md", "Interface ReadablePeriod"),
    ],
)
def test_its_beginning_is_first(
    docs: Collection, question: str, path: str, heading: str, mode: Mode, embedder: FakeEmbedder
) -> None:
    first, *others = find(docs, question, mode=mode).hits
    assert (first.path, first.heading_path[-1]) == (path, heading)
    assert first.section_id not in [hit.section_id for hit in others if hit.path == path]
    assert all(hit.score <= first.score for hit in others)


def test_a_part_of_a_manuals_page_is_called_by_the_pages_name_and_its_own(docs: Collection) -> None:
    options = "# Row options\n\n## Boat options\n\nOptions to row a boat: boat, row, options.\n"
    manual = "% boat-row 1\n\n## SYNOPSIS\n\nboat row [*options*]\n\n## OPTIONS\n\nSee below.\n\n### --fast\n\nRow the boat fast.\n"
    put(docs, {"options.md": options, "man/boat-row.1.md": manual})
    for question in ("boat row options", "boat-row OPTIONS?", "boat row flags", "options of boat row"):
        first = find(docs, question).hits[0]
        assert (first.path, first.heading_path[-1]) == ("man/boat-row.1.md", "OPTIONS")


def test_a_word_beside_a_kind_is_no_name_unless_the_file_has_it_too(docs: Collection) -> None:
    assert find_paths(docs, "drawings")[0] == "drawings.md"
    assert find_paths(docs, "class drawings")[0] == "uml/pictures.md"


def test_a_title_of_many_pages_calls_none(docs: Collection) -> None:
    put(docs, {f"{n}.md": f"# Overview\n\nOf {n}.\n" for n in range(3)})
    put(docs, {"all.md": "# Everything\n\n## Overview of the overview\n\nOverview, overview, overview.\n" * 2})
    assert set(find_paths(docs, "overview")[:3]) == {"0.md", "1.md", "2.md"}
    before = find_paths(docs, "overview of everything")
    put(docs, {"3.md": "# Overview\n\nOf 3.\n"})
    assert find_paths(docs, "overview of everything")[:1] == before[:1]


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("period", {"category": "api"}),
        ("period -length", {}),
        ("period", {"code": "python"}),
    ],
)
def test_what_a_filter_or_an_exclusion_leaves_out_stays_out(
    docs: Collection, question: str, options: dict[str, Any]
) -> None:
    assert "keys/spans.md" not in find_paths(docs, question, **options)


def test_within_a_filter_it_is_first(docs: Collection) -> None:
    assert find_paths(docs, "ReadablePeriod", category="api")[0] == "api/org/ReadablePeriod.md"


def test_a_title_of_stop_words_is_found(docs: Collection) -> None:
    put(docs, {"about.md": "# About\n\nWho made this.\n"})
    assert find_paths(docs, "about")[0] == "about.md"


def test_another_title_is_another_name(docs: Collection) -> None:
    put(docs, {"keys/spans.md": "# Spans\n\nA length of time in fields.\n"})
    assert find_paths(docs, "period")[:1] != ["keys/spans.md"]
    assert find_paths(docs, "spans")[0] == "keys/spans.md"


def test_of_copies_in_folders_of_versions_it_is_the_newest_or_the_one_that_is_named() -> None:
    collection = make_collection()
    text = "# Period\n\nA length of time in version {}.\n\n## More\n\nSee elsewhere.\n"
    put(collection, {f"v{n}/spans.md": text.format(n) for n in range(1, 6)})
    put(collection, {f"v{n}/api.md": f"# Members\n\n{MEMBERS}Version {n}.\n" for n in range(1, 6)})
    assert find_paths(collection, "period")[0] == "v5/spans.md"
    assert find_paths(collection, "what is a period")[0] == "v5/spans.md"
    put(collection, {f"v5/{n}.md": f"# Period\n\nAnother one: {n}.\n" for n in range(3)})
    assert find_paths(collection, "period")[0] == "v5/api.md"


def test_a_title_of_too_many_pages_leaves_the_next_name(docs: Collection) -> None:
    put(docs, {f"{n}.md": f"# What is a period\n\nNumber {n}.\n" for n in range(4)})
    assert find_paths(docs, "what is a period")[0] == "keys/spans.md"
