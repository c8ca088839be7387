"""The results of a search, best hit first. PURE values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from collections_app.search.query import replace_words
from collections_app.search.search_options import Mode


class Hit(NamedTuple):
    """A section that answers the question.

    `tokens`: what reading it costs, including its subsections. `is_pinned`: people chose it for this question. `code_languages`: the
    languages in which its code is given, if there are several to choose from (list_alternatives). It is a tuple because cached results are
    read back several times as fast as with a dataclass.
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
    """A word of the question: in how many sections it occurs here, and in how many in other visible collections, as (name, sections).

    `close`: words with a similar spelling, likeliest first.
    """

    word: str
    sections: int
    elsewhere: tuple[tuple[str, int], ...] = ()
    close: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found.

    `mode` is the one that was used; if it is not the one asked for, `notice` says why. `collections` are names that tell them apart.
    With hits, `words` are the words of the question that no section has; `is_doubtful` says that the hits may be about something else, and
    `lacks_half` that half of the question's words, perhaps a single one, are in no section.
    Without hits, `words` are all words and where they occur, `pages` have a path or title close to the question, `is_narrowed` says
    that category, filters or code left sections out, and `folder_filters` are the filters as they were meant if a path in them is a folder.

    `cached`: found a short while ago; `is_repeat`: and given to the same caller then. `is_makeshift`: the same question may have better
    results soon. `spellings`: word of the question → the word that was searched instead.
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
    lacks_half: bool = False
    is_makeshift: bool = False
    is_narrowed: bool = False
    folder_filters: Mapping[str, Any] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)

    @property
    def searched(self) -> str:
        """The question with its spellings corrected, as it was searched."""
        return replace_words(self.query, self.spellings)

    @property
    def best_collection(self) -> tuple[str, str] | None:
        """The slugs of the tenant and the collection of the first hit; None without hits."""
        return (self.hits[0].tenant, self.hits[0].collection) if self.hits else None

    def add_notice(self, sentence: str) -> SearchResults:
        return replace(self, notice=" ".join(filter(None, [self.notice, sentence])))
