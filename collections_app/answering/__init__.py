"""The only door to answers: `answer_question()`, question → search → passages → model → answer with citations.

Whatever the model's server does, there is an answer in time: where the model gave none, the best passages, and why. What they say is
data; citations.py and links.py decide what of the model's text gets through.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic, perf_counter

import structlog
from django.conf import settings
from django.core.cache import cache

from collections_app.answering.citations import check_answer
from collections_app.answering.passages import choose_passages
from collections_app.answering.prompt import make_marker, make_messages, says_no_answer
from collections_app.answering.results import Answer, CheckedText, Passage, Question, Stage
from collections_app.answering.waiting import get_slots, wait_for
from collections_app.clients.circuits import guarding
from collections_app.clients.llm import Completion, LlmFailed, LlmServer, get_client
from collections_app.clients.oauth_tokens import ClientCredentials, NoToken
from collections_app.exceptions import InvalidParameter, UpstreamUnavailable
from collections_app.history import record_search
from collections_app.models import Collection
from collections_app.parsing.tokens import estimate_tokens
from collections_app.principal import Principal
from collections_app.search import Mode, SearchResults, search
from collections_app.spending import check_ceiling, record_answer

__all__ = ["Answer", "CheckedText", "Passage", "Question", "Stage", "answer_question"]

UPSTREAM = "language model"
HITS = 16
SNIPPET_LENGTH = 200
# Less time than this is none.
MIN_SECONDS = 0.05
# A server may write more than it was asked for.
MAX_ANSWER_CHARACTERS = 40_000

logger = structlog.get_logger(__name__)

Steps = Generator[Stage | None, None, Answer]


class NoModel(UpstreamUnavailable):
    """There is no model to ask, and waiting will not bring one."""

    retryable = False


class NotAnswered(UpstreamUnavailable):
    """The model read the passages, and found no answer in them."""

    retryable = False


def answer_question(
    question: Question,
    collections: Sequence[Collection],
    *,
    principal: Principal,
    visible: Sequence[Collection],
    seconds: float,
) -> Steps:
    """Yields how far it is, at least once a second, and returns within `seconds` of its beginning.

    `collections` and `visible` as in search(). Raises InvalidQuery, InvalidParameter for a model that may not be asked, and RateLimited
    when the tenant's money is spent.
    """
    deadline = monotonic() + seconds
    question = replace(question, model=choose_model(question.model))
    if collections and is_configured():
        check_ceiling(collections[0].tenant)
    key = make_cache_key(question, collections, visible)
    began = perf_counter()
    known: Answer | None = cache.get(key)
    if known is None:
        yield Stage(0, "searching")
        results = search(
            question.text, collections, limit=HITS, snippet_length=SNIPPET_LENGTH, mode=Mode.HYBRID, visible=visible
        )
    record_search(principal, collections, known.results if known else results, (perf_counter() - began) * 1000)
    if known:
        return replace(known, is_cached=True)
    question = replace(question, text=results.query)
    passages = choose_passages(question.text, results.hits)
    if not passages:
        return Answer(results)
    try:
        answer = yield from ask_model(question, results, passages, collections[0], principal, deadline)
    except UpstreamUnavailable as reason:
        logger.info("answer_without_model", reason=type(reason).__name__, message=reason.message)
        return Answer(results, passages, reason=reason, model=question.model)
    cache.set(key, answer, settings.DOCSMCP.cache_ttl_answer)
    return answer


def ask_model(
    question: Question,
    results: SearchResults,
    passages: tuple[Passage, ...],
    collection: Collection,
    principal: Principal,
    deadline: float,
) -> Steps:
    """Raises UpstreamUnavailable, of some kind, for whatever keeps the model from answering."""
    completion = yield from complete(question, passages, deadline)
    tokens_in = completion.tokens_in
    if tokens_in is None:
        tokens_in = sum(estimate_tokens(passage.text) for passage in passages)
    tokens_out = estimate_tokens(completion.text) if completion.tokens_out is None else completion.tokens_out
    record_answer(collection.tenant, principal, tokens_in, tokens_out)
    if says_no_answer(completion.text):
        raise NotAnswered("The model found no answer in the passages.")
    known = "\n".join(f"{passage.text}\n{passage.url}" for passage in passages)
    checked = check_answer(completion.text[:MAX_ANSWER_CHARACTERS], len(passages), known)
    return Answer(results, passages, checked, model=question.model)


def complete(
    question: Question, passages: Sequence[Passage], deadline: float
) -> Generator[Stage | None, None, Completion]:
    if not is_configured():
        raise NoModel("No language model is set up on this server (LLM_BASE_URL and LLM_MODEL).")
    began = monotonic()
    seconds = deadline - began
    if seconds < MIN_SECONDS:
        raise LlmFailed("There was no time left to ask the language model.")
    yield Stage(1, f"asking {question.model} with {len(passages)} passages")
    work = partial(
        get_client(get_server()).complete,
        make_messages(question, passages, make_marker()),
        model=question.model,
        temperature=question.temperature,
        max_tokens=question.answer_tokens,
        seconds=seconds,
    )
    with guarding(UPSTREAM, LlmFailed, NoToken):
        waiting = wait_for(work, get_slots())
        while True:
            try:
                next(waiting)
            except StopIteration as end:
                completion: Completion = end.value
                return completion
            waited = monotonic() - began
            if waited > seconds:
                raise LlmFailed("The language model did not answer in time.")
            yield Stage(1 + waited / (seconds + 1), f"waiting for {question.model}")


def is_configured() -> bool:
    return bool(settings.DOCSMCP.llm_base_url and settings.DOCSMCP.llm_model)


def choose_model(name: str) -> str:
    """Raises InvalidParameter for one that is not allowed."""
    config = settings.DOCSMCP
    allowed = list(dict.fromkeys([config.llm_model, *config.llm_allowed_models]))
    if name and is_configured() and name not in allowed:
        raise InvalidParameter(
            f"The model {name[:80]!r} is not offered. There are: {', '.join(allowed)}.", models=allowed
        )
    return name or str(config.llm_model)


def get_server() -> LlmServer:
    config = settings.DOCSMCP
    credentials = None
    if config.llm_token_url:
        credentials = ClientCredentials(
            config.llm_token_url, config.llm_client_id, config.llm_client_secret, config.llm_token_scope
        )
    return LlmServer(config.llm_base_url, config.llm_api_key, credentials)


def make_cache_key(question: Question, collections: Sequence[Collection], visible: Sequence[Collection]) -> str:
    """Everything that the answer depends on: another version of a collection or other grants make another key."""
    text = " ".join(question.text.split()).casefold()
    versions = sorted((collection.pk, collection.index_version) for collection in collections)
    grants = sorted(collection.pk for collection in visible)
    parts = [text, question.answer_tokens, question.temperature, question.model, versions, grants]
    return f"answer:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"
