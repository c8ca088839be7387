"""Calls the language model in a thread, with a circuit breaker and a deadline. It does not judge the answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from time import monotonic

from django.conf import settings

from collections_app.answering.prompt import make_marker, make_messages
from collections_app.answering.results import Passage, Question, Stage
from collections_app.answering.waiting import wait_for
from collections_app.clients.llm import Completion, LlmFailed, LlmServer, get_client
from collections_app.clients.oauth_tokens import NoToken, find_credentials
from collections_app.exceptions import InvalidParameter, UpstreamUnavailable
from collections_app.limits.waiting_slots import get_slots
from collections_app.text.tokens import estimate_tokens

UPSTREAM = "language model"
NO_MODEL = "No language model is set up on this server (LLM_BASE_URL and LLM_MODEL)."
# With less time than this, the model is not called.
MIN_SECONDS = 0.05


class NoModel(UpstreamUnavailable):
    """There is no model to ask, and waiting will not bring one."""

    retryable = False


def is_configured() -> bool:
    return bool(settings.DOCSMCP.llm_base_url and settings.DOCSMCP.llm_model)


def choose_model(name: str) -> str:
    """The model with this name; the setting's if the name is empty. Raises InvalidParameter for a model that is not offered."""
    config = settings.DOCSMCP
    offered = list(dict.fromkeys([config.llm_model, *config.llm_allowed_models])) if is_configured() else []
    if name and name not in offered:
        there_are = f"There are: {', '.join(offered)}." if offered else f"{NO_MODEL} Leave out `model` to get passages."
        raise InvalidParameter(f"The model {name[:80]!r} is not offered. {there_are}", models=offered)
    return name or str(config.llm_model)


def ask_model(
    question: Question, passages: Sequence[Passage], missing: Sequence[str], deadline: float
) -> Generator[Stage, None, Completion]:
    """Ask the model; yields its progress and returns the completion. `missing`: the words that no section has.

    Raises UpstreamUnavailable, or a subclass, for whatever keeps the model from answering before `deadline` (time.monotonic()).
    """
    if not is_configured():
        raise NoModel(NO_MODEL)
    # Imported here: pybreaker brings the client of Redis, 7 MB that a server without a model need not pay.
    from collections_app.clients.circuits import guarding

    began = monotonic()
    seconds = deadline - began
    if seconds < MIN_SECONDS:
        raise LlmFailed("There was no time left to ask the language model.")
    yield Stage(1, f"asking {question.model}")
    with guarding(UPSTREAM, LlmFailed, NoToken):
        waiting = wait_for(make_call(question, passages, missing, seconds), get_slots())
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


def make_call(
    question: Question, passages: Sequence[Passage], missing: Sequence[str], seconds: float
) -> partial[Completion]:
    """The call to make in the other thread."""
    return partial(
        get_client(get_server()).complete,
        make_messages(question, passages, make_marker(), missing),
        model=question.model,
        temperature=question.temperature,
        max_tokens=question.answer_tokens,
        seconds=seconds,
    )


def get_server() -> LlmServer:
    config = settings.DOCSMCP
    credentials = find_credentials(config, "llm")
    return LlmServer(config.llm_base_url, "" if credentials else config.llm_api_key, credentials)


def count_tokens(completion: Completion, passages: Sequence[Passage]) -> tuple[int, int]:
    """(tokens read, tokens written), as counted by the server, or estimated if it does not say."""
    tokens_in, tokens_out = completion.tokens_in, completion.tokens_out
    if tokens_in is None:
        tokens_in = sum(estimate_tokens(passage.text) for passage in passages)
    return tokens_in, estimate_tokens(completion.text) if tokens_out is None else tokens_out
