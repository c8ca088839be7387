"""A server with a rerank API, as well or as badly as it may answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from collections_app.clients.circuits import FAILURES_TO_OPEN, CircuitOpen
from collections_app.clients.reranking import NoReranker, RerankingFailed, get_reranker
from collections_app.clients.reranking.endpoint import BATCH_TEXTS, EndpointReranker, RerankingRefused
from collections_app.exceptions import UpstreamUnavailable
from tests.fake_upstream import Behaviour, FakeUpstream, cut_off, fail, flood, rerank, say, stall

pytestmark = pytest.mark.django_db

RERANK = "/v1/rerank"
TEXTS = ["grass for llamas", "start the server", "the server"]


@pytest.fixture
def reranker(upstream: FakeUpstream) -> Iterator[EndpointReranker]:
    with closing(EndpointReranker("cohere", upstream.base_url, "small", "a-key")) as reranker:
        yield reranker


def answer(*scores: object) -> bytes:
    return json.dumps({"results": [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]}).encode()


def test_scores_come_in_the_order_of_the_texts(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    scores = reranker.score("start server", TEXTS, seconds=5)
    assert scores == [0.0, 1.0, 0.5]
    (asked,) = upstream.asked
    assert asked.body == {"model": "small", "query": "start server", "documents": TEXTS}
    assert asked.headers["authorization"] == "Bearer a-key"


def test_text_embeddings_inference_is_asked_in_its_way(upstream: FakeUpstream) -> None:
    with closing(EndpointReranker("tei", upstream.base_url)) as reranker:
        assert reranker.score("start server", TEXTS, seconds=5) == [0.0, 1.0, 0.5]
    assert upstream.asked[0].body == {"truncate": True, "query": "start server", "texts": TEXTS}


def test_results_may_be_called_data(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    items = [{"index": 1, "relevance_score": 0.7}, {"index": 0, "relevance_score": 0.1}]
    upstream.rerank = say(json.dumps({"object": "list", "data": items}).encode())
    assert reranker.score("q", TEXTS[:2], seconds=5) == [0.1, 0.7]


def test_many_texts_are_sent_in_batches(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    texts = ["llamas"] * BATCH_TEXTS + ["start"]
    assert reranker.score("start", texts, seconds=5) == [0.0] * BATCH_TEXTS + [1.0]
    assert [len(asked.body["documents"]) for asked in upstream.asked] == [BATCH_TEXTS, 1]


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        b"1",
        b'{"results": 1}',
        b'{"scores": []}',
        b'{"results": [{"index": 0}]}',
        answer(),
        answer(1, 2),
        answer("x"),
        answer(None),
        answer(10**400),
        b'{"results": [{"index": 1, "relevance_score": 1}]}',
        b'{"results": [{"index": [], "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}]}',
        b'{"results": [{"index": 0, "relevance_score": 1e400}]}',
    ],
)
def test_an_answer_that_is_none_is_told_as_that(
    upstream: FakeUpstream, reranker: EndpointReranker, body: bytes
) -> None:
    upstream.rerank = say(body)
    with pytest.raises(RerankingFailed, match="not with a score for each text"):
        reranker.score("q", ["one"], seconds=5)


@pytest.mark.parametrize("behaviour", [cut_off, flood, fail(500), fail(401), fail(503)])
def test_a_server_in_trouble_is_told_as_that(
    upstream: FakeUpstream, reranker: EndpointReranker, behaviour: Behaviour
) -> None:
    upstream.rerank = behaviour
    with pytest.raises(RerankingFailed):
        reranker.score("q", ["one"], seconds=0.4)


def test_one_that_does_not_answer_is_waited_for_no_longer(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    upstream.rerank = stall
    with pytest.raises(RerankingFailed, match=r"The reranking server did not answer in time\."):
        reranker.score("q", ["one"], seconds=0.2)
    upstream.release()


def test_the_time_is_that_of_all_batches(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    upstream.rerank = lambda server, asked: (rerank if server.count(RERANK) == 1 else stall)(server, asked)
    with pytest.raises(RerankingFailed):
        reranker.score("start", ["start"] * (BATCH_TEXTS + 1), seconds=0.5)
    upstream.release()


def test_what_the_server_does_not_take_is_not_its_failure(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    upstream.rerank = fail(422)
    for _ in range(FAILURES_TO_OPEN + 1):
        with pytest.raises(RerankingRefused):
            reranker.score("q", ["one"], seconds=1)


def test_after_several_failures_nobody_asks_for_a_while(upstream: FakeUpstream, reranker: EndpointReranker) -> None:
    upstream.rerank = fail(500)
    for _ in range(FAILURES_TO_OPEN):
        with pytest.raises(UpstreamUnavailable):
            reranker.score("q", ["one"], seconds=1)
    with pytest.raises(CircuitOpen):
        reranker.score("q", ["one"], seconds=1)
    assert upstream.count(RERANK) == FAILURES_TO_OPEN


def test_the_settings_say_which_server(upstream: FakeUpstream, settings: Any) -> None:
    def configure(**values: str) -> None:
        given = {f"rerank_{name}": value for name, value in values.items()}
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update=given)

    assert get_reranker() is None
    configure(kind="cohere")
    with pytest.raises(NoReranker, match="set RERANK_BASE_URL"):
        get_reranker()
    configure(base_url=upstream.base_url, model="small", api_key="a-key", token_url=upstream.token_url)
    reranker = get_reranker()
    assert isinstance(reranker, EndpointReranker)
    with closing(reranker):
        reranker.score("q", ["one"], seconds=5)
    assert upstream.asked[-1].headers["authorization"] == "Bearer token-1"
    assert reranker.name == "cohere:small"
