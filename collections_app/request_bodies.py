"""What holds for the bodies of requests, whichever surface takes them."""

from __future__ import annotations

from collections.abc import Mapping

MUST_BE_PLAIN = "The Content-Encoding must be identity: send the body as it is, not packed"


def is_packed(headers: Mapping[str, str]) -> bool:
    return headers.get("Content-Encoding", "").strip().lower() not in ("", "identity")
