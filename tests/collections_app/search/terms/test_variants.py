"""What is written in several ways is found by each of them, and told as missing by none."""

from __future__ import annotations

import pytest

from collections_app.curating import add_synonym
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("up to $3,000", "$3000"),
        ("up to 3000", "$3,000"),
        ("a 401(k) plan", "401k"),
        ("a 401k plan", "401(k)"),
        ("holidays in the U.S. office", "US"),
        ("within 7-10 days", "10 days"),
        ("a grade of GS-15", "GS15"),
        ("an audit of SOC 2", "soc2"),
        ("an audit of SOC2", "SOC 2"),
        ("turn HTTP/3 off", "http3"),
        ("les agent·e·s", "agent"),
        ("les professionnel·le·s", "professionnel"),
        ("help from I.T.", "I.T."),
        ("an amount of CHF 2’500", "2500"),
        ("what came with version 8.2.1", "8.2"),
        ("what came with v8.2.1", "8.2"),
        ("a limit of `log.rolling.max-file-size`", "max-file-size"),
    ],
)
def test_the_other_way_of_writing_is_found(written: str, asked: str) -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Page {n}\n\nSomething about {n} and 2 others.\n" for n in range(3)})
    put(collection, {"own.md": f"# Rules\n\nThere is {written} for all.\n"})
    assert find_paths(collection, f"{asked} rules")[0] == "own.md"
    assert not find(collection, f"{asked} rules").words


def test_the_section_of_a_number_comes_before_those_that_have_it_somewhere() -> None:
    collection = make_collection()
    text = "".join(f"## § {n} Rule {n}\n\nAs said, in 3 of 4 cases, 3 days or 3 weeks.\n\n" for n in range(1, 9))
    put(collection, {"law.md": f"# Act\n\n{text}"})
    assert find(collection, "§ 3 act").hits[0].section_id == "act/3-rule-3"


def test_one_word_is_worth_as_much_as_the_name_in_parts() -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Page {n}\n\nThe digest is made by md5, digest {n}.\n" for n in range(5)})
    put(collection, {"lower.md": "# One\n\nIt is made by sha256.\n", "upper.md": "# Two\n\nIt is made by SHA-256.\n"})
    assert set(find_paths(collection, "digest sha256")[:2]) == {"lower.md", "upper.md"}
    assert find_paths(collection, "digest SHA-256")[0] == "upper.md"


def test_a_word_with_a_number_has_its_synonyms() -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Page {n}\n\nA digest, {n}.\n" for n in range(5)})
    put(collection, {"own.md": "# One\n\nIt is made by sha256.\n", "other.md": "# Two\n\nThe fingerprint of it.\n"})
    add_synonym(collection, "sha256", "fingerprint")
    assert set(find_paths(collection, "digest sha256")[:2]) == {"own.md", "other.md"}


def test_a_name_that_is_nowhere_is_missing() -> None:
    collection = make_collection()
    put(collection, {"own.md": "# Rules\n\nAn audit of SOC 3.\n"})
    assert [each.word for each in find(collection, "SOC2 rules").words] == ["SOC2"]
