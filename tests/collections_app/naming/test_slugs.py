from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.naming.slugs import make_slug


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("REST Conventions", "rest-conventions"),
        ("HTTP/2 & QUIC (draft)", "http-2-quic-draft"),
        ("--flag_name", "flag-name"),
        ("日本語 の 見出し", "日本語-の-見出し"),
        ("ภาษาไทย น้ำ", "ภาษาไทย-น้ำ"),
        ("مقدمة ١٢٣", "مقدمة-١٢٣"),
        ("Éléments CAFÉ", "éléments-café"),
        ("½ ² Ⅳ €", "section"),
        ("!?", "section"),
        ("", "section"),
    ],
)
def test_it_makes_slugs_of_letters_marks_and_digits(heading: str, slug: str) -> None:
    assert make_slug(heading) == slug


@given(st.text())
def test_a_slug_is_words_with_single_hyphens(heading: str) -> None:
    categories = {unicodedata.category(char) for char in make_slug(heading).replace("-", "")}
    assert all(category[0] in "LM" or category == "Nd" for category in categories)
    assert all(make_slug(heading).split("-"))
