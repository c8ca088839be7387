from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from collections_app.clients import upstream_retries
from collections_app.clients.llm import Completion, LlmClient, LlmFailed, LlmRefused, LlmServer
from collections_app.clients.oauth_tokens import ClientCredentials
from tests.fake_upstream import (
    Behaviour,
    FakeUpstream,
    Reply,
    answer,
    cut_off,
    fail,
    flood,
    say,
    stall,
    trickle,
)


@pytest.fixture
def client(upstream: FakeUpstream, monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmClient]:
    monkeypatch.setattr(upstream_retries, "FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(upstream_retries, "JITTER_SECONDS", 0.0)
    client = LlmClient(LlmServer(upstream.base_url, "sesame"))
    yield client
    client.close()


def complete(client: LlmClient, seconds: float = 10) -> Completion:
    messages = [{"role": "user", "content": "hello"}]
    return client.complete(messages, model="m", temperature=0.5, max_tokens=7, seconds=seconds)


def test_it_asks_and_gives_the_text_and_its_tokens(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = answer("Hello")
    assert complete(client) == Completion("Hello", 1000, 100)
    [asked] = upstream.asked
    assert asked.headers["authorization"] == "Bearer sesame"
    assert asked.body == {
        "messages": [{"role": "user", "content": "hello"}],
        "model": "m",
        "temperature": 0.5,
        "max_tokens": 7,
    }


def test_nothing_of_the_environment_is_sent(upstream: FakeUpstream, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "foreign")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    client = LlmClient(LlmServer(upstream.base_url))
    upstream.chat = answer("Hello")
    complete(client)
    client.close()
    assert "foreign" not in str(upstream.asked[0].headers)


def test_a_server_that_counts_no_tokens_is_fine(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = answer("Hello", with_usage=False)
    assert complete(client) == Completion("Hello", None, None)


@pytest.mark.parametrize(
    "behaviour",
    [
        fail(500),
        fail(401),
        fail(404),
        cut_off,
        flood,
        say(b"garbage"),
        say(b"null"),
        say(b"[]"),
        say(b'{"choices": [{"message": {"content": 5}}]}'),
        say(b"[" * 100_000),
        say(b"<html>", "text/html"),
        answer("  "),
    ],
)
def test_a_broken_answer_is_a_failure_and_not_asked_for_again(
    client: LlmClient, upstream: FakeUpstream, behaviour: Behaviour
) -> None:
    upstream.chat = behaviour
    with pytest.raises(LlmFailed) as error:
        complete(client)
    assert error.value.details["retryable"]
    assert upstream.count() == 1


def test_a_stream_that_nobody_asked_for_is_a_failure(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = say(b'data: {"choices": []}\n\ndata: [DONE]\n\n', "text/event-stream")
    with pytest.raises(LlmFailed):
        complete(client)


def test_an_answer_that_is_packed_is_not_unpacked(client: LlmClient, upstream: FakeUpstream) -> None:
    """A few bytes may be gigabytes."""
    bomb = gzip.compress(bytes(100 * 2**20))
    upstream.chat = lambda upstream, asked: Reply((bomb,), headers={"Content-Encoding": "gzip"})
    tracemalloc.start()
    with pytest.raises(LlmFailed):
        complete(client)
    assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    tracemalloc.stop()
    assert upstream.asked[0].headers["accept-encoding"] == "identity"
    assert upstream.count() == 1


@pytest.mark.parametrize("behaviour", [stall, trickle])
def test_it_ends_with_its_time_however_steadily_bytes_come(
    client: LlmClient, upstream: FakeUpstream, behaviour: Behaviour
) -> None:
    upstream.chat = behaviour
    with pytest.raises(LlmFailed, match="did not answer in time"):
        complete(client, seconds=0.3)


def test_a_request_that_is_refused_is_no_failure_of_the_server(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = fail(422)
    with pytest.raises(LlmRefused) as error:
        complete(client)
    assert not error.value.details["retryable"]


@pytest.mark.parametrize("refusal", [fail(429), fail(429, Retry_After="0"), fail(503)])
def test_what_was_not_begun_is_asked_again(client: LlmClient, upstream: FakeUpstream, refusal: Behaviour) -> None:
    upstream.chat = answer("Hello")
    upstream.plan(refusal, refusal)
    assert complete(client).text == "Hello"
    assert upstream.count() == 3


def test_it_gives_up_after_three_attempts(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = fail(429)
    with pytest.raises(LlmFailed, match="takes no more requests"):
        complete(client)
    assert upstream.count() == 3


def test_a_wait_that_is_longer_than_the_time_left_is_not_begun(client: LlmClient, upstream: FakeUpstream) -> None:
    upstream.chat = fail(429, Retry_After="30")
    with pytest.raises(LlmFailed) as error:
        complete(client)
    assert error.value.details["retry_after"] == 30
    assert upstream.count() == 1


@pytest.mark.parametrize("base_url", ["http://127.0.0.1:1/v1", "http://nowhere.invalid/v1"])
def test_a_server_that_is_not_there_is_a_failure(base_url: str, client: LlmClient) -> None:
    absent = LlmClient(LlmServer(base_url))
    with pytest.raises(LlmFailed, match="cannot be reached"):
        complete(absent)
    absent.close()


@pytest.mark.parametrize("models", [say(b'{"data": []}'), fail(404), fail(405)])
def test_a_server_is_there_whether_it_tells_its_models_or_not(
    models: Behaviour, client: LlmClient, upstream: FakeUpstream
) -> None:
    upstream.models = models
    client.check(seconds=10)
    assert [(asked.path, asked.headers["authorization"]) for asked in upstream.asked] == [
        ("/v1/models", "Bearer sesame")
    ]


@pytest.mark.parametrize(
    ("models", "said"),
    [(fail(401), "401"), (fail(503), "503"), (fail(500), "500"), (say(b"<html>", "text/html"), "not with")],
)
def test_a_server_that_does_not_let_us_in_or_is_none_is_told(
    models: Behaviour, said: str, client: LlmClient, upstream: FakeUpstream
) -> None:
    upstream.models = models
    with pytest.raises(LlmFailed, match=said):
        client.check(seconds=10)


def test_a_server_that_is_away_is_told_when_it_is_checked() -> None:
    absent = LlmClient(LlmServer("http://127.0.0.1:1/v1"))
    with pytest.raises(LlmFailed, match="cannot be reached"):
        absent.check(seconds=10)
    absent.close()


class TestWithCredentials:
    @pytest.fixture
    def client(self, upstream: FakeUpstream) -> Iterator[LlmClient]:
        credentials = ClientCredentials(upstream.token_url, "me", "secret")
        client = LlmClient(LlmServer(upstream.base_url, credentials=credentials))
        yield client
        client.close()

    def test_the_token_is_sent(self, client: LlmClient, upstream: FakeUpstream) -> None:
        upstream.chat = answer("Hello")
        complete(client)
        complete(client)
        assert [asked.headers["authorization"] for asked in upstream.asked[1:]] == ["Bearer token-1"] * 2

    def test_a_token_that_is_refused_is_replaced_once(self, client: LlmClient, upstream: FakeUpstream) -> None:
        upstream.chat = answer("Hello")
        upstream.plan(fail(401))
        assert complete(client).text == "Hello"
        assert upstream.asked[-1].headers["authorization"] == "Bearer token-2"

    def test_when_the_new_one_is_refused_too_it_fails(self, client: LlmClient, upstream: FakeUpstream) -> None:
        upstream.chat = fail(401)
        with pytest.raises(LlmFailed, match=r"\(401\)"):
            complete(client)
        assert upstream.count() == 2


def test_the_library_is_not_loaded_before_a_model_is_asked() -> None:
    import subprocess
    import sys

    code = "import sys, collections_app.clients.llm; sys.exit('openai' in sys.modules)"
    done: Any = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
