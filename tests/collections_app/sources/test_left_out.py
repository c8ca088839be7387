"""What readings passed over is counted, and the first of it is named, however much there is and however it is called."""

from __future__ import annotations

from collections_app.sources.left_out import KEPT_PATHS, PATH_CHARACTERS, LeftOut


def test_all_is_counted_and_the_first_are_named() -> None:
    left_out = LeftOut()
    for number in range(9):
        left_out.add("large", f"{number}.md")
    left_out.add("old", "a.doc")
    assert left_out == {"large": 9, "old": 1}
    assert left_out.paths == {"large": [f"{number}.md" for number in range(KEPT_PATHS)], "old": ["a.doc"]}


def test_names_can_be_shown_and_stored() -> None:
    left_out = LeftOut()
    left_out.add("odd", "a\x1b[31m\udc80\0.md")
    left_out.add("odd", "b" * 5000)
    first, second = left_out.paths["odd"]
    assert first == "a\ufffd[31m\ufffd\ufffd.md"
    assert second == "b" * (PATH_CHARACTERS - 1) + "…"


def test_what_several_archives_hold_is_counted_together() -> None:
    left_out, archive = LeftOut(), LeftOut()
    for number in range(4):
        left_out.add("old", f"{number}.doc")
        archive.add("old", f"archive/{number}.doc")
    archive.add("large", "a.md")
    left_out.take(archive)
    assert left_out == {"old": 8, "large": 1}
    assert left_out.paths == {"old": ["0.doc", "1.doc", "2.doc", "3.doc", "archive/0.doc"], "large": ["a.md"]}
