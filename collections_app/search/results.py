"""The results of a search, best hit first. PURE values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from collections_app.search.query import replace_words
from collections_app.search.search_options import Mode


class Hit(NamedTuple):
    """A section that answers the question. `tokens` is what reading it costs, subsections included. `is_pinned`: people chose it for this
    question. `code_languages`: the languages among which a reader of its code may choose (list_alternatives).

    It is a tuple because remembered results are read back several times as fast as with a dataclass.
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
    """A word of the question: in how many sections it occurs here, and in the other visible collections by name; `close`: words that are
    spelled nearly like it, likeliest first."""

    word: str
    sections: int
    elsewhere: tuple[tuple[str, int], ...] = ()
    close: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """`mode` is the one that was used, which may be less than the one asked for; `notice` then says why.

    `collections` are named so that they can be told apart. With hits, `words` are those of the question that no section has, and
    `is_doubtful` says that the hits may be about something else. Without hits, `words` are all words with where they occur, `pages` those
    whose path or title is nearly what was asked for, and `is_narrowed` says that category, filters or code left sections out.
    `cached`: found a short while ago; `is_repeat`: and given to the same caller then. `is_makeshift`: asked again soon, there may be
    better results. `spellings`: word of the question → the word that was searched in its place.
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
