"""Narrows a search by conditions on documents and by the language of code, and explains what to change when that leaves nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Sum
from rapidfuzz import fuzz, process

from collections_app.catalog.places import iter_places
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, Document, TermStatistic
from collections_app.postgres.prepared_cursor import PLANNED_ANEW, write_array, write_text_array
from collections_app.postgres.trigrams import MANY_DOCUMENTS, list_trigrams, write_trigrams
from collections_app.search.narrowing import facts
from collections_app.search.narrowing.filters import (
    FIELDS,
    LIST_OPERATORS,
    METADATA_PREFIX,
    SAMENESS,
    Condition,
    check_status,
    is_folder,
    make_where,
    parse_filters,
    read_path,
)
from collections_app.search.time_limit import open_cursor
from collections_app.search.tsquery import quote
from collections_app.text.facts import write_value
from collections_app.text.markdown.code_blocks import CODE_MARK, make_code_term
from collections_app.text.markdown.code_choice import read_language
from collections_app.text.shortening import shorten

MAX_LANGUAGES = 20
MAX_KEYS = 50
# Fields that have few different values, and the titles for listing these.
LISTED_FIELDS = {"category": "Categories", "format": "Formats"}
MAX_VALUES = 30
MAX_VALUE_CHARACTERS = 100
# Values and keys are listed from this many documents, whichever they are: reading all of a large collection would take too long.
LISTED_DOCUMENTS = 20_000
CLOSE_NAME = 70
# Of the paths that a search without hits asked for, this many are looked up as folders.
MAX_FOLDERS = 5
# Arguments of a search that callers may mistake for fields.
ARGUMENTS = ("collection", "version", "code")


class Narrowing(NamedTuple):
    """Only documents that meet all conditions count, and only sections with fenced code in the language `code`. False if there is neither.

    `told`: the conditions that the index can check by itself. `documents`: collection id → the documents that meet the conditions, if they
    were looked up and are few; a collection that is not in it has none. `are_many`: they were looked up and are not few.
    """

    conditions: tuple[Condition, ...] = ()
    code: str = ""
    told: tuple[Condition, ...] = ()
    documents: Mapping[int, Sequence[int]] | None = None
    are_many: bool = False

    def __bool__(self) -> bool:
        return bool(self.conditions or self.code)

    @property
    def looked_up(self) -> tuple[Condition, ...]:
        """The conditions that have to be checked in the documents' rows."""
        return tuple(each for each in self.conditions if each not in self.told) if self.documents is None else ()

    @property
    def lexemes(self) -> list[str]:
        """The lexemes that the statistics must count for estimate_share() and for ScopedTerms.is_told."""
        code = [make_code_term(self.code)] if self.code else []
        return code + (facts.list_lexemes(self.told) if self.told else [])

    @property
    def tsquery(self) -> str:
        """The part of the narrowing that the index can check; empty if there is none."""
        code = [quote(make_code_term(self.code))] if self.code else []
        return " & ".join(code + ([facts.write_tsquery(self.told)] if self.told else []))

    @property
    def finds(self) -> bool:
        """Whether `tsquery` requires something, and does not only exclude."""
        return bool(self.code) or not all(each.is_negation for each in self.told)

    def estimate_share(self, sections: Mapping[str, int], total: int) -> float:
        """The part of `total` sections that the index leaves, 0 to 1. `sections`: lexeme → in how many sections it is."""
        of_code = min(sections[make_code_term(self.code)] / total, 1.0) if self.code and total else 1.0
        return min(of_code, facts.estimate_share(self.told, sections, total))


UNNARROWED = Narrowing()
# A tsquery that only excludes is not used if it leaves less than this part: it could not find the rest.
LEAST_LEFT = 0.05
# If the index cannot check all conditions and at most this many documents meet them, these documents are looked up once, instead of
# checking the conditions for every section that has a word of the question.
FEW_DOCUMENTS = 5_000
# Conditions on the path are checked within the index over paths, which is much narrower than the documents' rows. OFFSET 0 keeps the
# planner from merging the subquery.
MEETING = """
SELECT document.collection_id, document.id
FROM (
    SELECT tenant_id, collection_id, path FROM collections_app_document
    WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[]) AND {of_path} OFFSET 0
) AS named, LATERAL (
    SELECT id, collection_id FROM collections_app_document
    WHERE tenant_id = named.tenant_id AND collection_id = named.collection_id AND path = named.path AND {others} LIMIT 1
) AS document
LIMIT {most}
"""
MEETING_OTHERS = """
SELECT collection_id, id FROM collections_app_document
WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[]) AND {others} LIMIT {most}
"""
# With more than MANY_DOCUMENTS, a part of a path is found by its trigrams, in a view that may use their index: migration 0001_squashed.
MEETING_BY_PART = """
SELECT collection_id, id FROM collections_app_searcheddocument
WHERE {trigrams} @> %s::text[]
    AND tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[]) AND {of_path} AND {others} LIMIT {most}
"""
TRIGRAMS = write_trigrams("path")


