from __future__ import annotations

import base64
from collections.abc import Iterator
from threading import Thread
from typing import Any

import httpx
import pytest

from collections_app.clients import oauth_tokens
from collections_app.clients.oauth_tokens import (
    ClientCredentials,
    NoToken,
    Token,
    TokenSender,
    TokenSource,
    Unauthorized,
)
from collections_app.exceptions import UpstreamUnavailable
from tests.fake_upstream import FakeUpstream, fail, give_tokens, say, send_json


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(oauth_tokens, "time", clock)
    return clock


@pytest.fixture
def tokens(upstream: FakeUpstream) -> Iterator[TokenSource]:
    with httpx.Client(timeout=5) as http:
        yield TokenSource(http, ClientCredentials(upstream.token_url, "me", "s/ecret", "chat"))


def test_it_logs_in_by_client_credentials(tokens: TokenSource, upstream: FakeUpstream) -> None:
    assert tokens.get() == tokens.get() == "token-1"
    [asked] = upstream.asked
    assert asked.body == "grant_type=client_credentials&scope=chat"
    assert base64.b64decode(asked.headers["authorization"].split()[1]) == b"me:s%2Fecret"


def test_it_is_renewed_five_minutes_before_its_end(tokens: TokenSource, upstream: FakeUpstream, clock: Clock) -> None:
    assert tokens.get() == "token-1"
    clock.now += 3600 - 301
    assert tokens.get() == "token-1"
    clock.now += 2
    assert tokens.get() == "token-2"


def test_a_short_life_is_renewed_half_way(tokens: TokenSource, upstream: FakeUpstream, clock: Clock) -> None:
    upstream.token = give_tokens(expires_in=60)
    assert tokens.get() == "token-1"
    clock.now += 29
    assert tokens.get() == "token-1"
    clock.now += 2
    assert tokens.get() == "token-2"


def test_many_threads_ask_once(tokens: TokenSource, upstream: FakeUpstream) -> None:
    got: list[str] = []
    threads = [Thread(target=lambda: got.append(tokens.get())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == ["token-1"] * 20
    assert upstream.count("/token") == 1


def test_while_one_renews_the_others_go_on_with_the_old_one(
    tokens: TokenSource, upstream: FakeUpstream, clock: Clock
) -> None:
    tokens.get()
    clock.now += 3500
    meanwhile: list[str] = []

    def renew(upstream: FakeUpstream, asked: Any) -> Any:
        thread = Thread(target=lambda: meanwhile.append(tokens.get()))
        thread.start()
        thread.join()
        return send_json({"access_token": "new", "expires_in": 3600})

    upstream.token = renew
    assert tokens.get() == "new"
    assert meanwhile == ["token-1"]


def test_a_refresh_token_is_used_and_when_it_is_refused_it_logs_in_again(
    tokens: TokenSource, upstream: FakeUpstream, clock: Clock
) -> None:
    upstream.token = give_tokens(refresh_token="r1")
    tokens.get()
    clock.now += 3500
    answers = iter([fail(400), give_tokens()])
    upstream.token = lambda server, asked: next(answers)(server, asked)
    assert tokens.get() == "token-3"
    grants = [asked.body.split("&")[0] for asked in upstream.asked]
    assert grants == ["grant_type=client_credentials", "grant_type=refresh_token", "grant_type=client_credentials"]


def test_a_failed_renewal_is_no_harm_as_long_as_the_token_is_good(
    tokens: TokenSource, upstream: FakeUpstream, clock: Clock
) -> None:
    tokens.get()
    upstream.token = fail(500)
    clock.now += 3500
    assert tokens.get() == "token-1"
    clock.now += 200
    with pytest.raises(NoToken):
        tokens.get()


def test_a_dropped_token_is_asked_for_again_unless_another_one_came(
    tokens: TokenSource, upstream: FakeUpstream
) -> None:
    tokens.get()
    tokens.drop("token-0")
    assert tokens.get() == "token-1"
    tokens.drop("token-1")
    assert tokens.get() == "token-2"


@pytest.mark.parametrize(
    "behaviour",
    [fail(401), fail(500), say(b"<html>"), say(b"[]"), say(b"{}"), say(b'{"access_token": "a", "expires_in": "soon"}')],
)
def test_an_answer_without_a_token_is_none(tokens: TokenSource, upstream: FakeUpstream, behaviour: Any) -> None:
    upstream.token = behaviour
    with pytest.raises(NoToken):
        tokens.get()


def test_no_secret_is_shown_where_they_are() -> None:
    shown = f"{ClientCredentials('https://t.example', 'me', 's/ecret')!r} {Token('token-1', 0.0, 0.0, 'again-1')!r}"
    assert not any(secret in shown for secret in ("s/ecret", "token-1", "again-1"))


class Guarded:
    """An upstream that admits only requests with certain headers, and remembers them all."""

    def __init__(self, *admitted: dict[str, str]) -> None:
        self.admitted = admitted
        self.shown: list[dict[str, str]] = []

    def answer(self, headers: dict[str, str]) -> str:
        self.shown.append(headers)
        if headers not in self.admitted:
            raise Unauthorized(UpstreamUnavailable(f"Refused for the {len(self.shown)}. time."))
        return "welcome"


FIRST, SECOND = ({"Authorization": f"Bearer token-{number}"} for number in (1, 2))


@pytest.fixture
def sender(upstream: FakeUpstream) -> Iterator[TokenSender]:
    with httpx.Client(timeout=5) as http:
        yield TokenSender(http, ClientCredentials(upstream.token_url, "me", "secret"))


def test_a_refused_token_is_replaced_and_the_new_one_kept(sender: TokenSender) -> None:
    guarded = Guarded(SECOND)
    assert [sender.send(guarded.answer) for _ in range(2)] == ["welcome"] * 2
    assert guarded.shown == [FIRST, SECOND, SECOND]


def test_a_new_token_that_is_refused_too_is_the_end(sender: TokenSender) -> None:
    guarded = Guarded()
    with pytest.raises(UpstreamUnavailable, match=r"2\. time"):
        sender.send(guarded.answer)
    assert guarded.shown == [FIRST, SECOND]


def test_without_credentials_no_token_is_sent_and_none_replaced() -> None:
    guarded = Guarded()
    with httpx.Client() as http, pytest.raises(UpstreamUnavailable, match=r"1\. time"):
        TokenSender(http, None).send(guarded.answer)
    assert guarded.shown == [{}]
