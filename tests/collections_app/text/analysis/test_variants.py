"""Numbers and abbreviations are one word, however they are written."""

from __future__ import annotations

import pytest

from collections_app.text.analysis import make_index_text, make_phrase_text, make_query_text
from collections_app.text.analysis.variants import list_numbered, list_plain, make_plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("up to $3,000 a year, or $1,250,000.50", ["3000", "1250000"]),
        ("1 800 Euro, 3.000 Euro, CHF 2'500", ["1800", "3000", "2500"]),
        ("the 401(k), 501(c)(3) and call(2)", ["401k", "501c3"]),
        ("the U.S. and D.C., e.g. a.b, R.E.M.x", ["US", "DC"]),
        ("8.2.0, v8.1.14 and 8.1.2, 3.0.4-rc1.", ["8.2", "8.1", "3.0"]),
        ("10.0.0.1, 1.2.3rc1, a.1.2.3, rev8.2.1, 3.12", []),
        ("1,2 12,34 1.5 2023-11-20 a3,000 10,0000", []),
    ],
)
def test_a_text_has_plain_words_beside_its_own(text: str, plain: list[str]) -> None:
    assert list_plain(text) == plain
    assert make_index_text(text).split("\n")[0] == text.replace("2023-11-20", "2023 11 20")


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("over $3,000", "over $3000"),
        ("100 000 euros or 3.000 Euro", "100000 euros or 3000 Euro"),
        ("401(k)s in the U.S.", "401k s in the U.S US ."),
        ("ports 80 443, version 1.100, 10,000.50", "ports 80 443, version 1.100, 10,000.50"),
    ],
)
def test_a_question_has_them_instead(question: str, plain: str) -> None:
    assert " ".join(make_plain(question).split()) == plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SOC 2, SOC2, GS-15, Art. 13 and FY24", ["SOC_2", "GS_15", "Art_13", "FY_24"]),
        ("HTTP/3 over UDP/443, km/5 and 10/20", ["HTTP_3", "UDP_443"]),
        ("§ 5 Abs.1, §§ 12a, 13", ["Abs_1", "paragraph_5", "paragraph_12a"]),
        ("Python 3.11, Over 3,000, In 2023-11, x Y2K, section 5", ["In_2023"]),
        ("sha256 and python3, SHA-256; x86_64, my_2 and a1.5", ["SHA_256", "sha_256", "python_3"]),
        ("CHF 2'500, EUR 3 000, Rule 4 100 times", []),
    ],
)
def test_names_and_their_numbers_are_names(text: str, names: list[str]) -> None:
    assert list_numbered(text) == names


def test_typographic_signs_are_those_of_ascii() -> None:
    assert "2500" in make_index_text("CHF 2’500").split()
    assert "GSx5f15" in make_index_text("GS\u201115").split()


def test_questions_write_names_in_any_case() -> None:
    assert list_numbered("soc 2 and section 5", is_question=True) == ["soc_2", "section_5"]
    assert make_query_text("soc 2").split("\n") == ["socx5f2", "soc 2"]
    assert make_phrase_text("soc 2") == "soc 2"


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("GS-15 in 7-10 days, COVID-19.", "GS 15 in 7 10 days, COVID 19."),
        ("GS-15: pay, 2023-11-20: released", "GS 15: pay, 2023 11 20: released"),
        ("kill -9 at -5, node-1.example.com, node-1:8080, a-1@example.com, sha-256sum", None),
    ],
)
def test_a_hyphen_before_a_number_is_no_minus(text: str, parted: str | None) -> None:
    assert make_index_text(text).split("\n")[0] == (parted or text)
    assert (parted or text) in make_query_text(text)
