"""Adds the API call that a page describes when only its front matter gives it (`openapi: "GET /boats/{id}"`,
`api: "POST https://sea.example/boats"`), as in Mintlify: readers see it above the text. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KEYS = ("openapi", "api")
# The API's description may come first, where there are several.
_CALL = re.compile(
    r"(?:\S+\s+)?(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\s+(?P<target>[^\s`]+)\s*", re.IGNORECASE
)
_MAX_CHARACTERS = 2_000


def find_api_call(metadata: Mapping[str, Any]) -> str:
    """The call as code (`` `GET /boats/{id}` ``); empty if there is none."""
    told = (metadata.get(key) for key in _KEYS)
    calls = (_CALL.fullmatch(each) for each in told if isinstance(each, str) and len(each) <= _MAX_CHARACTERS)
    return next((f"`{call['method'].upper()} {call['target']}`" for call in calls if call), "")
