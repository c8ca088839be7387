"""Parses batches in a thread, each while the batch before it is written. It only works on texts, not on rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Set
from concurrent.futures import CancelledError, Future, wait
from threading import Event, Lock
from typing import NamedTuple

import structlog

from collections_app import daemon_threads
from collections_app.exceptions import IngestError, ParseError
from collections_app.indexing import vector_texts
from collections_app.ingest.items import Item
from collections_app.parsing import parse
from collections_app.parsing.documents import ContentPolicy

CHECK_SECONDS = 0.5

logger = structlog.get_logger(__name__)


class _Underway(NamedTuple):
    paths: frozenset[str]
    parsed: Future[list[Item]]


class BatchParser:
    """Parses batches one at a time: start them, and take them in the same order.

    It must be closed. A batch under way then ends after its current document, without being waited for. `check` is called between documents
    (in the thread) and while the caller waits; it may raise to break off.
    """

    def __init__(self, policy: ContentPolicy, check: Callable[[], None]) -> None:
        self._policy = policy
        self._check = check
        self._underway: deque[_Underway] = deque()
        self._turn = Lock()
        self._closed = Event()

    def __len__(self) -> int:
        """How many batches were started and not yet taken."""
        return len(self._underway)

    def has_any(self, paths: Set[str]) -> bool:
        """Whether one of these paths is in a batch that was not yet taken."""
        return any(not batch.paths.isdisjoint(paths) for batch in self._underway)

    def start(self, batch: list[Item]) -> None:
        def parse_in_turn() -> list[Item]:
            with self._turn:
                return parse_batch(batch, self._policy, self._check_in_thread)

        parsed = daemon_threads.start(parse_in_turn, "parse")
        self._underway.append(_Underway(frozenset(item.path for item in batch), parsed))

    def take(self) -> list[Item]:
        """The batch that was started first, once it is parsed."""
        _, parsed = self._underway.popleft()
        while not wait([parsed], timeout=CHECK_SECONDS).done:
            self._check()
        return parsed.result()

    def close(self) -> None:
        self._closed.set()

    def _check_in_thread(self) -> None:
        if self._closed.is_set():
            raise CancelledError
        self._check()


def parse_batch(batch: list[Item], policy: ContentPolicy, check: Callable[[], None]) -> list[Item]:
    """Parse new and changed items, in place. If the parser crashes, only that file fails, never the run."""
    for item in batch:
        check()
        if item.raw is None or item.error or item.is_unchanged:
            continue
        try:
            item.parsed = parse(item.raw, policy)
            item.vector_texts = vector_texts.make_vector_texts(item.parsed, item.path)
        except IngestError as error:
            item.error = error
        except Exception:
            logger.exception("parser_failed", path=item.path)
            item.error = ParseError("the parser failed on this file; this is a fault of docsmcp: please report it")
    return batch
