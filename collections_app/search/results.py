"""What a search answers. PURE values, best hit first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Mode(StrEnum):
    """How sections are ranked."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that answers. `tokens` is what reading it costs, subsections included."""

    tenant: str
    collection: str
    version: str
    document_id: int
    path: str
    title: str
    section_id: str
    heading_path: tuple[str, ...]
    start_line: int
    page_number: int | None
    score: float
    tokens: int
    snippet: str
    source_url: str
    indexed: datetime | None


@dataclass(frozen=True, slots=True)
class WordReport:
    """A word of the question and in how many sections it occurs: here, and in the other visible collections by name."""

    word: str
    sections: int
    elsewhere: tuple[tuple[str, int], ...] = ()
    close: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """`mode` is the one used, which may be less than the one asked for; `notice` then says why.

    Without hits, `words` say which of the question's words do occur, and where.
    """

    query: str
    mode: Mode
    hits: tuple[Hit, ...]
    collections: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    words: tuple[WordReport, ...] = ()
    notice: str = ""
