"""Settings, options and other names are found where they are described, before where they are mentioned."""

from __future__ import annotations

import pytest

from collections_app.search import SearchOptions
from collections_app.search.explain import explain_search
from collections_app.search.terms.term import compute_idf
from tests.factories import find, find_paths, make_collection, put

# What is described is one of many in a long page; those that mention it are short, and its words stand everywhere.
OTHERS = "\n".join(
    f"- `limit_{letter}`: how much of {letter} there may be, as a number of bytes." for letter in "abcdefghi"
)
DOCUMENTS = {
    "reference.md": f"# Reference\n\n## All of them\n\n{OTHERS}\n- `worker_pool`: how many may run.\n- `--dry-run`: only says so.\n",
    "tuning.md": "# Tuning\n\n## Speed\n\nA small `worker_pool` makes requests wait.\n",
    "first.md": "# First steps\n\n## Try it\n\nBegin with `--dry-run`.\n",
    **{
        f"page{n}.md": f"# Page {n}\n\nWhat tool {n} does: a worker, a setting and a pool for dry days, which run.\n"
        for n in range(30)
    },
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "worker_pool",
        "workerPool",
        "WORKER_POOL",
        "worker_pool setting",
        "what does worker_pool do",
        "--dry-run",
        "tool --dry-run",
    ],
)
def test_what_is_described_comes_first(question: str) -> None:
    collection = make_collection()
    put(collection, DOCUMENTS)
    assert find_paths(collection, question)[0] == "reference.md"


@pytest.mark.django_db
def test_the_snippet_begins_with_the_entry() -> None:
    collection = make_collection()
    mentioned = DOCUMENTS["reference.md"].replace(OTHERS, f"As `worker_pool` says.\n\n{OTHERS}")
    put(collection, DOCUMENTS | {"reference.md": mentioned})
    hits = find(collection, "worker_pool", snippet_length=80).hits
    [described] = [hit for hit in hits if hit.heading_path[-1] == "All of them"]
    assert described.snippet.startswith("… - `worker_pool`: how many may run.")


@pytest.mark.django_db
def test_a_heading_called_so_stays_first() -> None:
    collection = make_collection()
    put(collection, DOCUMENTS | {"pool.md": "# Settings\n\n## `worker_pool`\n\nHow many may run at once.\n"})
    assert find_paths(collection, "worker_pool")[:2] == ["pool.md", "reference.md"]


@pytest.mark.django_db
def test_a_name_in_a_heading_of_two_words_counts_as_an_entry() -> None:
    collection = make_collection()
    put(
        collection,
        DOCUMENTS
        | {"pool.md": "# Settings\n\n## `worker_pool`\n\nHow many.\n\n## On the worker_pool of old\n\nIt was.\n"},
    )
    hits = explain_search("worker_pool", [collection], SearchOptions(limit=5, snippet_length=100)).hits
    titles = {
        hit.heading_path[-1]: sum(each.title for each in why.words.terms if each.word == "worker pool")
        for hit, why in hits
        if why.words
    }
    assert titles["`worker_pool`".strip("`")] > 0 == titles["On the worker_pool of old"]


@pytest.mark.django_db
def test_an_entry_is_worth_less_than_a_word_of_the_title() -> None:
    collection = make_collection()
    put(collection, DOCUMENTS)
    hit, why = explain_search("worker_pool", [collection], SearchOptions(limit=1, snippet_length=100)).hits[0]
    assert hit.path == "reference.md"
    assert why.words
    [entry] = [each for each in why.words.terms if each.word == "worker pool"]
    rare = compute_idf(33 + 2, 1)  # a section of its own for each page, two more for the headings of three
    assert entry.idf == pytest.approx(0.7 * rare, rel=0.02)


def describe_store(name: str) -> str:
    rows = "\n".join(f"| `{key}` | Of the {key}, a whole number. |" for key in (*"abcdefgh", "port", "tls", "workers"))
    return (
        f"# {name} store\n\nIt keeps what comes.\n\n"
        f"## Begin\n\nStart the {name} store at a port.\n\n## Parameters\n\n| Key | What |\n|---|---|\n{rows}\n"
    )


