"""Finds out what a run would do, without writing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Some
from time import monotonic

from collections_app.ingest import IngestedFile, Outcome, ingest
from collections_app.jobs.moves import Foreseen, find_moves
from collections_app.jobs.summary import Progress, Summary
from collections_app.models import Collection, Document, Source
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
    foreseen = Foreseen(source if prune else None)
    duplicates = set[str]()
    for file in ingest(collection, None, reading, categories=reading.categories, foresee=foreseen.add):
        summary.add(file)
        on_file(file, len(reading.listed))
        if file.outcome == Outcome.DUPLICATE:
            duplicates.add(file.path)
    summary.is_unpruned = prune and not reading.is_complete
    if source and reading.is_complete:
        gone = sorted(set(source.documents.values_list("path", flat=True)) - set(reading.listed))
        if prune:
            foresee_removals(summary, source, gone, foreseen, duplicates)
        else:
            summary.unfound = gone
    summary.left_out = reading.left_out
    summary.older = count_outdated(reading.listed)
    summary.translations = count_translations(reading.listed)
    summary.seconds = monotonic() - began
    return summary


def foresee_removals(
    summary: Summary, source: Source, gone: list[str], foreseen: Foreseen, duplicates: Some[str]
) -> None:
    summary.to_remove = gone
    for path in gone:
        summary.add(IngestedFile(path, Outcome.REMOVED))
    summary.moved = find_moves(source, gone, (), foreseen)
    renamed = [foreseen[path].content_hash for path in set(summary.moved.values()).intersection(duplicates)]
    kept = Document.objects.in_collections([source.collection]).readable().exclude(path__in=[*gone, *foreseen])
    hashes = Counter(each.content_hash for each in foreseen.values())
    hashes.update(kept.filter(content_hash__in=renamed).values_list("content_hash", flat=True))
    summary.count_as_indexed(sum(hashes[each] == 1 for each in renamed))
