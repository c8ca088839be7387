from __future__ import annotations

import pydoc
from datetime import timedelta
from functools import partial
from threading import Barrier, Thread
from unittest import mock

import pytest
from django.db import NotSupportedError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.scheduler import scheduler

from docsmcp_site.database.preparation import (
    PREPARATION_LOCK,
    SCHEDULES,
    LockedLoader,
    check_version,
    describe_what_is_missing,
    ensure_schedules,
    is_migration_due,
    preparing_database,
)
from docsmcp_site.exceptions import StartError
from tests.meeting import Meeting, do_at_once

# Of this database: others of the same server are prepared by the tests beside these.
LOCKED = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = %s AND datname = current_database()
"""


def count_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute(LOCKED, [PREPARATION_LOCK])
        return int(cursor.fetchone()[0])


@pytest.mark.django_db
def test_only_one_process_prepares_at_a_time() -> None:
    with preparing_database():
        assert count_locks() == 1
    assert count_locks() == 0


@pytest.mark.django_db
def test_the_next_one_may_prepare_when_this_one_failed() -> None:
    with pytest.raises(ZeroDivisionError), preparing_database():
        raise ZeroDivisionError
    assert count_locks() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("is_due", [True, False])
def test_it_migrates_only_when_something_is_due(is_due: bool) -> None:
    with (
        mock.patch("docsmcp_site.database.preparation.is_migration_due", return_value=is_due),
        mock.patch("docsmcp_site.database.preparation.call_command") as call_command,
        preparing_database(),
    ):
        assert call_command.called is is_due


@pytest.mark.django_db
def test_it_sees_whether_a_migration_is_due() -> None:
    assert not is_migration_due()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    assert is_migration_due()


def test_one_thread_at_a_time_imports_the_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    importing = Meeting()

    def load_disk(loader: MigrationLoader) -> None:
        loader.disk_migrations, loader.unmigrated_apps, loader.migrated_apps = {}, set(), set()
        importing.visit()

    monkeypatch.setattr(MigrationLoader, "load_disk", load_disk)
    do_at_once(partial(LockedLoader, None), partial(LockedLoader, None))
    assert (importing.visits, importing.has_met) == (2, False)


@pytest.mark.django_db
def test_it_refuses_a_server_that_is_too_old() -> None:
    with (
        mock.patch.object(connections["default"], "pg_version", 140_012),
        pytest.raises(StartError, match="15 or later"),
    ):
        check_version()


@pytest.mark.django_db
def test_it_refuses_a_server_that_django_does_not_know() -> None:
    with (
        mock.patch.object(connections["default"], "ensure_connection", side_effect=NotSupportedError),
        pytest.raises(StartError, match="15 or later"),
    ):
        check_version()


@pytest.mark.django_db
def test_it_says_what_is_missing_and_what_that_costs() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'")
        is_there = cursor.fetchone()[0] == 1
    assert any("pgvector" in sentence and "semantic" in sentence for sentence in describe_what_is_missing()) != is_there


@pytest.mark.django_db
def test_schedules_are_made_once() -> None:
    ensure_schedules()
    before = set(Schedule.objects.values_list("pk", "name"))
    ensure_schedules()
    assert set(Schedule.objects.values_list("pk", "name")) == before
    assert {name for _, name in before} == set(SCHEDULES)


@pytest.mark.django_db(transaction=True)
def test_queues_that_start_at_once_make_them_once() -> None:
    start = Barrier(4)

    def begin() -> None:
        start.wait()
        ensure_schedules()
        connection.close()

    threads = [Thread(target=begin) for _ in range(start.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(Schedule.objects.values_list("name", flat=True)) == sorted(SCHEDULES)


@pytest.mark.django_db
def test_a_schedule_that_is_there_twice_keeps_no_queue_from_starting() -> None:
    ensure_schedules()
    Schedule.objects.bulk_create(Schedule(name=name, func="x") for name in SCHEDULES)
    ensure_schedules()
    kept = dict(Schedule.objects.values_list("name", "func"))
    assert kept == {name: values["func"] for name, values in SCHEDULES.items()}
    assert Schedule.objects.count() == len(SCHEDULES)


@pytest.mark.django_db
def test_what_an_operator_changed_in_a_schedule_stays() -> None:
    ensure_schedules()
    Schedule.objects.update(minutes=7)
    ensure_schedules()
    assert set(Schedule.objects.values_list("minutes", flat=True)) == {7}


@pytest.mark.django_db
def test_sources_are_not_refreshed_while_up_still_ingests() -> None:
    ensure_schedules()
    Schedule.objects.update(next_run=timezone.now() - timedelta(days=1))
    ensure_schedules()
    assert Schedule.objects.get(name="refresh sources").next_run > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_the_queue_makes_tasks_of_the_schedules_that_exist() -> None:
    ensure_schedules()
    Schedule.objects.update(next_run=timezone.now() - timedelta(seconds=1))
    scheduler()
    functions = {task.func() for task in OrmQ.objects.all()}
    assert functions == {schedule["func"] for schedule in SCHEDULES.values()}
    assert all(callable(pydoc.locate(function)) for function in functions)
