"""ask_docs: a short answer from the documentation, with numbered citations; without a model, the passages it would be based on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AfterValidator, Field

from collections_app.access.principal import Scope
from collections_app.answering import (
    Answer,
    CheckedText,
    Passage,
    Question,
    Stage,
    answer_question,
    choose_window,
    drop_citations,
)
from collections_app.search import Hit
from collections_app.text.markdown.code_blocks import close_code, find_opening
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import DEADLINE_SECONDS, Call, Tool, ToolParams
from mcp_app.pieces import cut_text
from mcp_app.protocol.answers import Notice, Progress
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    READ_TOKENS,
    SEARCH_TOKENS,
    Cost,
    TextAnswer,
    drop_fields,
    end_with,
    estimate_json_tokens,
    get_reference_tokens,
    iter_titles,
    join_facts,
    keep_facts,
    name_path,
    name_section,
    shorten_heading_path,
    shorten_name,
)
from mcp_app.tools import follow_ups, search_answers
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    Asked,
    CollectionName,
    OrAbsent,
    Reach,
    Version,
    cut_to,
    get_search_reach,
)

# The answer has to be on its way before the call's deadline.
LONGEST_SECONDS = DEADLINE_SECONDS - 2
STAGES = 2
# When passages are given instead of an answer, they may together cost this many times what the answer may: at most as much as the hits of a
# search, and at least what one passage needs. Half of it if no section has one of the question's words: they may be about something else.
PASSAGES_SHARE = 3
LEAST_TOKENS = 400
# A shorter piece of a passage says too little.
MIN_TEXT_TOKENS = 150
# Room for the fence that closes code that was cut.
FENCE_TOKENS = 10
MAX_INVENTED = 10
MAX_ANSWER_TOKENS = 4_000
# Remarks about the search may take 1/REMARKS_SHARE of the budget. They are up to two lines; each takes a quarter of what it is given.
REMARKS_SHARE = 4
# A text with at least this share of its section's tokens counts as whole: white space at the ends may be missing.
WHOLE_SHARE = 0.9

T = TypeVar("T")

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

    question: Asked
    collection: CollectionName = None
    version: Version = None
    answer_tokens: Annotated[
        int, Field(ge=50, json_schema_extra={"maximum": MAX_ANSWER_TOKENS}), AfterValidator(cut_to(MAX_ANSWER_TOKENS))
    ] = 500
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.7
    model: Annotated[str | None, OrAbsent] = None
    include_sources: bool = True


@dataclass(frozen=True)
class Report:
    """`passages_tokens`: what the answer may cost if it consists of passages. `may_read`: the caller has tools to read with."""

    answer: Answer
    reach: Reach
    include_sources: bool
    passages_tokens: int
    may_read: bool

    @property
    def hits(self) -> list[Hit]:
        return [passage.hit for passage in self.answer.passages]


def run(call: Call, params: AskParams) -> Generator[Notice, None, TextAnswer]:
    reach = get_search_reach(call, params.collection, params.version)
    question = Question(params.question, params.answer_tokens, params.temperature, params.model or "")
    steps = answer_question(
        question, reach.chosen, principal=call.principal, visible=reach.visible, seconds=LONGEST_SECONDS
    )
    answer = yield from report(steps)
    answer = replace(answer, results=answer.results.add_notice(reach.make_notice(params.question, answer.results)))
    room = PASSAGES_SHARE * params.answer_tokens // (2 if answer.results.words else 1)
    passages_tokens = max(LEAST_TOKENS, min(SEARCH_TOKENS, room))
    told = Report(answer, reach, params.include_sources, passages_tokens, call.principal.may(Scope.READ))
    return TextAnswer(partial(render, told), partial(make_data, told))


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


def render(report: Report) -> str:
    answer = report.answer
    if not answer.passages:
        return f"{NOTHING_FOUND}\n\n{render_nothing_found(report)}"
    if answer.answer is None:
        return fit_passages(report, render_passages, estimate_tokens)
    return render_answer(report, answer.answer)


def render_nothing_found(report: Report) -> str:
    results = report.answer.results
    if report.may_read:
        return search_answers.render_nothing_found(results, report.reach, SEARCH_TOKENS)
    return end_with(search_answers.describe_nothing(results, SEARCH_TOKENS), "Ask in other words.", SEARCH_TOKENS)


def render_answer(report: Report, checked: CheckedText) -> str:
    answer, reach = report.answer, report.reach
    remarks = render_remarks(report, READ_TOKENS)

    def build(text: str, *, is_cut: bool) -> str:
        faults = describe_faults(answer, replace(checked, is_cut=is_cut))
        if not report.include_sources:
            return "\n\n".join(filter(None, [text, faults, remarks]))
        shown = choose_sources(answer, checked)
        sources = "\n".join(f"[{passage.number}] {name_source(passage, reach, SEARCH_TOKENS)}" for passage in shown)
        title = "Sources:" if checked.cited else "It cites nothing; these passages were to be read:"
        next_call = format_next_call(report, shown[0])
        return "\n\n".join(filter(None, [text, faults, remarks, f"{title}\n{sources}", next_call]))

    return fit_answer(report, checked, build, estimate_tokens)


def fit_answer(report: Report, checked: CheckedText, build: Callable[..., T], cost: Cost) -> T:
    """The answer with as much of its text as there is room for; `build(text, is_cut=…)` makes all of it."""
    text = checked.text if report.include_sources else drop_citations(checked.text)
    whole = build(text, is_cut=checked.is_cut)
    if measure(whole) <= READ_TOKENS:
        return whole
    left = READ_TOKENS - measure(build("", is_cut=True)) - FENCE_TOKENS
    return build(close_code(cut_text(text, left, cost).rstrip()), is_cut=True)


def fit_passages(report: Report, build: Callable[[Report, Sequence[int]], T], cost: Cost) -> T:
    """As many passages, and as much of each, as there is room for; `build(report, tokens of each)` makes the answer."""
    sizes = [cost(passage.text) + FENCE_TOKENS for passage in report.answer.passages]
    while True:
        left = report.passages_tokens - measure(build(report, [0] * len(sizes)))
        if len(sizes) == 1 or left >= sum(min(size, MIN_TEXT_TOKENS) for size in sizes):
            return build(report, [share - FENCE_TOKENS for share in share_out(left, sizes)])
        sizes.pop()


def share_out(room: int, sizes: Sequence[int]) -> list[int]:
    """Divides the room equally; what small items do not need goes to the others."""
    shares = [0] * len(sizes)
    smallest_first = sorted(range(len(sizes)), key=sizes.__getitem__)
    for done, number in enumerate(smallest_first):
        shares[number] = min(sizes[number], room // (len(sizes) - done))
        room -= shares[number]
    return shares


def measure(said: object) -> int:
    return estimate_tokens(said if isinstance(said, str) else dump_json(said))


def render_passages(report: Report, most: Sequence[int]) -> str:
    """The passages instead of an answer, at most `most` tokens of each one shown."""
    answer, reach = report.answer, report.reach
    reason = answer.reason.message if answer.reason else ""
    heading = f"No answer was written. {reason} These are the best passages for the question."
    shown = [(passage, quote(report, passage, tokens)) for passage, tokens in zip(answer.passages, most, strict=False)]
    blocks = [
        f"[{passage.number}] {name_source(passage, reach, report.passages_tokens)}\n{render_text(passage, text)}"
        for passage, text in shown
    ]
    left_out = len(answer.passages) - len(shown)
    rest = f"[{left_out} more passages left out; a larger answer_tokens has room for them]" if left_out else ""
    best, best_text = shown[0]
    next_call = format_next_call(report, best) if is_part(best, best_text) else ""
    remarks = render_remarks(report, report.passages_tokens)
    return "\n\n".join(filter(None, [heading, answer.results.notice, remarks, *blocks, rest, next_call]))


def render_text(passage: Passage, text: str) -> str:
    """The quoted text as Markdown that stands alone: code that was cut is reopened and closed, and a line says if the section has more."""
    opening = find_opening(passage.text[: passage.text.find(text)])
    left_out = f"[a part of this section, which has {passage.hit.tokens} tokens]" if is_part(passage, text) else ""
    whole = close_code(f"{opening[0].strip()}\n{text}" if opening else text)
    return "\n".join(filter(None, [whole, left_out]))


def quote(report: Report, passage: Passage, max_tokens: int) -> str:
    """The part of the passage with most of the question's words."""
    return choose_window(passage.text.strip(), report.answer.words, max_tokens).strip() if max_tokens > 0 else ""


