"""What the web server asks of indexes, it asks behind the wall (postgres/row_security.py). A condition that row-level security lets no
index answer is tried on each row of a table instead: that finds the same, and takes ten times as long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from collections_app.documents.endings import find_endings
from collections_app.models import Collection
from collections_app.postgres.row_security import show_tenants, walled
from collections_app.search import Mode, SearchOptions
from collections_app.search.explain import explain_search
from tests.factories import find, make_collection, put
from tests.fake_embedder import FakeEmbedder

CONDITIONS = ("Index Cond", "Recheck Cond")
# What only an index finds among many rows. EXPLAIN writes a condition as `(term = ANY (own.lexemes))`, `(ts_filter(vector, …) @@ …)`.
SOUGHT = re.compile(r"\b(?:term|vector)\b")

ENGLISH = "# Health check\n\nEach multi-tenant host has a data base that was overwritten.\n\n## Time out\n\nWhat `max_wait` means.\n"
GERMAN = "# Leuchte\n\nDie Gartenleuchte braucht Strom, im Garten liegt Laub.\n"

pytestmark = pytest.mark.django_db

Asked = tuple[str, Any]


@pytest.fixture
def english() -> Collection:
    collection = make_collection()
    fill(collection, ENGLISH)
    return collection


@pytest.fixture
def german() -> Collection:
    collection = make_collection(language="german")
    fill(collection, GERMAN)
    return collection


def fill(collection: Collection, text: str) -> None:
    """So many words, and known to the planner, that a look into an index is cheaper than to go through it."""
    words = [
        f"{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}{chr(97 + number // 676)}ord" for number in range(5_000)
    ]
    pages = {f"guide/page-{n}.md": f"{text}\n\n## More\n\n{' '.join(words[n::8])}\n" for n in range(8)}
    put(collection, pages)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE collections_app_termstatistic, collections_app_sectionvector")


def record(search: Callable[[], object]) -> list[Asked]:
    """What it asks of the large tables."""
    asked: list[Asked] = []

    def keep(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if "collections_app_" in sql:
            asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(keep):
        search()
    return asked


def list_sought(asked: Asked) -> list[str]:
    """By which columns indexes are asked for that statement, each as often as they are, where reading a whole table costs much."""
    sql, params = asked
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('enable_seqscan', 'off', true)")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
        [(plans,)] = cursor.fetchall()
    return sorted(column for condition in iter_conditions(plans[0]["Plan"]) for column in SOUGHT.findall(condition))


def iter_conditions(node: dict[str, Any]) -> Iterator[str]:
    """What indexes are asked for in a plan; what a bitmap is made of is told by the scan above it too."""
    if "Relation Name" in node:
        yield from (node[name] for name in CONDITIONS if name in node)
    for each in node.get("Plans", ()):
        yield from iter_conditions(each)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("time out of a health check", {}),  # pairs that may be one word
        ("what overwrites it", {}),  # forms
        ("the multitenant healthcheck", {}),  # hyphens, and two words side by side
        ('"time out" means', {}),
        ("database -tenant", {}),
        ("a signin of an admin", {}),  # words that stand in
        ("tim ouht", {}),  # close spellings
        ("time out", {"mode": Mode.HYBRID}),
        ("time out", {"filters": {"path": {"$contains": "page"}}}),
        ("time out", {"category": "guide"}),
        ("time out", {"code": "python"}),
    ],
)
def test_an_index_is_asked_for_the_same_behind_the_wall(
    english: Collection, question: str, options: dict[str, Any], embedder: FakeEmbedder
) -> None:
    check_plans(english, lambda: find(english, question, **options))


def test_so_it_is_for_compounds(german: Collection) -> None:
    check_plans(german, lambda: find(german, "Leuchte für den Garten"))
    check_plans(german, lambda: find(german, "Laubleuchte"))


def test_so_it_is_where_a_search_is_explained(english: Collection) -> None:
    check_plans(
        english,
        lambda: explain_search("time out of a health check", [english], SearchOptions(limit=5, snippet_length=200)),
    )


def test_so_it_is_for_addresses_that_pages_give_themselves(english: Collection) -> None:
    """Though many words in one hundredth of the sections each let the planner think that addresses are as frequent."""
    words = [
        " ".join(f"{chr(97 + n % 10)}{chr(97 + n // 10)}{chr(97 + each)}ord" for each in range(10)) for n in range(100)
    ]
    put(english, {"long.md": "".join(f"## Part\n\n{words[number % 100]}\n\n" for number in range(3_000))})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE collections_app_sectionvector")
    check_plans(english, lambda: find_endings([english], "https://example.org/a/guide/sail.html"))


def check_plans(collection: Collection, search: Callable[[], object]) -> None:
    statements = record(search)
    assert any(list_sought(asked) for asked in statements)
    for asked in statements:
        outside = list_sought(asked)
        with walled():
            show_tenants({collection.tenant_id})
            assert not Counter(outside) - Counter(list_sought(asked)), asked[0]
