"""Pages like those of each documentation generator, and their Markdown. `make golden` writes it again, for review."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.html import parse_html

HERE = Path(__file__).parent.parent
PAGES = sorted((HERE / "golden").glob("html_*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_writes_the_markdown_that_was_reviewed(page: Path) -> None:
    text = parse_html(RawDocument(page.name, page.read_bytes(), source_url=f"https://teapot.example/docs/{page.name}"))
    golden = HERE / "golden_markdown" / f"{page.stem}.md"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(text.content)
    assert text.content == golden.read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_anchor_stands_at_a_heading(page: Path) -> None:
    text = parse_html(RawDocument(page.name, page.read_bytes()))
    headings = {heading.line for heading in iter_headings(text.content.split("\n"))}
    assert text.anchors
    assert set(text.anchors) <= headings
