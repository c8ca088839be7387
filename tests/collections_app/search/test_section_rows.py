"""What is read of sections once they are ranked."""

from __future__ import annotations

import pytest

from collections_app.models import Section
from collections_app.search.section_rows import get_rows, is_long
from collections_app.search.snippets import MAX_SCANNED_CHARACTERS
from tests.factories import make_collection, put

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("word", ["oar ", "å\u0305r "])
@pytest.mark.parametrize(
    ("characters", "cut"), [(MAX_SCANNED_CHARACTERS - 100, False), (MAX_SCANNED_CHARACTERS + 100, True)]
)
def test_an_excerpt_has_the_first_characters_of_a_text_however_many_bytes_they_take(
    word: str, characters: int, *, cut: bool
) -> None:
    docs = make_collection()
    put(docs, {"oars.md": f"# Oars\n\n{word * (characters // len(word))}\n"})
    section = Section.objects.get(collection=docs)
    row = get_rows([section.pk])[section.pk]
    assert row.excerpt == section.content[:MAX_SCANNED_CHARACTERS]
    assert is_long(row) is cut is bool(row.digest)
