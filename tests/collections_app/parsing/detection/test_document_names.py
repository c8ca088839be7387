"""Which files of a source are documents by their names, and what is said of others."""

from __future__ import annotations

import pytest

from collections_app.parsing.detection.document_names import find_advice, is_document_name, may_be_description
from collections_app.sources.archive_formats import ARCHIVE_EXTENSIONS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.md", True),
        ("a/README", True),
        ("a/guide.adoc", True),
        ("a/guide.asc", True),
        ("a/tool-1.2.tar.gz.asc", False),
        ("a/openapi.yaml", True),
        ("a/openapi-v2.JSON", True),
        ("a/petstore.swagger.yml", True),
        ("openapi/config.json", False),
        ("package.json", False),
        ("LICENSE", False),
        ("a.py", False),
        ("a/plan.xlsx", True),
        ("a/plan.ods", True),
        ("a/data.csv", False),
        ("a/data.TSV", False),
        ("a/CMakeLists.txt", False),
        ("requirements.txt", False),
        ("docs/requirements-dev.txt", False),
        ("static/robots.txt", False),
        ("docs/spelling_wordlist.txt", False),
        ("docs/spelling.txt", True),
        ("system-requirements.txt", True),
        ("a/notes.txt", True),
        ("man/across.Rd", True),
        ("a/man/macros/links.Rd", False),
    ],
)
def test_a_folder_gives_what_is_named_like_documentation(path: str, expected: bool) -> None:
    assert is_document_name(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/boats_api.yaml", True),
        ("API.json", True),
        ("a/connect_rest.yml", True),
        ("a/boats-api.v2.json", True),
        ("a/boats-faq.yml", True),
        ("a/index.yml", True),
        ("a/index-of-sails.yml", True),
        ("a/indexes.yml", False),
        ("a/rapid.json", False),
        ("restaurants.json", False),
        ("api/boats.yaml", False),
        ("api.toml", False),
    ],
)
def test_the_content_of_a_file_that_is_named_after_an_api_tells_what_it_is(path: str, expected: bool) -> None:
    assert may_be_description(path) is expected


@pytest.mark.parametrize("name", [*ARCHIVE_EXTENSIONS, ".ZIP"])
def test_an_archive_in_a_source_is_told_with_what_to_do(name: str) -> None:
    assert find_advice(f"v1.2/manual{name}") == (
        f"`{name.lower()}`: Unpack it, or upload what is in it as `.zip` or `.tar.gz`: an archive that is uploaded is opened."
    )


@pytest.mark.parametrize("name", ["a.tutorial", "a.Rnw", "a.mld", "a.scrbl", "a.rdoc", "a.ditamap", "a.dita"])
def test_a_format_that_other_tools_read_is_told_with_these(name: str) -> None:
    assert " and give " in find_advice(f"docs/{name}")


def test_data_of_whatever_ending_are_left_out_for_one_reason() -> None:
    assert find_advice("boats.yml") == find_advice("package.json") == find_advice("boats.yaml") != ""


def test_a_name_with_a_word_of_archives_in_it_is_none() -> None:
    assert find_advice("zip") == find_advice("a.zip.png") == find_advice("tar.gz.d/a.png") == ""
