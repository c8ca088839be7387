"""What the files of a batch say. Plain work on texts, in a thread of its own; no rows."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from collections_app.exceptions import IngestError, ParseError
from collections_app.indexing import fulltext
from collections_app.ingest.batches import Item
from collections_app.parsing import parse
from collections_app.parsing.documents import ContentPolicy

logger = structlog.get_logger(__name__)


def parse_batch(batch: list[Item], policy: ContentPolicy, check: Callable[[], None]) -> list[Item]:
    """Parse what is new, in place. A parser's own fault is that file's failure, never the run's."""
    for item in batch:
        check()
        if item.raw is None or item.error or item.is_unchanged:
            continue
        try:
            item.parsed = parse(item.raw, policy)
            item.vector_texts = fulltext.make_vector_texts(item.parsed, item.path)
        except IngestError as error:
            item.error = error
        except Exception:
            logger.exception("parser_failed", path=item.path)
            item.error = ParseError("the parser failed on this file; this is a fault of docsmcp: please report it")
    return batch
