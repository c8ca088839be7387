"""Categories that navigation files give, as they are on disk."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.sources.categories import read_categories


@pytest.mark.parametrize(
    ("path", "page", "text"),
    [
        ("SUMMARY.md", "a.md", "## Use\n\n- [A](a.md)\n"),
        ("modules/ROOT/nav.adoc", "modules/ROOT/pages/a.adoc", ".Use\n* xref:a.adoc[A]\n"),
    ],
)
def test_a_byte_order_mark_hides_nothing(path: str, page: str, text: str) -> None:
    assert read_categories([path], lambda name: RawDocument(name, text.encode("utf-8-sig"))) == {page: "Use"}
