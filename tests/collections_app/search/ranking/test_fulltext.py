from itertools import combinations

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.curating import add_synonym
from collections_app.models import Collection, Document
from collections_app.search import SearchOptions, search
from collections_app.search.narrowing import Narrowing
from collections_app.search.query import Query
from collections_app.search.ranking.fulltext import give_shares, leave_few, rank_sections
from collections_app.search.ranking.matching import (
    COUNT,
    COUNTED,
    IN_INDEX,
    IN_ROWS,
    MATCH,
    RANK,
    RANKED,
    Lookups,
    choose_matches,
    read_counts,
    read_ranks_in_text,
)
from collections_app.search.ranking.scoring import Matches
from collections_app.search.scope import Scope, make_scopes
from collections_app.search.terms.statistics import ScopedTerms, get_terms
from collections_app.search.terms.term import Term
from collections_app.text.markdown.code_blocks import make_code_term
from tests.factories import find, find_paths, make_collection, make_tenant, put

# None of them is a stop word.
LETTERS = "bcdefghjklmnopqruvwxyz"


@pytest.mark.django_db
@settings(max_examples=100)
@given(st.integers(0, 20), st.integers(0, 100), st.integers(0, 100), st.integers(0, 7), st.booleans())
def test_it_reads_from_a_rank_how_often_a_word_stands_where(
    title: int, headings: int, text: int, own: int, is_single: bool
) -> None:
    assert count_word(title, headings, text, own, is_single=is_single) == [[title, headings, text, own]]


@pytest.mark.django_db
def test_it_reads_from_a_rank_how_often_a_word_is_in_a_text_alone() -> None:
    """PostgreSQL keeps at most 255 positions of a lexeme."""
    for times in range(256):
        assert count_word(0, 0, times, 0, is_single=True) == [[0, 0, times, 0]]


def count_word(title: int, headings: int, text: int, own: int, *, is_single: bool) -> object:
    vector = " || ".join(
        f"setweight(to_tsvector('simple', repeat('word ', {count})), '{weight}')"
        for count, weight in ((title, "A"), (headings, "B"), (text, "D"), (own, "C"))
    )
    given_row = f"SELECT {vector} AS vector, 'word'::tsquery AS term_1, {is_single} AS is_single_1"
    ranked = f"SELECT *, {RANK.format(number=1, ranked=RANKED)} FROM ({given_row}) AS given"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {COUNT.format(number=1, counted=COUNTED)} FROM ({ranked}) AS ranked")  # noqa: S608
        return read_counts(read_ranks_in_text(np.array(cursor.fetchone()))).tolist()


@pytest.mark.django_db
def test_words_that_stand_together_as_asked_come_before_the_same_words_apart() -> None:
    collection = make_collection()
    put(
        collection,
        {
            "apart.md": "# One\n\nThe group has a name, and there is a queue.",
            "together.md": "# Two\n\nThe queue group has a name, and there is one.",
        },
    )
    assert [hit.path for hit in find(collection, "queue group").hits] == ["together.md", "apart.md"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question", ["ANCHOR_CHAIN_LENGTH", "what is anchor_chain_length", "how to set ANCHOR_CHAIN_LENGTH at sea"]
)
def test_the_one_section_with_an_identifier_comes_before_those_with_its_parts(question: str) -> None:
    collection = make_collection()
    others = {f"{number}.md": f"# Harbour {number}\n\nTie up in berth {number}.\n" for number in range(40)}
    parts = "The anchor has a chain, and the chain a length. Anchor and chain: mind the length."
    put(
        collection,
        {
            **others,
            **{f"boat-{number}.md": f"# Boat {number}\n\n{parts}\n" for number in range(4)},
            "settings.md": "# Settings\n\nOf all that there is, `ANCHOR_CHAIN_LENGTH` is read first.\n",
        },
    )
    assert find_paths(collection, question)[0] == "settings.md"


