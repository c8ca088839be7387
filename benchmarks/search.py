"""`make bench-search DATASET=DIR [RUN=file] [AGAINST=file]`: quality and latency of search on a test set, in each mode that works here.

Beside them the peers of peers/, as far as they are installed, on the same sections.
Asks through `collections_app.search.search`, the function behind the tool, and behind row-level security, as the web server does: with
the tool's largest limit for quality, with its default for latency. Documents are ingested into the collection `bench-NAME` of the tenant
`bench` (again only where they changed).

To compare embedding models: with one of them RUN=a.tsv, with the other (EMBEDDINGS_KIND=…) AGAINST=a-hybrid.tsv.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import django
from django.conf import settings

django.setup()

from benchmarks.database import behind_wall, run_with_database  # noqa: E402
from benchmarks.peers.comparison import compare_peers  # noqa: E402
from benchmarks.retrieval import DataSet, Found, Question, Scores, estimate_interval, mean  # noqa: E402
from collections_app import jobs  # noqa: E402
from collections_app.indexing.embedding import index_embedded  # noqa: E402
from collections_app.models import Collection, Section, Tenant  # noqa: E402
from collections_app.provisioning import ensure_collection  # noqa: E402
from collections_app.search import Mode, SearchOptions, search  # noqa: E402

# The tool's largest limit: ranks are judged to this depth; times are those of its default.
MOST = 50
MODES = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID)

Answers = Mapping[Mode, Mapping[str, list[Found]]]
"""What each mode found, by the id of the question."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument(
        "--run",
        type=Path,
        help="write the ranked results here, of each mode to a file: question id, rank, path, L<line>",
    )
    parser.add_argument(
        "--against", type=Path, help="such a file, of an earlier run: tell what hybrid mode has more than it"
    )
    options = parser.parse_args()
    data = DataSet(options.dataset)
    collection = prepare(options.dataset)
    modes = [mode for mode in MODES if is_served(mode, collection)]
    print(
        f"{options.dataset.name}: {len(data.questions)} questions, {Section.objects.filter(collection=collection).count():,} sections"
    )
    with behind_wall(collection.tenant):
        for mode in modes:
            report_latency(mode, list(time_questions(data, collection, mode)))
        answers = {mode: {q.id: ask(q.text, collection, MOST, mode) for q in data.questions} for mode in modes}
    report_quality(data, answers)
    if options.against:
        report_difference(data, answers[Mode.HYBRID], read_run(options.against))
    compare_peers(data, {mode.value: found for mode, found in answers.items()})
    if options.run:
        write_runs(options.run, answers)


def prepare(dataset: Path) -> Collection:
    tenant, _ = Tenant.objects.get_or_create(slug="bench", defaults={"name": "Benchmarks"})
    collection = ensure_collection(tenant, f"bench-{dataset.name.lower()}")
    # What people call it, who ask about it by name.
    Collection.objects.filter(pk=collection.pk).update(name=dataset.name)
    source = jobs.ensure_directory_source(collection, dataset / "corpus")
    _, summary = jobs.run_source(source, prune=True, requested_by="bench-search")
    print(f"ingest: {dict(summary.outcomes)} in {summary.seconds:.1f} s")
    index_embedded()  # as the queue does within a minute
    return Collection.objects.select_related("tenant").get(pk=collection.pk)


def is_served(mode: Mode, collection: Collection) -> bool:
    results = search("a question", [collection], SearchOptions(limit=1, snippet_length=50, mode=mode))
    if results.mode is not mode:
        print(results.notice)
    return results.mode is mode


def ask(text: str, collection: Collection, limit: int, mode: Mode) -> list[Found]:
    length = settings.DOCSMCP.mcp_snippet_length
    results = search(text[:1000], [collection], SearchOptions(limit=limit, snippet_length=length, mode=mode))
    return [Found(hit.path, hit.start_line) for hit in results.hits]


