"""The two values that a document is on its way in: RawDocument (bytes from a source) and ParsedDocument (what they say)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as its source gave it. `path` is its name in the collection: POSIX, relative, without `..`."""

    path: str
    content: bytes
    media_type: str = ""
    source_url: str = ""


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A heading and its own text, up to the next heading of any level.

    `text` is the section's own slice of the document's content, its heading line included: joined in order of
    `position`, all of them are the content. `character_count` and `token_count` are those of the whole subtree (the
    section and its subsections), which are the sections with `position <= p < end_position`. Lines are those of the source file, counted
    from 1, both inclusive; they span the section's own text. `level` is 1 to 6, and 0 for text before the first heading.
    """

    position: int
    end_position: int
    section_id: str
    heading: str
    level: int
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int
    text: str
    character_count: int
    token_count: int
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a document says. `content` is normalised Markdown, without front matter; it may be empty, `sections` then too."""

    title: str
    format: str
    content: str
    sections: tuple[ParsedSection, ...]
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    page_count: int | None = None
    warnings: tuple[str, ...] = ()
