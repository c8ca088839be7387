"""What a forge or a CI sends when there is something new: whether it is signed with the secret, what it says, how it is set up. PURE.

    GitHub             X-Hub-Signature-256: sha256=HEX                     HMAC of the body
    Gitea, Forgejo     X-Gitea-Signature: HEX                              the same
    GitLab             X-Gitlab-Token: SECRET                              or Standard Webhooks, where a signing token is set
    Standard Webhooks  webhook-id, webhook-timestamp, webhook-signature    HMAC of ID.TIMESTAMP.BODY, in base64
    anything else      X-Docsmcp-Signature: t=TIMESTAMP,v1=HEX             HMAC of TIMESTAMP.BODY

HMAC is HMAC-SHA256. The key is the secret as it is written; that of Standard Webhooks (https://www.standardwebhooks.com) is
what stands in base64 behind `whsec_`.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qs

SECRET_PREFIX = "whsec_"  # noqa: S105  no secret, but how one begins
MAX_AGE_SECONDS = 300

_TIMED = re.compile(r"t=(?P<timestamp>\d{1,15}),v1=(?P<signature>[0-9a-f]{64})")
_EVENT_HEADERS = ("X-GitHub-Event", "X-Gitea-Event", "X-Forgejo-Event", "X-Gitlab-Event")
_PUSHES = {"push", "push hook", "tag push hook"}


class EventKind(StrEnum):
    PUSH = "push"
    PING = "ping"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Event:
    """`branch` is the branch or tag that was pushed, `default_branch` the repository's own; both empty where the sender does not say."""

    kind: EventKind
    branch: str = ""
    default_branch: str = ""

    def concerns(self, branch: str) -> bool:
        """Whether a source that follows `branch`, or the default one if that is empty, has something new by it. Either may be a tag."""
        followed = branch or self.default_branch
        return not self.branch or not followed or self.branch == followed


def make_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def is_signed(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    """Whether one of the ways above shows that the sender knows the secret; `now` in seconds since 1970.

    All comparisons are done, in constant time: how long it takes does not tell which of them failed.
    """
    return any(
        [
            _equals(headers.get("X-Hub-Signature-256"), f"sha256={_sign(secret.encode(), body)}"),
            _equals(headers.get("X-Gitea-Signature"), _sign(secret.encode(), body)),
            _equals(headers.get("X-Gitlab-Token"), secret),
            _is_standard(secret, headers, body, now),
            _is_timed(secret, headers.get("X-Docsmcp-Signature"), body, now),
        ]
    )


def read_event(headers: Mapping[str, str], body: bytes) -> Event:
    """What is told by a request that is signed. Without a forge's header it is a push, to whatever branch or tag it names by `ref`."""
    name = next((headers[header] for header in _EVENT_HEADERS if header in headers), "push").lower()
    if name == "ping":
        return Event(EventKind.PING)
    if name not in _PUSHES:
        return Event(EventKind.OTHER)
    payload = _read_payload(headers, body)
    home = payload.get("repository") or payload.get("project")
    default = home.get("default_branch") if isinstance(home, dict) else None
    ref = payload.get("ref")
    return Event(
        EventKind.PUSH, _get_name(ref) if isinstance(ref, str) else "", default if isinstance(default, str) else ""
    )


def sign(secret: str, body: bytes, timestamp: int) -> str:
    """The value of X-Docsmcp-Signature."""
    return f"t={timestamp},v1={_sign(secret.encode(), f'{timestamp}.'.encode() + body)}"


def make_examples(url: str) -> dict[str, str]:
    """How to set the hook up where it is sent from; $SECRET stands for the secret."""
    forge = "Trigger: push events only. Content type: application/json."
    return {
        "github": f"Settings > Webhooks: payload URL {url}, the secret as secret. {forge}",
        "gitea": f"Settings > Webhooks: target URL {url}, the secret as secret. {forge}",
        "gitlab": f"Settings > Webhooks: URL {url}, the secret as secret token. "
        "Trigger: push events; for a source that follows a tag, tag push events.",
        "shell": (
            "t=$(date +%s); s=$(printf '%s.' \"$t\" | openssl dgst -sha256 -hmac \"$SECRET\" -hex | sed 's/^.* //'); "
            f'curl --fail -X POST -H "X-Docsmcp-Signature: t=$t,v1=$s" {url}'
        ),
    }


def _sign(key: bytes, message: bytes) -> str:
    return hmac.digest(key, message, "sha256").hex()


def _equals(shown: str | None, expected: str) -> bool:
    return hmac.compare_digest((shown or "").encode(errors="replace"), expected.encode())


def _is_standard(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    timestamp = headers.get("Webhook-Timestamp", "")
    message = f"{headers.get('Webhook-Id', '')}.{timestamp}.".encode(errors="replace") + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix(SECRET_PREFIX)), message, "sha256")
    expected = f"v1,{base64.b64encode(digest).decode()}"
    matches = [_equals(shown, expected) for shown in headers.get("Webhook-Signature", "").split()[:10]]
    return any(matches) and _is_recent(timestamp, now)


def _is_timed(secret: str, shown: str | None, body: bytes, now: float) -> bool:
    match = _TIMED.fullmatch(shown or "")
    timestamp = int(match["timestamp"]) if match else 0
    matches = _equals(shown, sign(secret, body, timestamp))
    return matches and _is_recent(str(timestamp), now)


def _is_recent(timestamp: str, now: float) -> bool:
    return timestamp.isascii() and timestamp.isdigit() and abs(int(timestamp[:15]) - now) <= MAX_AGE_SECONDS


def _read_payload(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """The body's JSON object; an empty one for what is none. GitHub may send it as a form's field."""
    text = body
    if headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded"):
        text = "".join(parse_qs(body.decode(errors="replace")).get("payload", [])).encode()
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}


def _get_name(ref: str) -> str:
    """`v1` of `refs/tags/v1`: a source's settings do not tell tags from branches either."""
    return ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
