"""Queries that every request puts: Django writes the statement once, which takes it several times as long as PostgreSQL takes to answer.

Each is still made of the one rule of its QuerySet. It takes rows of a model and of what `select_related` names, in no order of its own,
and refuses columns that Django would have to convert.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.expressions import Expression

from collections_app.postgres.prepared_cursor import open_cursor

Row = TypeVar("Row", bound=models.Model)


class Given(Expression):
    """Stands in a QuerySet for the value that is given with each question."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Given]]:  # type: ignore[override]
        return "%s", [self]


class PreparedQuery(Generic[Row]):
    """The rows of a QuerySet, whose values are Given; `related` is the one foreign key that it selects too."""

    def __init__(self, rows: models.QuerySet[Row], related: str) -> None:
        self.model: type[Row] = rows.model
        self.related = related
        self.related_model: type[models.Model] = rows.model._meta.get_field(related).related_model  # type: ignore[assignment]
        self.columns, self.related_columns = name_columns(self.model), name_columns(self.related_model)
        self.related_key = self.related_columns.index(self.related_model._meta.pk.attname)
        self.statement, self.places = rows.order_by().select_related(related).query.sql_with_params()

    def iter_rows(self, values: Mapping[str, Any]) -> Iterator[Row]:
        """Asked once for all rows. Each value has the type of its column. What several rows name is one object."""
        given = [values[place.name] if isinstance(place, Given) else place for place in self.places]
        width, alias = len(self.columns), connection.alias
        with open_cursor() as cursor:
            cursor.execute(self.statement, given)
            found = cursor.fetchall()
        named: dict[Any, models.Model] = {}
        for values_found in found:
            row = self.model.from_db(alias, self.columns, values_found[:width])
            of_related = values_found[width:]
            key = of_related[self.related_key]
            if key not in named:
                named[key] = self.related_model.from_db(alias, self.related_columns, of_related)
            setattr(row, self.related, named[key])
            yield row


def name_columns(model: type[models.Model]) -> list[str]:
    fields = model._meta.concrete_fields
    assert not any(hasattr(field, "from_db_value") for field in fields), f"{model} has columns that Django converts"
    return [field.attname for field in fields]
