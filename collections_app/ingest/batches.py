"""Groups files into batches, each of the size of one transaction. It parses and writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from time import monotonic

from collections_app.exceptions import UnusablePath
from collections_app.ingest.items import Item
from collections_app.ingest.recipes import make_recipe
from collections_app.parsing.documents import ContentPolicy, RawDocument
from collections_app.sources import Pause, RefusedFile, SourceFile
from collections_app.sources.paths import MAX_PATH_CHARACTERS

# A batch is one transaction: large enough to write the terms of many documents at once, small enough to show progress.
BATCH_DOCUMENTS = 256
# The first batch is small and each following one twice as large, as PostgreSQL is idle until the first is parsed.
FIRST_BATCH_DOCUMENTS = 32
BATCH_BYTES = 4 * 1024 * 1024
# Files of a slow source are not held back longer than this.
BATCH_SECONDS = 5.0


def iter_batches(files: Iterable[SourceFile | Pause], policy: ContentPolicy) -> Iterator[list[Item]]:
    """Files in batches that grow to BATCH_DOCUMENTS, ended early by BATCH_BYTES or BATCH_SECONDS. The last file of a path counts.

    At a Pause the batch so far is yielded, and then an empty one, because a batch is only written once the next one is there.
    """
    batch: dict[str, Item] = {}
    size_bytes, began, most = 0, monotonic(), min(FIRST_BATCH_DOCUMENTS, BATCH_DOCUMENTS)
    for file in files:
        if isinstance(file, Pause):
            yield from filter(None, [list(batch.values())])
            yield []
            batch, size_bytes, began = {}, 0, monotonic()
            continue
        item = make_item(file, policy)
        batch[item.path] = item
        size_bytes += item.size_bytes
        if len(batch) >= most or size_bytes >= BATCH_BYTES or monotonic() - began >= BATCH_SECONDS:
            yield list(batch.values())
            batch, size_bytes, began, most = {}, 0, monotonic(), min(2 * most, BATCH_DOCUMENTS)
    if batch:
        yield list(batch.values())


def make_item(file: SourceFile, policy: ContentPolicy) -> Item:
    path = file.path[:MAX_PATH_CHARACTERS]
    if isinstance(file, RefusedFile):
        return Item(path, error=file.error, source_url=file.source_url, fetch_state=file.fetch_state)
    if len(file.path) > MAX_PATH_CHARACTERS:
        message = f"its path is longer than {MAX_PATH_CHARACTERS:,} characters: move it up or shorten its name"
        return Item(path, error=UnusablePath(message))
    if not isinstance(file, RawDocument):
        return Item(path, is_said_unchanged=True)
    content_hash = hashlib.sha256(file.content).hexdigest()
    recipe = make_recipe(policy, file.metadata)
    return Item(path, file, content_hash, recipe, file.source_url, file.fetch_state)
