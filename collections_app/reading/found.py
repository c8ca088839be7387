"""Search results as a page shows them: where each hit is, and its snippet with the query's words marked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from collections_app.reading.addresses import quote_fragment, quote_page
from collections_app.search import Hit, SearchResults

WORD = re.compile(r"\w{2,}")
SIGNS = re.compile(r"\*\*|`")
MAX_WORDS = 30


@dataclass(frozen=True, slots=True)
class Result:
    """`trail` leads from the document to the section."""

    url: str
    title: str
    trail: str
    snippet: SafeString


def make_results(results: SearchResults, collection_url: str) -> list[Result]:
    words = sorted(set(WORD.findall(results.query)), key=len, reverse=True)[:MAX_WORDS]
    marked = re.compile(rf"\b({'|'.join(map(re.escape, words))})", re.IGNORECASE) if words else None
    return [make_result(hit, collection_url, marked) for hit in results.hits]


def make_result(hit: Hit, collection_url: str, marked: re.Pattern[str] | None) -> Result:
    headings = [heading for heading in hit.heading_path if heading not in ("", hit.title)]
    return Result(
        url=f"{collection_url}{quote_page(hit.path)}#{quote_fragment(hit.section_id)}",
        title=headings[-1] if headings else hit.title,
        trail=" › ".join([hit.title, *headings[:-1]] if headings else [hit.path]),
        snippet=mark_words(hit.snippet, marked),
    )


def mark_words(text: str, words: re.Pattern[str] | None) -> SafeString:
    """The text escaped, with the words in <mark>, without the Markdown signs for bold and code, which readers do not need."""
    plain = SIGNS.sub("", text)
    parts = words.split(plain) if words else [plain]
    # Splitting by a pattern with one group yields text and words alternately.
    return format_html_join(
        "", "{}{}", ((part, _mark(word)) for part, word in zip(parts[::2], [*parts[1::2], ""], strict=True))
    )


def _mark(word: str) -> SafeString | str:
    return format_html_join("", "<mark>{}</mark>", [(word,)]) if word else ""