STORES = {
    **{f"{name.lower()}.md": describe_store(name) for name in ("Amber", "Basalt", "Chalk", "Dune", "Ember")},
    **{f"page{n}.md": f"# Page {n}\n\nWhat tool {n} does for a port.\n" for n in range(30)},
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "Amber store port",
        "workers Amber store",
        "what does the workers option of the Amber store do",
        "what is the default port of an Amber store",
        "how many `workers` does the Amber store take",
        "how can I change the workers of the Amber store",
        "Which port should I use for an Amber store?",
    ],
)
def test_a_word_that_many_pages_describe_leads_to_the_right_section_of_the_one_that_is_asked_about(
    question: str,
) -> None:
    collection = make_collection()
    put(collection, STORES)
    hit = find(collection, question).hits[0]
    assert (hit.path, hit.heading_path[-1]) == ("amber.md", "Parameters")
    assert hit.snippet.startswith(("… | `port`", "… | `workers`"))


@pytest.mark.django_db
@pytest.mark.parametrize(("question", "is_held"), [("store TLS", True), ("Amber TLS", False)])
def test_describing_a_word_says_no_more_than_the_page_is_about_the_rest(question: str, is_held: bool) -> None:
    """All are about a store. So `TLS` finds what is about it, and not any store's row."""
    collection = make_collection()
    put(collection, STORES | {f"store{n}.md": f"# Store {n}\n\nOf all.\n" for n in range(60)})
    hits = explain_search(question, [collection], SearchOptions(limit=5, snippet_length=100)).hits
    [why] = [why.words for hit, why in hits if (hit.path, hit.heading_path[-1]) == ("amber.md", "Parameters")]
    assert why
    [entry] = [each for each in why.terms if each.word == "tls" and each.in_title]
    [rest] = [each for each in why.terms if each.word != "tls"]
    assert (entry.title < 0.5 * entry.idf) == is_held
    assert entry.title <= 1.2 * rest.idf


@pytest.mark.django_db
def test_a_section_that_has_the_word_lacks_nothing_though_it_does_not_describe_it() -> None:
    collection = make_collection()
    put(collection, STORES)
    hits = explain_search("Amber store port", [collection], SearchOptions(limit=5, snippet_length=100)).hits
    [mentioned] = [why.words for hit, why in hits if (hit.path, hit.heading_path[-1]) == ("amber.md", "Begin")]
    assert mentioned
    assert mentioned.coverage == pytest.approx(1)


@pytest.mark.django_db
def test_the_snippet_passes_over_code() -> None:
    collection = make_collection()
    filler = "Nothing of it. " * 30
    text = f"```yaml\n- max_rows: 10\n```\n\n{filler}\n\n- `max_rows`: the most rows.\n\n{filler}"
    put(collection, {"limits.md": f"# Limits\n\n{text}\n"})
    assert find(collection, "max_rows", snippet_length=80).hits[0].snippet.startswith("… - `max_rows`: the most rows.")


@pytest.mark.django_db
def test_it_is_explained_and_never_told_as_missing() -> None:
    collection = make_collection()
    put(collection, DOCUMENTS)
    hit, why = explain_search("worker_pool", [collection], SearchOptions(limit=1, snippet_length=100)).hits[0]
    assert why.words
    assert "worker pool" in [each.word for each in why.words.terms]
    assert why.score == pytest.approx(hit.score, abs=1e-4)
    put(collection, {"other.md": "# Other\n\nThe worker and its pool.\n"})
    assert [word.word for word in find(collection, "drain_pool").words] == ["drain_pool"]


@pytest.mark.django_db
def test_a_snippet_shows_the_option_that_was_asked_for() -> None:
    collection = make_collection()
    filler = "It goes on and on about other things. " * 12
    put(
        collection,
        {"lock.md": f"# Locks\n\nTo check a tool's lock, check it. {filler}Pass `--check` to a tool. {filler}\n"},
    )
    assert "`--check`" in find(collection, "tool lock --check").hits[0].snippet


@pytest.mark.django_db
def test_a_snippet_shows_a_name_rather_than_another_word_of_the_question() -> None:
    collection = make_collection()
    others = "".join(f"| `limit_{letter}` | How much of it there may be, in all. | 10 |\n" for letter in "abcdefgh")
    rows = f"| Name | What | Default |\n|---|---|---|\n{others}| `max_rows` | How many rows. | 10 |\n{others}"
    put(
        collection,
        {
            "limits.md": f"# Limits\n\n{rows}",
            **{f"{n}.md": f"# Page {n}\n\nThe most rows of a max table.\n" for n in range(9)},
        },
    )
    [hit] = [hit for hit in find(collection, "max_rows default").hits if hit.path == "limits.md"]
    assert hit.snippet.startswith("… | `max_rows` | How many rows.")
