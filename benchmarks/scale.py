"""`make bench-scale DOCS=DIR [SECTIONS=1000000] [PLOT=FILE] [KEEP=1] [EMBED=1]`: how latency, size and ingest grow from a thousand
sections on.

DIR's folders are libraries; each is copied, with other words and in ten languages (growth.py), into collections of one tenant until there
are 10³, 10⁴, … sections. They are written by `ingest()`, as documents are. Questions are DIR's own (queries.jsonl, else headings), in the
words of a copy that is there. Latency is that of `search()` in this process, behind row-level security as the web server asks, in keyword
mode, with the tool's default limit, each question asked once before, so that nothing waits for the disk; beside it stands what a question
computes here and in PostgreSQL, which a machine with other work tells better. Where DIR's folders are data sets, what is found is judged
too (scale_quality.py). With KEEP the library of the run before is asked, and nothing is written. With EMBED its sections get embeddings
and these their indexes, a million in some twelve minutes, and hybrid search is asked as well; so it is of a library that has them.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import django
from django.conf import settings

django.setup()

from django.db import connection  # noqa: E402

from benchmarks.database import behind_wall, run_with_database  # noqa: E402
from benchmarks.growth import Copy, Page, find_common, iter_copies, read_library  # noqa: E402
from benchmarks.plot import Line, plot  # noqa: E402
from benchmarks.processes import read_cpu_seconds  # noqa: E402
from benchmarks.scale_quality import Quality, judge  # noqa: E402
from collections_app.indexing.embedding import embed_collection, index_embedded  # noqa: E402
from collections_app.indexing.fulltext import settle_index  # noqa: E402
from collections_app.ingest import ingest  # noqa: E402
from collections_app.models import Collection, EmbeddedCollection, Section, Tenant  # noqa: E402
from collections_app.parsing.documents import RawDocument  # noqa: E402
from collections_app.provisioning import ensure_collection  # noqa: E402
from collections_app.search import MAX_QUERY_CHARACTERS, Mode, SearchOptions, SearchResults, search  # noqa: E402
from collections_app.search.time_limit import SearchTooSlow  # noqa: E402

SLUG = "bench-scale"
FIRST_SIZE = 1_000
QUESTIONS = 150
RELATIONS = (
    "collections_app_sectionvector",
    "section_vector_by_collection",
    "section_vector_by_heading",
    "collections_app_termstatistic",
)


@dataclass(slots=True)
class Library:
    """What was put into the database so far."""

    tenant: Tenant
    copies: list[Copy] = field(default_factory=list)
    sections: int = 0


class Times(NamedTuple):
    """Milliseconds a question: by the clock, and on average of a processor's time, in this process and in PostgreSQL."""

    median: float
    high: float
    process: float
    postgres: float


