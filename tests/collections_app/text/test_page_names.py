"""What a page is called, and what a question calls."""

from __future__ import annotations

import pytest

from collections_app.text.page_names import list_page_marks, make_asked_mark


@pytest.mark.parametrize(
    ("title", "stem", "called"),
    [
        ("Get started", "x", ["get started", "Get  Started!", "gét-started"]),
        ("max_payload", "x", ["max payload", "MAX_PAYLOAD", "`max_payload`"]),
        ("Class Period", "org/Period", ["class period", "Period"]),
        ("Class Pair<A, B>", "org/Pair", ["Pair", "Class Pair<A, B>"]),
        ("Enum Class Level", "org/Level", ["level"]),
        ("Struct HashMap", "std/struct.HashMap", ["HashMap"]),
        ("Shape Class Template Reference", "classShape", ["shape"]),
        ("設定", "x", ["設定"]),
        ("C++", "x", ["c++"]),
    ],
)
def test_a_page_is_called_by(title: str, stem: str, called: list[str]) -> None:
    marks = list_page_marks(title, stem)
    assert all(make_asked_mark(question) in marks for question in called)


@pytest.mark.parametrize(
    ("title", "stem", "other"),
    [
        ("Get started", "x", "started"),
        ("C++", "x", "C"),
        ("C#", "x", "C++"),
        ("Class diagrams", "uml", "diagrams"),
        ("Object Period", "org/Period", "object"),
        ("max_payload", "x", "maxpayload"),
    ],
)
def test_it_is_not_called_by(title: str, stem: str, other: str) -> None:
    assert make_asked_mark(other) not in list_page_marks(title, stem)


def test_signs_alone_call_nothing() -> None:
    assert not make_asked_mark("?!")
    assert not list_page_marks("!", "x")
