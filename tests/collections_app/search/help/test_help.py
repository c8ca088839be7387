"""What is said when nothing fits, and how long a search may take."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import connection

from collections_app.documents import find_close_paths
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Pin
from collections_app.postgres.prepared_cursor import PreparedCursor
from collections_app.search import Mode, SearchOptions, search, time_limit
from collections_app.search.time_limit import SearchTooSlow, limited_transaction, limiting_time, open_cursor
from tests.factories import find, make_collection, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(
        collection,
        {
            "start/installation.md": "# Seasons\n\nIn autumn the configurations change, happily.\n",
            "security/tls.md": "# Encryption\n\nEncrypting connections.\n",
        },
    )
    return collection


@pytest.mark.parametrize(
    ("asked", "written"),
    [("autunm", "autumn"), ("configuratoin", "configurations"), ("hapily", "happily"), ("encription", "encryption")],
)
def test_close_spellings_are_words_as_documents_write_them(docs: Collection, asked: str, written: str) -> None:
    [report] = find(docs, asked).words
    assert report.word == asked
    assert written in report.close


@pytest.mark.parametrize(("asked", "close"), [("autunm", ("autumn",)), ("utaumn", ())])
def test_in_a_large_library_a_spelling_begins_with_the_same_two_letters(
    docs: Collection, monkeypatch: pytest.MonkeyPatch, asked: str, close: tuple[str, ...]
) -> None:
    monkeypatch.setattr("collections_app.search.help.close_words.FEW_SECTIONS", 1)
    assert find(docs, asked).words[0].close == close


def test_in_a_very_large_library_no_spelling_is_looked_for_where_something_was_found(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.help.missing.MAX_SECTIONS_FOR_SPELLINGS", 1)
    assert [(word.word, word.close) for word in find(docs, "autunm configurations").words] == [("autunm", ())]
    assert find(docs, "autunm").words[0].close == ("autumn",)


def test_a_word_that_is_nowhere_is_told_beside_what_was_found(docs: Collection) -> None:
    found = find(docs, "autunm E_WIDGET_9999 configurations happily")
    assert found.hits
    assert [(word.word, word.sections, word.close) for word in found.words] == [
        ("autunm", 0, ("autumn",)),
        ("E_WIDGET_9999", 0, ()),
    ]
    assert find(docs, "configurations happily").words == ()


@pytest.mark.parametrize(
    ("asked", "close"),
    [
        ("fall-configuratoin", "fall-configurations"),
        ("(hapily)", "happily"),
        ("gorw_linear", "grow_linear"),
    ],
)
def test_close_spellings_are_of_the_part_that_is_missing(docs: Collection, asked: str, close: str) -> None:
    put(docs, {"grow.md": "# Growth\n\n`grow_linear` does, and `grow_faster` more so.\n"})
    [report] = find(docs, f"change {asked}").words
    assert report.word == asked.strip("()")
    assert close in report.close


@pytest.mark.parametrize(
    ("asked", "close"),
    [
        ("--tooth-fiel", "tooth-file"),
        ("tooth-fiel", "tooth-file"),
        ("gear.example/tooth-polcy", "gear.example/tooth-policy"),
        ("insecur-tooth", "insecure-tooth"),
    ],
)
def test_of_names_with_signs_only_those_that_somebody_wrote_are_told(docs: Collection, asked: str, close: str) -> None:
    put(
        docs,
        {
            "a.md": "# Teeth\n\n`--tooth-file=x`, `--insecure-tooth` and `gear.example/tooth-policy` are some. It may fail.\n"
        },
    )
    found = find(docs, f"change {asked}")
    assert [(word.word, word.close[:1]) for word in found.words] == [(asked.strip("-"), (close,))]
    assert found.notice == f'Searched for "{close}" instead of "{asked.strip("-")}".'


@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        ("reconnect options conn", "conn"),
        ("Configuration options configs", "configs"),
        ("user__profile options", "user__profile"),
    ],
)
def test_the_word_that_is_missing_is_told_and_none_that_is_like_it(docs: Collection, asked: str, missing: str) -> None:
    put(docs, {"a.md": "# Options\n\nReconnect with a configuration, a conf and a con. A user opens a profile.\n"})
    found = find(docs, asked)
    assert [word.word for word in found.words] == [missing]
    assert "instead of" not in found.notice


@pytest.mark.parametrize(
    ("asked", "close"),
    [
        ("BackgroundTaks", ("BackgroundTask",)),
        ("SpareConfiguratoin", ()),  # nobody wrote it
        ("OAuth2Beerer", ("OAuth2Bearer",)),
        ("flie", ("file", "flite")),
        ("clutser", ("cluster",)),
        ("pdos", ("pods",)),
    ],
)
def test_close_spellings_are_names_that_there_are_the_commonest_forms_first(
    docs: Collection, asked: str, close: tuple[str, ...]
) -> None:
    put(
        docs,
        {
            "a.md": "# Clustering\n\nClustering a cluster of pods: a `BackgroundTask`, talks in the background, `OAuth2Bearer`.\n",
            "b.md": "# Files\n\nflite reads files, a file.\n",
        },
    )
    words = find(docs, f"background {asked}").words
    assert [word.word for word in words] == [asked]
    [word] = words
    assert word.close[: len(close)] == close
    assert bool(word.close) == bool(close)


def test_a_word_without_signs_is_no_spelling_of_one_with_them(docs: Collection) -> None:
    put(docs, {"a.md": "# Teeth\n\nThe `toothpath` of a tooth, its path.\n"})
    found = find(docs, "change tooth/path")
    assert "instead of" not in found.notice
    assert all("toothpath" not in word.close for word in found.words)


def test_two_letters_in_the_wrong_order_are_nearer_than_other_words(docs: Collection) -> None:
    put(docs, {"a.md": "# Sides\n\nA fail, a sine, a side, a site, fields of a file, and its size.\n"})
    assert [find(docs, f"configurations {asked}").words[0].close[0] for asked in ("siez", "flie")] == ["size", "file"]


@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        ("grow_happily", ["grow_happily"]),  # both are known
        ("GROW_HAPPILY_now", ["GROW_HAPPILY_now"]),
        ("grow_linear", []),
        ("max_tooth_count", []),  # written otherwise
        ("tooth_limit", []),
        ("SOC2 growth", ["SOC2"]),
    ],
)
def test_a_name_that_is_nowhere_is_told_though_its_parts_are_known(
    docs: Collection, asked: str, missing: list[str]
) -> None:
    put(docs, {"grow.md": "# Growth now\n\n`grow_linear` grows to `maxToothCount`, the tooth limit. SOC as well.\n"})
    assert [report.word for report in find(docs, asked).words] == missing


@pytest.mark.parametrize(("asked", "missing"), [("検索方法", []), ("検索 変更点", ["変更点"])])
def test_what_nobody_wrote_side_by_side_is_not_missing(docs: Collection, asked: str, missing: list[str]) -> None:
    put(docs, {"ja.md": "# 検索\n\n検索の方法。\n"})
    assert [report.word for report in find(docs, asked).words] == missing


def test_of_characters_without_blanks_a_run_is_told_where_none_of_its_pairs_is_found(docs: Collection) -> None:
    found = find(docs, "如何加密文件名")
    assert ([word.word for word in found.words], found.hits) == (["如何加密文件名"], ())


def test_a_word_that_another_collection_has_is_told_so(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, {"a.md": "# Zebras\n\nA zebra.\n"})
    [searched] = Collection.objects.select_related("tenant").filter(pk=docs.pk)
    visible = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
    found = search("zebra configurations", [searched], SearchOptions(limit=5, snippet_length=50), visible=visible)
    assert [(word.word, word.elsewhere) for word in found.words] == [("zebra", (("other", 1),))]


def test_a_word_that_one_of_the_languages_has_is_not_missing(docs: Collection) -> None:
    german = make_collection("handbuch", tenant=docs.tenant, language="german")
    put(german, {"a.md": "# Häuser\n\nDie Häuser stehen.\n"})
    both = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
    found = search("häusern configurations", both, SearchOptions(limit=5, snippet_length=50))
    assert (len(found.hits), found.words) == (2, ())


class TestSpelling:
    @pytest.mark.parametrize(
        ("asked", "path"),
        [
            ("autunm", "start/installation.md"),
            ("encryptoin of TLS", "security/tls.md"),
            ("conections", "security/tls.md"),
        ],
    )
    def test_a_word_that_is_nowhere_is_searched_as_it_was_meant(self, docs: Collection, asked: str, path: str) -> None:
        found = find(docs, asked)
        assert [hit.path for hit in found.hits] == [path]
        assert f'instead of "{found.words[0].word}"' in found.notice
        assert found.words[0].close

    def test_of_four_letters_two_may_be_in_the_wrong_order(self, docs: Collection) -> None:
        put(docs, {"pods.md": "# Pods\n\nTwo pods.\n"})
        assert find(docs, "pdos").notice == 'Searched for "pods" instead of "pdos".'
        assert find(docs, "pids").notice == ""

    @pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.AUTO])
    def test_the_snippet_shows_what_was_meant(self, docs: Collection, mode: Mode) -> None:
        put(docs, {"long.md": f"# Nil\n\n{'filler words ' * 200} a lighthouse {'filler words ' * 200}\n"})
        [hit] = find(docs, "lighthuose", mode=mode).hits
        assert "lighthouse" in hit.snippet

    def test_a_word_whose_stem_is_shorter_by_a_letter_is_found_by_it(self, docs: Collection) -> None:
        put(docs, {"first.md": "# First\n\nThe initial install, and its install.\n"})
        assert find(docs, "intial").notice == 'Searched for "initial" instead of "intial".'

    def test_a_part_of_a_name_is_spelled_too(self, docs: Collection) -> None:
        put(docs, {"grow.md": "# Growth\n\n`grow_linear` does.\n"})
        found = find(docs, "what does gorw_linear do")
        assert [hit.path for hit in found.hits] == ["grow.md"]
        assert found.notice == 'Searched for "grow_linear" instead of "gorw_linear".'

    @pytest.mark.parametrize(
        "asked",
        [
            pytest.param("autumnal", id="another ending"),
            pytest.param("automn", id="another letter in a short word"),
            pytest.param("cnofiguratons", id="the second letter and one more"),
            pytest.param("tlss", id="few letters"),
            pytest.param("worker3_threads", id="another number"),
            pytest.param("of all that was ever written here where does autunm stand", id="many words"),
            pytest.param(
                "the gears broke at 10.1.2.3 and 10.1.2.4 in autunm 10.1.2.5 again", id="many words and values"
            ),
        ],
    )
    def test_other_words_are_not_taken_for_misspelt_ones(self, docs: Collection, asked: str) -> None:
        put(docs, {"threads.md": "# Threads\n\n`worker2_threads` is one.\n"})
        assert "Searched for" not in find(docs, asked).notice

    @pytest.mark.parametrize(
        ("asked", "sections", "notice"),
        [
            ("autunm", 1, ""),
            ("configuratiosn", 3, ""),
            ("configuratiosn", 2, 'Searched for "configurations" instead of "configuratiosn".'),
        ],
    )
    def test_a_word_of_another_collection_is_none_unless_that_may_be_an_error_too(
        self, docs: Collection, asked: str, sections: int, notice: str
    ) -> None:
        pages = {f"{n}.md": f"# {n}\n\nA name: {asked}.\n" for n in range(sections)}
        put(make_collection("other", tenant=docs.tenant), pages)
        [searched] = Collection.objects.select_related("tenant").filter(pk=docs.pk)
        visible = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
        found = search(f"{asked} happily", [searched], SearchOptions(limit=5, snippet_length=50), visible=visible)
        assert found.notice == notice

    def test_what_people_pinned_to_the_misspelt_word_stays_first(self, docs: Collection) -> None:
        Pin.objects.create(tenant=docs.tenant, collection=docs, question="autunm", path="security/tls.md")
        bump_index_version(docs)
        assert [hit.path for hit in find(docs, "autunm").hits] == ["security/tls.md", "start/installation.md"]


def test_of_versions_those_of_the_same_series_are_close(docs: Collection) -> None:
    put(docs, {"changes.md": "# Changes\n\nIn 1.7.3, 1.7.10, 1.7.41, 1.7.8.2, 1.7.x, 1.17.8, 1.78 and 1.8.\n"})
    assert find(docs, "what changed in 1.7.8").words[0].close == ("1.7.10", "1.7.3", "1.7.41")
    assert find(docs, "what changed in 2.0.9").words[0].close == ()


def test_no_spelling_is_made_up(docs: Collection) -> None:
    assert find(docs, "qqqqq").words[0].close == ()


def test_pages_of_nearly_the_name_are_told(docs: Collection) -> None:
    assert find(docs, "instollatiom").pages == ("start/installation.md",)


@pytest.mark.parametrize("many", [0, 20_000])
@pytest.mark.parametrize(
    ("path", "close"),
    [
        ("start/instalation.md", ["start/installation.md"]),
        ("installation", ["start/installation.md"]),
        ("docs/tls.html", ["security/tls.md"]),
        ("kafka/quantum.md", []),
        ("a.md", []),
        ("???", []),
    ],
)
def test_close_paths_are_close(
    docs: Collection, monkeypatch: pytest.MonkeyPatch, many: int, path: str, close: list[str]
) -> None:
    monkeypatch.setattr("collections_app.documents.closest.MANY_DOCUMENTS", many)
    assert find_close_paths([docs], path) == close


def test_of_more_paths_than_are_compared_those_that_share_a_piece_of_the_name_come_first(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(docs, {f"other/page-{n}.md": f"# Page {n}\n" for n in range(5)})
    monkeypatch.setattr("collections_app.documents.closest.MAX_COMPARED_PATHS", 1)
    monkeypatch.setattr("collections_app.documents.closest.MANY_DOCUMENTS", 0)
    assert find_close_paths([docs], "x/instalation.md") == ["start/installation.md"]
    assert find_close_paths([docs], "INSTALLATOIN") == ["start/installation.md"]


@pytest.mark.parametrize(
    "query",
    ["!!! ???", "the of and", "\ud800 seasons", "a\0b seasons", "🦉🦉", "x" * 1000, " ".join(f"-w{n}" for n in range(180)),
     '"the of"', "seasons " + '"a b" ' * 160],
)  # fmt: skip
def test_any_text_gets_a_clear_answer(docs: Collection, query: str) -> None:
    results = find(docs, query[:1000])
    assert all(hit.path for hit in results.hits)
    if "seasons" in query and "\x22" not in query:
        assert results.hits


class TestTimeLimit:
    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("is_transaction", [False, True])
    def test_a_statement_that_takes_too_long_is_stopped(
        self, is_transaction: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def sleep() -> None:
            with limited_transaction() if is_transaction else nullcontext():
                cursor = connection.cursor() if is_transaction else open_cursor()
                cursor.execute("SELECT pg_sleep(20)")

        monkeypatch.setattr(time_limit, "STATEMENT_SECONDS", 0.05)
        with pytest.raises(SearchTooSlow, match="Ask with fewer") as stopped, limiting_time():
            sleep()
        assert stopped.value.details == {"retryable": True, "retry_after": 10}
        assert Collection.objects.count() == 0

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("question", ["seasons", "nowhere", "seasons -happily"])
    def test_it_holds_for_each_statement_of_a_search_and_no_other(self, docs: Collection, question: str) -> None:
        limits: list[str] = []

        def look(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
            cursor = context["cursor"].cursor
            if isinstance(cursor, PreparedCursor):
                limits.append(cursor.settings["statement_timeout"])
            elif "set_config" not in sql:
                limits.append(get_limit())
            return execute(sql, params, many, context)

        before = get_limit()
        collections = list(Collection.objects.select_related("tenant"))
        ask = partial(search, question, collections, SearchOptions(limit=10, snippet_length=200))
        ask()  # what people decided about the collection is read before
        with connection.execute_wrapper(look):
            ask()
        assert len(limits) > 1
        assert set(limits) == {"5s"}
        assert get_limit() == before


def get_limit() -> str:
    """Asked beside Django's wrappers."""
    return str(connection.connection.execute("SHOW statement_timeout").fetchone()[0])


