"""Search reads like a specification of ranking: documents in, expected hits in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from threading import Thread

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.exceptions import InvalidQuery
from collections_app.models import Collection, Tenant
from collections_app.search import Mode, SearchOptions, SearchResults, search
from collections_app.search.explain import explain_search
from collections_app.search.finding import ATTEMPTS
from collections_app.search.rankings import rank
from collections_app.search.section_rows import Row, get_rows
from collections_app.search.snippets import make_snippet
from collections_app.text.passages.question_words import make_question_words
from tests.factories import find, find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

DOCS = {
    "install.md": "# Installing\n\nDownload the archive and unpack it.\n\n## On Linux\n\nUse the package manager to get sprockets.\n",
    "config.md": "# Configuration\n\nSet `max_payload` in the file.\n\n## Timeouts\n\nA timeout ends a request that takes too long.\n",
    "security/tls.md": "# Encryption\n\nTLS protects connections between gears.\n\n## Certificates\n\nRotate certificates every year.\n",
    "api.md": "# Programming interface\n\nCall `asyncio.run(main())` once. The `useEffect` hook is not ours.\n",
    "faq.md": "# Questions\n\nWhy does a request time out? See the configuration. How is a connection encrypted? Ask TLS.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(collection, DOCS)
    return collection


def find_in_all(tenant: Tenant, query: str) -> SearchResults:
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    return search(query, collections, SearchOptions(limit=10, snippet_length=200))


def test_it_finds_the_section_that_answers(docs: Collection) -> None:
    hit = find(docs, "how do I rotate certificates").hits[0]
    assert (hit.path, hit.section_id) == ("security/tls.md", "encryption/certificates")
    assert hit.heading_path == ("Encryption", "Certificates")
    assert "Rotate certificates every year." in hit.snippet


def test_it_puts_a_title_before_a_mention(docs: Collection) -> None:
    assert find_paths(docs, "configuration")[0] == "config.md"


def test_release_notes_come_behind_the_page_about_it_unless_changes_are_asked_for(docs: Collection) -> None:
    put(
        docs,
        {
            "guide.md": "# Winches\n\nTurning winches is done by hand.\n",
            "release-notes.md": "# Winches\n\nTurning winches: turning winches is done by hand.\n",
        },
    )
    hits = find(docs, "turning winches").hits
    assert [hit.path for hit in hits] == ["guide.md", "release-notes.md"]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert find_paths(docs, "new turning winches")[0] == "release-notes.md"


def test_an_older_version_of_a_page_comes_behind_the_newest_unless_it_is_named(docs: Collection) -> None:
    put(
        docs,
        {
            "v1.2/winch.md": "# Winches\n\nTurning winches: turning winches is done by hand.\n",
            "docs/winch.md": "# Winches\n\nTurning winches is done by hand.\n",
        },
    )
    hits = find(docs, "turning winches").hits
    assert [hit.path for hit in hits] == ["docs/winch.md", "v1.2/winch.md"]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert find_paths(docs, "turning winches in v1.2")[0] == "v1.2/winch.md"


def test_the_same_section_of_an_older_version_leaves_room_for_other_sections(docs: Collection) -> None:
    put(
        docs,
        {
            "docs/winch.md": "# Winches\n\n## Turning winches\n\nTurning is done by hand.\n",
            "v1.2/winch.md": "# Winches\n\n## Turning winches\n\nTurning is done by foot.\n",
            "docs/ropes.md": "# Ropes\n\n## On turning winches\n\nA rope stays on.\n",
        },
    )
    assert find_paths(docs, "turning winches")[:3] == ["docs/winch.md", "docs/ropes.md", "v1.2/winch.md"]
    assert find_paths(docs, "turning winches in v1.2")[0] == "v1.2/winch.md"


def test_the_current_page_comes_before_its_older_versions_even_if_many_of_them_say_more_of_it(docs: Collection) -> None:
    versions = [f"v1.{number}/winch.md" for number in range(20)]
    older = "# Winches\n\n## Turning winches\n\nTurning winches: turning winches by hand, {}.\n"
    put(docs, {path: older.format(path) for path in versions})
    put(docs, {"docs/winch.md": "# Winches\n\n## Use\n\nFor turning winches take a crank.\n"})
    hits = find(docs, "turning winches").hits
    assert [hit.path for hit in hits[:2]] == ["docs/winch.md", versions[-1]]
    assert hits[0].score >= hits[1].score > 1.4 * hits[2].score
    assert find_paths(docs, "turning winches in v1.7")[0] == versions[7]


def test_no_section_is_read_twice_where_versions_are_put_in_order(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def get(section_ids: Sequence[int]) -> dict[int, Row]:
        read.extend(section_ids)
        return get_rows(section_ids)

    monkeypatch.setattr("collections_app.search.hits.get_rows", get)
    older = "# Winches\n\n## Turning winches\n\nTurning winches: turning winches by hand, {}.\n"
    put(docs, {path: older.format(path) for path in [f"v1.{number}/winch.md" for number in range(30)]})
    put(docs, {"docs/winch.md": "# Winches\n\n## Use\n\nFor turning winches take a crank.\n"})
    assert find_paths(docs, "turning winches")[0] == "docs/winch.md"
    assert len(read) == len(set(read)) < 30


def test_of_a_section_that_did_not_change_the_newest_version_is_shown(docs: Collection) -> None:
    text = f"# Winches\n\nTurning winches is done by hand. {'It takes a while. ' * 20}\n"
    put(docs, {"v1.2/winch.md": text, "v1.10/winch.md": text, "v1.9/winch.md": text})
    assert find_paths(docs, "turning winches") == ["v1.10/winch.md"]


def test_pages_of_other_collections_are_no_newer_version() -> None:
    older, newer = make_collection(), make_collection()
    put(older, {"v1.2/winch.md": "# Winches\n\nTurning winches: turning winches is done by hand.\n"})
    put(newer, {"docs/winch.md": "# Winches\n\nTurning winches is done by hand.\n"})
    hits = search("turning winches", [older, newer], SearchOptions(limit=10, snippet_length=100)).hits
    assert [hit.path for hit in hits] == ["v1.2/winch.md", "docs/winch.md"]


def test_it_weighs_rare_words_above_common_ones(docs: Collection) -> None:
    assert find_paths(docs, "request sprockets")[0] == "install.md"


def test_it_matches_other_forms_of_a_word(docs: Collection) -> None:
    assert find_paths(docs, "rotating a certificate")[0] == "security/tls.md"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("asyncio.run", "api.md"),
        ("asyncio", "api.md"),
        ("max_payload", "config.md"),
        ("payload", "config.md"),
        ("effect", "api.md"),
    ],
)
def test_it_finds_identifiers_whole_and_by_part(docs: Collection, query: str, path: str) -> None:
    assert find_paths(docs, query) == [path]


@pytest.mark.parametrize("query", ["makeGearbox", "autoGreaseChain"])
def test_it_finds_a_name_of_several_parts_within_a_longer_one(query: str) -> None:
    collection = make_collection()
    parts = "# Parts\n\nMake a gearbox, grease a chain: auto grease chain, make gearbox.\n"
    put(
        collection,
        {"parts.md": parts, "api.md": "# Setting up\n\nSet `oil.autoGreaseChain`, call client.makeGearbox().\n"},
    )
    results = find(collection, query)
    assert results.hits[0].path == "api.md"
    assert results.words == ()


def test_it_requires_a_phrase(docs: Collection) -> None:
    assert find_paths(docs, 'request "time out"') == ["faq.md"]
    assert find_paths(docs, '"protects connections"') == ["security/tls.md"]


def test_it_says_when_a_phrase_occurs_nowhere_and_gives_what_has_its_words(docs: Collection) -> None:
    results = find(docs, '"connections protects"')
    assert "security/tls.md" in [hit.path for hit in results.hits]
    assert "The words in quotes were not found in this order" in results.notice


def test_it_excludes_words_after_a_minus_at_the_end(docs: Collection) -> None:
    assert {hit.section_id for hit in find(docs, "TLS").hits} == {"encryption", "encryption/certificates", "questions"}
    results = find(docs, "TLS -gears")
    assert {hit.section_id for hit in results.hits} == {"encryption/certificates", "questions"}
    assert results.excluded == ("gears",)


@pytest.mark.parametrize("option", ["-v", "-rf", "-IT", "-vvv", "-vvv -rf"])
def test_it_takes_a_minus_before_two_letters_or_a_repeated_one_for_an_option(docs: Collection, option: str) -> None:
    results = find(docs, f"TLS {option}")
    assert results.excluded == ()
    assert results.hits


@pytest.mark.parametrize("excluded", ["tar", "v2", "ooze", "中文"])
def test_it_excludes_short_words_that_are_no_option(docs: Collection, excluded: str) -> None:
    assert find(docs, f"TLS -{excluded}").excluded == (excluded,)


def test_it_takes_a_minus_within_a_question_for_an_option(docs: Collection) -> None:
    results = find(docs, "what does -timeout do to a request")
    assert results.excluded == ()
    assert results.hits


def test_it_folds_accents() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# Café Müller\n\nDer große Raum.\n", "b.md": "# Nothing\n\nelse\n"})
    for query in ("cafe", "CAFÉ", "müller", "muller", "grosse"):
        assert find_paths(collection, query) == ["a.md"], query


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("english", "Open the “gondola” door—slowly.", "gondola"),
        ("english", "Open the “gondola” door—slowly.", "slowly"),
        ("french", "Choisissez l’ascenseur.", "ascenseur"),
        ("french", "Choisissez l'ascenseur.", "l’ascenseur"),
        ("german", "Die „Gondel“ fährt.", "Gondel"),
        ("russian", "Откройте «кабину».", "кабина"),
        ("spanish", "La cabina abre despacio.", "¿cabina?"),
        ("russian", "Закройте все файлы.", "файл"),
        ("russian", "Это новая кабина.", "новый"),
    ],
)
def test_words_are_found_as_each_language_writes_them(language: str, text: str, query: str) -> None:
    collection = make_collection(language=language)
    put(collection, {"a.md": f"# 1\n\n{text}\n", "b.md": "# 2\n\nelse\n"})
    assert find_paths(collection, query) == ["a.md"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("全文検索の設定方法を説明します。", "検索の設定"),
        ("全文検索の設定方法を説明します。", "設"),
        ("ข้อมูลการติดตั้งระบบ", "ติดตั้ง"),
        ("데이터베이스를 설치하는 방법", "데이터"),
        ("システムをインストールする", "インストール"),
    ],
)
def test_it_finds_text_without_blanks_between_words(text: str, query: str) -> None:
    collection = make_collection()
    put(collection, {"a.md": f"# One\n\n{text}\n", "b.md": "# Two\n\n別のページ\n"})
    assert find_paths(collection, query) == ["a.md"]


def test_particles_and_endings_of_a_question_do_not_make_up_for_what_it_is_about() -> None:
    collection = make_collection()
    put(
        collection,
        {"a.md": "# 一覧\n\n設定の変更。\n", "b.md": "# 手順\n\n書類をまとめるには、番号をつけてください。\n"},
    )
    hits = find(collection, "設定をまとめるにはどうすればいいですか").hits
    assert [hit.path for hit in hits] == ["a.md"]
    assert find_paths(collection, "まとめる") == ["b.md"]
    assert find_paths(collection, '"をまとめる"') == ["b.md"]


def test_a_heading_is_asked_for_whole_whatever_its_endings() -> None:
    collection = make_collection()
    more = "別の項目も説明。" * 20
    text = f"# 案内\n\n## 設定を変える\n\n設定を変える。{more}\n\n## 設定を変える前に\n\n設定を変える。\n"
    put(collection, {"a.md": text, "b.md": "# 別\n\n説明。\n"})
    assert find(collection, "設定を変えたい").hits[0].heading_path[-1] == "設定を変える"


def test_it_gives_a_snippet_around_the_match_cut_at_words() -> None:
    collection = make_collection()
    filler = "Plain words that say little. " * 40
    put(collection, {"a.md": f"# Page\n\n{filler}The gyroscope must be calibrated. {filler}\n"})
    snippet = find(collection, "calibrate the gyroscope", snippet_length=120).hits[0].snippet
    assert "gyroscope must be calibrated" in snippet
    assert snippet.startswith("… ")
    assert snippet.endswith(" …")
    assert len(snippet) <= 130
    assert all(word in f"{filler} The gyroscope must be calibrated." for word in snippet.strip("… ").split())


def test_it_ranks_several_collections_in_one_query() -> None:
    tenant = make_tenant()
    first, second = make_collection("one", tenant=tenant), make_collection("two", tenant=tenant, language="german")
    put(first, {"a.md": "# Engines\n\nThe turbine spins.\n"})
    put(second, {"b.md": "# Motoren\n\nDie Turbine dreht sich.\n"})
    results = search(
        "turbine",
        list(Collection.objects.select_related("tenant").filter(tenant=tenant)),
        SearchOptions(limit=10, snippet_length=200),
    )
    assert {(hit.collection, hit.path) for hit in results.hits} == {("one", "a.md"), ("two", "b.md")}


def test_it_searches_the_given_collections_only(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, {"tls.md": "# TLS\n\nTLS TLS TLS certificates.\n"})
    assert "tls.md" not in find_paths(docs, "TLS certificates")


def test_it_filters_by_category(docs: Collection) -> None:
    assert find_paths(docs, "TLS connection", category="security") == ["security/tls.md"]


def test_it_puts_the_fourth_section_of_a_page_after_other_pages() -> None:
    collection = make_collection()
    sections = "".join(f"## Widget {n}\n\nA widget for widgets.\n\n" for n in range(6))
    put(
        collection,
        {"widgets.md": f"# Widgets\n\n{sections}", "other.md": "# Other\n\nOne widget is mentioned in passing.\n"},
    )
    paths = [hit.path for hit in find(collection, "widget").hits]
    assert paths.index("other.md") == 3
    assert paths.count("widgets.md") >= 6


def test_a_section_whose_heading_is_asked_for_comes_before_those_that_have_it_above_them() -> None:
    collection = make_collection()
    put(
        collection,
        {
            "winch.md": "# Winch\n\n## Brake\n\nIt holds.\n\n## Other\n\n### Brake lever of brakes\n\nThe brake of a brake: brake.\n",
            "other.md": "# Other\n\nNothing.\n",
        },
    )
    assert find(collection, "brake").hits[0].section_id == "winch/brake"


@pytest.mark.parametrize("heading", ["Up to $3,000", "A 401(k)", "3 000 users", "HTTP/3", "OUT_DIR", "The rope's end"])
def test_a_heading_that_is_asked_for_as_it_stands_is_known_for_all_of_it(heading: str) -> None:
    collection = make_collection()
    put(collection, {"a.md": f"# Page\n\n## {heading}\n\nx\n"})
    [first, *_] = explain_search(
        heading, [collection], SearchOptions(limit=1, snippet_length=50, mode=Mode.KEYWORD)
    ).hits
    assert first[1].words
    assert sum(term.own_heading for term in first[1].words.terms) > 0


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("create a berth", "POST /berths"),
        ("create a berth type", "POST /berths/types"),
        ("POST /berths/types", "POST /berths/types"),
        ("POST /berths", "POST /berths"),
    ],
)
def test_an_operation_is_asked_for_by_all_that_it_does_or_by_its_whole_path(question: str, asked: str) -> None:
    collection = make_collection()
    operations = {"POST /berths": "Create a berth", "POST /berths/types": "Create a berth type"}
    text = "".join(f"## {call}\n\n**{summary}**\n\nIt is made.\n\n" for call, summary in operations.items())
    put(collection, {"api.md": f"# Harbour\n\n{text}"})
    hits = explain_search(question, [collection], SearchOptions(limit=5, snippet_length=50)).hits
    known = {
        hit.heading_path[-1] for hit, why in hits if why.words and sum(term.own_heading for term in why.words.terms)
    }
    assert asked in known
    assert known <= {asked, "POST /berths"}


def test_an_operation_is_found_by_what_it_does_as_by_its_path() -> None:
    """A schema has the word in its title and often in its text, other operations have it in their paths."""
    collection = make_collection()
    put(
        collection,
        {
            "api.md": "# Harbour API\n\n## POST /berths\n\n**Create berth**\n\nIt may take a `name` and the `length` of boats.\n\n"
            "## POST /berths/{id}/copy\n\n**Copy berth**\n\nCreate a berth like another berth.\n\n"
            "## Berth\n\nA berth. Who may create a berth is said by the harbour, and a berth has a keeper.\n",
            "other.md": "# Moorings\n\n## POST /berths/import\n\nBerths come in from a file,\nwhich may create many.\n",
        },
    )
    assert find(collection, "create berth").hits[0].heading_path[-1] == "POST /berths"
    assert find(collection, "copy a berth").hits[0].heading_path[-1] == "POST /berths/{id}/copy"
    assert find(collection, "POST /berths").hits[0].heading_path[-1] == "POST /berths"


def test_a_heading_of_two_words_is_asked_for_whole_where_somebody_writes_them_as_one() -> None:
    collection = make_collection()
    put(
        collection,
        {"a.md": "# Page\n\n## Change requests\n\nx\n", "b.md": "# Other\n\nThe field is `changerequest`.\n"},
    )
    [first, *_] = explain_search(
        "change requests", [collection], SearchOptions(limit=1, snippet_length=50, mode=Mode.KEYWORD)
    ).hits
    assert first[0].section_id == "page/change-requests"
    assert first[1].words
    assert all(term.synonyms == ("changerequest",) and term.own_heading > 0 for term in first[1].words.terms)


def test_sections_with_a_rare_word_stay_where_a_word_beside_it_is_in_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 20)
    monkeypatch.setattr("collections_app.search.ranking.candidates.WANTED", (2, 40))
    collection = make_collection()
    put(collection, {f"{number:02}.md": f"# Page {number}\n\nA winch.\n" for number in range(60)})
    put(collection, {f"w{number:02}.md": f"# Winch {number}\n\nA winch.\n" for number in range(30)})
    put(collection, {"99.md": "# Page 99\n\nIts sprocket.\n"})
    assert find(collection, "winch sprocket").hits[0].path == "99.md"


def test_it_folds_copies_of_a_page() -> None:
    collection = make_collection()
    outcomes = put(collection, {"a.md": "# Pump\n\nPrime the pump.\n", "b.md": "# Pump\n\nPrime the pump.\n"})
    assert [file.outcome for file in outcomes] == ["indexed", "duplicate"]
    assert len(find(collection, "prime the pump").hits) == 1


def test_it_folds_what_two_pages_include() -> None:
    collection = make_collection()
    shared = "Prime the pump before you open a valve: " + "fill it with oil up to the mark, then turn it by hand. " * 5
    put(
        collection,
        {
            "a.md": f"# Pump\n\nA pump.\n\n## Priming\n\n{shared}\n",
            "b.md": f"# Valve\n\nA valve.\n\n### Priming\n\n{shared}\n\n\n### Oil\n\nAny.\n",
            "c.md": "# Hose\n\nA hose.\n\n## Priming\n\nPrime the pump first.\n",
            "d.md": "# Tank\n\nA tank.\n\n## Priming\n\nPrime the pump first.\n",
        },
    )
    paths = [hit.path for hit in find(collection, "priming").hits]
    assert len({"a.md", "b.md"}.intersection(paths)) == 1
    assert {"c.md", "d.md"} <= set(paths)  # short, and each about its own page


def test_it_says_which_words_occur_when_nothing_is_found(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, {"x.md": "# Zebra\n\nA zebra.\n"})
    visible = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
    searched = [c for c in visible if c.slug == "manual"]
    results = search("zebra sproketz", searched, SearchOptions(limit=5, snippet_length=200), visible=visible)
    assert results.hits == ()
    words = {report.word: report for report in results.words}
    assert words["zebra"].sections == 0
    assert words["zebra"].elsewhere == (("other", 1),)
    assert words["sproketz"].close == ("sprockets",)


@pytest.mark.parametrize("query", ["", "   ", "\0", "x" * 1001])
def test_it_refuses_a_query_that_cannot_be_looked_up(docs: Collection, query: str) -> None:
    with pytest.raises(InvalidQuery):
        find(docs, query)


@pytest.mark.parametrize(
    "query",
    [
        "the",
        "' OR 1=1 --",
        "a & | ! <-> b",
        '"unclosed phrase',
        "-",
        "--",
        "-x",
        '""',
        "\\",
        "'",
        ":*",
        "🦉",
        "a" * 1000,
        "% _ %s %(x)s",
        "-only",
    ],
)
def test_it_takes_any_text_as_words(docs: Collection, query: str) -> None:
    assert isinstance(find(docs, query).hits, tuple)


def test_it_stays_within_bounds_for_two_hundred_terms(docs: Collection, django_assert_max_num_queries: object) -> None:
    query = " ".join(f"w{n}" for n in range(180)) + " certificates"
    with django_assert_max_num_queries(11):  # type: ignore[operator]
        results = find(docs, query[-1000:])
    assert results.hits[0].path == "security/tls.md"


def fill(collection: Collection, count: int, text: str, folder: str = "") -> None:
    put(collection, {f"{folder}{n}.md": f"# Page {n}\n\n{text} item{n}\n" for n in range(count)})


def test_it_looks_beyond_the_rarest_words_when_a_filter_leaves_none(docs: Collection) -> None:
    fill(docs, 300, "install the common thing", "reference/")
    fill(docs, 5, "install the common thing", "guide/")
    put(docs, {"reference/rare.md": "# Rare\n\ninstall sprockets\n"})
    assert len(find_paths(docs, "install sprockets", category="guide")) == 5
    assert len(find(docs, "install sprockets").hits) == 10
    assert find_paths(docs, "install sprockets")[0] in {"install.md", "reference/rare.md"}
    assert "reference/rare.md" not in find_paths(docs, "install sprockets -rare")


def test_it_finds_words_that_never_meet() -> None:
    collection = make_collection()
    fill(collection, 1100, "alpha", "a/")
    fill(collection, 1100, "beta", "b/")
    assert len(find(collection, "alpha beta").hits) == 10


def test_it_shows_other_pages_instead_of_copies() -> None:
    collection = make_collection()
    put(collection, {f"copy-{n}.md": "# Gear\n\nGear gear gear gear.\n" for n in range(60)})
    put(collection, {f"other-{n}.md": f"# Page {n}\n\nOne gear and much else {n}.\n" for n in range(20)})
    paths = find_paths(collection, "gear")
    assert len(paths) == 10
    assert sum(path.startswith("copy") for path in paths) == 1


def test_rarity_is_that_of_all_collections_together() -> None:
    tenant = make_tenant()
    english, german = make_collection("en", tenant=tenant), make_collection("de", tenant=tenant, language="german")
    fill(english, 300, "filler")
    put(english, {"mention.md": "# Something\n\nA turbine is mentioned in passing here.\n"})
    put(german, {"turbine.md": "# Turbine\n\nDie Turbine.\n"})
    collections = list(Collection.objects.select_related("tenant").filter(tenant=tenant))
    hits = search("turbine", collections, SearchOptions(limit=10, snippet_length=200)).hits
    assert [hit.path for hit in hits] == ["turbine.md", "mention.md"]


def test_it_ranks_again_when_a_document_was_replaced_in_between(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced: list[object] = []

    def rank_and_replace(*arguments: object) -> object:
        ranked = rank(*arguments)  # type: ignore[arg-type]
        if not replaced:
            replaced.append(put(docs, {"security/tls.md": DOCS["security/tls.md"] + "\nMore.\n"}))
        return ranked

    monkeypatch.setattr("collections_app.search.finding.rank", rank_and_replace)
    assert find_paths(docs, "rotate certificates") == ["security/tls.md"]


@pytest.mark.django_db(transaction=True)
def test_it_finds_a_document_that_is_replaced_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    put(collection, DOCS)
    turns = count()

    def rank_and_replace(*arguments: object) -> object:
        ranked = rank(*arguments)  # type: ignore[arg-type]
        in_other_session(lambda: put(collection, {"security/tls.md": f"{DOCS['security/tls.md']}\n{next(turns)}\n"}))
        return ranked

    monkeypatch.setattr("collections_app.search.finding.rank", rank_and_replace)
    assert find_paths(collection, "rotate certificates") == ["security/tls.md"]
    assert next(turns) == ATTEMPTS


def in_other_session(work: Callable[[], object]) -> None:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


def test_a_single_character_is_looked_up_only_where_nothing_else_is_asked_for() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# One\n\n設定\n", "b.md": "# Two\n\nsprocket 定義\n"})
    assert find_paths(collection, "設") == ["a.md"]
    assert find_paths(collection, "設 sprocket") == ["b.md"]


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("rotating the keys is done", "rotate", "rotating the keys"),
        ("set max_payload to a number", "payload", "max_payload"),
    ],
)
def test_a_snippet_shows_other_forms_and_parts_of_identifiers(text: str, query: str, shown: str) -> None:
    collection = make_collection()
    filler = "plain words that say little " * 60
    put(collection, {"a.md": f"# Page\n\n{filler}{text} {filler}\n"})
    assert shown in find(collection, query).hits[0].snippet


def test_a_heading_without_text_shows_the_headings_right_below_it() -> None:
    collection = make_collection()
    chains = "## Chains\n\nOf steel.\n\n### Oiling\n\nOften.\n\n### Tension\n\nTight.\n\n"
    put(
        collection,
        {"a.md": f"# Sprockets\n\n{chains}## `gear` of [wheels](w.md)\n\nTurn.\n\n# Other things\n\n## Bolts\n"},
    )
    shown = {hit.section_id: hit.snippet for hit in find(collection, "sprockets OR bolts OR other").hits}
    assert shown["sprockets"] == "Subsections: Chains; gear of wheels"
    assert shown["other-things"] == "Subsections: Bolts"
    assert shown["other-things/bolts"] == ""


def test_of_many_headings_below_it_those_that_were_asked_for_are_shown() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# Sprockets\n\n" + "".join(f"## Model m{n:03}\n\nA sprocket.\n\n" for n in range(90))})
    shown = {
        query: next(
            hit for hit in find(collection, query, limit=100, snippet_length=100).hits if hit.section_id == "sprockets"
        ).snippet
        for query in ("sprockets", "sprockets OR m077")
    }
    assert shown["sprockets"].startswith("Subsections: Model m000; Model m001;")
    assert shown["sprockets"].endswith(" …")
    assert shown["sprockets OR m077"].startswith("Subsections: … ")
    assert "Model m077;" in shown["sprockets OR m077"]


@pytest.mark.parametrize(("text", "more"), [("# Sprockets\n\nThey turn.\n\n", 0), ("# Sprockets\n\n", 1)])
def test_only_headings_without_text_cost_a_statement_for_what_is_below_them(text: str, more: int) -> None:
    collection = make_collection()
    put(collection, {"a.md": f"{text}## Chains\n\nOf steel.\n"})
    with CaptureQueriesContext(connection) as asked:
        find(collection, "sprockets")
    assert sum("below" in query["sql"] for query in asked.captured_queries) == more


def test_stop_words_draw_no_snippet_to_them() -> None:
    collection = make_collection()
    filler = "Plain words say little. " * 60
    text = f"What you can do with this and that: how, where, when and why. {filler}Rotate a key. {filler}"
    put(collection, {"a.md": f"# Page\n\n{text}\n"})
    assert "Rotate a key" in find(collection, "how can you do this: where and when to rotate").hits[0].snippet


def test_stop_words_of_one_language_draw_no_snippet_of_it_where_another_is_searched_too() -> None:
    tenant = make_tenant()
    english, german = make_collection("en", tenant=tenant), make_collection("de", tenant=tenant, language="german")
    filler = "Plain words say little. " * 60
    put(english, {"a.md": f"# Page\n\nHow it is. {filler}Rotate a key. {filler}"})
    put(german, {"b.md": f"# Seite\n\nDer Server. {filler}How it is. {filler}"})
    snippets = {hit.path: hit.snippet for hit in find_in_all(tenant, "how: rotate").hits}
    assert "Rotate a key" in snippets["a.md"]
    assert "How it is" in snippets["b.md"]


def test_stop_words_of_the_questions_language_draw_no_snippet_in_others() -> None:
    tenant = make_tenant()
    make_collection("en", tenant=tenant)
    filler = "Einfache Worte sagen wenig. " * 60
    german = make_collection("de", tenant=tenant, language="german")
    put(german, {"b.md": f"# Seite\n\nHow and when and how. {filler}Rotate. {filler}"})
    assert "Rotate" in find_in_all(tenant, "how and when to rotate").hits[0].snippet


@pytest.mark.parametrize(
    ("question", "word"),
    [("what is CVE-2024-12345 about", "12345"), ("how do I do a dry run", "dry"), ("how large is /tmp", "tmp")],
)
def test_rare_words_draw_snippets_however_their_lexemes_look(question: str, word: str) -> None:
    collection = make_collection()
    filler = "Plain words say little. " * 60
    put(collection, {"a.md": f"# {question}\n\n{filler}Here is {word} by itself. {filler}"})
    assert f"is {word} by itself" in find(collection, question).hits[0].snippet


def test_a_snippet_is_around_stop_words_where_nothing_else_is_asked_for() -> None:
    words = make_question_words("how and when", stop_words={"how", "and", "when"})
    assert "it is when it is" in make_snippet(f"{'plain ' * 200}it is when it is {'plain ' * 200}", words, 60)


@pytest.mark.parametrize("before", [0, 12_000, 30_000, 65_500, 130_000, 700_000])
def test_a_snippet_shows_the_match_wherever_it_stands_in_a_long_section(before: int) -> None:
    collection = make_collection()
    filler = "Plain words say little of it. "
    text = f"{filler * (before // len(filler))}The Fähre leaves at noon. {filler * 4_000}"
    put(collection, {"log.txt": text})
    snippet = find(collection, "fahre").hits[0].snippet
    assert "The Fähre leaves at noon." in snippet
    assert snippet.startswith("… ") == bool(before)
    assert all(word in text for word in snippet.strip("… ").split(". "))


def test_a_snippet_shows_the_match_in_a_long_text_without_blanks() -> None:
    collection = make_collection()
    put(collection, {"log.txt": f"{'全文検索の設定' * 6_000}渡り鳥は{'全文検索の設定' * 6_000}"})
    assert "渡り鳥" in find(collection, "渡り鳥").hits[0].snippet


def test_a_snippet_is_of_the_beginning_where_nothing_further_on_shows_more() -> None:
    collection = make_collection()
    put(collection, {"a.md": f"# Ferries\n\nThese leave at noon. {'Plain words say little of it. ' * 9_000}"})
    assert find(collection, "ferries").hits[0].snippet.startswith("These leave at noon.")


def test_invisible_characters_hide_no_word(docs: Collection) -> None:
    assert find_paths(docs, "cer\u00adtifi\u200bcates") == ["security/tls.md"]


def test_it_does_not_find_a_document_that_was_removed_meanwhile(docs: Collection) -> None:
    from collections_app.ingest import remove_documents
    from collections_app.models import Document

    remove_documents(docs, [Document.objects.get(path="security/tls.md").pk])
    assert find_paths(docs, "rotate certificates") == []


def test_a_snippet_shows_the_rare_word_rather_than_more_common_ones() -> None:
    collection = make_collection()
    gears = {f"gear-{number}.md": "# Gears\n\nA wheel has teeth, and turns slowly.\n" for number in range(30)}
    filler = "Nothing of it. " * 60
    put(collection, gears | {"long.md": f"# Long\n\nTeeth of wheels turn. {filler} A gasket seals. {filler}\n"})
    [hit] = [hit for hit in find(collection, "gasket wheel teeth turn").hits if hit.path == "long.md"]
    assert "A gasket seals" in hit.snippet
    [hit] = [hit for hit in find(collection, "wheel teeth turn", limit=40).hits if hit.path == "long.md"]
    assert "Teeth of wheels turn" in hit.snippet


def test_sections_that_begin_alike_are_no_copies_where_more_follows() -> None:
    collection = make_collection()
    beginning = "The same words over and over. " * 900
    put(
        collection,
        {"a.md": f"# Long\n\nWheel. {beginning} Gasket.\n", "b.md": f"# Long\n\nWheel. {beginning} Piston.\n"},
    )
    assert set(find_paths(collection, "wheel")) == {"a.md", "b.md"}


def test_it_folds_what_is_longer_than_what_is_looked_through() -> None:
    collection = make_collection()
    text = "Gears\n\nWheel. " + "The same words over and over. " * 900
    put(collection, {"a.md": f"# {text}\n", "b.md": f"# Wheels\n\n## {text}\n\n## More\n\nAny.\n"})
    assert len(find(collection, "the same words over").hits) == 1


def test_sections_are_copies_whose_links_lead_elsewhere() -> None:
    collection = make_collection()
    text = "# Gears\n\nA wheel has teeth, see [the others]({}). " + "It turns slowly, and stops at night. " * 6
    put(collection, {"a.md": text.format("wheels.md"), "man/a.md": text.format("../wheels.md#teeth")})
    assert len(find(collection, "wheel teeth").hits) == 1


def test_the_same_text_is_told_apart_by_what_its_page_tells_of_itself_but_not_in_versions_of_a_page() -> None:
    collection = make_collection()
    text = "---\ntitle: Gears\ndescription: {}\n---\nA wheel has teeth. " + "It turns slowly, and stops at night. " * 6
    put(collection, {"mills/gears.md": text.format("Of mills"), "clocks/gears.md": text.format("Of clocks")})
    assert len(find(collection, "wheel teeth").hits) == 2
    versions = make_collection()
    put(versions, {"v1.0/gears.md": text.format("Gears of mills"), "v1.1/gears.md": text.format("Gears in mills")})
    assert [hit.path for hit in find(versions, "wheel teeth").hits] == ["v1.1/gears.md"]


def test_a_comparison_is_answered_for_both_sides(docs: Collection) -> None:
    genoa = "".join(
        f"## Genoa sheet {number}\n\nBefore the spinnaker is hoisted, sheet {number} holds the genoa.\n\n"
        for number in range(6)
    )
    put(
        docs,
        {
            "genoa.md": f"# The genoa\n\nA large sail before the mast.\n\n{genoa}",
            "sails.md": "# Sails\n\n## The spinnaker\n\nIt is the sail for light winds from behind.\n",
            **{f"log{number}.md": f"# Log {number}\n\nWe set the genoa.\n" for number in range(9)},
        },
    )

    def find_first(question: str) -> list[str]:
        return [hit.path for hit in find(docs, question).hits[:3]]

    for question in ("difference between the genoa and the spinnaker", "genoa vs spinnaker", "genoa vs spinaker"):
        assert {"sails.md", "genoa.md"} <= set(find_first(question))
    assert "sails.md" not in find_first("genoa and spinnaker")
    scores = [hit.score for hit in find(docs, "genoa vs spinnaker").hits]
    assert scores == sorted(scores, reverse=True)


def test_of_a_side_that_no_section_knows_what_has_its_other_word_is_not_raised(docs: Collection) -> None:
    sheets = "".join(f"## Genoa sheet {number}\n\nHandling of genoa sheet {number}.\n\n" for number in range(6))
    put(docs, {"genoa.md": f"# The genoa\n\n{sheets}", "cargo.md": "# Cargo\n\n## Handling\n\nHandling of goods.\n"})
    for question in (
        "genoa sheet vs frobnicator handling",
        "difference between the genoa sheet and frobnicator handling",
    ):
        assert "cargo.md" not in [hit.path for hit in find(docs, question).hits[:3]]
    assert "cargo.md" in [hit.path for hit in find(docs, "genoa sheet vs goods handling").hits[:3]]


def test_what_is_compared_meets_the_filters_and_exclusions_of_the_question(docs: Collection) -> None:
    put(docs, {"old/jib.md": "# The jib\n\nA small sail.\n", "new/genoa.md": "# The genoa\n\nA large sail.\n"})
    options = SearchOptions(limit=10, snippet_length=100, filters={"path": {"$contains": "new/"}})
    assert [hit.path for hit in search("genoa vs jib", [docs], options).hits] == ["new/genoa.md"]
    assert find_paths(docs, "genoa vs jib -small") == ["new/genoa.md"]