def read_conditions(category: str | None, filters: Mapping[str, Any] | None) -> tuple[Condition, ...]:
    """Raises InvalidParameter."""
    given = check_status(parse_filters(filters or {}))
    return given if category is None else (*given, Condition("category", "$eq", (category,)))


def choose_named(conditions: Sequence[Condition], collections: Sequence[Collection]) -> Sequence[Collection]:
    """Those of the collections that the paths to search name before them (`manual:guide/`); all of them, unless each path names some."""
    for condition in filter(asks_for_paths, conditions):
        named = [next(iter_places(collections, write_value(path)), ([], "")) for path in condition.values]
        if all(own for own, _ in named):
            among = {c.pk for own, _ in named for c in own}
            collections = [c for c in collections if c.pk in among]
    return collections


def make_narrowing(conditions: Sequence[Condition], code: str | None, collections: Sequence[Collection]) -> Narrowing:
    """The narrowing of a search in these collections; conditions that the index can check, if it has facts, are in `told`. Raises
    InvalidParameter (code).
    """
    own = tuple(leave_out_collections(condition, collections) for condition in conditions)
    return Narrowing(own, read_language(code), facts.choose_told(own))


def leave_out_collections(condition: Condition, collections: Sequence[Collection]) -> Condition:
    """The condition on paths as documents have theirs: answers write `collection:path`."""
    if condition.field != "path" or condition.operator not in SAMENESS:
        return condition
    paths = map(write_value, condition.values)
    own = (next((read_path(found) for _, found in iter_places(collections, path)), path) for path in paths)
    return replace(condition, values=tuple(own))


def find_few_documents(narrowing: Narrowing, collections: Sequence[Collection], documents: int) -> Narrowing:
    """The narrowing with the documents that meet its conditions, if the index cannot check them all and they are at most FEW_DOCUMENTS.

    `documents`: how many documents the collections have in all.
    """
    if narrowing.are_many or not narrowing.looked_up:
        return narrowing
    places = [write_array({c.tenant_id for c in collections}), write_array(c.pk for c in collections)]
    with open_cursor(**PLANNED_ANEW) as cursor:
        cursor.execute(*find_meeting(narrowing.conditions, places, is_many=documents > MANY_DOCUMENTS))
        rows = cursor.fetchall()
    if len(rows) > FEW_DOCUMENTS:
        return narrowing._replace(are_many=True)
    found: dict[int, list[int]] = defaultdict(list)
    for collection_id, document_id in rows:
        found[collection_id].append(document_id)
    return narrowing._replace(told=(), documents=found)


def find_meeting(conditions: Sequence[Condition], places: Sequence[str], *, is_many: bool) -> tuple[str, list[Any]]:
    """The statement that lists the documents that meet the conditions, and its values. `places`: tenants and collections, as arrays."""
    of_path = [each for each in conditions if each.field == "path"]
    others, other_values = make_where([each for each in conditions if each.field != "path"])
    path, path_values = make_where(of_path)
    values = [*places, *path_values, *other_values]
    trigrams = {each for condition in of_path for each in list_part_trigrams(condition)} if is_many else ()
    if trigrams:
        statement, values = MEETING_BY_PART, [write_text_array(sorted(trigrams)), *values]
    else:
        statement = MEETING if of_path else MEETING_OTHERS
    return statement.format(trigrams=TRIGRAMS, of_path=path, others=others or "true", most=FEW_DOCUMENTS + 1), values


def list_part_trigrams(condition: Condition) -> list[str]:
    """The trigrams of every path that meets the condition; empty if the index cannot help."""
    [first, *others] = map(write_value, condition.values)
    is_part = condition.operator == "$contains" or (asks_for_paths(condition) and is_folder(first) and not others)
    return list_trigrams(first) if is_part else []


def explain_narrowing(narrowing: Narrowing, collections: Sequence[Collection]) -> list[str]:
    """Sentences about why nothing may have been found. Raises InvalidParameter if a filter names a metadata key that no document has."""
    check_metadata_keys(narrowing.conditions, collections)
    sentences = []
    if narrowing.code:
        languages = get_code_languages(collections)
        close = process.extractOne(narrowing.code, languages, scorer=fuzz.ratio, score_cutoff=CLOSE_NAME)
        hint = f" Did you mean {close[0]}?" if close and narrowing.code not in languages else ""
        sentences.append(
            f"Only sections with {narrowing.code} code were searched: leave `code` out to search all.{hint} There is code in "
            f"{', '.join(languages) or 'no language'}."
        )
    if narrowing.conditions:
        fields = ", ".join(dict.fromkeys(condition.field for condition in narrowing.conditions))
        sentences.append(f"Only pages that meet the filters ({fields}) were searched: leave them out to search all.")
        sentences += explain_conditions(narrowing.conditions, collections)
    return sentences


