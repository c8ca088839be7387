"""Locks of a session, and the connection that can hold them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from collections_app import data_requests
from collections_app.indexing import embedding, reindexing
from collections_app.indexing.fulltext import LANGUAGE_LOCK
from collections_app.jobs.lifecycle import RUN_LOCK
from collections_app.jobs.slots import SLOT_LOCK
from collections_app.postgres import advisory_locks
from collections_app.postgres.advisory_locks import PooledDatabase, check_direct, holding_lock
from collections_app.removal import closing

pytestmark = pytest.mark.django_db
LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND classid = 1234"


def count_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute(LOCKS)
        return int(cursor.fetchone()[0])


@pytest.fixture
def _pooler(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells its clients a number of its own."""
    monkeypatch.setattr(advisory_locks, "get_told_pid", lambda connection: 4_000_000_000)


def test_a_lock_is_held_for_the_block() -> None:
    with holding_lock(1234, 1) as is_held:
        assert is_held
        assert count_locks() == 1
    assert count_locks() == 0


@pytest.mark.usefixtures("_pooler")
def test_no_lock_is_taken_through_a_pooler() -> None:
    with pytest.raises(PooledDatabase, match="DATABASE_DIRECT_URL"), holding_lock(1234, 1):
        pass
    assert count_locks() == 0
    with pytest.raises(PooledDatabase):
        check_direct()


def test_a_direct_connection_is_fine_and_so_is_one_that_the_operator_calls_so(settings: Any) -> None:
    check_direct()
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_direct_url": "postgresql://db/docs"})
    with holding_lock(1234, 1) as is_held:
        assert is_held


def test_whoever_takes_locks_has_a_class_of_its_own() -> None:
    classes = [
        RUN_LOCK,
        SLOT_LOCK,
        reindexing.LOCK,
        embedding.LOCK,
        data_requests.LOCK_CLASS,
        closing.LOCK,
        LANGUAGE_LOCK,
    ]
    assert len(set(classes)) == len(classes)
