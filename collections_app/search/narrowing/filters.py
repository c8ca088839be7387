"""Filters on documents: what a caller may send, and the SQL that it means.

`{"category": "guide", "metadata.since": {"$gte": 2}}`: each field has a value, or operators with theirs; all of them must hold. A name
that is no field is a metadata key. Texts other than whole paths are compared without regard to case; a format may be named by an ending
(`md`). Refuses, by InvalidParameter, what cannot be meant.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from collections_app.exceptions import InvalidParameter, Remedy
from collections_app.text.facts import Value, write_value

FIELDS = ("path", "category", "format", "status", "keywords")
OPERATORS = ("$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "$contains")
LIST_OPERATORS = ("$in", "$nin")
SAMENESS = ("$eq", "$ne", *LIST_OPERATORS)
ORDERING = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
# Endings that are no format's name (parsing/detection.py) and stand for one.
ENDINGS = {
    "md": "markdown",
    "txt": "text",
    "htm": "html",
    "rst": "restructuredtext",
    "adoc": "asciidoc",
    "ipynb": "notebook",
}
METADATA_PREFIX = "metadata."
MAX_CONDITIONS = 20
MAX_VALUES = 100
MAX_CHARACTERS = 1000
# NUL and halves of surrogate pairs, which no text of the database has.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# What is searched is indexed.
SERVED = "success"


@dataclass(frozen=True, slots=True)
class Condition:
    """`values` are several with `$in` and `$nin`, else one. `field` is one of FIELDS, or `metadata.` and a key."""

    field: str
    operator: str
    values: tuple[Value, ...]

    @property
    def is_negation(self) -> bool:
        return self.operator in ("$ne", "$nin")

    @property
    def metadata_key(self) -> str | None:
        return self.field.removeprefix(METADATA_PREFIX) if self.field.startswith(METADATA_PREFIX) else None


def parse_filters(filters: Mapping[str, Any]) -> tuple[Condition, ...]:
    """Raises InvalidParameter, whose message says what there is."""
    conditions = tuple(condition for name, given in filters.items() for condition in iter_conditions(name, given))
    if len(conditions) > MAX_CONDITIONS:
        raise refuse(f"it has {len(conditions)} conditions, at most {MAX_CONDITIONS} are looked at")
    return conditions


def iter_conditions(name: str, given: Any) -> Iterator[Condition]:
    field = read_field(name)
    if not isinstance(given, Mapping):
        given = {"$in" if isinstance(given, list) else "$eq": given}
    if not given:
        raise refuse(f"{name!r} has no operator")
    for operator, value in given.items():
        if operator not in OPERATORS:
            raise refuse(f"{operator[:50]!r} of {name!r} is no operator")
        values = tuple(iter_values(name, operator, value))
        if field == "format" and operator in SAMENESS:
            values = tuple(ENDINGS.get(write_value(each).lower().removeprefix("."), each) for each in values)
        condition = Condition(field, operator, values)
        if field == "keywords" and operator in ORDERING:
            raise refuse(f"keywords are a list and have no order: {operator} cannot be asked of them")
        yield condition


def read_field(name: str) -> str:
    if name.lower() in FIELDS:
        return name.lower()
    key = name.removeprefix(METADATA_PREFIX)
    if not key or key.startswith("$") or len(key) > MAX_CHARACTERS or UNSTORABLE.search(key):
        raise refuse(f"{name[:50]!r} is no field")
    return f"{METADATA_PREFIX}{key}"


def iter_values(name: str, operator: str, given: Any) -> Iterator[Value]:
    if operator in LIST_OPERATORS and not isinstance(given, list):
        raise refuse(f"{operator} of {name!r} takes a list")
    values = given if operator in LIST_OPERATORS else [given]
    if not 1 <= len(values) <= MAX_VALUES:
        raise refuse(f"{operator} of {name!r} takes 1 to {MAX_VALUES} values")
    for value in values:
        is_finite = not isinstance(value, float) or math.isfinite(value)
        if (
            not (isinstance(value, Value) and is_finite)
            or len(str(value)) > MAX_CHARACTERS
            or UNSTORABLE.search(str(value))
        ):
            raise refuse(
                f"each value of {name!r} must be a text of at most {MAX_CHARACTERS:,} characters, a finite number, true or false"
            )
        yield value


def refuse(problem: str) -> InvalidParameter:
    return InvalidParameter(
        f"filters cannot be used: {problem}. Fields are {', '.join(FIELDS)} and keys of the pages' metadata; operators are "
        f'{", ".join(OPERATORS)}. Example: {{"category": "guide", "keywords": {{"$contains": "tls"}}}}.',
        fields=list(FIELDS),
        operators=list(OPERATORS),
    )


def check_status(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """The others: only indexed documents are searched. Raises InvalidParameter when a condition leaves those out."""
    for condition in conditions:
        if condition.field == "status" and not matches(condition, SERVED):
            message = f"Only indexed documents are searched: their status is {SERVED!r}."
            raise InvalidParameter(message, allowed=[SERVED]).offer({Remedy.OTHER_STATUSES: ""})
    return tuple(condition for condition in conditions if condition.field != "status")


def matches(condition: Condition, text: str) -> bool:
    """What the SQL of a text field says of one text."""
    values = [write_value(value).lower() for value in condition.values]
    return {
        "$eq": text in values,
        "$in": text in values,
        "$ne": text not in values,
        "$nin": text not in values,
        "$gt": text > values[0],
        "$gte": text >= values[0],
        "$lt": text < values[0],
        "$lte": text <= values[0],
        "$contains": values[0] in text,
    }[condition.operator]


def make_where(conditions: Sequence[Condition]) -> tuple[str, list[Any]]:
    """A condition in SQL on rows of the documents' table, and its values."""
    made = [make_condition(condition) for condition in conditions]
    return " AND ".join(sql for sql, _ in made), [value for _, values in made for value in values]


