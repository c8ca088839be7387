"""`make bench-calls DATASET=DIR`: how many functions Python calls to parse a page, to prepare its words for the index, and to search.

Unlike times, these counts are the same on every machine, whatever else it does: they tell what a change costs even where clocks cannot, and
what many small changes cost together. They do not tell what a call takes, nor what the database computes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Callable
from functools import partial
from pathlib import Path

import django
from django.conf import settings

django.setup()

from benchmarks.database import behind_wall, run_with_database  # noqa: E402
from benchmarks.peers.sections import iter_files  # noqa: E402
from benchmarks.retrieval import DataSet  # noqa: E402
from benchmarks.search import MODES, ask, is_served, prepare  # noqa: E402
from collections_app.exceptions import IngestError  # noqa: E402
from collections_app.indexing.vector_texts import make_vector_texts  # noqa: E402
from collections_app.parsing import ParsedDocument, parse  # noqa: E402
from collections_app.search import Mode  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    options = parser.parse_args()
    count_ingest(options.dataset / "corpus")
    count_searches(options.dataset)


def count_ingest(corpus: Path) -> None:
    raws = list(iter_files(corpus))
    documents: list[tuple[str, ParsedDocument]] = []

    def parse_all() -> None:
        for raw in raws:
            try:
                documents.append((raw.path, parse(raw)))
            except IngestError:
                continue  # a run keeps it as failed

    calls = count_calls(parse_all)
    sections = sum(len(document.sections) for _, document in documents)
    print(f"parsing: {calls / len(documents):,.0f} calls a page, {calls / sections:,.0f} a section")
    calls = count_calls(lambda: [make_vector_texts(document, path) for path, document in documents])
    print(f"words for the index: {calls / len(documents):,.0f} calls a page, {calls / sections:,.0f} a section")


def count_searches(dataset: Path) -> None:
    questions = [question.text for question in DataSet(dataset).questions]
    collection = prepare(dataset)
    limit = settings.DOCSMCP.mcp_max_search_results

    def ask_all(mode: Mode) -> None:
        for text in questions:
            ask(text, collection, limit, mode)

    with behind_wall(collection.tenant):
        for mode in (mode for mode in MODES if is_served(mode, collection)):
            ask_all(mode)  # what is remembered between questions is at hand from here on
            print(f"{mode}: {count_calls(partial(ask_all, mode)) / len(questions):,.0f} calls a question")


def count_calls(work: Callable[[], object]) -> int:
    """The calls of functions in this thread, also of those that are written in C."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return pstats.Stats(profile).total_calls  # type: ignore[attr-defined,no-any-return]


if __name__ == "__main__":
    run_with_database(main)
