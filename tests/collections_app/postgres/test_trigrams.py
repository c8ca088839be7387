"""Whether the index and a question agree about what a part of a text is made of."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from collections_app.postgres.trigrams import list_trigrams, write_trigrams

texts = st.text().filter(lambda text: "\0" not in text)


def read_trigrams(text: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {write_trigrams('given')} FROM (SELECT %s::text AS given) AS row", [text])  # noqa: S608
        return set(cursor.fetchone()[0])


@pytest.mark.django_db
@given(before=texts, part=st.text(st.characters(codec="ascii", exclude_characters="\0")), after=texts)
def test_a_text_has_all_of_any_part_of_it(before: str, part: str, after: str) -> None:
    assert read_trigrams(before + part.swapcase() + after).issuperset(list_trigrams(part))


@pytest.mark.django_db
def test_a_text_has_no_others() -> None:
    assert {each for each in read_trigrams("Guide/TLS") if len(each) == 3} == set(list_trigrams("guide/tls"))


@pytest.mark.parametrize("part", ["", "ab", "übersicht", "ab\u212a"])
def test_of_some_parts_nothing_is_known(part: str) -> None:
    assert list_trigrams(part) == []
