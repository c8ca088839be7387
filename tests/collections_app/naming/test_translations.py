"""How many pages are translations of others, by their folders and names."""

from __future__ import annotations

import pytest

from collections_app.naming.translations import count_translations, describe_translations

PAGES = [f"guide/{name}.md" for name in "abcdefghijkl"]


@pytest.mark.parametrize(
    ("original", "translation", "language"),
    [
        ("{}", "fr/{}", "fr"),
        ("en/{}", "fr/{}", "fr"),
        ("en-US/{}", "pt-BR/{}", "pt-BR"),
        ("docs/{}", "docs/zh_CN/{}", "zh_CN"),
        ("docs/{}", "i18n/fr/docusaurus-plugin-content-docs/current/{}", "fr"),
        ("content/en/docs/{}", "content/ja/docs/{}", "ja"),
    ],
)
def test_a_folder_tells_the_language(original: str, translation: str, language: str) -> None:
    paths = [place.format(page) for place in (original, translation) for page in PAGES]
    assert count_translations(paths) == {language: 12}


def test_the_name_of_a_file_tells_it_too() -> None:
    translated = [page.replace(".md", f".{language}.md") for language in ("cn", "fr") for page in PAGES]
    assert count_translations([*PAGES, *translated[:-2]]) == {"cn": 12, "fr": 10}
    originals = [page.replace(".md", ".en.md") for page in PAGES]
    assert count_translations([*originals, *translated]) == {"cn": 12, "fr": 12}


@pytest.mark.parametrize(
    "others",
    [
        [f"fr/{page}" for page in PAGES[:9]],
        [f"fr/other/{page}" for page in PAGES],
        [f"go/{page}" for page in PAGES],
        [f"id/{page}" for page in PAGES],
        [page.replace(".md", ".v2.md") for page in PAGES],
    ],
)
def test_a_few_other_pages_and_other_names_are_none(others: list[str]) -> None:
    assert count_translations([*PAGES, *others]) == {}


def test_languages_without_an_original_are_no_translations() -> None:
    assert count_translations([f"{language}/{page}" for language in ("fr", "de") for page in PAGES]) == {}


def test_it_is_said_in_a_line() -> None:
    assert describe_translations({}) == ""
    counts = dict.fromkeys(("de", "es", "fr", "it", "ja", "pt"), 20)
    assert describe_translations(counts) == (
        "120 pages are translations of others: de (20), es (20), fr (20), it (20), ja (20), …. Searches find them beside these; "
        "an exclude pattern leaves a language out."
    )
