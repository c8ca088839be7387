"""Filters on documents: parses what a caller sends, and makes SQL of it.

`{"category": "guide", "metadata.since": {"$gte": 2}}`: each field has a value, or operators with their values, and all must hold. A name
that is no field is a metadata key. Texts are compared case-insensitively, except whole paths. A format may be named by a file ending
(`md`). Invalid filters raise InvalidParameter.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from collections_app.exceptions import InvalidParameter, Offer, Remedy
from collections_app.text.facts import Value, write_value

FIELDS = ("path", "category", "format", "status", "keywords")
OPERATORS = ("$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "$contains")
LIST_OPERATORS = ("$in", "$nin")
SAMENESS = ("$eq", "$ne", *LIST_OPERATORS)
ORDERING = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
# File endings that stand for a format (parsing/formats.py) but are not its name.
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
# NUL and lone surrogates, which PostgreSQL cannot store.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# What stands for all files of a folder.
ANY_FILE = re.compile(r"(?:(?:^|/)\*{1,2})+\Z")
# The status of all documents that are searched.
SERVED = "success"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a filter. `field` is one of FIELDS, or `metadata.` and a key; only `$in` and `$nin` have several `values`."""

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
    """The conditions of a filter, all of which must hold. Raises InvalidParameter, whose message lists fields and operators."""
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
        if field == "path" and operator in SAMENESS:
            values = tuple(read_path(write_value(each)) for each in values)
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


def read_path(path: str) -> str:
    """The path as documents have theirs, or a folder's, which ends with a slash: `./guide/**` → `guide/`. All documents are in `/`."""
    written = ANY_FILE.sub("/", path).removeprefix("./").lstrip("/")
    return written or (path and "/")


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
    """The conditions without those on the status, as only indexed documents are searched.

    Raises InvalidParameter if a condition on the status excludes these.
    """
    for condition in conditions:
        if condition.field == "status" and not matches(condition, SERVED):
            message = f"Only indexed documents are searched: their status is {SERVED!r}."
            raise InvalidParameter(message, allowed=[SERVED]).offer(Offer(Remedy.OTHER_STATUSES))
    return tuple(condition for condition in conditions if condition.field != "status")


def matches(condition: Condition, text: str) -> bool:
    """Whether a text meets the condition, as the SQL for a text field would say; `text` is in lower case."""
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
    """The conditions as SQL on rows of the documents' table, joined by AND, and their values."""
    made = [make_condition(condition) for condition in conditions]
    return " AND ".join(sql for sql, _ in made), [value for _, values in made for value in values]


def make_condition(condition: Condition) -> tuple[str, list[Any]]:
    if condition.is_negation:
        sql, values = make_positive(condition)
        return f"NOT coalesce({sql}, false)", values
    return make_positive(condition)


def make_positive(condition: Condition) -> tuple[str, list[Any]]:
    """The SQL of the condition, and its values; for `$ne` and `$nin` that of their opposite."""
    if condition.metadata_key is not None:
        return compare_metadata(condition.metadata_key, condition)
    texts = [write_value(value).lower() for value in condition.values]
    if condition.field == "keywords":
        return "EXISTS (SELECT FROM unnest(keywords) AS word WHERE lower(word) = ANY(%s))", [texts]
    if condition.field == "path" and condition.operator in SAMENESS:
        return compare_paths([write_value(value) for value in condition.values])
    column = f"lower({condition.field})"
    if condition.operator in ORDERING:
        return f'{column} COLLATE "C" {ORDERING[condition.operator]} %s', texts
    if condition.operator == "$contains":
        # No index helps: every row is checked, four times as fast if only ASCII has to be folded.
        folded = f'lower({condition.field} COLLATE "C")' if texts[0].isascii() else column
        return f"strpos({folded}, %s) > 0", texts
    return f"{column} = ANY(%s)", [texts]


def compare_paths(paths: Sequence[str]) -> tuple[str, list[Any]]:
    """The SQL for documents that have one of these paths or are in one of these folders; case-sensitive, so that an index can be used."""
    whole = [path for path in paths if not is_folder(path)]
    folders = [path.removeprefix("/") for path in paths if is_folder(path)]
    if not folders:
        return "path = ANY(%s)", [whole]
    return "(path = ANY(%s) OR path ^@ ANY(%s))", [whole, folders]


def is_folder(path: str) -> bool:
    return path.endswith("/")


ELEMENTS = "jsonb_path_query(metadata, %s::jsonpath)"
"""The value of a metadata key; for a list, each of its items."""
IS_ONE_OF = f"EXISTS (SELECT FROM {ELEMENTS} AS item WHERE item = ANY(%s::jsonb[]) OR lower(item #>> '{{}}') = ANY(%s))"


def compare_metadata(key: str, condition: Condition) -> tuple[str, list[Any]]:
    """The SQL for a metadata key, and its values: texts are compared case-insensitively, and a list matches if one of its items does."""
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
    """The SQL for an order comparison of a metadata key, and its values; numbers are compared as numbers and dates as dates.

    It is a JSON path, in which comparing values of different types is false: nothing has to be cast, nothing can fail.
    """
    value = condition.values[0]
    item, bound = ("@.datetime()", "$value.datetime()") if is_date(value) else ("@", "$value")
    test = f"{path}[*] ? ({item} {ORDERING[condition.operator]} {bound})"
    return "jsonb_path_exists_tz(metadata, %s::jsonpath, %s::jsonb, true)", [
        test,
        json.dumps({"value": value}, ensure_ascii=False),
    ]


def is_date(value: Value) -> bool:
    """Whether the value is a date, with or without a time, in ISO 8601. Dates in YAML are stored that way."""
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value)) and "-" in value
    except ValueError:
        return False
