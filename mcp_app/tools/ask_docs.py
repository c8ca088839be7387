"""ask_docs: a short answer from the documentation, with numbered citations; without a model, the passages it would rest on."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.access.principal import Scope
from collections_app.answering import Answer, CheckedText, Passage, Question, Stage, answer_question, drop_citations
from collections_app.parsing.tokens import estimate_tokens
from collections_app.text.code_blocks import find_open_fence
from mcp_app.answers import Notice, Progress
from mcp_app.registry import DEADLINE_SECONDS, Call, Tool, ToolParams
from mcp_app.rendering import (
    SEARCH_TOKENS,
    TextAnswer,
    cut_text,
    iter_titles,
    join_facts,
    keep_facts,
    name_path,
    name_section,
    shorten_heading_path,
    shorten_name,
)
from mcp_app.tools import search_docs
from mcp_app.tools.parameters import COLLECTION_ALIASES, CollectionName, OrAbsent, Reach, get_search_reach

# The answer has to be on its way before the call's deadline.
LONGEST_SECONDS = DEADLINE_SECONDS - 2
STAGES = 2
# What of the budget is kept for the facts about each passage.
FACTS_TOKENS = 150
# Of a whole section white space at its ends may be missing.
WHOLE_SHARE = 0.9

NOTHING_FOUND = "No model was asked, since nothing was found to answer from."


class AskParams(ToolParams):
    aliases: ClassVar = {
        "query": "question",
        "q": "question",
        "userQuery": "question",
        "topic": "question",
        "max_tokens": "answer_tokens",
        **COLLECTION_ALIASES,
    }

    question: Annotated[str, Field(min_length=1, max_length=1000)]
    collection: CollectionName = None
    answer_tokens: Annotated[int, Field(ge=50, le=4000)] = 500
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.7
    model: Annotated[str | None, OrAbsent] = None
    include_sources: bool = True


def run(call: Call, params: AskParams) -> Generator[Notice, None, TextAnswer]:
    reach = get_search_reach(call, params.collection, None)
    question = Question(params.question, params.answer_tokens, params.temperature, params.model or "")
    steps = answer_question(
        question, reach.chosen, principal=call.principal, visible=reach.visible, seconds=LONGEST_SECONDS
    )
    answer = yield from report(steps)
    return TextAnswer(
        partial(render, answer, reach, params.include_sources),
        partial(make_data, answer, reach, params.include_sources),
    )


def report(steps: Generator[Stage, None, Answer]) -> Generator[Notice, None, Answer]:
    try:
        while True:
            stage = next(steps)
            yield Progress(round(stage.done, 3), STAGES, stage.message)
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    finally:
        steps.close()


def render(answer: Answer, reach: Reach, include_sources: bool) -> str:
    if not answer.passages:
        return f"{NOTHING_FOUND}\n\n{search_docs.render_nothing_found(answer.results, reach, SEARCH_TOKENS)}"
    if answer.answer is None:
        return render_passages(answer, reach)
    return render_answer(answer, answer.answer, reach, include_sources)


def render_answer(answer: Answer, checked: CheckedText, reach: Reach, include_sources: bool) -> str:
    faults = describe_faults(answer, checked)
    if not include_sources:
        return "\n\n".join(filter(None, [drop_citations(checked.text), faults]))
    shown = choose_sources(answer, checked)
    sources = "\n".join(f"[{passage.number}] {name_source(passage, reach)}" for passage in shown)
    title = "Sources:" if checked.cited else "It cites nothing; these passages were to be read:"
    next_call = f"Next: {format_next_call(shown[0], reach)}"
    return "\n\n".join(filter(None, [checked.text, faults, f"{title}\n{sources}", next_call]))


def render_passages(answer: Answer, reach: Reach) -> str:
    reason = answer.reason.message if answer.reason else ""
    heading = f"No answer was written. {reason} These are the best passages for the question."
    most = get_share(answer)
    blocks = [
        f"[{passage.number}] {name_source(passage, reach)}\n{render_text(passage, most)}" for passage in answer.passages
    ]
    next_call = f"Next: {format_next_call(answer.passages[0], reach)}"
    return "\n\n".join(filter(None, [heading, answer.results.notice, *blocks, next_call]))


def render_text(passage: Passage, max_tokens: int) -> str:
    """A passage that stands by itself: what follows is not in its code, and what of the section is missing is said."""
    text = cut_text(passage.text.strip(), max_tokens).rstrip()
    fence = find_open_fence(text)
    is_part = estimate_tokens(text) < passage.hit.tokens * WHOLE_SHARE
    left_out = f"[a part of this section, which has {passage.hit.tokens} tokens]" if is_part else ""
    return "\n".join(filter(None, [text, fence, left_out]))


def get_share(answer: Answer) -> int:
    """How many tokens of each passage's text are shown where passages are the answer."""
    return SEARCH_TOKENS // len(answer.passages) - FACTS_TOKENS


