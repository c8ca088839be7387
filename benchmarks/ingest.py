"""`make bench-ingest DOCS=DIR [PAGES=N]`: how fast a directory becomes searchable, in one process, database included, no embeddings.

Ingests into a new collection, then once more unchanged. With PAGES the documents are so many copies of DIR's. Memory is the peak of
this process (the database's own is not in it).
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

import django

django.setup()

from benchmarks.pages import make_pages  # noqa: E402
from collections_app import jobs  # noqa: E402
from collections_app.models import Collection, Section, Tenant  # noqa: E402
from collections_app.provisioning import ensure_collection  # noqa: E402
from docsmcp_site import embedded_backend  # noqa: E402
from docsmcp_site.database_preparation import preparing_database  # noqa: E402

SLUG = "bench-ingest"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--pages", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        docs = make_pages(options.docs, options.pages, Path(folder)) if options.pages else options.docs
        measure(docs)


def measure(docs: Path) -> None:
    tenant, _ = Tenant.objects.get_or_create(slug="bench", defaults={"name": "Benchmarks"})
    Collection.objects.filter(tenant=tenant, slug=SLUG).delete()
    collection = ensure_collection(tenant, SLUG)
    source = jobs.ensure_directory_source(collection, docs)
    before = peak_mb()
    _, first = jobs.run_source(source, requested_by=SLUG)
    _, second = jobs.run_source(source, requested_by=SLUG)
    sections = Section.objects.filter(collection=collection).count()
    print(f"{dict(first.outcomes)}; {sections:,} sections, {first.size_bytes / 1e6:.1f} MB")
    print(
        f"first run  {first.seconds:7.2f} s  {first.files / first.seconds:7.0f} pages/s  "
        f"{first.size_bytes / 1e6 / first.seconds:5.2f} MB/s"
    )
    print(f"unchanged  {second.seconds:7.2f} s  {first.seconds / second.seconds:7.1f} times as fast")
    print(f"peak memory of this process {peak_mb():.0f} MB (before the run {before:.0f} MB)")
    Collection.objects.filter(pk=collection.pk).delete()


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    try:
        with preparing_database():
            pass
        main()
    finally:
        embedded_backend.release()
