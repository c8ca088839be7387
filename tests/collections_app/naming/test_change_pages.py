"""Which pages tell of changes, and which questions ask for these."""

from __future__ import annotations

import pytest

from collections_app.naming.change_pages import asks_for_changes, is_of_changes


@pytest.mark.parametrize(
    "path",
    [
        "CHANGELOG.md", "docs/release-notes.md", "whatsnew/2.6.rst", "whats-new/index.md", "3.0-announcement.md", "changes_1.x.rst",
        "news/2026-01.md", "about/change-log.mdx", "release_notes/whatsnew21.md", "HISTORY",
    ],
)  # fmt: skip
def test_pages_of_changes_are_known_by_their_path(path: str) -> None:
    assert is_of_changes(path)


@pytest.mark.parametrize(
    "path", ["guide/change-a-gear.md", "renew.md", "newsletter.md", "prehistory.md", "releasing.md", "exchanges.md"]
)
def test_other_pages_are_none(path: str) -> None:
    assert not is_of_changes(path)


@pytest.mark.parametrize(
    "question",
    [
        "gears since 2.1",
        "what is new",
        "when was --gear removed",
        "changes of gears",
        "upgrade from 1.4",
        "release notes",
        "shell history",
    ],
)
def test_a_question_may_ask_for_changes(question: str) -> None:
    assert asks_for_changes(question)


@pytest.mark.parametrize(
    "question", ["how do I change a gear", "renew a certificate", "port 8080 in use", "exchange gears"]
)
def test_most_do_not(question: str) -> None:
    assert not asks_for_changes(question)
