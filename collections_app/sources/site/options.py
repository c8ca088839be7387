"""What is asked of a site: where it begins, what of it is taken, how fast. It judges no page."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from collections_app.sources.selection import DEFAULT_MAX_FILE_BYTES

DEFAULT_MAX_PAGES = 10_000
DEFAULT_CONCURRENT_FETCHES = 5


class SiteOptions(BaseModel):
    """`url` is the start page. What is below `prefix` is the site; by default the start page's folder (`https://example.org/docs/`).

    Patterns as in globs.py, matched against the documents' paths. `language` is a language tag; by default the start page's, and `*`
    for all. Without `follow_links` only what a sitemap or llms.txt names is taken.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    prefix: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    language: Annotated[str, Field(pattern=r"^(\*|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)?$")] = ""
    follow_links: bool = True
    max_pages: Annotated[int, Field(ge=1, le=1_000_000)] = DEFAULT_MAX_PAGES
    max_file_bytes: Annotated[int, Field(ge=1)] = DEFAULT_MAX_FILE_BYTES
    max_concurrent_fetches: Annotated[int, Field(ge=1, le=100)] = DEFAULT_CONCURRENT_FETCHES
