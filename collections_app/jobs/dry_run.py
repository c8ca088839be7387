"""Finds out what a run would do, without writing anything."""

from __future__ import annotations

from time import monotonic

from collections_app.ingest import IngestedFile, Outcome, ingest
from collections_app.jobs.summary import Progress, Summary
from collections_app.models import Collection, Source
from collections_app.naming.translations import count_translations
from collections_app.naming.version_folders import count_outdated
from collections_app.sources import Reading


def foresee(
    collection: Collection, reading: Reading, *, source: Source | None, prune: bool, on_file: Progress
) -> Summary:
    """The summary that a run over this reading, already entered, would have.

    The collection need not be saved; `source` is the one whose documents pruning would remove.
    """
    began, summary = monotonic(), Summary()
    for file in ingest(collection, None, reading, categories=reading.categories, dry_run=True):
        summary.add(file)
        on_file(file, len(reading.listed))
    summary.is_unpruned = prune and not reading.is_complete
    if source and reading.is_complete:
        gone = sorted(set(source.documents.values_list("path", flat=True)) - set(reading.listed))
        summary.unfound, summary.to_remove = ((), gone) if prune else (gone, ())
        for path in summary.to_remove:
            summary.add(IngestedFile(path, Outcome.REMOVED))
    summary.left_out = reading.left_out
    summary.older = count_outdated(reading.listed)
    summary.translations = count_translations(reading.listed)
    summary.seconds = monotonic() - began
    return summary
