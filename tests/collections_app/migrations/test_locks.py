"""An upgrade goes on beside searches: no migration keeps a large table locked while it reads or rewrites it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader

APP = "collections_app"
# Tables that grow with documents and with use. The others are small whatever happens.
LARGE = {
    "document",
    "section",
    "sectionvector",
    "sectionembedding",
    "termstatistic",
    "removeddocument",
    "upload",
    "fileoutcome",
    "searchevent",
    "dailyusage",
    "documentread",
    "auditevent",
    "answerusage",
    "feedback",
    "ingestjob",
}
# These and the ones before came with the first release: no database has met them with anything in it.
FIRST_RELEASE = "0012"

SLOW_SQL = re.compile(
    r"\bCREATE (UNIQUE )?INDEX (?!CONCURRENTLY)|\bREINDEX (?!.*CONCURRENTLY)|\bADD CONSTRAINT (?!.*NOT VALID)"
    r"|\bADD COLUMN .*\bCHECK\b|\bALTER COLUMN \w+ (SET DATA )?TYPE\b|\bSET NOT NULL\b|\bVACUUM FULL\b|\bCLUSTER\b",
    re.IGNORECASE,
)


def iter_complaints(migration: Migration) -> Iterator[str]:
    """Each operation that holds a lock for as long as a large table is read."""
    steps = list(iter_steps(migration.operations))
    created = {op.name_lower for op in steps if isinstance(op, operations.CreateModel)}
    for op in steps:
        if problem := find_problem(op, created):
            yield f"{migration.name}: {problem}"


def iter_steps(given: Iterable[Any]) -> Iterator[Any]:
    """What the database is told."""
    for op in given:
        if isinstance(op, operations.SeparateDatabaseAndState):
            yield from iter_steps(op.database_operations)
        else:
            yield op


def find_problem(op: Any, created: set[str]) -> str | None:
    if isinstance(op, operations.RunSQL):
        statements = op.sql if isinstance(op.sql, list | tuple) else [op.sql]
        slow = [str(statement) for statement in statements if SLOW_SQL.search(str(statement))]
        return f"SQL that rewrites or locks: {slow[0]}" if slow else None
    model = getattr(op, "model_name_lower", "")
    if model not in LARGE or model in created:
        return None
    if isinstance(op, operations.AddIndex) and not isinstance(op, AddIndexConcurrently):
        return f"an index on {model} that is not made concurrently"
    if isinstance(op, operations.AddConstraint):
        return f"a constraint on {model}: add it as not valid, and validate it in a migration of its own"
    if isinstance(op, operations.AddField) and not is_cheap(op.field):
        return f"{model}.{op.name} is checked or indexed row by row"
    if isinstance(op, operations.AlterField) and not op.field.null:
        return f"{model}.{op.name} is altered: see whether its type or its nulls change, and take steps that do not read it"
    return None


def is_cheap(field: Any) -> bool:
    """A constant default stands in the catalogue; an index, a foreign key or a unique column reads every row."""
    return not (field.db_index or field.unique or getattr(field, "db_constraint", False)) and (
        field.null or field.has_default()
    )


def iter_later() -> Iterator[Migration]:
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if app == APP and name > f"{FIRST_RELEASE}_~":
            yield migration


def test_no_migration_after_the_first_release_locks_a_large_table_for_long() -> None:
    assert [complaint for migration in iter_later() for complaint in iter_complaints(migration)] == []


@pytest.mark.parametrize("name", ["0010_usage", "0011_index"])
def test_the_check_finds_what_would(name: str) -> None:
    migration = MigrationLoader(None).disk_migrations[APP, name]
    assert any("not made concurrently" in complaint for complaint in iter_complaints(migration))


def test_the_check_looks_into_what_is_told_to_the_database_alone() -> None:
    inner = operations.RunSQL("CREATE INDEX x ON y (z)")
    outer = operations.SeparateDatabaseAndState(database_operations=[inner])
    assert list(iter_steps([outer])) == [inner]


@pytest.mark.parametrize(
    ("sql", "is_slow"),
    [
        ("CREATE INDEX CONCURRENTLY x ON y (z)", False),
        ("CREATE INDEX x ON y (z)", True),
        ("ALTER TABLE x ALTER COLUMN y TYPE bigint", True),
        ("ALTER TABLE x ALTER COLUMN y SET NOT NULL", True),
        ("ALTER TABLE x ADD CONSTRAINT c CHECK (y > 0) NOT VALID", False),
        ("ALTER TABLE x ADD CONSTRAINT c CHECK (y > 0)", True),
        ("ALTER TABLE x ADD COLUMN y integer NOT NULL DEFAULT 0", False),
        ("ALTER TABLE x ADD COLUMN y integer NOT NULL DEFAULT 0 CHECK (y >= 0)", True),
    ],
)
def test_the_check_reads_sql(sql: str, is_slow: bool) -> None:
    assert (find_problem(operations.RunSQL(sql), set()) is not None) == is_slow
