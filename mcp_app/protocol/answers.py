"""Encodes what a tool, prompt or resource may return besides a plain answer: content blocks, notices, a request for input. PURE.

A tool whose `run` is a generator function yields Progress and LogMessage while it works (or None, for "still at it") and
returns its answer. If a revision does not know a kind of content block, its clients get the block as text.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# The revision that introduced each kind of block that the first revision does not have.
_BLOCK_SINCE = {"audio": "2025-03-26", "resource_link": "2025-06-18"}


@dataclass(frozen=True, slots=True)
class Content:
    """A tool's result as content blocks, for what Markdown cannot express."""

    blocks: Sequence[Block]
    structured: dict[str, Any] | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class InputRequired:
    """The answer of a tool, prompt or resource that first has to ask the client (multi round-trip, since 2026-07-28).

    `requests`: id → `{"method": "elicitation/create", "params": {…}}`, of capabilities that the client declared. `state`
    (JSON values) comes back as `Call.request_state`, together with the client's answers in `Call.input_responses`.
    """

    requests: Mapping[str, dict[str, Any]]
    state: Any = None


@dataclass(frozen=True, slots=True)
class Progress:
    """`progress` grows with each report; `total` is given if it is known."""

    progress: float
    total: float | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class LogMessage:
    """Sent only if the registry declares logging and the client wants this level."""

    level: str
    data: Any
    logger: str | None = None


Notice = Progress | LogMessage


def make_text(text: str) -> Block:
    text.encode()  # if this fails, it is a failure of the tool; found later it would be one of the server
    return {"type": "text", "text": text}


def make_image(data: bytes, mime_type: str) -> Block:
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": mime_type}


def make_audio(data: bytes, mime_type: str) -> Block:
    return {"type": "audio", "data": base64.b64encode(data).decode(), "mimeType": mime_type}


def make_embedded_resource(uri: str, mime_type: str, content: str | bytes) -> Block:
    return {"type": "resource", "resource": make_contents(uri, mime_type, content)}


def make_resource_link(uri: str, name: str, **fields: str) -> Block:
    """`fields`: title, description, mimeType."""
    return {"type": "resource_link", "uri": uri, "name": name, **fields}


def make_contents(uri: str, mime_type: str, content: str | bytes) -> dict[str, Any]:
    """One entry of a resource's contents."""
    contents: dict[str, Any] = {"uri": uri, "mimeType": mime_type}
    if isinstance(content, bytes):
        return contents | {"blob": base64.b64encode(content).decode()}
    return contents | {"text": content}


def fit_blocks(blocks: Iterable[Block], protocol_version: str) -> list[Block]:
    """The blocks that a client of this revision can read, the others as text. Revisions are dates, so they compare as strings."""
    return [
        block if protocol_version >= _BLOCK_SINCE.get(block["type"], "") else make_text(_describe(block))
        for block in blocks
    ]


def make_notification(notice: Notice, progress_token: int | str | None) -> dict[str, Any]:
    """A JSON-RPC notification; `progress_token` is the one that the request sent to ask for reports."""
    if isinstance(notice, Progress):
        params = {"progressToken": progress_token, "progress": notice.progress}
        params |= {"total": notice.total, "message": notice.message}
        return _build("notifications/progress", params)
    return _build("notifications/message", {"level": notice.level, "data": notice.data, "logger": notice.logger})


def _build(method: str, params: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in params.items() if value is not None}
    return {"jsonrpc": "2.0", "method": method, "params": given}


def _describe(block: Block) -> str:
    return f"{block.get('title') or block['name']}: {block['uri']}" if "uri" in block else f"[{block['mimeType']}]"
