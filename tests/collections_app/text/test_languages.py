"""In which language texts are, and when that is not told."""

from __future__ import annotations

import pytest

from collections_app.models.library import LANGUAGES as INDEXED
from collections_app.text.languages import LANGUAGES, MOST_CHARACTERS, TAGS, find_languages, take_prose

GERMAN = (
    "Die Seilbahn fährt jeden Morgen um sieben Uhr los und bringt die Gäste auf den Berg. "
    "Wer den Fahrplan ändern möchte, öffnet zuerst die Verwaltung und wählt dann den Wochentag aus. "
)
ENGLISH = (
    "The cable car leaves at seven every morning and takes the guests up the mountain. "
    "Whoever wants to change the timetable opens the administration first and then chooses the day of the week. "
)
POLISH = (
    "Kolejka linowa odjeżdża codziennie o siódmej rano i zawozi gości na szczyt góry. "
    "Kto chce zmienić rozkład jazdy, najpierw otwiera panel administracyjny, a potem wybiera dzień tygodnia. "
)
SHELL = "```sh\ndocker run --rm --name lift --publish 8080:80 example/lift serve now\n```\n"


def find(*texts: str) -> str | None:
    [found] = find_languages([texts])
    return found


def test_it_is_the_one_of_most_prose() -> None:
    assert find(GERMAN * 8) == "de"
    assert find(ENGLISH * 8) == "en"
    assert find(POLISH * 8) == "pl"
    assert find(GERMAN * 8, GERMAN * 8, ENGLISH * 7) == "de"


def test_of_halves_none_is_the_language() -> None:
    assert find(GERMAN * 8, ENGLISH * 8) == ""


def test_too_little_prose_tells_nothing() -> None:
    assert find(GERMAN) is None
    assert find() is None
    assert find(*["# Gondel\n\nlift start\n"] * 500) is None


def test_code_is_in_no_language() -> None:
    assert find(SHELL * 100) is None
    assert find((SHELL + GERMAN + "\n\n") * 8) == "de"
    assert take_prose("~~~\nsix seven eight nine ten eleven\n~~~\nAnd here are some plain words.") == (
        "And here are some plain words."
    )


def test_a_long_text_says_it_at_its_beginning() -> None:
    assert len(take_prose("\n".join([GERMAN] * 1000))) == MOST_CHARACTERS


def test_samples_are_told_apart() -> None:
    assert list(find_languages([[GERMAN * 8], ["short"], [ENGLISH * 8]])) == ["de", None, "en"]


@pytest.mark.parametrize("name", sorted(set(INDEXED) - {"simple"}))
def test_every_language_that_is_indexed_has_a_tag(name: str) -> None:
    assert LANGUAGES[TAGS[name]] == name
