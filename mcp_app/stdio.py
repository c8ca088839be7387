"""The protocol over stdin and stdout: one message a line, answered in order by the dispatcher that serves HTTP.

Nothing but messages gets out: what anything else prints goes to stderr. Ends at the end of the input, or when nobody
reads the answers any more. Refuses lines over MAX_LINE_BYTES.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import structlog

from collections_app.authentication import InvalidCredential
from collections_app.principal import Principal
from mcp_app import jsonrpc
from mcp_app.dispatcher import Dispatcher

MAX_LINE_BYTES = 1024 * 1024

# As over HTTP.
UNAUTHORIZED = -31401
TOO_LARGE = -31413

logger = structlog.get_logger(__name__)


@contextmanager
def guarded_output() -> Iterator[BinaryIO]:
    """The real stdout for messages alone; until the end, what is printed goes to stderr."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(os.dup(kept), "wb") as messages:
            yield messages
    except BrokenPipeError:
        logger.info("mcp_stdio_reader_gone")
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def serve(
    lines: BinaryIO,
    messages: BinaryIO,
    dispatcher: Dispatcher,
    identify: Callable[[], Principal],
    narrowed_to: tuple[str, str] | None = None,
) -> None:
    """Answer line by line until there are no more. `identify` says who asks, anew for each message; may raise InvalidCredential."""
    for line in iter_lines(lines):
        for message in answer_line(line, dispatcher, identify, narrowed_to):
            messages.write(message + b"\n")
            messages.flush()


def iter_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines that are not blank. Of one that is too long its beginning, and more of it than is allowed."""
    while line := stream.readline(MAX_LINE_BYTES + 2):
        end = line
        while end and not end.endswith(b"\n"):
            end = stream.readline(MAX_LINE_BYTES)
        if line.strip():
            yield line.removesuffix(b"\n")


def answer_line(
    line: bytes, dispatcher: Dispatcher, identify: Callable[[], Principal], narrowed_to: tuple[str, str] | None
) -> Iterator[bytes]:
    if len(line) > MAX_LINE_BYTES:
        yield refuse(line, TOO_LARGE, f"The message is larger than {MAX_LINE_BYTES} bytes")
        return
    try:
        principal = identify()
    except InvalidCredential:
        yield refuse(line, UNAUTHORIZED, "The API key is not valid any more")
        return
    reply = dispatcher.handle(line, principal, narrowed_to=narrowed_to, may_stream=True)
    yield from (message for message in reply.iter_messages() if message)


def refuse(line: bytes, code: int, message: str) -> bytes:
    error = jsonrpc.JsonRpcError(code, message, request_id=jsonrpc.peek_id(line))
    return jsonrpc.encode(jsonrpc.build_error(error))
