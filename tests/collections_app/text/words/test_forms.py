"""Forms of English words, without those that PostgreSQL's stemmer tells itself."""

from __future__ import annotations

import pytest
from django.db import connection

from collections_app.text.words.forms import LINES, list_forms

STEM = "SELECT DISTINCT word, tsvector_to_array(to_tsvector('english', word)) FROM unnest(%s::text[]) AS word"


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("written", "write"),
        ("wrote", "written"),
        ("rewrites", "rewritten"),
        ("hiding", "hidden"),
        ("indices", "index"),
        ("vertices", "vertex"),
        ("analyse", "analyze"),
        ("analyses", "analysis"),
        ("organisation", "organization"),
        ("organizations", "organisations"),
        ("containerized", "containerised"),
        ("colourful", "colorful"),
        ("neighbors", "neighbours"),
        ("verifies", "verification"),
        ("specifications", "specify"),
        ("licences", "license"),
        ("queues", "queued"),
        ("expiry", "expire"),
        ("expires", "expiry"),
        ("diffing", "diff"),
        ("staff", "staffing"),
        ("env", "environment"),
        ("repos", "repository"),
        ("deps", "dependency"),
        ("auth", "authentication"),
    ],
)
def test_a_word_has_a_form(word: str, form: str) -> None:
    assert form in list_forms(word)


@pytest.mark.parametrize(
    "word",
    [
        *("", "file", "for", "four", "rise", "size", "hour", "word", "error", "gift", "y", "ify"),
        *("specify", "index", "otherwise", "promised", "resizing"),
        *("environment", "repositories", "config", "var", "lib", "init"),
    ],
)
def test_a_word_has_none(word: str) -> None:
    assert list_forms(word) == []


def test_none_is_the_word_itself() -> None:
    words = {word.removeprefix("*") for line in LINES.split("\n") for word in line.split()}
    assert not [word for word in words if word in list_forms(word)]


@pytest.mark.django_db
def test_every_line_has_words_that_stems_do_not_tell_to_be_one() -> None:
    lines = [line.replace("*", "").split() for line in LINES.strip().splitlines()]
    with connection.cursor() as cursor:
        cursor.execute(STEM, [sorted({word for line in lines for word in line})])
        stems = {word: tuple(lexemes) for word, lexemes in cursor.fetchall()}
    assert [line for line in lines if len({stems[word] for word in line}) < len(line)] == []
    assert [word for word, lexemes in stems.items() if len(lexemes) != 1] == []


# Common in documentation, and of other words than any in the lines.
OTHERS = (
    "indicate indicator multiple specific specifically conversation reverse vertical responsible exclusive inclusive literal recent"
    " author these suspense won led bound bounds automatically choices option object build found given people programmer ellipse"
)


@pytest.mark.django_db
def test_nothing_that_is_found_for_a_word_has_the_stem_of_another() -> None:
    verbs = "certify specify verify notify modify"
    words = [word.removeprefix("*") for line in LINES.splitlines() for word in line.split()] + verbs.split()
    forms = sorted({form for word in words for form in list_forms(word)})
    with connection.cursor() as cursor:
        cursor.execute(STEM, [forms])
        stems = {word: tuple(lexemes) for word, lexemes in cursor.fetchall()}
        cursor.execute(STEM, [OTHERS.split()])
        others = {tuple(lexemes) for _, lexemes in cursor.fetchall() if lexemes}
    assert [form for form in forms if stems[form] in others] == []