QUESTION_IN_GERMAN = "wie viele Urlaubstage habe ich"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "english",
            "may be about something else. The question seems to be in German; ask in English, which most documents here are in.",
        ),
        ("simple", "what follows may be about something else."),
    ],
)
def test_hits_of_a_question_whose_words_are_mostly_nowhere_are_told_as_chance(language: str, told: str) -> None:
    collection = make_collection(language=language)
    put(collection, {"leave.md": "# Leave\n\nUrlaubstage are days off.\n", "pay.md": "# Pay\n\nMoney each month.\n"})
    found = find(collection, "wie viele Urlaubstage habe ich im ersten Lehrjahr")
    assert [hit.path for hit in found.hits] == ["leave.md"]
    assert found.notice.endswith(told)
    assert found.is_doubtful


def test_a_name_that_is_nowhere_is_of_no_language() -> None:
    collection = make_collection(language="english")
    put(collection, {"g.md": "# Calls\n\nA g that is sent.\n"})
    found = find(collection, "gRPCx")
    assert found.is_doubtful
    assert "English" not in found.notice


def test_stop_words_of_the_language_that_is_asked_in_are_not_told_as_missing() -> None:
    collection = make_collection()
    other = make_collection("other", tenant=collection.tenant)
    put(collection, {"leave.md": "# Leave\n\nDays off: ich means I.\n"})
    put(other, {"wie.md": "# Wie\n\nWie is a place.\n"})
    found = find(collection, QUESTION_IN_GERMAN, visible=[collection, other])
    assert {word.word for word in found.words} == {"viele", "Urlaubstage"}
    nothing = find(collection, "wie viele Urlaubstage habe du", visible=[collection, other])
    assert not nothing.hits
    assert {word.word for word in nothing.words} == {"viele", "Urlaubstage"}
    assert "The question seems to be in German" in nothing.notice


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("comment servir une application PHP avec Caddy", "French"),
        ("¿cómo agrupo por día en una zona horaria con SAMPLE BY?", "Spanish"),
        ("Wie wird ein Caddy mit PHP und Caddyfile gebaut", "German"),
    ],
)
def test_names_are_of_no_language_and_its_stop_words_find_nothing(question: str, language: str) -> None:
    collection = make_collection()
    put(
        collection,
        {
            "serve.md": "# Serve an application\n\nCaddy can serve an application of PHP; SAMPLE BY day.\n",
            "code.md": "# Code\n\n```r\ncon <- connect(por, wie, ein, des)\n```\n",
        },
    )
    found = find(collection, question)
    assert [hit.path for hit in found.hits] == ["serve.md"]
    assert found.notice.endswith(
        f"The question seems to be in {language}; ask in English, which most documents here are in."
    )


