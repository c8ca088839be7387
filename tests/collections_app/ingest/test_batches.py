"""Batches: the first is soon there, and none is large."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from collections_app.ingest.batches import BATCH_BYTES, BATCH_DOCUMENTS, iter_batches
from collections_app.parsing.documents import ContentPolicy, RawDocument
from collections_app.sources import Pause


def count(files: Sequence[RawDocument | Pause]) -> list[int]:
    return [len(batch) for batch in iter_batches(files, ContentPolicy.STRIP)]


def test_batches_grow_so_that_writing_begins_soon() -> None:
    sizes = count([RawDocument(f"{n}.md", b"text") for n in range(4 * BATCH_DOCUMENTS)])
    assert sizes[0] < BATCH_DOCUMENTS / 4
    assert all(later in (2 * earlier, BATCH_DOCUMENTS) for earlier, later in pairwise(sizes[:-1]))
    assert max(sizes) == BATCH_DOCUMENTS
    assert sum(sizes) == 4 * BATCH_DOCUMENTS


def test_a_large_file_ends_its_batch() -> None:
    large = bytes(BATCH_BYTES)
    assert count([RawDocument("a.md", b""), RawDocument("b.md", large), RawDocument("c.md", b"")]) == [2, 1]


def test_a_pause_ends_the_batch_and_lets_nothing_wait_behind_it() -> None:
    file = RawDocument("a.md", b"text")
    assert count([file, Pause(), Pause(), file]) == [1, 0, 0, 1]
