"""The stages of a document on its way in: RawDocument (from a source) → NormalisedText (a format's parser) → ParsedDocument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from collections_app.parsing.headings import Heading

MAX_TITLE_CHARACTERS = 1000
"""Characters that are kept of a title, which is indexed with each section of the document."""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as its source delivers it. `path` is its name in the collection: POSIX, relative, without `..`.

    `media_type` is what the source says about it, which may be wrong. `metadata` is what the uploader says about it, and takes precedence
    over the document itself: title, description, keywords, category, anything else. `fetch_state` is stored with the document and given
    back to its source at the next reading: what a crawler needs to ask whether the page has changed. Both hold JSON values only.
    """

    path: str
    content: bytes
    media_type: str = ""
    source_url: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    fetch_state: Mapping[str, Any] = field(default_factory=dict)


class FindingKind(StrEnum):
    """What an editor should know before agents read a text."""

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
    """Something in a document that its human readers do not see, or that is addressed to a model instead.

    `line` is the line in the content, counted from 0, and -1 for what is not in the content; `excerpt` has at most 200 characters;
    `removed` says whether it was removed from the content.
    """

    kind: FindingKind
    line: int
    excerpt: str
    removed: bool


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """What a format's parser returns: the text as Markdown, not yet cleaned and not yet cut into sections.

    Headings are ATX headings outside of lists and quotes; everything else that could be mistaken for one is escaped or fenced. `anchors`
    (line of a heading → its fragment in the source, if the heading itself does not contain it) and `page_lines` (the line at which each
    page begins) count the content's lines from 0. `first_line` is the number that the content's first line has in the file. `headings`, if
    given, are its headings, and nothing else in it is one. An empty `title` falls back to the first level-1 heading, then to
    `navigation_title`, the site's name for the page, then to the file's name. `redirect` is the target of a page that readers do not get to
    see. `findings` are about what the parser itself left out because no reader sees it.
    """

    format: str
    content: str
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    first_line: int = 1
    headings: tuple[Heading, ...] | None = None
    anchors: Mapping[int, str] = field(default_factory=dict)
    page_lines: Sequence[int] = ()
    redirect: str = ""
    navigation_title: str = ""
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A heading and its own text, up to the next heading of any level.

    `text` is the section's part of the document's content, including its heading line: joined in the order of `position`, these texts are
    the content. `character_count` and `token_count` are those of the whole subtree (the section and its subsections), which are the
    sections with `position <= p < end_position`. `start_line` and `end_line` span the section's own text, both inclusive and counted from
    1. They count the lines of the content, after those of the front matter; they are also the lines of the source file if the format is
    text itself, no HTML in it became longer, and no footnote moved. `level` is 1 to 6, and 0 for text before the first heading.
    `page_number` is that of the heading, from 1. `anchor` is the heading's fragment at the document's source URL, without `#`; empty if it
    has none.
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
    """A parsed document. `content` is normalised Markdown without front matter; if it is empty, `sections` is too."""

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