def is_part(passage: Passage, text: str) -> bool:
    return estimate_tokens(text) < passage.hit.tokens * WHOLE_SHARE


def describe_faults(answer: Answer, checked: CheckedText) -> str:
    """What the reader should know about the answer; empty if there is nothing."""
    remarks = []
    if checked.is_cut:
        remarks.append("The answer was cut here: the model wrote more than there was room for.")
    if checked.unsupported:
        remarks.append(f"Sentences marked (unsupported): {checked.unsupported}. No passage is cited for what they say.")
    if checked.invented:
        numbers = ", ".join(map(str, checked.invented[:MAX_INVENTED]))
        remarks.append(f"Removed: citations of passages that there are not ({numbers}).")
    return " ".join(filter(None, [*remarks, answer.results.notice]))


def render_remarks(report: Report, max_tokens: int) -> str:
    """The lines that search_docs puts above its hits: which words no section has, and which versions were not searched."""
    most = 2 * max_tokens // REMARKS_SHARE
    missing = search_answers.render_missing(report.answer.results, most)
    return "\n".join(missing + search_answers.render_versions(report.hits, report.reach, most))


def choose_sources(answer: Answer, checked: CheckedText) -> list[Passage]:
    """The passages that are cited; if none is, all."""
    return [passage for passage in answer.passages if passage.number in checked.cited] or list(answer.passages)