@pytest.mark.django_db
def test_coverage_is_of_the_language_that_knows_most_of_the_question() -> None:
    english = make_collection("english", language="english")
    german = make_collection("german", tenant=english.tenant, language="german")
    put(english, {"whole.md": "# Winch\n\nA winch with a sprocket.\n", "part.md": "# Winch\n\nA winch.\n"})
    put(german, {"teil.md": "# Winch\n\nEine winch.\n"})
    corpus, scopes = get_terms(make_scopes([english, german], Narrowing(), {}), "winch sprocket", {})
    ranked = rank_sections(scopes, Query("winch sprocket"), corpus, 10)
    paths = dict(Document.objects.values_list("pk", "path"))
    coverage = {paths[each.document_id]: each.coverage for each in ranked}
    assert coverage["whole.md"] == 1.0
    assert coverage["part.md"] < 1.0
    assert coverage["teil.md"] < 1.0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question", ["x y " * 250, "日本" * 250, " ".join(f"{one} {other}" for one, other in combinations(LETTERS, 2))]
)
def test_a_question_of_very_many_pairs_is_answered(question: str) -> None:
    """A statement may have 1,664 columns."""
    collection = make_collection()
    put(collection, {"a.md": f"# All\n\n{' '.join(LETTERS)} 日本\n"})
    assert [hit.path for hit in find(collection, question).hits] == ["a.md"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "synonym", "apart", "together"),
    [
        pytest.param(
            "k8s operator",
            "kubernetes",
            "The cluster runs kubernetes, and there is an operator.",
            "The kubernetes operator runs, and there is a cluster.",
            id="as the word that was asked for",
        ),
        pytest.param(
            "k8s queue group",
            "container platform",
            "The cluster has a queue, and there is a group.",
            "The queue group, and there is a cluster.",
            id="beside a rarer word that has one",
        ),
    ],
)
def test_words_stand_together_where_there_is_a_synonym(question: str, synonym: str, apart: str, together: str) -> None:
    collection = make_collection()
    texts = {"apart": apart, "together": together, "own": "What k8s is."}
    put(collection, {f"{name}.md": f"# Page {number}\n\n{text}" for number, (name, text) in enumerate(texts.items())})
    add_synonym(collection, "k8s", synonym)
    paths = find_paths(collection, question)
    assert [path for path in paths if path != "own.md"] == ["together.md", "apart.md"]


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["lever", "lever -axle", "the levers"])
def test_where_very_many_sections_match_those_with_the_word_in_a_heading_are_ranked(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 30)
    monkeypatch.setattr("collections_app.search.ranking.matching.ENOUGH", 2)
    collection = make_collection()
    texts = {f"{number:02}.md": f"# Page {number}\n\nA lever is mentioned." for number in range(40)}
    texts |= {f"lever-{name}.md": f"# The {name} lever\n\nPull it." for name in ("long", "short")}
    put(collection, texts)
    assert {hit.path for hit in find(collection, question, limit=10).hits} == {"lever-long.md", "lever-short.md"}


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["gasket valve pump", "gasket valve pump -axle"])
@pytest.mark.parametrize("path", ["00-first.md", "99-last.md"])
def test_where_very_many_sections_match_those_with_a_rare_word_are_ranked_wherever_they_stand(
    path: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = make_collection()
    texts = {f"{number}.md": f"# Page {number}\n\nThe valve of a pump.\n" for number in range(10, 50)}
    put(collection, dict(sorted({**texts, path: "# The page\n\nThe valve of a pump has a gasket.\n"}.items())))
    best = find(collection, question, limit=3).hits[0]
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 5)
    monkeypatch.setattr("collections_app.search.ranking.candidates.WANTED", (2,))
    monkeypatch.setattr("collections_app.search.ranking.fulltext.ENOUGH", 2)
    of_many = find(collection, question, limit=3).hits[0]
    assert best.path == path
    assert (of_many.path, of_many.score) == (best.path, best.score)


@pytest.mark.django_db
def test_headings_with_a_rare_word_do_not_keep_out_sections_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 5)
    monkeypatch.setattr("collections_app.search.ranking.matching.ENOUGH", 2)
    monkeypatch.setattr("collections_app.search.ranking.candidates.WANTED", (2,))
    monkeypatch.setattr("collections_app.search.ranking.fulltext.ENOUGH", 2)
    collection = make_collection()
    put(collection, {f"{number}.md": f"# Gasket {number}\n\nThe valve of a pump.\n" for number in range(2)})
    put(collection, {f"{number}.md": f"# Page {number}\n\nThe valve of a pump.\n" for number in range(10, 50)})
    paths = [hit.path for hit in find(collection, "gasket valve pump", limit=4).hits]
    assert set(paths[:2]) == {"0.md", "1.md"}
    assert len(paths) == 4


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("index", "other", "match"),
    [
        ("section_vector_by_collection", "section_vector_by_heading", MATCH.format("candidates")),
        ("section_vector_by_heading", "section_vector_by_collection", "ts_filter(vector, '{a,b}') @@ candidates"),
    ],
)
def test_rows_of_other_collections_are_passed_over_within_the_index(index: str, other: str, match: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"DROP INDEX {other}")  # either does for so few rows
        where = f"{match} AND {IN_INDEX}".replace("candidates", "'word'::tsquery").replace("{}", "'{1,2}'")
        cursor.execute(f"EXPLAIN SELECT id FROM collections_app_sectionvector WHERE {where}")  # noqa: S608
        plan = "\n".join(row[0] for row in cursor.fetchall())
    (condition,) = [line for line in plan.splitlines() if "Index Cond" in line]
    assert index in plan
    assert "@@" in condition
    assert "ARRAY[collection_id] &&" in condition