def explain_conditions(conditions: Sequence[Condition], collections: Sequence[Collection]) -> list[str]:
    """Hints for the most common mistakes: an unknown category or format, and a part of a path instead of the whole."""
    sentences = []
    for field, title in LISTED_FIELDS.items():
        if any(condition.field == field for condition in conditions):
            sentences.append(f"{title}: {', '.join(get_values(field, collections)) or 'none'}.")
    if any(map(asks_for_paths, conditions)):
        sentences.append(
            'path is compared as a whole; {"path": "folder/"} takes all in a folder, {"path": {"$contains": "…"}} a part of the path.'
        )
    return sentences


def open_folders(conditions: Sequence[Condition], collections: Sequence[Collection]) -> dict[str, Any]:
    """The conditions as filters in which each path that is a folder's is written as one. Empty if there is none."""
    documents = Document.objects.in_collections(collections).readable()
    asked = [write_value(value) for each in conditions if asks_for_paths(each) for value in each.values]
    paths = [path for path in dict.fromkeys(asked) if not is_folder(path)][:MAX_FOLDERS]
    folders = {path: f"{path}/" for path in paths if documents.filter(path__startswith=f"{path}/").exists()}
    if not folders:
        return {}
    filters: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for field, operator, values in map(astuple, conditions):
        opened = [folders.get(value, value) for value in values] if field == "path" else list(values)
        filters[field][operator] = opened if operator in LIST_OPERATORS else opened[0]
    return {field: given["$eq"] if [*given] == ["$eq"] else given for field, given in filters.items()}


def asks_for_paths(condition: Condition) -> bool:
    return condition.field == "path" and condition.operator in ("$eq", "$in")


def get_values(field: str, collections: Sequence[Collection]) -> list[str]:
    """The MAX_VALUES values of a field (one of LISTED_FIELDS) that most of LISTED_DOCUMENTS indexed documents have, sorted."""
    documents = Document.objects.in_collections(collections).readable().exclude(**{field: ""})
    counts = Counter(documents.order_by().values_list(field, flat=True)[:LISTED_DOCUMENTS])
    frequent = sorted(counts, key=lambda value: (-counts[value], value))[:MAX_VALUES]
    return [shorten(value, MAX_VALUE_CHARACTERS) for value in sorted(frequent)]


def get_code_languages(collections: Sequence[Collection]) -> list[str]:
    """The languages of fenced code in these collections, most frequent first, then by name."""
    statistics = TermStatistic.objects.in_collections(collections).filter(sections__gt=0)
    of_code = statistics.extra(where=["term ^@ %s"], params=[CODE_MARK])  # for the index, also behind a policy
    frequent = of_code.values("term").annotate(total=Sum("sections")).order_by("-total", "term")
    return [term.removeprefix(CODE_MARK) for term in frequent.values_list("term", flat=True)[:MAX_LANGUAGES]]


# Those of the given keys that no document has. Every document is read, but only for these keys.
UNKNOWN_KEYS = """
SELECT key FROM unnest(%s::text[]) AS key WHERE NOT EXISTS (
    SELECT FROM collections_app_document
    WHERE tenant_id = ANY(%s) AND collection_id = ANY(%s) AND jsonb_typeof(metadata) = 'object' AND jsonb_exists(metadata, key)
)
"""
KEYS = """
SELECT DISTINCT key FROM (
    SELECT metadata FROM collections_app_document
    WHERE tenant_id = ANY(%s) AND collection_id = ANY(%s) AND jsonb_typeof(metadata) = 'object' LIMIT %s
) AS document, LATERAL jsonb_object_keys(metadata) AS key ORDER BY key
"""


def check_metadata_keys(conditions: Sequence[Condition], collections: Sequence[Collection]) -> None:
    """Raises InvalidParameter for a metadata key that no document has. Its message lists the keys there are: it may be a misspelt field."""
    asked = [condition.metadata_key for condition in conditions if condition.metadata_key is not None]
    if not asked:
        return
    places = [list({c.tenant_id for c in collections}), [c.pk for c in collections]]
    with connection.cursor() as cursor:
        cursor.execute(UNKNOWN_KEYS, [asked, *places])
        unknown = {row[0] for row in cursor.fetchall()}
        if not unknown:
            return
        cursor.execute(KEYS, [*places, LISTED_DOCUMENTS])
        keys = [row[0] for row in cursor.fetchall()]
    raise InvalidParameter(*explain_key(next(key for key in asked if key in unknown), keys))


def explain_key(key: str, keys: Sequence[str]) -> tuple[str]:
    close = process.extractOne(key, [*FIELDS, *keys], scorer=fuzz.ratio, processor=str.lower, score_cutoff=CLOSE_NAME)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if key.lower() in ARGUMENTS:
        hint = f" {key} is an argument beside filters."
    there = ", ".join(keys[:MAX_KEYS]) or "none"
    return (
        f"filters: no page has {METADATA_PREFIX}{key}.{hint} Fields are {', '.join(FIELDS)}; the pages' metadata has: {there}.",
    )