@dataclass(frozen=True, slots=True)
class Measured:
    sections: int
    sections_a_second: float
    index_mb: float
    times: dict[str, Times]
    """By what was asked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--sections", type=int, default=1_000_000)
    parser.add_argument("--plot", type=Path, help="write a plot (SVG) here")
    parser.add_argument("--keep", action="store_true", help="ask the library that is there")
    parser.add_argument("--embed", action="store_true", help="give its sections embeddings")
    options = parser.parse_args()
    read = {folder: library for folder in list_folders(options.docs) if (library := read_library(folder))}
    libraries = list(read.values())
    texts = read_questions(options.docs) or [
        heading for library in libraries for page in library for heading in page.headings
    ]
    measured = []
    growths = [(find_library(libraries), 0.0)] if options.keep else grow(libraries, options.sections)
    for growth in growths:
        if options.embed:
            embed(growth[0])
        measured.append(measure(*growth, texts))
        report(measured[-1])
        report_quality(judge_all(list(read), growth[0]))
    if options.plot:
        options.plot.write_text(plot_latency(measured))


def list_folders(docs: Path) -> list[Path]:
    """The libraries; of a data set (retrieval.py) its documents."""
    folders = sorted(folder for folder in docs.iterdir() if folder.is_dir()) or [docs]
    return [corpus if (corpus := folder / "corpus").is_dir() else folder for folder in folders]


def read_questions(docs: Path) -> list[str]:
    files = sorted(docs.rglob("queries.jsonl"))
    return [json.loads(line)["query"][:1000] for file in files for line in file.read_text().splitlines()]


def find_library(libraries: Sequence[Sequence[Page]]) -> Library:
    """What an earlier run left."""
    tenant = Tenant.objects.get(slug=SLUG)
    common = find_common(page for library in libraries for page in library)
    slugs = Collection.objects.filter(tenant=tenant).order_by("pk").values_list("slug", flat=True)
    copies = [Copy(int(slug.rpartition("-")[2]), common) for slug in slugs]
    return Library(tenant, copies, Section.objects.filter(tenant=tenant).count())


def grow(libraries: Sequence[Sequence[Page]], most: int) -> Iterator[tuple[Library, float]]:
    """After each size: what there is, and how many sections a second were written since the one before."""
    Collection.objects.filter(tenant__slug=SLUG).delete()
    tenant, _ = Tenant.objects.get_or_create(slug=SLUG, defaults={"name": "Scale"})
    library, size = Library(tenant), FIRST_SIZE
    seconds, before = 0.0, 0
    for copy, index in iter_copies(libraries):
        collection = ensure_collection(tenant, f"library-{index}-{copy.number}")
        Collection.objects.filter(pk=collection.pk).update(language=copy.language)
        collection.refresh_from_db()
        library.copies.append(copy)
        pages = iter(libraries[index])
        while page := next(pages, None):
            began = perf_counter()
            part = take_sections(chain([page], pages), size - library.sections)
            add_pages(collection, copy, part)
            seconds += perf_counter() - began
            library.sections = Section.objects.filter(tenant=tenant).count()
            if library.sections >= size:
                yield library, (library.sections - before) / seconds
                seconds, before, size = 0.0, library.sections, size * 10
                if size > most:
                    return


def take_sections(pages: Iterator[Page], count: int) -> Iterator[Page]:
    for page in pages:
        yield page
        count -= page.section_count
        if count <= 0:
            return


def add_pages(collection: Collection, copy: Copy, pages: Iterator[Page]) -> None:
    documents = (RawDocument(page.path, copy.rewrite(page.text).encode()) for page in pages)
    written = sum(1 for _ in ingest(collection, None, documents))
    settle_index(collection, written)


def embed(library: Library) -> None:
    """As the queue does."""
    for collection in Collection.objects.filter(tenant=library.tenant):
        for _ in embed_collection(collection):
            pass
    index_embedded()


def measure(library: Library, rate: float, texts: Sequence[str]) -> Measured:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    generator = random.Random(1)
    everything = list(Collection.objects.select_related("tenant").filter(tenant=library.tenant))
    sizes = {c.pk: Section.objects.filter(collection=c).count() for c in everything}
    smallest, largest = (choose(everything, key=lambda c: sizes[c.pk]) for choose in (min, max))
    english = [c for c in everything if c.language == "english"]
    asked = [ask_in(generator.choice(library.copies), text) for text in generator.choices(texts, k=QUESTIONS)]
    plain = generator.choices(texts, k=QUESTIONS)
    shapes: dict[str, Callable[[str], Any]] = {
        "all collections": lambda text: look(text, everything),
        "plain questions": lambda text: look(
            text, everything
        ),  # the measure for those with filters, whose words they are
        "those in English": lambda text: look(text, english),
        "the largest collection": lambda text: look(text, [largest]),
        "the smallest collection": lambda text: look(text, [smallest]),
        "one common word": lambda text: look(text.split()[0], everything),
        "a phrase": lambda text: look(quote_start(text), everything),
        "an exclusion": lambda text: look(f"{text} -install", everything),
        "code": lambda text: look(text, everything, code="shell"),
        "a category": lambda text: look(text, everything, category="docs"),
        "a path": lambda text: look(text, everything, filters={"path": {"$contains": "install"}}),
        "metadata": lambda text: look(text, everything, filters={"hide": {"$ne": "navigation"}}),
    }
    if EmbeddedCollection.objects.filter(tenant=library.tenant).exists():
        shapes |= {
            "hybrid, all collections": lambda text: look(text, everything, mode=Mode.HYBRID),
            "hybrid, those in English": lambda text: look(text, english, mode=Mode.HYBRID),
            "hybrid, the largest": lambda text: look(text, [largest], mode=Mode.HYBRID),
            "hybrid, a phrase": lambda text: look(quote_start(text), everything, mode=Mode.HYBRID),
            "hybrid, a category": lambda text: look(text, everything, mode=Mode.HYBRID, category="docs"),
        }
    questions = dict.fromkeys(shapes, plain) | {"all collections": asked, "hybrid, all collections": asked}
    shapes["common words"] = shapes["all collections"]
    questions["common words"] = [make_common(copy, generator) for copy in library.copies]
    with behind_wall(library.tenant):
        times = {name: time_all(ask, questions[name]) for name, ask in shapes.items()}
    return Measured(library.sections, rate, read_sizes(), times)


def ask_in(copy: Copy, text: str) -> str:
    return copy.rewrite(text)


def quote_start(text: str) -> str:
    """Its first two words as a phrase."""
    return f'"{" ".join(text.split()[:2])}"'


def make_common(copy: Copy, generator: random.Random) -> str:
    """A question of words that are everywhere."""
    return copy.rewrite_words(
        " ".join(generator.sample(["command", "file", "use", "name", "path", "set", "value", "run", "example"], 4))
    )


def look(text: str, collections: Sequence[Collection], mode: Mode = Mode.KEYWORD, **options: Any) -> SearchResults:
    config = settings.DOCSMCP
    return search(
        text,
        collections,
        SearchOptions(
            limit=config.mcp_max_search_results, snippet_length=config.mcp_snippet_length, mode=mode, **options
        ),
    )


def judge_all(folders: Sequence[Path], library: Library) -> Quality:
    everything = list(Collection.objects.select_related("tenant").filter(tenant=library.tenant).order_by("pk"))
    sets = [folder.parent for folder in folders]
    copies = list(zip(everything, library.copies, strict=True))
    return judge(sets, copies, lambda text: look(text[:MAX_QUERY_CHARACTERS], everything).hits)


def time_all(ask: Callable[[str], Any], texts: Sequence[str]) -> Times:
    for text in texts:
        with suppress(SearchTooSlow):  # while it waits for the disk
            ask(text)
    times = []
    cpu = process_time(), read_postgres_seconds()
    for text in texts:
        began = perf_counter()
        ask(text)
        times.append((perf_counter() - began) * 1000)
    process, postgres = process_time() - cpu[0], read_postgres_seconds() - cpu[1]
    means = (seconds * 1000 / len(texts) for seconds in (process, postgres))
    return Times(statistics.median(times), sorted(times)[int(len(times) * 0.95)], *means)


def read_postgres_seconds() -> float:
    """Of the session's own process, where it runs on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return read_cpu_seconds(cursor.fetchone())


