"""Tables of numbers that PostgreSQL sends as one value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.postgres.number_tables import read_numbers, send_numbers
from collections_app.postgres.prepared_cursor import open_cursor, write_array

pytestmark = pytest.mark.django_db

WHOLE = st.integers(-(2**53), 2**53)
FRACTION = st.floats(width=32, allow_nan=False, allow_infinity=False)


@settings(max_examples=100)
@given(st.lists(st.tuples(WHOLE, FRACTION, WHOLE), max_size=30))
def test_they_arrive_as_they_were_sent(rows: list[tuple[int, float, int]]) -> None:
    wholes, others = write_array(row[0] for row in rows), write_array(row[2] for row in rows)
    with open_cursor() as cursor:
        cursor.execute(
            f"SELECT {send_numbers('a', 'b', more='ARRAY[c, a]')}"  # noqa: S608
            " FROM unnest(%s::bigint[], %s::real[], %s::bigint[]) AS given (a, b, c)",
            [wholes, [row[1] for row in rows], others],
        )
        table = read_numbers(cursor.fetchone()[0], 4)
    assert table.shape == (len(rows), 4)
    assert [tuple(row) for row in table.tolist()] == [(a, b, c, a) for a, b, c in rows]
