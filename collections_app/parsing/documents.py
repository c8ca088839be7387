"""The stages of a document on its way in: RawDocument (from a source) → NormalisedText (a format's parser) → ParsedDocument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MAX_TITLE_CHARACTERS = 1000
"""Of a title so much is kept, and indexed with each of the document's sections."""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as its source gave it. `path` is its name in the collection: POSIX, relative, without `..`.

    `media_type` is what the source said of it, which may be wrong. `metadata` is what the uploader said of it, which counts
    before the document's own word: title, description, keywords, category, anything else. `fetch_state` is kept with the
    document and given back to its source at the next reading: what a crawler needs to ask whether the page changed.
    Both hold JSON values only.
    """

    path: str
    content: bytes
    media_type: str = ""
    source_url: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    fetch_state: Mapping[str, Any] = field(default_factory=dict)


class FindingKind(StrEnum):
    """What an editor would want to know before agents read a text."""

    INVISIBLE_CHARACTERS = "invisible_characters"
    HIDDEN_TEXT = "hidden_text"
    COMMENT = "comment"
    INSTRUCTIONS = "instructions"


class ContentPolicy(StrEnum):
    """What a collection does about findings."""

    STRIP = "strip"
    FLAG = "flag"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a document that its human readers do not see, or that speaks to a model instead of to them.

    `line` is the content's, counted from 0, and -1 for what did not get into the content; `excerpt` has at most 200
    characters; `removed` says whether the content is without it.
    """

    kind: FindingKind
    line: int
    excerpt: str
    removed: bool


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """What a format's parser gives: the text as Markdown, not yet cleaned and not yet cut into sections.

    Headings are ATX headings outside of lists and quotes; everything else that could be mistaken for one is escaped or
    fenced. `anchors` (line of a heading → its fragment in the source, where the heading itself does not say it) and
    `page_lines` (the line at which each page begins) count the content's lines from 0. `first_line` is the number that the
    content's first line has in the file. With `has_headings` false, nothing in it is a heading. An empty `title` falls back to
    the first level-1 heading, then to `navigation_title`, what the site calls the page, then to the file's name. `redirect` is where
    a page leads that readers see nothing of. `findings` are what the parser itself left out because no reader sees it.
    """

    format: str
    content: str
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    first_line: int = 1
    has_headings: bool = True
    anchors: Mapping[int, str] = field(default_factory=dict)
    page_lines: Sequence[int] = ()
    redirect: str = ""
    navigation_title: str = ""
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A heading and its own text, up to the next heading of any level.

    `text` is the section's own slice of the document's content, its heading line included: joined in order of
    `position`, all of them are the content. `character_count` and `token_count` are those of the whole subtree (the
    section and its subsections), which are the sections with `position <= p < end_position`. Lines are counted from 1,
    both inclusive, and span the section's own text: those of the content, counted on from the front matter, which are those
    of the source file where the format is text itself, no HTML in it became longer, and no footnote moved. `level` is 1 to 6, and 0
    for text before the first heading. `page_number` is that of the heading, from 1.
    `anchor` is the heading's fragment at the document's source URL, without `#`; empty where it has none.
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
    anchor: str = ""


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
    findings: tuple[Finding, ...] = ()
    is_quarantined: bool = False
    warnings: tuple[str, ...] = ()