@pytest.mark.django_db(transaction=True)
def test_what_each_question_asks_is_planned_once_for_a_connection() -> None:
    collection = make_collection()
    put(collection, {"kafka.md": "# Kafka\n\nThe broker keeps a log of each topic.\n"})
    connection.close()  # which has plans of other tests
    for word in ("log", "topic", "topics") * 5:
        assert find(collection, f"kafka broker {word}").hits
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT statement, custom_plans FROM pg_prepared_statements"
            " WHERE generic_plans > 0 AND statement ~ 'termstatistic|ts_rank_cd'"
        )
        planned = cursor.fetchall()
    assert sorted("ts_rank_cd" in statement for statement, _ in planned) == [False, True]
    assert {anew for _, anew in planned} == {0}


@pytest.mark.django_db
@pytest.mark.parametrize(("enough", "is_text_looked_at"), [(2, False), (3, True)])
def test_a_phrase_of_common_words_is_looked_for_in_headings_first(
    enough: int, is_text_looked_at: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 3)
    monkeypatch.setattr("collections_app.search.ranking.matching.ENOUGH_WITH_PHRASE", enough)
    collection = make_collection()
    put(collection, {f"heading-{number}.md": f"# Run command {number}\n\nIt starts.\n" for number in range(2)})
    put(
        collection,
        {"text.md": "# Start\n\nTo start, run command.\n", "apart.md": "# A command that can run now\n\nIt starts.\n"},
    )
    put(collection, {f"{number}.md": f"# Page\n\nrun {number} and the command\n" for number in range(14)})
    found = {"heading-0.md", "heading-1.md"} | ({"text.md"} if is_text_looked_at else set())
    assert set(find_paths(collection, '"run command"')) == found


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["00-first.md", "99-last.md"])
@pytest.mark.parametrize("question", ['gasket "run command"', '"run command" gasket start'])
def test_of_very_many_sections_with_a_phrase_those_with_a_rare_word_are_ranked_wherever_they_stand(
    question: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = make_collection()
    texts = {f"{number}.md": f"# Page {number}\n\nTo start it, run command {number}.\n" for number in range(10, 50)}
    put(collection, dict(sorted({**texts, path: "# Seal\n\nRun command 7 of the gasket to start.\n"}.items())))
    best = find(collection, question, limit=3).hits[0]
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 5)
    monkeypatch.setattr("collections_app.search.ranking.fulltext.MANY", 5)
    of_many = find(collection, question, limit=3).hits[0]
    assert best.path == path
    assert (of_many.path, of_many.score) == (best.path, best.score)


@pytest.mark.parametrize(
    ("phrase", "is_few"),
    [
        pytest.param("run commands", False, id="all of its words are common, and another word is rarer"),
        pytest.param("start command", True, id="a rare word of its own"),
        pytest.param("gaskets command", True, id="the rare word is its own"),
    ],
)
def test_a_phrase_with_a_rare_word_leaves_few_sections(phrase: str, is_few: bool) -> None:
    common = [Term("start", 60, 1, 1), Term("run", 900, 1, 1), Term("command", 900, 1, 1)]
    assert leave_few([phrase], [Term("gasket", 3, 1, 1), *common], 100) == is_few
    assert leave_few([phrase], common[1:], 100)


@pytest.mark.django_db
def test_sections_of_one_page_with_a_phrase_in_their_headings_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 10)
    monkeypatch.setattr("collections_app.search.ranking.matching.ENOUGH_WITH_PHRASE", 3)
    collection = make_collection()
    sections = "".join(f"## Part {number}\n\nrun and command\n\n" for number in range(5))
    put(collection, {"large.md": f"# Run command\n\n{sections}", "text.md": "# Start\n\nTo start, run command.\n"})
    put(collection, {f"{number}.md": f"# Page\n\nrun {number} and the command\n" for number in range(60)})
    assert set(find_paths(collection, '"run command"', limit=20)) == {"large.md", "text.md"}


