"""The API call that a page describes may be only in its front matter."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.documents import ParsedDocument


def read(front_matter: str, text: str = "One boat.\n", path: str = "a.mdx") -> ParsedDocument:
    return parse(RawDocument(path, f"---\n{front_matter}\n---\n{text}".encode()))


@pytest.mark.parametrize(
    ("front_matter", "expected"),
    [
        ('title: Boat\nopenapi: "GET /boats/{id}"', "`GET /boats/{id}`\n\n"),
        ("title: Boat\nopenapi: sea.json get /boats", "`GET /boats`\n\n"),
        ("title: Boat\napi: POST https://sea.example/v1/boats", "`POST https://sea.example/v1/boats`\n\n"),
        ("title: Boat\nopenapi: sea.yaml\napi: PATCH /boats", "`PATCH /boats`\n\n"),
        ("openapi: GET /boats", ""),
        ("title: Boat\napi: true", ""),
        ("title: Boat\napi: Get a boat by its name", ""),
        ("title: Boat\napi:\n  file: sea.json", ""),
    ],
)
@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_it_stands_above_the_text(front_matter: str, expected: str, path: str) -> None:
    assert read(front_matter, path=path).content == f"{expected}One boat.\n"


def test_it_stands_above_a_description_that_is_all_that_the_page_says() -> None:
    assert read("title: Boat\ndescription: One.\nopenapi: GET /boats", "").content == "`GET /boats`\n\nOne."
    document = read("title: Boat\nopenapi: GET /boats", "\n")
    assert (document.content, len(document.warnings)) == ("", 1)


def test_headings_below_it_have_their_lines() -> None:
    sections = read("title: Boat\nopenapi: GET /boats", "One boat.\n\n# Boat\n\n## Name\n").sections
    assert [(section.section_id, section.start_line) for section in sections] == [("boat", 3), ("boat/name", 9)]
