"""What a search answers. PURE values, best hit first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from collections_app.search.query import replace_words
from collections_app.search.search_options import Mode


class Hit(NamedTuple):
    """A section that answers. `tokens` is what reading it costs, subsections included; `is_pinned`: people chose it for this question;
    `code_languages`: those that its code may be the same in (list_alternatives).

    A tuple, which a remembered answer is read back from several times as fast as from a dataclass.
    """

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
    is_pinned: bool = False
    code_languages: tuple[str, ...] = ()


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

    Without hits, `words` say which of the question's words do occur, and where, and `pages` are those whose path or title is nearly
    what was asked for; `is_narrowed`: category, filters or code left sections out. With hits, `words` are those that no section has.
    `is_doubtful`: they may be about something else. `collections` go by the names that tell them apart. `cached`: found a short while ago;
    `is_repeat`: and told to the same caller. `is_makeshift`: the next moment may have better ones. `spellings`: words of the question →
    what was searched in their place.
    """

    query: str
    mode: Mode
    hits: tuple[Hit, ...]
    collections: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    words: tuple[WordReport, ...] = ()
    pages: tuple[str, ...] = ()
    notice: str = ""
    cached: bool = False
    is_repeat: bool = False
    is_doubtful: bool = False
    is_makeshift: bool = False
    is_narrowed: bool = False
    spellings: Mapping[str, str] = field(default_factory=dict)

    @property
    def searched(self) -> str:
        """The question in the words that were searched."""
        return replace_words(self.query, self.spellings)

    def add_notice(self, sentence: str) -> SearchResults:
        return replace(self, notice=" ".join(filter(None, [self.notice, sentence])))
