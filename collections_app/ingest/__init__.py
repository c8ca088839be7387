"""RawDocument → rows: the only writer of documents and sections, also of those that leave, come back or are let out of quarantine.

Idempotent by content hash: a document that did not change is not touched, but where navigation has moved it. One that did changes
in one transaction, its sections, index and statistics with it, so that a reader sees it before or after and never between. One
file's failure is that file's outcome and stops nothing else; a document that was readable stays so when its new version is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from threading import Event

from collections_app.daemon_threads import start
from collections_app.ingest.batches import Item, iter_batches
from collections_app.ingest.outcomes import IngestedFile, Outcome, Record
from collections_app.ingest.parsed import parse_batch
from collections_app.ingest.quarantine import release_document
from collections_app.ingest.recipes import make_recipe
from collections_app.ingest.removal import forget_removed, remove_all, remove_documents, restore_removed
from collections_app.ingest.sections import write_stored
from collections_app.ingest.writer import Writer
from collections_app.models import Collection, Source
from collections_app.parsing.documents import ContentPolicy
from collections_app.sources import Pause, SourceFile
from collections_app.sources.paths import MAX_PATH_CHARACTERS

__all__ = [
    "MAX_PATH_CHARACTERS",
    "IngestedFile",
    "Outcome",
    "forget_removed",
    "ingest",
    "make_recipe",
    "release_document",
    "remove_all",
    "remove_documents",
    "restore_removed",
    "write_stored",
]

CHECK_SECONDS = 0.5


def ingest(
    collection: Collection,
    source: Source | None,
    files: Iterable[SourceFile | Pause],
    *,
    categories: Mapping[str, str] | None = None,
    dry_run: bool = False,
    record: Record = lambda files: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[IngestedFile]:
    """Bring the collection's documents up to these files; yields an outcome for each, once it is certain, a batch at a time.

    `categories` (path → category) serve documents that name none themselves; they may grow meanwhile. `record` is called with
    outcomes inside the transaction that makes them true, and again with others when that is rolled back. `check` is called
    between documents and in waits, and may raise to break off. With `dry_run` nothing is written, and the outcomes are those
    that there would be.
    """
    writer = Writer(collection, source, {} if categories is None else categories, record, check)
    policy = ContentPolicy(collection.content_policy)
    finish = writer.foresee if dry_run else writer.write
    # Parsing a batch overlaps with PostgreSQL's work on the batch before.
    parsing = None
    parsed = Event()
    parsed.set()
    has_ended = Event()

    def check_parsing() -> None:
        if has_ended.is_set():
            raise CancelledError
        check()

    underway: set[str] = set()
    try:
        for batch in iter_batches(files, policy):
            paths = {item.path for item in batch}
            if parsing and not paths.isdisjoint(underway):
                # What there is at a path that comes again is known once its first file is written.
                yield from finish(wait_for(parsing, check))
                parsing = None
            writer.look_up(batch)
            before, parsed = parsed, Event()
            following = start(partial(parse_next, before, parsed, batch, policy, check_parsing), "parse")
            if parsing:
                yield from finish(wait_for(parsing, check))
            parsing, underway = following, paths
        if parsing:
            yield from finish(wait_for(parsing, check))
    finally:
        # Not waited for: whoever breaks off need not see a large document parsed to its end.
        has_ended.set()


def parse_next(
    before: Event, parsed: Event, batch: list[Item], policy: ContentPolicy, check: Callable[[], None]
) -> list[Item]:
    """One batch at a time: `before` tells when the one before is done, `parsed` that this one is."""
    before.wait()
    try:
        return parse_batch(batch, policy, check)
    finally:
        parsed.set()


def wait_for(parsing: Future[list[Item]], check: Callable[[], None]) -> list[Item]:
    while not wait([parsing], timeout=CHECK_SECONDS).done:
        check()
    return parsing.result()
