"""`make bench-search DATASET=DIR [RUN=file]`: quality and latency of search on a retrieval test set.

Asks through `collections_app.search.search`, the function behind the tool: with the tool's largest limit for quality, with its default for
latency. Documents are ingested into the collection `bench-NAME` of the tenant `bench` (again only where they changed).
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from pathlib import Path
from time import perf_counter

import django
from django.conf import settings

django.setup()

from benchmarks.retrieval import DataSet, Found, Scores, mean  # noqa: E402
from collections_app import jobs  # noqa: E402
from collections_app.models import Collection, Section, Source, Tenant  # noqa: E402
from collections_app.provisioning import ensure_collection  # noqa: E402
from collections_app.search import search  # noqa: E402
from docsmcp_site import embedded_backend  # noqa: E402
from docsmcp_site.database_preparation import preparing_database  # noqa: E402

# The tool's largest limit: ranks are judged to this depth; times are those of its default.
MOST = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--run", type=Path, help="write the ranked results here: question id, rank, path, L<line>")
    options = parser.parse_args()
    data = DataSet(options.dataset)
    collection = prepare(options.dataset)
    found = {question.id: ask(question.text, collection, MOST) for question in data.questions}
    milliseconds = []
    for question in data.questions:
        began = perf_counter()
        ask(question.text, collection, settings.DOCSMCP.mcp_max_search_results)
        milliseconds.append((perf_counter() - began) * 1000)
    report(options.dataset.name, collection, data, found, milliseconds)
    if options.run:
        write_run(options.run, found)


def prepare(dataset: Path) -> Collection:
    tenant, _ = Tenant.objects.get_or_create(slug="bench", defaults={"name": "Benchmarks"})
    collection = ensure_collection(tenant, f"bench-{dataset.name.lower()}")
    source = jobs.ensure_directory_source(collection, dataset / "corpus", max_file_bytes=Source.DEFAULT_MAX_FILE_BYTES)
    _, summary = jobs.run_source(source, prune=True, requested_by="bench-search")
    print(f"ingest: {dict(summary.outcomes)} in {summary.seconds:.1f} s")
    return Collection.objects.select_related("tenant").get(pk=collection.pk)


def ask(text: str, collection: Collection, limit: int) -> list[Found]:
    results = search(text[:1000], [collection], limit=limit, snippet_length=settings.DOCSMCP.mcp_snippet_length)
    return [Found(hit.path, hit.start_line) for hit in results.hits]


def report(
    name: str, collection: Collection, data: DataSet, found: dict[str, list[Found]], milliseconds: list[float]
) -> None:
    sections = Section.objects.filter(collection=collection).count()
    ordered = sorted(milliseconds)
    print(
        f"{name}: {len(data.questions)} questions, {sections:,} sections; ms per query: median {statistics.median(ordered):.1f}, "
        f"mean {statistics.mean(ordered):.1f}, p95 {ordered[int(len(ordered) * 0.95)]:.1f}, max {ordered[-1]:.1f}"
    )
    print(f"{'level':8} {'kind':14} {'n':>4}  nDCG@10  MRR@10  Recall@10")
    pages: dict[str, list[Scores]] = defaultdict(list)
    strict: dict[str, list[Scores]] = defaultdict(list)
    for question in data.questions:
        for kind in (question.kind, "ALL"):
            pages[kind].append(data.score_pages(question, found[question.id]))
            if (scores := data.score_sections(question, found[question.id])) is not None:
                strict[kind].append(scores)
    for level, by_kind in (("page", pages), ("section", strict)):
        for kind in sorted(by_kind, key=lambda kind: (kind == "ALL", kind)):
            scores = mean(by_kind[kind])
            print(
                f"{level:8} {kind:14} {len(by_kind[kind]):4}  {scores.ndcg:7.3f}  {scores.mrr:6.3f}  {scores.recall:9.3f}"
            )


def write_run(file: Path, found: dict[str, list[Found]]) -> None:
    with file.open("w") as out:
        for question_id, results in found.items():
            for rank, result in enumerate(results, 1):
                out.write(f"{question_id}\t{rank}\t{result.path}\tL{result.line}\n")


if __name__ == "__main__":
    try:
        with preparing_database():
            pass
        main()
    finally:
        embedded_backend.release()
