"""Queries that every request makes. Django writes each statement only once: that takes several times as long as PostgreSQL's answer.

Each is made from a QuerySet. It reads rows of a model and of the foreign key in `select_related`, unordered, and refuses columns
that Django would have to convert. Each row comes with a version that is unique to the row and changes with it, so whoever keeps rows can
ask whether they are still true without having them sent again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.expressions import Expression, RawSQL

from collections_app.postgres.prepared_cursor import open_cursor

Row = TypeVar("Row", bound=models.Model)

# The version of a set of rows; PreparedQuery.read() computes the same.
VERSION = """encode(sha256(convert_to(coalesce(string_agg(row_version, ',' ORDER BY row_version COLLATE "C"), ''), 'UTF8')), 'hex')"""


class Given(Expression):
    """A placeholder in a QuerySet for a value that is given with each execution."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Given]]:  # type: ignore[override]
        return "%s", [self]


@dataclass(frozen=True, slots=True)
class RowSet:
    """Rows as they were read (each with its columns, its version, and the columns of the related row), and an SQL condition, with its
    values, that holds as long as reading again would return the same rows."""

    rows: list[tuple[Any, ...]]
    condition: str
    values: list[Any]


class PreparedQuery(Generic[Row]):
    """The rows of a QuerySet with Given values; `related` is the one foreign key that it also selects."""

    def __init__(self, rows: models.QuerySet[Row], related: str) -> None:
        self.model: type[Row] = rows.model
        self.related = related
        self.related_model: type[models.Model] = rows.model._meta.get_field(related).related_model  # type: ignore[assignment]
        self.columns, self.related_columns = name_columns(self.model), name_columns(self.related_model)
        self.related_key = self.related_columns.index(self.related_model._meta.pk.attname)
        versioned = (
            rows.order_by().select_related(related).annotate(row_version=write_version(self.model, self.related_model))
        )
        self.statement, self.places = versioned.query.sql_with_params()
        self.condition = f"%s = (SELECT {VERSION} FROM ({self.statement}) AS found)"  # noqa: S608  both are ours

    def read(self, values: Mapping[str, Any]) -> RowSet:
        """Executes the statement. Each value has the type of its column."""
        given = [values[place.name] if isinstance(place, Given) else place for place in self.places]
        with open_cursor() as cursor:
            cursor.execute(self.statement, given)
            found = cursor.fetchall()
        versions = ",".join(sorted(row[len(self.columns)] for row in found))
        version = hashlib.sha256(versions.encode()).hexdigest()
        return RowSet(found, self.condition, [version, *given])

    def make_rows(self, found: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
        """Instances of the rows that were read. Rows that refer to the same related row share its instance."""
        width, alias = len(self.columns), connection.alias
        named: dict[Any, models.Model] = {}
        for values_found in found:
            row = self.model.from_db(alias, self.columns, values_found[:width])
            of_related = values_found[width + 1 :]
            key = of_related[self.related_key]
            if key not in named:
                named[key] = self.related_model.from_db(alias, self.related_columns, of_related)
            setattr(row, self.related, named[key])
            yield row


def write_version(*of_models: type[models.Model]) -> RawSQL:
    """A row's version: its primary key, the transaction that wrote it (`xmin`) and its place (`ctid`).

    Every change, even to the same values, writes a row anew at another place. The primary key is needed because rewriting a whole table may
    put another row of the same transaction at that place. Columns are qualified by their table, since rows of several are read together.
    """
    parts = [
        f"{connection.ops.quote_name(each._meta.db_table)}.{part}::text"
        for each in of_models
        for part in (each._meta.pk.column, "xmin", "ctid")
    ]
    return RawSQL(" || '.' || ".join(parts), ())  # noqa: S611  names of our own tables


def name_columns(model: type[models.Model]) -> list[str]:
    fields = model._meta.concrete_fields
    assert not any(hasattr(field, "from_db_value") for field in fields), f"{model} has columns that Django converts"
    return [field.attname for field in fields]