def read_sizes() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(pg_table_size(name::regclass)) FROM unnest(%s::text[]) AS name", [list(RELATIONS)])
        return float(cursor.fetchone()[0]) / 1e6


def report(measured: Measured) -> None:
    print(
        f"{measured.sections:,} sections; {measured.sections_a_second:,.0f} a second; index {measured.index_mb:,.0f} MB"
    )
    for name, times in measured.times.items():
        print(
            f"    {name:25} median {times.median:6.1f} ms   p95 {times.high:6.1f} ms   "
            f"processor: process {times.process:5.1f} ms, PostgreSQL {times.postgres:5.1f} ms",
            flush=True,
        )


def report_quality(quality: Quality) -> None:
    for language, kinds in quality.items():
        told = ", ".join(f"{kind} {ndcg:.4f}" for kind, ndcg in kinds.items())
        print(f"    pages found, nDCG@10, {language}: {told}", flush=True)


def plot_latency(measured: Sequence[Measured]) -> str:
    names = ("all collections", "the largest collection", "the smallest collection")
    lines = [
        Line(f"{name}, {which}", [(m.sections, m.times[name][index]) for m in measured])
        for name in names
        for index, which in enumerate(("median", "p95"))
    ]
    return plot("Search in the process, keyword mode", "sections", "ms", lines)


if __name__ == "__main__":
    run_with_database(main)
