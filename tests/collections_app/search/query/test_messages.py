"""What a pasted message says of its one occasion does not rank."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Pin
from collections_app.search.query import parse_query
from collections_app.search.query.messages import is_message, leave_out_values
from tests.factories import find, find_paths, make_collection, put

MESSAGE = "2031-04-05T06:07:08.901Z [warn] <0.917.2> 10.1.2.3:5100 -> 10.1.2.4:6200 the gearbox refused to turn because its axle is loose"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("at 2031-04-05 06:07:08.901 UTC it broke", "at it broke"),
        ("at 2031-04-05T06:07:08+02:00 it broke", "at it broke"),
        ("2031/04/05 06:07:08 it broke", "it broke"),
        ("06:07:08,901 it broke", "it broke"),
        ("dial tcp 10.1.2.3:443: refused", "dial tcp : refused"),
        ("route to 10.1.0.0/16 is gone", "route to is gone"),
        ("<Gear object at 0x7f3b1c2d5e80> broke", "<Gear object at > broke"),
        ("<0.917.2> broke", "broke"),
        ("job 6f1f2a3b-0c4d-4e5f-8a9b-0c1d2e3f4a5b broke", "job broke"),
        ("at commit 3f9c21ab77 it broke", "at commit it broke"),
        ("order 4194305 is lost", "order is lost"),
        ("gear.go:430 and gear.py:12:4 broke", "gear.go and gear.py broke"),
        ("in /srv/app/lib/gears/turn.py it broke", "in turn.py it broke"),
        (r"in C:\Users\me\gears\turn.cs it broke", "in turn.cs it broke"),
    ],
)
def test_values_are_left_out(text: str, left: str) -> None:
    assert leave_out_values(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "HTTP 503 and code 0x80070005 since 3.6.4",
        "errno 13 on port 5672",
        "4194304 is too low, use 262144 or 3000000",
        "GET /api/v1/gears fails",
        "read https://gears.example/a/b/turning.html",
        "and/or deadbeef defaced",
        "feature v13 needs python3.11",
    ],
)
def test_what_documents_write_stays(text: str) -> None:
    assert leave_out_values(text) == text


def test_nothing_but_values_stays() -> None:
    text = " ".join(["10.1.2.3"] * 12)
    assert leave_out_values(text) == text


@given(st.text(alphabet="/\\.:-0123456789abcdefx <>~@TZ", max_size=1000))
def test_any_text_is_left_with_words(text: str) -> None:
    assert bool(leave_out_values(text).strip()) == bool(text.strip())


def test_a_short_question_may_be_about_a_value() -> None:
    assert parse_query("bind the gearbox to 10.1.2.3:5100").text == "bind the gearbox to 10.1.2.3:5100"
    assert is_message(MESSAGE)
    assert "10.1.2.3" not in parse_query(MESSAGE).text


@pytest.mark.django_db
class TestSearch:
    @pytest.fixture
    def docs(self) -> Collection:
        collection = make_collection("manual")
        put(
            collection,
            {
                "gears.md": "# Gears\n\nWhere an axle is loose, it is refused: fasten it.\n",
                "log.md": "# An example of a log\n\n"
                + "2031-04-05T06:07:08.901Z 10.1.2.3:5100 10.1.2.4:6200 <0.917.2> started\n" * 3,
                **{f"{n}.md": f"# Other {n}\n\nThe gearbox may turn {n} times.\n" for n in range(20)},
            },
        )
        return collection

    def test_a_message_finds_what_it_says_and_no_log_of_the_same_minute(self, docs: Collection) -> None:
        assert find_paths(docs, MESSAGE)[0] == "gears.md"
        assert "log.md" not in find_paths(docs, MESSAGE)

    def test_its_values_are_not_told_as_missing(self, docs: Collection) -> None:
        reports = find(docs, MESSAGE.replace("10.1.2.3", "10.9.9.9")).words
        assert not any(character.isdigit() for report in reports for character in report.word)

    def test_what_people_pinned_to_a_message_is_of_every_occasion(self, docs: Collection) -> None:
        Pin.objects.create(tenant=docs.tenant, collection=docs, question=MESSAGE, path="7.md")
        bump_index_version(docs)
        assert find_paths(docs, MESSAGE.replace("10.1.2.3", "10.9.9.9"))[0] == "7.md"
