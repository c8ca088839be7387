"""search_docs: ranked sections for a question."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal

from django.conf import settings
from pydantic import Field

from collections_app.history import record_search
from collections_app.search import Hit, Mode, SearchResults, WordReport, search
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    SEARCH_TOKENS,
    TextAnswer,
    dump_json,
    format_call,
    format_date,
    iter_titles,
    join_facts,
    take_within,
)
from mcp_app.tools.parameters import COLLECTION_ALIASES, CollectionName, Reach, TokenBudget, get_reach


class SearchParams(ToolParams):
    aliases: ClassVar = {
        "q": "query",
        "question": "query",
        "userQuery": "query",
        "topic": "query",
        "search": "query",
        "max_results": "limit",
        "top_k": "limit",
        **COLLECTION_ALIASES,
    }

    query: Annotated[
        str, Field(min_length=1, max_length=1000, description='Plain words; "exact phrase" requires, -word excludes')
    ]
    collection: CollectionName = None
    limit: Annotated[int | None, Field(ge=1, le=50, description="Most sections to return")] = None
    mode: Annotated[
        Literal["keyword", "semantic", "hybrid"] | None,
        Field(description="How to rank; the default suits most questions"),
    ] = None
    category: Annotated[str | None, Field(max_length=200, description="Only pages of this category")] = None
    max_tokens: TokenBudget = None


def run(call: Call, params: SearchParams) -> TextAnswer:
    reach = get_reach(call, params.collection)
    config = settings.DOCSMCP
    began = perf_counter()
    results = search(
        params.query,
        reach.chosen,
        limit=params.limit or config.mcp_max_search_results,
        snippet_length=config.mcp_snippet_length,
        mode=Mode(params.mode or config.mcp_default_mode),
        category=params.category,
        visible=reach.visible,
    )
    record_search(call.principal, reach.chosen, results, (perf_counter() - began) * 1000)
    max_tokens = params.max_tokens or SEARCH_TOKENS
    return TextAnswer(partial(render, results, reach, max_tokens), partial(make_data, results, reach, max_tokens))


def render(results: SearchResults, reach: Reach, max_tokens: int) -> str:
    if not results.hits:
        return render_nothing_found(results, reach)
    blocks = [render_hit(number, hit, reach) for number, hit in enumerate(results.hits, 1)]
    shown = take_within(blocks, str, max_tokens)
    lines = [render_heading(results, len(shown)), *shown]
    if len(shown) < len(blocks):
        lines.append(
            f"[{len(blocks) - len(shown)} more results left out to stay within {max_tokens} tokens; max_tokens may ask for up to 20000]"
        )
    best = results.hits[0]
    lines.append(f"Next: {format_call('read_sections', path=locate(best, reach), section_ids=[best.section_id])}")
    return "\n\n".join(lines)


def render_heading(results: SearchResults, shown: int) -> str:
    where = f" in {results.collections[0]}" if len(results.collections) == 1 else ""
    facts = [f"{shown} sections{where} for {dump_json(results.query)}", f"mode {results.mode}"]
    if results.excluded:
        facts.append(f"without {', '.join(dump_json(word) for word in results.excluded)}")
    return join_facts([*facts, results.notice])


def render_hit(number: int, hit: Hit, reach: Reach) -> str:
    facts = [
        f"{name_collection(hit, reach)}{f' {hit.version}' if hit.version else ''}",
        hit.path,
        f"section_id: {hit.section_id}",
        f"page {hit.page_number}" if hit.page_number else "",
        f"score {hit.score:.2f}",
        f"{hit.tokens} tokens",
        hit.source_url,
        f"indexed {format_date(hit.indexed)}" if hit.indexed else "",
    ]
    title = " › ".join(iter_titles(hit.title, hit.heading_path))
    return f"{number}. **{title}**\n{join_facts(facts)}\n{hit.snippet}".rstrip()


def render_nothing_found(results: SearchResults, reach: Reach) -> str:
    where = ", ".join(results.collections[:10]) or "any collection: this key may read none yet"
    lines = [f"No section was found for {dump_json(results.query)} in {where}."]
    lines += [render_word(word) for word in results.words]
    if not results.words and results.collections:
        lines.append("Its words are too common to be looked up. Ask with words that name the subject.")
    if results.excluded:
        lines.append(
            f"Excluded were: {', '.join(results.excluded)} (a word after a minus; put it in quotes to look for it)."
        )
    lines.append("Next: search_docs with other words, or list_doc_pages to see what there is.")
    return "\n".join(line for line in [*lines, results.notice] if line)


def render_word(report: WordReport) -> str:
    here = f"occurs in {report.sections} sections here" if report.sections else "does not occur here"
    elsewhere = "; in " + ", ".join(f"{name} ({count})" for name, count in report.elsewhere) if report.elsewhere else ""
    close = f"; close: {', '.join(report.close)}" if report.close else ""
    return f"- {report.word}: {here}{elsewhere}{close}"


def make_data(results: SearchResults, reach: Reach, max_tokens: int) -> dict[str, Any]:
    hits = [make_hit_data(hit, reach) for hit in results.hits]
    shown = take_within(hits, dump_json, max_tokens)
    data: dict[str, Any] = {"query": results.query, "mode": results.mode.value, "results": shown}
    if len(shown) < len(hits):
        data["left_out"] = len(hits) - len(shown)
    if results.excluded:
        data["excluded"] = list(results.excluded)
    if results.words:
        data["words"] = [
            {"word": w.word, "sections": w.sections, "elsewhere": dict(w.elsewhere), "close": list(w.close)}
            for w in results.words
        ]
    if results.notice:
        data["notice"] = results.notice
    return data


def make_hit_data(hit: Hit, reach: Reach) -> dict[str, Any]:
    return {
        "title": hit.title,
        "heading_path": list(hit.heading_path),
        "collection": name_collection(hit, reach),
        "version": hit.version,
        "path": hit.path,
        "section_id": hit.section_id,
        "page_number": hit.page_number,
        "score": hit.score,
        "tokens": hit.tokens,
        "snippet": hit.snippet,
        "source_url": hit.source_url,
        "indexed": hit.indexed.isoformat() if hit.indexed else None,
    }


def name_collection(hit: Hit, reach: Reach) -> str:
    return next(
        (reach.name(c) for c in reach.chosen if (c.tenant.slug, c.slug) == (hit.tenant, hit.collection)), hit.collection
    )


def locate(hit: Hit, reach: Reach) -> str:
    """A path that means this document and no other, whichever collections are visible."""
    return hit.path if len(reach.visible) == 1 else f"{name_collection(hit, reach)}:{hit.path}"


SEARCH_DOCS = Tool(
    name="search_docs",
    title="Search the documentation",
    description=(
        "Find sections of the documentation by words, identifiers or a question. Returns ranked sections with a snippet each, not whole "
        "pages: read the best ones with read_sections. Searches all collections unless one is named."
    ),
    params=SearchParams,
    run=run,
    is_guide=True,
)
