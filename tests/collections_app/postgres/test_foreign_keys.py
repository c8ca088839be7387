"""A row that leaves is looked for in the tables that name it: where those grow without end, by an index."""

from __future__ import annotations

import pytest
from django.db import connection

from collections_app.models import Document, FileOutcome, IngestJob, Section, Source, Upload

UNINDEXED = """
SELECT conrelid::regclass || '.' || attname
FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
WHERE contype = 'f' AND confrelid::regclass::text = ANY(%s)
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL)
"""


@pytest.mark.django_db
def test_what_names_a_row_that_comes_and_goes_is_found_by_an_index() -> None:
    often = [model._meta.db_table for model in (Document, Section, Source, IngestJob, FileOutcome, Upload)]
    with connection.cursor() as cursor:
        cursor.execute(UNINDEXED, [often])
        assert cursor.fetchall() == []
