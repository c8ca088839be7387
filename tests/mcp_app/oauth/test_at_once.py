"""Requests for tokens that come at the same time, each in a thread and with a connection of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from collections_app.access import connected_apps
from collections_app.models import ConnectedApp
from mcp_app.oauth import server
from tests.mcp_app.oauth.apps import Browser, ask_for, call, connect, redeem, register, renew

pytestmark = pytest.mark.django_db(transaction=True)

TOGETHER_SECONDS = 60


def ask_together(monkeypatch: pytest.MonkeyPatch, name: str, ask: Any, *given: str) -> list[Any]:
    """Two answers to the same request. Each is found to be right (by the function of this name) before either is answered."""
    find, both_found = getattr(server, name), Barrier(2)

    def find_with_the_other(*args: Any) -> Any:
        found = find(*args)
        both_found.wait(TOGETHER_SECONDS)
        return found

    def answer(_: int) -> Any:
        try:
            return ask(*given)
        finally:
            connection.close()

    monkeypatch.setattr(server, name, find_with_the_other)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(answer, range(2)))


def test_a_code_gives_tokens_once(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    client_id = register()["client_id"]
    code = browser.allow(ask_for(client_id))
    answers = ask_together(monkeypatch, "find_by_code", redeem, client_id, code)
    assert sorted(answer.status_code for answer in answers) == [200, 400]
    [given] = [answer.json() for answer in answers if answer.status_code == 200]
    [refused] = [answer.json() for answer in answers if answer.status_code == 400]
    assert refused["error"] == "invalid_grant"
    assert call(given["access_token"]).status_code == 200


def test_both_who_refresh_get_the_same_tokens(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    first = connect(browser)
    given = (first["client_id"], first["refresh_token"])
    answers = [answer.json() for answer in ask_together(monkeypatch, "find_by_refresh_token", renew, *given)]
    assert len({(answer["access_token"], answer["refresh_token"]) for answer in answers}) == 1
    assert call(answers[0]["access_token"]).status_code == 200
    monkeypatch.undo()
    assert renew(first["client_id"], answers[0]["refresh_token"]).status_code == 200


def test_a_refresh_does_not_bring_back_what_is_ended_meanwhile(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = connect(browser)
    find = connected_apps.find_by_refresh_token

    def find_and_end(*args: Any) -> ConnectedApp | None:
        found = find(*args)
        connected_apps.end(ConnectedApp.objects.get())
        return found

    monkeypatch.setattr(server, "find_by_refresh_token", find_and_end)
    assert renew(first["client_id"], first["refresh_token"]).json()["error"] == "invalid_grant"
