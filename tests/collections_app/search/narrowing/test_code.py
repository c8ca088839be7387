"""`code` keeps to sections with fenced code in a language, and shows it."""

from __future__ import annotations

import pytest

from collections_app.exceptions import InvalidParameter
from collections_app.indexing.reindexing import rebuild_vectors
from collections_app.models import Collection, TermStatistic
from tests.factories import find, find_paths, make_collection, put
from tests.index_check import check_index

PAGES = {
    "python.md": "# Connect\n\nHow to connect.\n\n```python\nimport nats\n\nnc = await nats.connect()\n```\n\n```sh\npip install\n```\n",
    "go.md": "# Connect\n\nConnect with `python` or Go.\n\n```go\nnats.Connect()\n```\n",
    "prose.md": "# Connect\n\nTo connect, connect. It says code: python.\n",
}


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection()
    put(collection, PAGES)
    return collection


@pytest.mark.parametrize(
    ("code", "paths"),
    [("python", ["python.md"]), ("PY", ["python.md"]), ("bash", ["python.md"]), ("golang", ["go.md"]), ("rust", [])],
)
def test_it_keeps_to_sections_with_code_in_the_language(docs: Collection, code: str, paths: list[str]) -> None:
    assert find_paths(docs, "connect", code=code) == paths


def test_the_snippet_is_the_code_with_most_of_the_words(docs: Collection) -> None:
    assert find(docs, "connect", code="python").hits[0].snippet == (
        "```python\nimport nats\n\nnc = await nats.connect()\n```"
    )
    assert find(docs, "connect", code="python", snippet_length=30).hits[0].snippet == (
        "```python\n…\nnc = await nats.connect()\n```"
    )


def test_of_long_code_the_snippet_is_the_lines_that_have_most_of_the_words(docs: Collection) -> None:
    lines = [f"import gear_{number}" for number in range(40)]
    code = "\n".join([*lines, "def connect(timeout):", "    return gear_7", *lines])
    put(docs, {"long.md": f"# Gears\n\nThey connect.\n\n```python\n{code}\n```\n"})
    snippets = {hit.path: hit.snippet for hit in find(docs, "connect timeout", code="python", snippet_length=70).hits}
    assert (
        snippets["long.md"]
        == "```python\n…\ndef connect(timeout):\n    return gear_7\nimport gear_0\nimport gear_1\n…\n```"
    )
    assert (
        find(docs, "gears import", code="python", snippet_length=70)
        .hits[0]
        .snippet.startswith("```python\nimport gear_0\n")
    )


def test_it_says_which_languages_there_are(docs: Collection) -> None:
    assert "There is code in go, python, shell." in find(docs, "connect", code="rust").notice


def test_it_refuses_what_is_no_language(docs: Collection) -> None:
    with pytest.raises(InvalidParameter, match="is no language"):
        find(docs, "connect", code="??")


def test_languages_are_counted_with_the_index(docs: Collection) -> None:
    check_index(docs)
    put(docs, {"python.md": "# Connect\n\nNothing any more.\n"})
    check_index(docs)
    assert find_paths(docs, "connect", code="python") == []


def test_reindexing_finds_them_in_what_is_stored(docs: Collection) -> None:
    list(rebuild_vectors(docs))
    assert TermStatistic.objects.get(collection=docs, term="`python").sections == 1
    assert find_paths(docs, "connect", code="python") == ["python.md"]
