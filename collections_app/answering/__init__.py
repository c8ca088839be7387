"""The only entry point to answers: `answer_question()`, question → search → passages → model → answer with citations.

Whatever the model's server does, there is an answer in time: if the model gave none, the best passages and the reason. The texts of
passages and of the model are data; reasoning.py, citations.py and links.py decide what of the model's text gets through.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic, perf_counter

import structlog
from django.conf import settings

from collections_app.access.principal import Principal
from collections_app.activity.history import record_search
from collections_app.answering.citations import check_answer, drop_citations
from collections_app.answering.model import ask_model, choose_model, count_tokens, is_configured
from collections_app.answering.passages import choose_passages, choose_window, cut, make_telling_words
from collections_app.answering.prompt import says_no_answer
from collections_app.answering.reasoning import drop_reasoning
from collections_app.answering.results import Answer, CheckedText, Passage, Question, Stage
from collections_app.cached_search import make_fingerprint
from collections_app.exceptions import UpstreamUnavailable
from collections_app.limits.spending import check_ceiling, record_answer
from collections_app.metrics import observe_search
from collections_app.models import Collection
from collections_app.postgres.replicas import read_from_replica
from collections_app.search import Mode, SearchOptions, check_query, search
from collections_app.soft_cache import recall, remember
from collections_app.text.markdown.code_blocks import close_code
from collections_app.text.tokens import estimate_tokens

__all__ = [
    "Answer",
    "CheckedText",
    "Passage",
    "Question",
    "Stage",
    "answer_question",
    "choose_window",
    "drop_citations",
]

HITS = 16
SNIPPET_LENGTH = 200
# A server may write more than it was asked for. Up to half as much again is accepted, since it counts tokens differently.
LONGEST_SHARE = 1.5

logger = structlog.get_logger(__name__)

Steps = Generator[Stage, None, Answer]


class NotAnswered(UpstreamUnavailable):
    """The model read the passages and gave no answer from them."""

    retryable = False


def answer_question(
    question: Question,
    collections: Sequence[Collection],
    *,
    principal: Principal,
    visible: Sequence[Collection],
    seconds: float,
) -> Steps:
    """Answer a question: yields its progress at least once a second, and returns the answer within `seconds`.

    `collections` and `visible` are as in search(). Raises what search() raises, InvalidParameter for a model that is not offered, and
    RateLimited if the tenant's budget is spent.
    """
    deadline = monotonic() + seconds
    question = replace(question, text=check_query(question.text), model=choose_model(question.model))
    if collections and is_configured():
        check_ceiling(collections[0].tenant)
    key = make_cache_key(question, collections, visible)
    known: Answer | None = recall([key]).get(key)
    if known:
        record_search(principal, collections, known.results, 0.0)
        observe_search(known.results.mode.value, None)
        return replace(known, is_cached=True)
    answer = yield from answer_anew(question, collections, principal, visible, deadline)
    if answer.answer:
        remember({key: answer}, settings.DOCSMCP.cache_ttl_answer)
    return answer


def answer_anew(
    question: Question,
    collections: Sequence[Collection],
    principal: Principal,
    visible: Sequence[Collection],
    deadline: float,
) -> Steps:
    yield Stage(0, "searching")
    began = perf_counter()
    found = read_from_replica(collections, partial(find_passages, question, collections, visible))
    results, passages = found.results, found.passages
    seconds = perf_counter() - began
    record_search(principal, collections, results, seconds * 1000)
    observe_search(results.mode.value, seconds)
    if not passages:
        return found
    try:
        completion = yield from ask_model(question, passages, [word.word for word in results.words], deadline)
    except UpstreamUnavailable as reason:
        logger.info("answer_without_model", reason=type(reason).__name__, message=reason.message)
        return replace(found, reason=reason)
    record_answer(collections[0].tenant, principal, *count_tokens(completion, passages))
    return judge_text(found, completion.text, round(question.answer_tokens * LONGEST_SHARE))


def find_passages(question: Question, collections: Sequence[Collection], visible: Sequence[Collection]) -> Answer:
    """The passages for a question, as an Answer that has no answer yet."""
    results = search(
        question.text,
        collections,
        SearchOptions(limit=HITS, snippet_length=SNIPPET_LENGTH, mode=Mode(settings.DOCSMCP.mcp_default_mode)),
        visible=visible,
    )
    words = make_telling_words(question.text, sorted({collection.language for collection in collections}))
    return Answer(results, choose_passages(words, results.hits), model=question.model, words=words)


def judge_text(found: Answer, text: str, max_tokens: int) -> Answer:
    """The answer with the model's text, checked and cut to `max_tokens`; with a reason instead if the text is no answer."""
    text = drop_reasoning(text)
    if not text:
        return replace(found, reason=NotAnswered("The model wrote what it thinks, and no answer."))
    if says_no_answer(text):
        return replace(found, reason=NotAnswered("The model found no answer in the passages."))
    kept = cut_answer(text, max_tokens)
    known = "\n".join(f"{passage.text}\n{passage.url}" for passage in found.passages)
    checked = check_answer(kept, len(found.passages), known)
    return replace(found, answer=replace(checked, is_cut=kept != text))


def cut_answer(text: str, max_tokens: int) -> str:
    """The beginning of the text, up to the end of a word; a code block that is still open is closed."""
    if estimate_tokens(text) <= max_tokens:
        return text
    return close_code(cut(text, max_tokens).rstrip())


def make_cache_key(question: Question, collections: Sequence[Collection], visible: Sequence[Collection]) -> str:
    """Everything that the answer depends on: another version of a collection or other grants make another key."""
    options = {"tokens": question.answer_tokens, "temperature": question.temperature, "model": question.model}
    return f"answer:{make_fingerprint(question.text.casefold(), collections, visible, options)}"