def time_questions(data: DataSet, collection: Collection, mode: Mode) -> Iterator[float]:
    """Milliseconds."""
    for question in data.questions:
        began = perf_counter()
        ask(question.text, collection, settings.DOCSMCP.mcp_max_search_results, mode)
        yield (perf_counter() - began) * 1000


def report_latency(mode: Mode, milliseconds: Sequence[float]) -> None:
    ordered = sorted(milliseconds)
    print(
        f"{mode:9} ms per query: median {statistics.median(ordered):.1f}, mean {statistics.mean(ordered):.1f}, "
        f"p95 {ordered[int(len(ordered) * 0.95)]:.1f}, max {ordered[-1]:.1f}"
    )


def report_quality(data: DataSet, answers: Answers) -> None:
    """Each group's means by mode, and of nDCG@10 what hybrid has more than keyword, with its interval."""
    print(f"{'level':8} {'questions':20} {'n':>4}  " + "  ".join(f"{mode:9} nDCG  MRR  recall" for mode in answers))
    for level in ("page", "section"):
        for group, questions in group_questions(data):
            scores = {mode: score(data, level, questions, found) for mode, found in answers.items()}
            if scores[Mode.KEYWORD]:
                print(f"{level:8} {group:20} {len(scores[Mode.KEYWORD]):4}  {describe(scores)}")


def group_questions(data: DataSet) -> Iterator[tuple[str, list[Question]]]:
    for kind in sorted({question.kind for question in data.questions}):
        yield kind, [question for question in data.questions if question.kind == kind]
    for half in ("tune", "report"):
        yield f"ALL, half to {half}", [question for question in data.questions if question.half == half]
    yield "ALL", data.questions


def score(data: DataSet, level: str, questions: Sequence[Question], found: Mapping[str, list[Found]]) -> list[Scores]:
    """Of the questions that are judged at this level."""
    judge = data.score_pages if level == "page" else data.score_sections
    return [scores for question in questions if (scores := judge(question, found[question.id])) is not None]


def report_difference(data: DataSet, now: Mapping[str, list[Found]], earlier: Mapping[str, list[Found]]) -> None:
    """Each group's means of nDCG@10, and of the paired difference with its interval."""
    print(f"{'level':8} {'questions':20} {'n':>4}  hybrid  earlier run  difference")
    for level in ("page", "section"):
        for group, questions in group_questions(data):
            scores, before = (score(data, level, questions, found) for found in (now, earlier))
            if scores:
                columns = (
                    f"{mean(scores).ndcg:.3f}   {mean(before).ndcg:.3f}        {describe_difference(scores, before)}"
                )
                print(f"{level:8} {group:20} {len(scores):4}  {columns}")


def describe_difference(scores: Sequence[Scores], others: Sequence[Scores]) -> str:
    differences = [ours.ndcg - theirs.ndcg for ours, theirs in zip(scores, others, strict=True)]
    low, high = estimate_interval(differences)
    return f"{statistics.mean(differences):+.3f} [{low:+.3f} {high:+.3f}]"


def describe(scores: Mapping[Mode, Sequence[Scores]]) -> str:
    means = (mean(of_mode) for of_mode in scores.values())
    columns = [f"{'':9} {m.ndcg:.3f} {m.mrr:.3f} {m.recall:.3f}" for m in means]
    if Mode.HYBRID in scores:
        columns.append(describe_difference(scores[Mode.HYBRID], scores[Mode.KEYWORD]))
    return "  ".join(columns)


def write_runs(file: Path, answers: Answers) -> None:
    for mode, found in answers.items():
        with file.with_name(f"{file.stem}-{mode}{file.suffix}").open("w") as out:
            for question_id, results in found.items():
                for rank, result in enumerate(results, 1):
                    out.write(f"{question_id}\t{rank}\t{result.path}\tL{result.line}\n")


def read_run(file: Path) -> Mapping[str, list[Found]]:
    found: dict[str, list[Found]] = defaultdict(list)
    for line in file.read_text().splitlines():
        question_id, _, path, start = line.split("\t")
        found[question_id].append(Found(path, int(start.removeprefix("L"))))
    return found


if __name__ == "__main__":
    run_with_database(main)
