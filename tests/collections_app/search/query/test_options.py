"""A word after a minus at the end of a question is excluded, unless the documents write it so: then it is an option."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from collections_app.models import Collection
from collections_app.search import Mode, SearchOptions, asking, rankings, search
from collections_app.search.narrowing import UNNARROWED
from collections_app.search.query import Query, parse_query
from collections_app.search.query.options import find_options
from collections_app.search.question import Question, look_up
from collections_app.search.ranking.approach import Approach
from collections_app.search.ranking.fulltext import give_shares, iter_lookups, rank_sections
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.terms.statistics import ScopedTerms
from tests.factories import find, find_paths, make_collection, put

TEXTS = {
    "winch.md": "# Winch\n\nThe command winch moves a load.\n",
    "slack.md": "# Paying out\n\nCall `winch pull -slack` to pay out rope; with -Gently it takes longer.\n",
    "rope.md": "# Rope\n\nA winch needs rope without slack, handled gently.\n",
}


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection()
    put(collection, TEXTS)
    return collection


@pytest.mark.parametrize("query", ["winch pull -slack", "winch -gently", "how does winch pull -slack -gently?"])
def test_what_the_documents_have_as_an_option_is_searched(docs: Collection, query: str) -> None:
    results = find(docs, query)
    assert "slack.md" in [hit.path for hit in results.hits]
    assert results.excluded == ()
    assert "which documents here have as" in results.notice


def test_the_answer_says_how_to_exclude_it_all_the_same(docs: Collection) -> None:
    assert '-"slack" excludes' in find(docs, "winch -slack").notice
    results = find(docs, 'winch -"slack"')
    assert [hit.path for hit in results.hits] == ["winch.md"]
    assert (results.excluded, results.notice) == (("slack",), "")


def test_a_word_that_is_no_option_stays_excluded_beside_one(docs: Collection) -> None:
    results = find(docs, "winch -slack -rope")
    assert results.excluded == ("rope",)
    assert "rope.md" not in [hit.path for hit in results.hits]


def test_what_is_no_option_is_excluded_as_before(docs: Collection) -> None:
    assert find_paths(docs, "winch -rope") == ["winch.md"]
    assert find(docs, "winch -rope").notice == ""


def test_a_word_that_is_nowhere_may_be_an_option_with_a_typing_error(docs: Collection) -> None:
    results = find(docs, "winch -gentyl")
    assert results.excluded == ()
    assert results.notice == 'Searched for "gently" instead of "gentyl".'
    assert results.hits[0].path in ("slack.md", "rope.md")
    assert find(docs, "winch -zebra").excluded == ("zebra",)


def test_options_are_those_of_the_documents_that_are_searched(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, {"a.md": "# Crane\n\nA crane that has no slack.\n", "b.md": "# Hoist\n\nA crane on rails.\n"})
    results = search("crane -slack", [other], SearchOptions(limit=10, snippet_length=100, mode=Mode.KEYWORD))
    assert results.excluded == ("slack",)
    assert [hit.path for hit in results.hits] == ["b.md"]


def test_an_option_of_something_else_is_none(docs: Collection) -> None:
    put(docs, {"crane.md": "# Crane\n\nThe call `crane -load` waits for the load.\n"})
    results = find(docs, "winch -load")
    assert results.excluded == ("load",)
    assert "winch.md" not in [hit.path for hit in results.hits]


def test_words_beside_an_exclusion_are_looked_up_once(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def note(query: Query, *others: Any) -> Question:
        asked.append(query.text)
        return look_up(query, *others)

    monkeypatch.setattr(asking, "look_up", note)
    assert find_paths(docs, "winch -rope") == ["winch.md"]
    assert asked == ["winch"]
    find(docs, "winch -slack")
    assert asked[1:] == ["winch", "winch -slack"]


@pytest.mark.parametrize(
    ("text", "is_option"),
    [
        ("run it with -slack", True),
        ("`-slack`", True),
        ("[-Slack <length>]", True),
        ("pull\n-slack\nrope", True),
        ("--slack", False),
        ("half-slack", False),
        ("- slack", False),
        ("-slacken", False),
        ("-slack-rope", False),
    ],
)
def test_an_option_is_a_word_right_behind_a_minus(text: str, is_option: bool) -> None:
    assert find_options("winch", ["slack"], [text]) == (("slack",) if is_option else ())


@pytest.mark.parametrize(
    ("text", "is_option"),
    [
        ("`tar czf a.tgz a`", True),
        ("Pack it:\n\n    $ tar czf a.tgz a", True),
        ("tar czf", True),
        ("tar czfv a", False),
        ("one tar czf", False),
        ("`star czf`", False),
    ],
)
def test_letters_of_several_options_may_stand_without_a_minus_behind_their_command(text: str, is_option: bool) -> None:
    assert find_options("tar", ["czf"], [text]) == (("czf",) if is_option else ())


def test_a_word_is_no_option_for_standing_behind_another() -> None:
    assert find_options("apple", ["cake"], ["An apple cake, `green apple cake`."]) == ()
    assert find_options("stream", ["consumer"], ["`stream consumer`"]) == ()


def test_a_name_that_begins_with_an_at_sign_is_excluded() -> None:
    assert parse_query("winch -@Moored").excluded == ("@Moored",)
    assert parse_query("winch -@Moored").text == "winch"
    assert parse_query("winch -@").text == "winch -@"
    assert parse_query("how to use @Moored").excluded == ()


def test_only_words_without_quotes_may_be_options() -> None:
    query = parse_query('winch -slack -"rope" -"steel rope"')
    assert query.excluded == ("slack", "rope", "steel rope")
    assert query.doubtful == ("slack",)
    assert query.keep_options(["slack"]).text == "winch -slack"


def test_among_very_many_sections_a_part_of_what_is_scored_tells_them(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question itself is scored as ever."""
    shares: list[list[float]] = []

    def note(scopes: Sequence[ScopedTerms], *others: Any) -> list[RankedSection]:
        shares.append([scoped.share for scoped in scopes])
        return rank_sections(scopes, *others)

    monkeypatch.setattr(rankings, "rank_sections", note)
    assert find(docs, "winch -slack").notice
    assert shares == [[1.0], [1.0]]
    monkeypatch.setattr(asking, "MAX_SECTIONS_SCORED_IN_FULL", 1)
    assert find(docs, "winch -slack").notice
    assert shares[2:] == [[1 / 3], [1.0]]
    monkeypatch.setattr(asking, "LEAST_PART", 0.5)
    assert find_paths(docs, "winch -rope") == ["winch.md"]
    assert shares[4:] == [[0.5], [1.0]]


def test_a_part_of_what_is_scored_brings_so_much_less(docs: Collection) -> None:
    [whole] = give_shares(ask_scopes(docs, 1.0), [0])
    [part] = give_shares(ask_scopes(docs, 0.2), [0])
    assert (whole.share, part.share) == (1.0, 0.2)
    assert [next(iter_lookups(each, parse_query("winch"))).many for each in (whole, part)] == [1_000, 200]


def ask_scopes(docs: Collection, part: float) -> Sequence[ScopedTerms]:
    question = look_up(parse_query("winch"), Approach(Mode.KEYWORD), [docs], UNNARROWED, 0)
    return question.score_part(part).scopes
