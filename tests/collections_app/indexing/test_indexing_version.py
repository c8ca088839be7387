"""Which release made a vector: told of each by itself, and held to what is made now."""

from __future__ import annotations

from hashlib import sha256

import pytest

from collections_app.indexing import fulltext, reindexing
from collections_app.models import SectionVector, TermStatistic
from tests.factories import earlier_release, make_collection, put
from tests.index_check import check_index

pytestmark = pytest.mark.django_db

# Of what is indexed in a way of its own: names and their parts, headings, summaries, entries, code, facts, accents, addresses and
# contractions.
TEXTS = {
    "guide/getting_started.md": "---\ntitle: Get started\ndescription: How it begins\nkeywords: [setup, first]\n---\n# Get started\n\n"
    "Call `open_file()` of `os.path`; C++ and naïve cafés don't matter. See [the site](https://example.org/a-b).\n\n"
    "## `Client.connect(host)`\n\n```python\nclient.connect(host='x', max_retries=3)\n```\n\n"
    "- `--verbose`: says more\n- `HTTP_PROXY`: the proxy's address\n\n1. All:\n   - `max_size`\n   - `min_size`\n\n"
    "### Why isn't it there?\n\n| name | value |\n|---|---|\n| MAX_SIZE | 10 MB |\n| id | 7 |\n",
    "reference/api.md": "# API v2.1\n\n## GET /users/{id}\n\nGives a user. **kwargs** are passed on.\n\n"
    "## DELETE /users/{id}\n\n**Forget a user**\n\n"
    "`timeout`\n: Seconds until `TimeoutError`.\n\n## Ünïcode für alle\n\nStraße, 東京, x86_64, utf-8.\n",
    "reference/boat-row.md": "% boat-row 1\n\n## EXIT STATUS\n\nIt is 0.\n",
    "reference/client.rst": "Client\n======\n\n.. automodule:: client.http\n",
}
# By INDEXING_VERSION, of the vectors of TEXTS. In `simple`, which no release of PostgreSQL has other stems for.
DIGESTS = {10: "072cc6f53f6c853e"}


def digest_vectors() -> str:
    rows = SectionVector.objects.order_by("document__path", "section__position", "part")
    columns = ("document__path", "section__position", "part", "words", "page_words", "heading_words", "vector")
    return sha256(repr(list(rows.values_list(*columns))).encode()).hexdigest()[:16]


def test_other_vectors_are_another_version() -> None:
    put(make_collection(language="simple"), TEXTS)
    assert {fulltext.INDEXING_VERSION: digest_vectors()} == DIGESTS, (
        "the same sections have other vectors: raise INDEXING_VERSION (indexing/fulltext.py), and write down their digest here"
    )


def test_vectors_of_an_earlier_release_are_counted_until_they_are_made_anew() -> None:
    collection, other = make_collection(), make_collection()
    put(other, TEXTS)
    with earlier_release():
        put(collection, TEXTS)
    put(collection, {"new.md": "# New\n"})
    [found] = reindexing.find_of_earlier_releases()
    vectors = SectionVector.objects.filter(collection=collection).count()
    assert (found, found.earlier, found.vectors) == (collection, vectors - 1, vectors)
    list(reindexing.rebuild_vectors(collection))
    assert not reindexing.find_of_earlier_releases()
    check_index(collection)


def test_what_an_earlier_release_writes_meanwhile_is_counted() -> None:
    """As while an upgrade is under way: its processes know nothing of the later version."""
    put(collection := make_collection(), TEXTS)
    with earlier_release():
        put(collection, {"reference/api.md": "# API v2.2\n"})
    [found] = reindexing.find_of_earlier_releases()
    assert found.earlier == 1


def test_statistics_that_are_counted_anew_know_the_version() -> None:
    put(collection := make_collection(), TEXTS)
    TermStatistic.objects.all().delete()
    fulltext.recount_terms(collection)
    assert not reindexing.find_of_earlier_releases()
