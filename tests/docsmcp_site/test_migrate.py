"""A migration never waits for a table while others wait for it: it is tried again, and says so when that was in vain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from collections_app.postgres.advisory_locks import PooledDatabase
from docsmcp_site.database.preparation import PREPARATION_LOCK
from docsmcp_site.exceptions import StartError
from docsmcp_site.management.commands import migrate
from tests.held_lock import held_lock, held_table

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = "django_session"


@pytest.fixture(autouse=True)
def migrated_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 0.05)
    yield
    call_command("migrate", verbosity=0)


def drop() -> None:
    call_command("migrate", "sessions", "zero", verbosity=0)


def is_there() -> bool:
    return TABLE in connection.introspection.table_names()


def test_it_is_tried_again_until_the_table_is_free(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as reading:
        pauses = []

        def end_reading_at_the_second() -> None:
            pauses.append(is_there())
            if len(pauses) == 2:
                reading.close()

        monkeypatch.setattr(migrate, "pause", end_reading_at_the_second)
        reading.enter_context(held_table(TABLE))
        drop()
    assert pauses == [True, True]
    assert not is_there()
    assert "in use: trying again" in capsys.readouterr().err


def test_it_gives_up_and_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "PATIENCE_SECONDS", -1)
    with held_table(TABLE), pytest.raises(StartError, match="run this again"):
        drop()
    assert is_there()


def test_what_waits_for_nobody_has_its_time() -> None:
    """An index that is made concurrently, outside a transaction: broken off, it would be there and of no use."""
    with migrate.impatient(connection):
        for atomic, limit in ((True, "50ms"), (False, "0")):
            with connection.schema_editor(atomic=atomic), connection.cursor() as cursor:
                cursor.execute("SHOW lock_timeout")
                assert cursor.fetchone() == (limit,)


def test_another_error_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr("django.core.management.commands.migrate.Command.handle", fail)
    with pytest.raises(OperationalError, match="the disk is full"):
        drop()
    monkeypatch.undo()


def test_it_waits_for_another_that_migrates(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as migrating:
        migrating.enter_context(held_lock(PREPARATION_LOCK))
        monkeypatch.setattr("docsmcp_site.database.preparation.time.sleep", lambda seconds: migrating.close())
        call_command("migrate", verbosity=0)
    assert capsys.readouterr().err.splitlines() == [migrate.WAITING]


def test_it_refuses_a_pooler_which_would_give_its_lock_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.postgres.advisory_locks.get_told_pid", lambda connection: 1)
    with pytest.raises(PooledDatabase, match="DATABASE_DIRECT_URL"):
        call_command("migrate", verbosity=0)
    monkeypatch.undo()
