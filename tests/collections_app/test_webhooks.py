"""What forges and CIs send: signatures as each of them makes them, and what they tell."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from django.http import HttpHeaders
from hypothesis import given
from hypothesis import strategies as st

from collections_app.webhooks import Event, EventKind, is_signed, make_secret, read_event, sign

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
NOW = 1_800_000_000
BODY = b'{"ref": "refs/heads/main"}'


def make_hex(secret: str, message: bytes) -> str:
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def make_standard(secret: str, body: bytes, timestamp: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, b"msg_1." + str(timestamp).encode() + b"." + body, hashlib.sha256).digest()
    signature = "v1,AAAA v1," + base64.b64encode(digest).decode()
    return {"webhook-id": "msg_1", "webhook-timestamp": str(timestamp), "webhook-signature": signature}


def make_headers(headers: dict[str, str]) -> HttpHeaders:
    return HttpHeaders({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()})


def make_all(secret: str, body: bytes, timestamp: int = NOW) -> list[dict[str, str]]:
    """The same delivery, signed in each way that there is."""
    return [
        {"X-Hub-Signature-256": f"sha256={make_hex(secret, body)}"},
        {"X-Gitea-Signature": make_hex(secret, body)},
        {"X-Gitlab-Token": secret},
        make_standard(secret, body, timestamp),
        {"X-Docsmcp-Signature": f"t={timestamp},v1={make_hex(secret, f'{timestamp}.'.encode() + body)}"},
    ]


@pytest.mark.parametrize("headers", make_all(SECRET, BODY))
def test_each_senders_signature_is_known(headers: dict[str, str]) -> None:
    assert is_signed(SECRET, make_headers(headers), BODY, NOW)


@pytest.mark.parametrize("headers", make_all(SECRET[:-4] + "AAA=", BODY))
def test_another_secret_is_refused(headers: dict[str, str]) -> None:
    assert not is_signed(SECRET, make_headers(headers), BODY, NOW)


@pytest.mark.parametrize("headers", [h for h in make_all(SECRET, BODY) if "X-Gitlab-Token" not in h])
def test_another_body_is_refused(headers: dict[str, str]) -> None:
    assert not is_signed(SECRET, make_headers(headers), BODY + b" ", NOW)


@pytest.mark.parametrize("timestamp", [NOW - 301, NOW + 301])
@pytest.mark.parametrize("way", [3, 4])
def test_what_is_signed_with_its_time_grows_old(timestamp: int, way: int) -> None:
    headers = make_headers(make_all(SECRET, BODY, timestamp)[way])
    assert not is_signed(SECRET, headers, BODY, NOW)
    assert is_signed(SECRET, headers, BODY, timestamp + 300)


def test_nothing_shown_is_nothing_signed() -> None:
    assert not is_signed(SECRET, make_headers({}), BODY, NOW)
    assert not is_signed(SECRET, make_headers({"X-Hub-Signature-256": "", "X-Gitlab-Token": ""}), b"", NOW)


@given(
    st.sampled_from(["X-Hub-Signature-256", "X-Gitea-Signature", "X-Gitlab-Token", "X-Docsmcp-Signature"]),
    st.text(max_size=120),
    st.text(max_size=30),
)
def test_whatever_is_shown_is_judged(name: str, value: str, timestamp: str) -> None:
    headers = {name: value, "webhook-id": value, "webhook-timestamp": timestamp, "webhook-signature": f"v1,{value}"}
    assert not is_signed(SECRET, make_headers(headers), BODY, NOW)


def test_a_signature_of_our_own_can_be_made_in_a_shell_or_here() -> None:
    assert sign(SECRET, BODY, NOW) == make_all(SECRET, BODY)[4]["X-Docsmcp-Signature"]


def test_secrets_differ_and_are_long() -> None:
    first, second = make_secret(), make_secret()
    assert first != second
    assert len(base64.b64decode(first.removeprefix("whsec_"))) == 32


def read(headers: dict[str, str], payload: Any) -> Event:
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return read_event(make_headers(headers), body)


PUSH = {"ref": "refs/heads/main", "repository": {"default_branch": "main"}}


@pytest.mark.parametrize(
    ("headers", "payload", "event"),
    [
        ({"X-GitHub-Event": "ping"}, {"zen": "Keep it logically awesome."}, Event(EventKind.PING)),
        ({"X-GitHub-Event": "push"}, PUSH, Event(EventKind.PUSH, "main", "main")),
        ({"X-GitHub-Event": "issues"}, PUSH, Event(EventKind.OTHER)),
        ({"X-Gitea-Event": "push"}, PUSH, Event(EventKind.PUSH, "main", "main")),
        (
            {"X-Gitlab-Event": "Push Hook"},
            {"ref": "refs/heads/a/b", "project": {"default_branch": "trunk"}},
            Event(EventKind.PUSH, "a/b", "trunk"),
        ),
        (
            {"X-Gitlab-Event": "Tag Push Hook"},
            {"ref": "refs/tags/v1", "project": {"default_branch": "trunk"}},
            Event(EventKind.PUSH, "v1", "trunk"),
        ),
        ({"X-Gitlab-Event": "Issue Hook"}, PUSH, Event(EventKind.OTHER)),
        ({"X-GitHub-Event": "push"}, {"ref": "refs/tags/v1"}, Event(EventKind.PUSH, "v1")),
        ({"X-Gitea-Event": "push"}, {"ref": "refs/tags/v1"}, Event(EventKind.PUSH, "v1")),
        ({"X-Forgejo-Event": "push"}, {"ref": "refs/tags/v1"}, Event(EventKind.PUSH, "v1")),
        ({}, b"", Event(EventKind.PUSH)),
        ({}, b"[1]", Event(EventKind.PUSH)),
        ({}, b"[" * 100_000, Event(EventKind.PUSH)),
        ({}, {"ref": 7, "repository": "r"}, Event(EventKind.PUSH)),
        ({}, {"ref": "main"}, Event(EventKind.PUSH, "main")),
    ],
)
def test_what_is_told(headers: dict[str, str], payload: Any, event: Event) -> None:
    assert read(headers, payload) == event


def test_github_may_send_a_form() -> None:
    body = b"payload=%7B%22ref%22%3A%22refs%2Fheads%2Fmain%22%7D"
    headers = HttpHeaders({"CONTENT_TYPE": "application/x-www-form-urlencoded", "HTTP_X_GITHUB_EVENT": "push"})
    assert read_event(headers, body).branch == "main"


@pytest.mark.parametrize(
    ("branch", "default", "followed", "expected"),
    [
        ("main", "main", "", True),
        ("dev", "main", "", False),
        ("dev", "main", "dev", True),
        ("main", "main", "dev", False),
        ("", "", "dev", True),
        ("anything", "", "", True),
    ],
)
def test_a_push_concerns_the_branch_that_is_followed(branch: str, default: str, followed: str, expected: bool) -> None:
    assert Event(EventKind.PUSH, branch, default).concerns(followed) is expected