@pytest.mark.django_db
def test_very_many_collections_are_told_by_their_rows_and_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tenant = make_tenant()
    for slug in ("ours", "also-ours", "others"):
        put(make_collection(slug, tenant=tenant), {f"{slug}.md": f"# Kafka {slug}\n\nThe broker.\n"})
    asked = list(Collection.objects.select_related("tenant").filter(tenant=tenant, slug__in=["ours", "also-ours"]))
    listed = search("kafka broker", asked, SearchOptions(limit=10, snippet_length=100)).hits
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE collections_app_sectionvector")
    monkeypatch.setattr("collections_app.search.terms.statistics.MANY_COLLECTIONS", 1)
    found = search("kafka broker", asked, SearchOptions(limit=10, snippet_length=100))
    assert {hit.path for hit in found.hits} == {"ours.md", "also-ours.md"}
    assert found.hits == listed


@pytest.mark.django_db
def test_languages_are_ranked_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no language is asked for more while another one has enough."""
    monkeypatch.setattr("collections_app.search.ranking.fulltext.ENOUGH", 3)
    tenant = make_tenant()
    english = make_collection("english", tenant=tenant)
    german = make_collection("german", tenant=tenant, language="german")
    put(english, {f"{number}.md": f"# Page {number}\n\nThe kafka broker.\n" for number in range(5)})
    put(
        german,
        {"best.md": "# Kafka Broker\n\nDer kafka broker.\n", "worst.md": "# Seite\n\nEin Broker unter vielen.\n"},
    )
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    hits = search("kafka broker", collections, SearchOptions(limit=10, snippet_length=100)).hits
    assert hits[0].path == "best.md"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.collection for hit in hits} == {"english", "german"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "expected"), [("hebel", {"german": 1_000}), ("web", {"english": 1_000, "german": 200})]
)
def test_a_small_language_that_is_asked_alone_brings_as_much_as_if_there_were_no_others(
    question: str, expected: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = make_tenant()
    english = make_collection("english", tenant=tenant)
    german = make_collection("german", tenant=tenant, language="german")
    put(english, {f"{number}.md": f"# Page {number}\n\nThe web.\n" for number in range(30)})
    put(german, {"hebel.md": "# Der Hebel\n", "web.md": "# Das Web\n"})
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    scored: dict[str, int] = {}

    def note(query: Query, lookups: Lookups) -> dict[int, Matches]:
        scored.update({lookup.scoped.scope.language: lookup.many for lookup in lookups.values()})
        return choose_matches(query, lookups)

    monkeypatch.setattr("collections_app.search.ranking.fulltext.PLENTY", 1)  # or the others are asked too
    monkeypatch.setattr("collections_app.search.ranking.fulltext.ENOUGH", 1)
    monkeypatch.setattr("collections_app.search.ranking.fulltext.choose_matches", note)
    search(question, collections, SearchOptions(limit=1, snippet_length=100))
    assert scored == expected


@pytest.mark.parametrize(
    ("asked", "shares"), [([0, 1], [1.0, 0.2]), ([0], [1.0, 0.2]), ([1], [1.0, 1.0]), ([], [1.0, 1.0])]
)
def test_no_language_brings_more_than_the_largest_that_is_asked(asked: list[int], shares: list[float]) -> None:
    scopes = [
        ScopedTerms(Scope("english", (1,), (1,)), 900, 9, []),
        ScopedTerms(Scope("german", (1,), (2,)), 90, 9, []),
    ]
    assert [scoped.share for scoped in give_shares(scopes, asked)] == shares


@pytest.mark.parametrize(
    ("documents", "code", "passing"),
    [
        (None, "", 1.0),
        ({1: [7], 3: [8, 9]}, "", 0.1),
        ({3: [8]}, "", 1 / 900),
        ({1: [7]}, "python", 0.02),
        (None, "python", 0.02),
    ],
)
def test_what_narrowing_leaves_is_estimated_by_the_documents_that_meet_it(
    documents: dict[int, list[int]] | None, code: str, passing: float
) -> None:
    scope = Scope("english", (1,), (1, 2), Narrowing(code=code, documents=documents))
    assert ScopedTerms(scope, 900, 10, [], {make_code_term("python"): 18}).passing == passing


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "is_asked"), [(1, False), (60, True)])
def test_a_language_that_knows_little_of_a_question_is_asked_where_the_others_have_not_enough(
    limit: int, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.ranking.fulltext.ENOUGH", 3)
    monkeypatch.setattr("collections_app.search.ranking.fulltext.PLENTY", 3)
    tenant = make_tenant()
    english = make_collection("english", tenant=tenant)
    german = make_collection("german", tenant=tenant, language="german")
    put(english, {f"{number}.md": f"# Page {number}\n\nThe kafka broker on the web.\n" for number in range(5)})
    put(english, {f"other-{number}.md": f"# Page {number}\n\nSomething else on the web.\n" for number in range(40)})
    put(german, {"web.md": "# Das Web\n\nEs ist im Web.\n"})
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    asked: set[str] = set()

    def note(query: Query, lookups: Lookups) -> dict[int, Matches]:
        asked.update(lookup.scoped.scope.language for lookup in lookups.values())
        return choose_matches(query, lookups)

    monkeypatch.setattr("collections_app.search.ranking.fulltext.choose_matches", note)
    found = search("kafka broker web", collections, SearchOptions(limit=limit, snippet_length=100)).hits
    assert ("german" in asked) == is_asked
    assert ("web.md" in {hit.path for hit in found}) == is_asked


@pytest.mark.django_db
def test_words_that_only_another_language_leaves_out_do_not_make_a_language_know_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An English stop word is a rare word in German, and may stand where nothing of the question is."""
    monkeypatch.setattr("collections_app.search.ranking.fulltext.PLENTY", 3)  # or the others are asked for so many too
    monkeypatch.setattr(
        "collections_app.search.ranking.fulltext.LITTLE", 0.5
    )  # in so small a library no word is very rare
    tenant = make_tenant()
    english = make_collection("english", tenant=tenant)
    german = make_collection("german", tenant=tenant, language="german")
    put(english, {f"{number}.md": f"# Page {number}\n\nA configuration is there.\n" for number in range(30)})
    put(english, {"configuration.md": "# Configuration\n\nHow it is done.\n"})
    put(english, {f"other-{number}.md": f"# Page {number}\n\nOther things.\n" for number in range(60)})
    put(german, {f"{number}.md": f"# Seite {number}\n\nDas Wort the hier.\n" for number in range(10)})
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    hits = search("the configuration", collections, SearchOptions(limit=2, snippet_length=100)).hits
    assert hits[0].path == "configuration.md"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "how do I rotate the keys",
            {"keys.md", "rotate.md"},
        ),  # two stop words more than in German: an English question
        ("wie kann ich die keys lesen", {"keys.md", "lesen.md"}),
        ("rotate the keys", {"keys.md", "rotate.md", "how.md"}),  # one may be chance
        ("how is the", {"how.md"}),  # nothing else is asked for
    ],
)
def test_stop_words_of_the_questions_language_find_nothing_in_others(question: str, found: set[str]) -> None:
    tenant = make_tenant()
    english = make_collection("english", tenant=tenant)
    german = make_collection("german", tenant=tenant, language="german")
    put(english, {"keys.md": "# Keys\n\nRotate the keys.\n", "wie.md": "# Song\n\nWie ich kann.\n"})
    put(
        german, {"rotate.md": "# Rotate\n\nEin Wort.\n", "how.md": "# Lied\n\nHow do the I.\n", "lesen.md": "# Lesen\n"}
    )
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    assert {
        hit.path for hit in search(question, collections, SearchOptions(limit=10, snippet_length=100)).hits
    } == found


@pytest.mark.django_db
def test_of_very_many_collections_a_word_that_is_common_in_other_languages_is_asked_in_the_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Told by their rows, those of the other languages would all be read."""
    monkeypatch.setattr("collections_app.search.terms.statistics.MANY_COLLECTIONS", 1)
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY_ELSEWHERE", 3)
    tenant = make_tenant()
    for slug in ("one", "two"):
        put(make_collection(slug, tenant=tenant), {f"{slug}.md": f"# Gap {slug}\n\nThe kafka broker.\n"})
    german = make_collection("german", tenant=tenant, language="german")
    put(german, {f"{number}.md": "# Seite\n\nEin Gap.\n" for number in range(3)})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE collections_app_sectionvector")
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))

    def is_told_by_rows(question: str) -> bool:
        with CaptureQueriesContext(connection) as statements:
            found = {
                hit.path for hit in search(question, collections, SearchOptions(limit=10, snippet_length=100)).hits
            }
        assert {"one.md", "two.md"} <= found
        return any(IN_ROWS.format("collection_ids") in statement["sql"] for statement in statements)

    assert is_told_by_rows("kafka")
    assert not is_told_by_rows("gap")
