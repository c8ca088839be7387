"""What an uploader says about a document outside of it: read like a text without content, so that the same policy applies to both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collections_app.parsing.documents import NormalisedText, ParsedDocument
from collections_app.parsing.front_matter.block import open_list

_TEXTS = ("title", "description", "category")
_OWN_NAMES = frozenset({*_TEXTS, "keywords"})


def read_given(metadata: Mapping[str, Any]) -> NormalisedText:
    """What an uploader says. As in front matter, the four names that documents know are read in any case, and values that are not text are
    left out with a warning; other keys stay as they are.
    """
    named = {name.lower() if name.lower() in _OWN_NAMES else name: value for name, value in metadata.items()}
    texts = {name: _read_text(named.pop(name, None)) for name in _TEXTS}
    return NormalisedText(
        format="text",
        content="",
        title=texts["title"] or "",
        description=texts["description"] or "",
        category=texts["category"] or "",
        keywords=_read_keywords(named.pop("keywords", None)),
        metadata=named,
        warnings=tuple(
            f"metadata: the {name} is not text; it was left out" for name, text in texts.items() if text is None
        ),
    )


def put_first(given: NormalisedText, document: ParsedDocument) -> ParsedDocument:
    """The uploader's values take precedence over the document's own."""
    return replace(
        document,
        title=given.title or document.title,
        description=given.description or document.description,
        category=given.category or document.category,
        keywords=given.keywords or document.keywords,
        metadata={**document.metadata, **given.metadata},
    )


def _read_text(value: Any) -> str | None:
    """A text, or the text in a list with one element; empty if nothing is given, None for anything else."""
    match open_list(value):
        case None:
            return ""
        case str() as text:
            return text
        case bool() as truth:
            return str(truth).lower()
        case int() | float() as number:
            return str(number)
    return None


def _read_keywords(value: Any) -> tuple[str, ...]:
    """A list of words, or a text with commas between words."""
    words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(word.strip() for word in map(_read_text, words) if word and word.strip())