def name_source(passage: Passage, reach: Reach, max_tokens: int) -> str:
    hit = passage.hit
    headings = list(iter_titles(hit.title, hit.heading_path))
    facts = [
        f"**{' › '.join(shorten_heading_path(headings, search_answers.limit_headings(max_tokens)))}**",
        " ".join(filter(None, [reach.name_slugs(hit.tenant, hit.collection), shorten_name(hit.version)])),
        name_path(hit.path, hit.document_id, max_tokens),
        f"section_id: {name_section(hit.section_id, max_tokens)}",
        f"page {hit.page_number}" if hit.page_number else "",
        keep_facts([passage.url], get_reference_tokens(max_tokens)),
    ]
    return join_facts(facts)


def format_next_call(report: Report, passage: Passage) -> str:
    """The call that reads the passage's section; empty for a caller that has no tool to read with."""
    if not report.may_read:
        return ""
    query = report.answer.results.query
    return f"Next: {follow_ups.format_next_call(passage.hit, query, report.reach, SEARCH_TOKENS)}"


def make_data(report: Report) -> dict[str, Any]:
    answer = report.answer
    question = shorten_name(answer.results.query, get_reference_tokens(READ_TOKENS))
    if not answer.passages:
        search = search_answers.make_data(answer.results, report.reach, SEARCH_TOKENS)
        return {"question": question, "answer": None, "reason": NOTHING_FOUND, "search": search}
    head = {"question": question} | make_remarks_data(report, report.passages_tokens)
    if answer.answer is None:
        return fit_passages(report, partial(make_passages_data, head), estimate_json_tokens)
    return fit_answer(
        report, answer.answer, partial(make_answer_data, head, report, answer.answer), estimate_json_tokens
    )


def make_remarks_data(report: Report, max_tokens: int) -> dict[str, Any]:
    """The remarks about the search, under the names that they have in the data of search_docs, as far as there is room."""
    results = report.answer.results
    remarks = {
        "notice": results.notice,
        "words": [search_answers.make_word_data(word) for word in results.words],
        "not_searched": search_answers.list_other_versions(report.hits, report.reach),
    }
    said = {name: remark for name, remark in remarks.items() if remark}
    return drop_fields(said, ("words", "not_searched"), max_tokens // REMARKS_SHARE)


def make_answer_data(
    head: dict[str, Any], report: Report, checked: CheckedText, text: str, *, is_cut: bool
) -> dict[str, Any]:
    answer, reach = report.answer, report.reach
    data = head | {
        "answer": text,
        "model": answer.model,
        "cached": answer.is_cached,
        "cut": is_cut,
        "unsupported": checked.unsupported,
        "invented": list(checked.invented[:MAX_INVENTED]),
    }
    if report.include_sources:
        data["cited"] = list(checked.cited)
        shown = choose_sources(answer, checked)
        data["sources"] = [make_source_data(passage, reach, SEARCH_TOKENS) for passage in shown]
    return data


def make_passages_data(head: dict[str, Any], report: Report, most: Sequence[int]) -> dict[str, Any]:
    answer = report.answer
    reason = answer.reason
    left_out = len(answer.passages) - len(most)
    return head | {
        "answer": None,
        "reason": reason and {"code": reason.code, "message": reason.message, **reason.details},
        "passages": [
            make_source_data(passage, report.reach, report.passages_tokens)
            | {
                "tokens": passage.hit.tokens,
                "text": cut_text(quote(report, passage, tokens), tokens, estimate_json_tokens),
            }
            for passage, tokens in zip(answer.passages, most, strict=False)
        ],
        **({"left_out": left_out} if left_out else {}),
    }


def make_source_data(passage: Passage, reach: Reach, max_tokens: int) -> dict[str, Any]:
    hit = passage.hit
    return {
        "number": passage.number,
        "title": shorten_name(hit.title),
        "heading_path": shorten_heading_path(hit.heading_path, search_answers.limit_headings(max_tokens)),
        "collection": reach.name_slugs(hit.tenant, hit.collection),
        "version": shorten_name(hit.version),
        "path": name_path(hit.path, hit.document_id, max_tokens),
        "section_id": name_section(hit.section_id, max_tokens),
        "page_number": hit.page_number,
        "url": keep_facts([passage.url], get_reference_tokens(max_tokens)),
    }


ASK_DOCS = Tool(
    name="ask_docs",
    title="Ask the documentation",
    description="Answer a question from the documentation, with citations.",
    params=AskParams,
    run=run,
    scope=Scope.ASK,
)
