"""`make bench-ingest DOCS=DIR [PAGES=N] [SOURCES=N]`: how fast a directory becomes searchable, database included, no embeddings.

Ingests into a new collection, then once more unchanged, in one process. With PAGES the documents are so many copies of DIR's. Memory is
the peak of this process (the database's own is not in it). With SOURCES as many processes then do the same at once, as workers of the
queue do, each into a collection of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import django
from django.db import connection

# Embedding is told apart: EMBEDDINGS_KIND=static before the command has it done, too.
os.environ.setdefault("EMBEDDINGS_KIND", "none")
django.setup()

from benchmarks.database import run_with_database  # noqa: E402
from benchmarks.pages import make_pages  # noqa: E402
from benchmarks.processes import read_cpu_seconds  # noqa: E402
from collections_app import jobs  # noqa: E402
from collections_app.indexing.languages import change_language  # noqa: E402
from collections_app.models import Collection, Section, Tenant  # noqa: E402
from collections_app.provisioning import ensure_collection  # noqa: E402

SLUG = "bench-ingest"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--sources", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        docs = make_pages(options.docs, options.pages, Path(folder)) if options.pages else options.docs
        rate = measure(docs)
        if options.sources:
            measure_at_once(docs, options.sources, rate)


def measure(docs: Path) -> float:
    """Prints what it finds; returns the pages a second of the first run."""
    collection = make_collection(SLUG)
    source = jobs.ensure_directory_source(collection, docs)
    before = peak_mb()
    own_cpu, database_cpu = time.process_time(), read_database_cpu_seconds()
    _, first = jobs.run_source(source, requested_by=SLUG)
    own_cpu, database_cpu = time.process_time() - own_cpu, read_database_cpu_seconds() - database_cpu
    _, second = jobs.run_source(source, requested_by=SLUG)
    sections = Section.objects.filter(collection=collection).count()
    print(f"{dict(first.outcomes)}; {sections:,} sections, {first.size_bytes / 1e6:.1f} MB")
    print(
        f"first run  {first.seconds:7.2f} s  {first.files / first.seconds:7.0f} pages/s  "
        f"{first.size_bytes / 1e6 / first.seconds:5.2f} MB/s"
    )
    print(f"computing  {own_cpu:7.2f} s in this process, {database_cpu:.2f} s in PostgreSQL")
    print(f"unchanged  {second.seconds:7.2f} s  {first.seconds / second.seconds:7.1f} times as fast")
    print(f"peak memory of this process {peak_mb():.0f} MB (before the run {before:.0f} MB)")
    collection.delete()
    return first.files / first.seconds


class Finished(NamedTuple):
    began: float
    ended: float
    files: int


def measure_at_once(docs: Path, count: int, rate_of_one: float) -> None:
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        pool.map(time.sleep, [0.1] * count, chunksize=1)  # every process is there
        before = read_ticks()
        finished = pool.starmap(ingest_once, [(docs, f"{SLUG}-{number}") for number in range(count)], chunksize=1)
        idle, total = (after - then for after, then in zip(read_ticks(), before, strict=True))
    Collection.objects.filter(slug__startswith=f"{SLUG}-").delete()
    rate = count_rate(finished)
    print(
        f"{count} at once  {rate:7.0f} pages/s together, {rate / rate_of_one:.2f} times one; "
        f"{os.cpu_count()} cores {1 - idle / total:.0%} busy"
    )


def ingest_once(docs: Path, slug: str) -> Finished:
    collection = make_collection(slug)
    source = jobs.ensure_directory_source(collection, docs)
    began = time.time()
    _, summary = jobs.run_source(source, requested_by=SLUG)
    return Finished(began, time.time(), summary.files)


def count_rate(finished: Sequence[Finished]) -> float:
    """Files a second, from the beginning of the first to the end of the last."""
    seconds = max(each.ended for each in finished) - min(each.began for each in finished)
    return sum(each.files for each in finished) / seconds


def read_ticks() -> tuple[int, int]:
    """Idle and in all, of every core since the machine's start, in ticks; see proc_stat(5)."""
    ticks = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def read_database_cpu_seconds() -> float:
    """Of the server process of this connection, on this machine."""
    connection.ensure_connection()
    return read_cpu_seconds([connection.connection.info.backend_pid])


def make_collection(slug: str) -> Collection:
    tenant, _ = Tenant.objects.get_or_create(slug="bench", defaults={"name": "Benchmarks"})
    Collection.objects.filter(tenant=tenant, slug=slug).delete()
    collection = ensure_collection(tenant, slug)
    change_language(collection, "english")  # chosen: nothing is to be found out
    return collection


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    run_with_database(main)
