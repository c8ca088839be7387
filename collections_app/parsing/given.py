"""What is said of a document outside of it, by its uploader: read like a text without content, so that the same policy serves both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collections_app.parsing.documents import NormalisedText, ParsedDocument

_OWN_NAMES = frozenset({"title", "description", "category", "keywords"})


def read_given(metadata: Mapping[str, Any]) -> NormalisedText:
    """As in front matter, any case does for the four names that documents have; other keys stay as they are written."""
    named = {name.lower() if name.lower() in _OWN_NAMES else name: value for name, value in metadata.items()}
    return NormalisedText(
        format="text",
        content="",
        title=str(named.pop("title", None) or ""),
        description=str(named.pop("description", None) or ""),
        category=str(named.pop("category", None) or ""),
        keywords=_read_keywords(named.pop("keywords", None)),
        metadata=named,
    )


def put_first(given: NormalisedText, document: ParsedDocument) -> ParsedDocument:
    """What is given stands before the document's own word."""
    return replace(
        document,
        title=given.title or document.title,
        description=given.description or document.description,
        category=given.category or document.category,
        keywords=given.keywords or document.keywords,
        metadata={**document.metadata, **given.metadata},
    )


def _read_keywords(value: Any) -> tuple[str, ...]:
    """A list of words, or a text with commas between them."""
    words = value.split(",") if isinstance(value, str) else value
    return tuple(str(word).strip() for word in words if str(word).strip()) if isinstance(words, list) else ()