def make_condition(condition: Condition) -> tuple[str, list[Any]]:
    if condition.is_negation:
        sql, values = make_positive(condition)
        return f"NOT coalesce({sql}, false)", values
    return make_positive(condition)


def make_positive(condition: Condition) -> tuple[str, list[Any]]:
    """The condition, or what `$ne` and `$nin` are the opposite of."""
    if condition.metadata_key is not None:
        return compare_metadata(condition.metadata_key, condition)
    texts = [write_value(value).lower() for value in condition.values]
    if condition.field == "keywords":
        return "EXISTS (SELECT FROM unnest(keywords) AS word WHERE lower(word) = ANY(%s))", [texts]
    if condition.field == "path" and condition.operator in SAMENESS:  # as it is written, which an index knows
        return "path = ANY(%s)", [[write_value(value) for value in condition.values]]
    column = f"lower({condition.field})"
    if condition.operator in ORDERING:
        return f'{column} COLLATE "C" {ORDERING[condition.operator]} %s', texts
    if condition.operator == "$contains":
        # No index helps: each is looked at, four times as fast where ASCII is all that has to be folded.
        folded = f'lower({condition.field} COLLATE "C")' if texts[0].isascii() else column
        return f"strpos({folded}, %s) > 0", texts
    return f"{column} = ANY(%s)", [texts]


ELEMENTS = "jsonb_path_query(metadata, %s::jsonpath)"
"""The value of a metadata key; of a list each of its items."""
IS_ONE_OF = f"EXISTS (SELECT FROM {ELEMENTS} AS item WHERE item = ANY(%s::jsonb[]) OR lower(item #>> '{{}}') = ANY(%s))"


def compare_metadata(key: str, condition: Condition) -> tuple[str, list[Any]]:
    """Numbers as numbers, dates as dates, texts without regard to case; a list by its items."""
    path = f"$.{json.dumps(key, ensure_ascii=False)}"
    texts = [write_value(value).lower() for value in condition.values]
    if condition.operator in ORDERING:
        return order_metadata(path, condition)
    is_one_of, values = (
        IS_ONE_OF,
        [f"{path}[*]", [json.dumps(value, ensure_ascii=False) for value in condition.values], texts],
    )
    if condition.operator == "$contains":
        return (
            f"({is_one_of} OR jsonb_typeof(metadata -> %s) = 'string' AND strpos(lower(metadata ->> %s), %s) > 0)",
            [*values, key, key, texts[0]],
        )
    return is_one_of, values


def order_metadata(path: str, condition: Condition) -> tuple[str, list[Any]]:
    """In a JSON path what cannot be compared is false: nothing has to be cast, nothing can fail."""
    value = condition.values[0]
    item, bound = ("@.datetime()", "$value.datetime()") if is_date(value) else ("@", "$value")
    test = f"{path}[*] ? ({item} {ORDERING[condition.operator]} {bound})"
    return "jsonb_path_exists_tz(metadata, %s::jsonpath, %s::jsonb, true)", [
        test,
        json.dumps({"value": value}, ensure_ascii=False),
    ]


def is_date(value: Value) -> bool:
    """Whether it is a date or a moment in ISO 8601, as YAML's dates are kept."""
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value)) and "-" in value
    except ValueError:
        return False
