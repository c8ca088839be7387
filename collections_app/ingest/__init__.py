"""RawDocument → rows: the only writer of documents and sections, including their removal, restoring and release from quarantine.

It is idempotent by content hash: an unchanged document is not touched, unless navigation has moved it. A changed document is replaced with
its sections, index and statistics in one transaction, so that readers see it before or after, never in between. A file's failure is that
file's outcome and stops nothing else; a document that was readable stays readable if its new version is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial

from collections_app.ingest.batch_parser import BatchParser
from collections_app.ingest.batches import iter_batches
from collections_app.ingest.outcomes import IngestedFile, Outcome, Record
from collections_app.ingest.quarantine import release_document
from collections_app.ingest.recipes import make_recipe
from collections_app.ingest.removal import forget_removed, remove_all, remove_documents, restore_removed
from collections_app.ingest.sections import write_stored
from collections_app.ingest.writer import Writer
from collections_app.models import Collection, Document, Source
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


def ingest(
    collection: Collection,
    source: Source | None,
    files: Iterable[SourceFile | Pause],
    *,
    categories: Mapping[str, str] | None = None,
    foresee: Callable[[Document], None] | None = None,
    record: Record = lambda files: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[IngestedFile]:
    """Bring the collection's documents up to date with these files; yields the outcome of each once it is committed, batch by batch.

    `categories` (path → category) are for documents that name none themselves; the mapping may grow meanwhile. `record` is called with
    outcomes inside the transaction that makes them true, and again with other outcomes if that is rolled back. `check` is called between
    documents and while waiting, and may raise to break off. With `foresee` nothing is written: it is told the documents that would be
    served, and the outcomes are those that there would be.
    """
    writer = Writer(collection, source, {} if categories is None else categories, record, check)
    policy = ContentPolicy(collection.content_policy)
    finish = partial(writer.foresee, foresee) if foresee else writer.write
    with closing(BatchParser(policy, check)) as parser:
        for batch in iter_batches(files, policy):
            if parser.has_any({item.path for item in batch}):
                # A path that comes again must be written before it can be looked up.
                yield from finish(parser.take())
            writer.look_up(batch)
            parser.start(batch)
            # PostgreSQL works on a batch while the next one is parsed.
            if len(parser) > 1:
                yield from finish(parser.take())
        while len(parser):
            yield from finish(parser.take())