def describe_faults(answer: Answer, checked: CheckedText) -> str:
    """What the reader should know about the answer; empty when there is nothing."""
    remarks = []
    if checked.unsupported:
        remarks.append(f"Sentences marked (unsupported): {checked.unsupported}. No passage is cited for what they say.")
    if checked.invented:
        numbers = ", ".join(map(str, checked.invented[:10]))
        remarks.append(f"Removed: citations of passages that there are not ({numbers}).")
    return " ".join(filter(None, [*remarks, answer.results.notice]))


def choose_sources(answer: Answer, checked: CheckedText) -> list[Passage]:
    """Those that are cited; all, where none is."""
    return [passage for passage in answer.passages if passage.number in checked.cited] or list(answer.passages)


def name_source(passage: Passage, reach: Reach) -> str:
    hit = passage.hit
    facts = [
        f"**{' › '.join(shorten_heading_path(list(iter_titles(hit.title, hit.heading_path))))}**",
        " ".join(filter(None, [search_docs.name_collection(hit, reach), shorten_name(hit.version)])),
        name_path(hit.path, hit.document_id, SEARCH_TOKENS),
        f"section_id: {name_section(hit.section_id, SEARCH_TOKENS)}",
        f"page {hit.page_number}" if hit.page_number else "",
        keep_facts([passage.url], FACTS_TOKENS),
    ]
    return join_facts(facts)


def format_next_call(passage: Passage, reach: Reach) -> str:
    return search_docs.format_next_call(passage.hit, reach, SEARCH_TOKENS)


def make_data(answer: Answer, reach: Reach, include_sources: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"question": answer.results.query, "answer": None}
    if not answer.passages:
        return data | {"reason": NOTHING_FOUND, "search": search_docs.make_data(answer.results, reach, SEARCH_TOKENS)}
    if answer.answer:
        data |= make_answer_data(answer, answer.answer, reach, include_sources)
    else:
        data |= make_passages_data(answer, reach)
    return data | ({"notice": answer.results.notice} if answer.results.notice else {})


def make_answer_data(answer: Answer, checked: CheckedText, reach: Reach, include_sources: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "answer": checked.text if include_sources else drop_citations(checked.text),
        "model": answer.model,
        "cached": answer.is_cached,
        "unsupported": checked.unsupported,
        "invented": list(checked.invented),
    }
    if include_sources:
        data["cited"] = list(checked.cited)
        data["sources"] = [make_source_data(passage, reach) for passage in choose_sources(answer, checked)]
    return data


def make_passages_data(answer: Answer, reach: Reach) -> dict[str, Any]:
    reason = answer.reason
    most = get_share(answer)
    return {
        "reason": reason and {"code": reason.code, "message": reason.message, **reason.details},
        "passages": [
            make_source_data(passage, reach) | {"tokens": passage.hit.tokens, "text": cut_text(passage.text, most)}
            for passage in answer.passages
        ],
    }


def make_source_data(passage: Passage, reach: Reach) -> dict[str, Any]:
    hit = passage.hit
    return {
        "number": passage.number,
        "title": shorten_name(hit.title),
        "heading_path": shorten_heading_path(hit.heading_path),
        "collection": search_docs.name_collection(hit, reach),
        "version": hit.version,
        "path": name_path(hit.path, hit.document_id, SEARCH_TOKENS),
        "section_id": name_section(hit.section_id, SEARCH_TOKENS),
        "page_number": hit.page_number,
        "url": passage.url,
    }


ASK_DOCS = Tool(
    name="ask_docs",
    title="Ask the documentation",
    description="Answer a question from the documentation, with citations.",
    params=AskParams,
    run=run,
    scope=Scope.ASK,
)
