"""What the files of a batch say. Plain work on texts, in a thread of its own; no rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import structlog

from collections_app.exceptions import IngestError, ParseError
from collections_app.indexing import fulltext
from collections_app.ingest.batches import Item
from collections_app.parsing import parse
from collections_app.parsing.documents import ContentPolicy, ParsedDocument

logger = structlog.get_logger(__name__)

OWN_NAMES = frozenset({"title", "description", "category", "keywords"})


def parse_batch(batch: list[Item], policy: ContentPolicy, check: Callable[[], None]) -> list[Item]:
    """Parse what is new, in place. A parser's own fault is that file's failure, never the run's."""
    for item in batch:
        check()
        if item.raw is None or item.error or item.is_unchanged:
            continue
        try:
            item.parsed = put_first(item.raw.metadata, parse(item.raw, policy))
            item.vector_texts = fulltext.make_vector_texts(item.parsed, item.path)
        except IngestError as error:
            item.error = error
        except Exception:
            logger.exception("parser_failed", path=item.path)
            item.error = ParseError("the parser failed on this file; this is a fault of docsmcp: please report it")
    return batch


def put_first(given: Mapping[str, Any], parsed: ParsedDocument) -> ParsedDocument:
    """What the uploader said of a document stands before its own word. As in front matter, any case does for the four names that
    documents have; other keys stay as they are written."""
    if not given:
        return parsed
    named = {name.lower() if name.lower() in OWN_NAMES else name: value for name, value in given.items()}
    return replace(
        parsed,
        title=str(named.pop("title", None) or parsed.title),
        description=str(named.pop("description", None) or parsed.description),
        category=str(named.pop("category", None) or parsed.category),
        keywords=read_keywords(named.pop("keywords", None)) or parsed.keywords,
        metadata={**parsed.metadata, **named},
    )


def read_keywords(value: Any) -> tuple[str, ...]:
    """A list of words, or a text with commas between them."""
    words = value.split(",") if isinstance(value, str) else value
    return tuple(str(word).strip() for word in words if str(word).strip()) if isinstance(words, list) else ()
