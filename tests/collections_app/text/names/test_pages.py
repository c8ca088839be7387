"""What a page is called, and what a question calls."""

from __future__ import annotations

import pytest

from collections_app.text.names.pages import list_asked_marks, list_page_marks, list_part_marks


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
        ("माली", "x", ["माली"]),
        ("Macro", "x", ["explain a macro", "tell me about macro"]),
        ("C++", "x", ["c++", "what is C++?"]),
        (
            "Content adapter",
            "x",
            ["what is a content adapter", "What are content adapter?", "what does content adapter mean?"],
        ),
        ("What is a gear?", "x", ["what is a gear", "What is a gear?"]),
        ("Gears", "x", ["what is a gear?", "tell me about gears"]),
        ("Gear boxes", "x", ["what is a gear box", "what is a GearBox", "GearBox", "gearBox"]),
        ("K8s clusters", "x", ["what is a K8sCluster", "K8sClusters"]),
        ("S3 bucket", "x", ["S3Bucket"]),
        ("Galleys", "x", ["what is a galley"]),
        ("Ferries", "x", ["what is a ferry"]),
        ("CMake presets", "x", ["what is a CMake preset"]),
        (
            "Gears",
            "x",
            ["the gears chapter", "gear docs", "Documentation on gears", "Appendix: Gears", "`gears` guide."],
        ),
        (
            "boat-row(1)",
            "x",
            [
                "boat row",
                "boat-row",
                "boat row command",
                "boat row man page",
                "man boat-row",
                "what does the boat row command do?",
            ],
        ),
        (
            "Boat options",
            "x",
            ["options of boat", "flags for the boat", "what are the options of a boat?", "boat flags"],
        ),
        ("BOAT(5) Manual Page", "x", ["boat", "manual page for boat"]),
        ("boat.unit.5", "man/boat.unit.5", ["boat.unit", "boat unit"]),
    ],
)
def test_a_page_is_called_by(title: str, stem: str, called: list[str]) -> None:
    marks = list_page_marks(title, stem)
    assert all(set(marks) & set(list_asked_marks(question)) for question in called)


@pytest.mark.parametrize(
    ("title", "stem", "other"),
    [
        ("Get started", "x", "started"),
        ("मेला", "x", "माली"),
        ("Analyze", "x", "explain analyze"),
        ("Gear", "x", "what is a gear for"),
        ("Gears", "x", "gear"),
        ("Gear", "x", "what is a gears"),
        ("Gear boxes", "x", "gearbox"),
        ("Gear box", "x", "如何配置GearBox"),
        ("CS", "x", "what is C?"),
        ("As", "x", 'what is "a"'),
        ("Gear", "x", "how does a gear work"),
        ("Gear", "x", "chapter gear"),
        ("The", "x", "the guide"),
        ("Write", "x", "write documentation"),
        ("What is a gear?", "x", "gear"),
        ("C++", "x", "C"),
        ("C#", "x", "C++"),
        ("Class diagrams", "uml", "diagrams"),
        ("Object Period", "org/Period", "object"),
        ("max_payload", "x", "maxpayload"),
        ("Boats.1", "x", "boats"),
        ("boats-1.2", "boats-1.2", "boats 1"),
        ("Boats (2)", "x", "boats"),
        ("The command", "x", "the"),
    ],
)
def test_it_is_not_called_by(title: str, stem: str, other: str) -> None:
    assert not set(list_asked_marks(other)) & set(list_page_marks(title, stem))


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("OPTIONS", "boat row options"),
        ("OPTIONS", "boat row flags"),
        ("OPTIONS", "the options of boat row"),
        ("OPTIONS", "what are the flags of the boat row command?"),
        ("EXIT STATUS", "exit codes for boat-row"),
        ("EXAMPLES", "examples of boat-row"),
    ],
)
def test_a_part_of_a_manuals_page_is_called_by(heading: str, question: str) -> None:
    assert set(list_part_marks("boat-row", heading)) & set(list_asked_marks(question))


def test_what_is_written_of_a_part_comes_before_what_it_may_be_called() -> None:
    assert list_asked_marks("boat flags") == ["@boat-flags", "@boat-options"]


def test_signs_alone_call_nothing() -> None:
    assert not list_asked_marks("?!")
    assert not list_page_marks("!", "x")


def test_a_page_is_called_by_the_names_that_it_documents() -> None:
    marks = list_page_marks("Moor a boat", "man/moor", ["moor_boat", "%m%"])
    assert all(
        set(marks) & set(list_asked_marks(name)) for name in ("Moor a boat", "moor_boat()", "what is moor_boat?", "m")
    )