@pytest.mark.parametrize(
    ("language", "question"),
    [
        pytest.param(
            "danish", "hvordan kan jeg ændre adgangskoden til min brugerprofil", id="a neighbour has one more"
        ),
        pytest.param("english", "do kterého adresáře na serveru se ukládají zálohy", id="one without stop words"),
        pytest.param("romanian", "nu qqqqq como wwwww para rrrrr que", id="nothing to compare with"),
        pytest.param("simple", "how do you do what qqqqq", id="no language"),
    ],
)
def test_no_language_is_told_that_may_be_another(language: str, question: str) -> None:
    collection = make_collection(language=language)
    put(collection, {"leave.md": "# Leave\n\nDays off.\n"})
    assert "seems to be in" not in find(collection, question).notice


@pytest.mark.parametrize("question", ["die of qqqqq and wwwww", "qqqqq wwwww", "how do wwwww and qqqqq go so"])
def test_a_few_words_are_no_other_language(question: str) -> None:
    collection = make_collection()
    put(collection, {"leave.md": "# Leave\n\nDays off.\n"})
    assert "seems to be in" not in find(collection, question).notice


@pytest.mark.parametrize("question", ["leave Urlaubstage", "money Urlaubstage each month of leave", "leave"])
def test_one_word_or_few_that_are_nowhere_may_be_names(question: str) -> None:
    collection = make_collection()
    put(collection, {"leave.md": "# Leave\n\nDays off: ich means I.\n", "pay.md": "# Pay\n\nMoney each month.\n"})
    found = find(collection, question)
    assert found.hits
    assert not found.notice


def test_one_misspelt_name_is_one_word(docs: Collection) -> None:
    put(docs, {"a.md": "# Teeth\n\nThe tooth of a gear.\n"})
    found = find(docs, "tooth-qqqqq")
    assert found.hits
    assert "Most words" not in found.notice


def test_no_statement_of_a_search_is_compiled() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('jit', 'on', true)")
    with open_cursor() as cursor:
        cursor.execute("SELECT current_setting('jit')")
        assert cursor.fetchall() == [("off",)]
    with limited_transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('jit')")
        assert cursor.fetchall() == [("off",)]


@pytest.mark.parametrize("asked", ["autumn vs configurations", "autumn versus connections", "autumn vs. zebras"])
def test_what_only_stands_between_things_that_are_compared_is_not_missing(docs: Collection, asked: str) -> None:
    assert [report.word for report in find(docs, asked).words] == (["zebras"] if "zebras" in asked else [])
