"""The options of a search: everything that a caller asks for besides the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    """How sections are ranked. AUTO becomes HYBRID if there are embeddings, else KEYWORD; results never have the mode AUTO."""

    AUTO = "auto"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """At most `limit` hits, with snippets of at most `snippet_length` characters.

    If given, `category` and `filters` (narrowing/filters.py) limit the search to documents that meet them, and `code` to sections with
    fenced code in that language.
    """

    limit: int
    snippet_length: int
    mode: Mode = Mode.KEYWORD
    category: str | None = None
    filters: Mapping[str, Any] | None = None
    code: str | None = None
