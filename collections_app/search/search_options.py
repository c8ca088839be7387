"""The options of a search: all that is asked for beside its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    """How sections are ranked. AUTO is HYBRID where there are embeddings, else KEYWORD; no result is of it."""

    AUTO = "auto"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """At most `limit` hits, with snippets of at most `snippet_length` characters; only of documents that meet `category` and `filters`
    (see narrowing/filters.py), and with fenced code in the language `code`, where these are given.
    """

    limit: int
    snippet_length: int
    mode: Mode = Mode.KEYWORD
    category: str | None = None
    filters: Mapping[str, Any] | None = None
    code: str | None = None
