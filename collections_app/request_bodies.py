"""What holds for the bodies of requests, whichever surface takes them."""

from __future__ import annotations

from collections.abc import Mapping

MUST_BE_PLAIN = "The Content-Encoding must be identity: send the body as it is, not packed"


MAX_LENGTH_DIGITS = 18


def is_longer(length: str, max_bytes: int) -> bool:
    """Whether a Content-Length, in digits, announces more than that: a client may send more of them than int() takes."""
    return len(length) > MAX_LENGTH_DIGITS or int(length) > max_bytes


def is_packed(headers: Mapping[str, str]) -> bool:
    return headers.get("Content-Encoding", "").strip().lower() not in ("", "identity")
