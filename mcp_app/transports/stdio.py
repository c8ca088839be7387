"""The protocol over stdin and stdout: one message a line, answered by the dispatcher that serves HTTP.

Several tool calls run at a time, so that none holds up another, or a ping; everything else is answered in order. A call that
the client has cancelled gets no answer. Only messages go to stdout: what anything else prints goes to stderr. Serving ends when the input
has ended and every call has its answer, or when nobody reads the answers any more. Refuses lines over MAX_LINE_BYTES.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from queue import Full, Queue
from threading import Event, Lock, Thread
from typing import BinaryIO

import structlog
from django.db import connections

from collections_app.access.authentication import InvalidCredential
from collections_app.access.principal import Principal
from mcp_app.dispatching.dispatcher import Dispatcher
from mcp_app.protocol import jsonrpc, legacy
from mcp_app.protocol.jsonrpc import Message, Notification, Request, RequestId

MAX_LINE_BYTES = 1024 * 1024
WORKERS = 4
MAX_CALLS = 64
LEAVE_SECONDS = 1.0

# The same code as over HTTP.
UNAUTHORIZED = -31401
TOO_LARGE = -31413

logger = structlog.get_logger(__name__)


@contextmanager
def guarded_output() -> Iterator[BinaryIO]:
    """Reserves the real stdout for messages; until the end, whatever is printed goes to stderr."""
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
    """Answer line by line until there are no more. `identify` says who asks, anew for each message; it may raise InvalidCredential.

    Raises BrokenPipeError when nobody reads the answers.
    """
    session = Session(Output(messages), dispatcher, identify, narrowed_to)
    try:
        for line in iter_lines(lines):
            session.take(line)
        session.finish()
    finally:
        session.dismiss()


def iter_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines that are not blank. A line that is too long is cut off, but stays longer than allowed, so that it is recognised."""
    while line := stream.readline(MAX_LINE_BYTES + 2):
        end = line
        while end and not end.endswith(b"\n"):
            end = stream.readline(MAX_LINE_BYTES)
        if line.strip():
            yield line.removesuffix(b"\n")


class Output:
    """Writes one message at a time, from any thread. Once nobody reads them, each write raises BrokenPipeError."""

    def __init__(self, messages: BinaryIO) -> None:
        self._messages = messages
        self._lock = Lock()

    def write(self, message: bytes) -> None:
        with self._lock:
            self._messages.write(message + b"\n")
            self._messages.flush()


@dataclass(frozen=True, slots=True)
class RunningCall:
    """`is_cancelled` is set when the client sends a cancellation."""

    line: bytes
    id: RequestId
    is_cancelled: Event


class Session:
    """One client: the revision that it agreed to, and its running calls."""

    def __init__(
        self,
        output: Output,
        dispatcher: Dispatcher,
        identify: Callable[[], Principal],
        narrowed_to: tuple[str, str] | None,
    ) -> None:
        self._output = output
        self._dispatcher = dispatcher
        self._identify = identify
        self._narrowed_to = narrowed_to
        self._negotiated = ""
        self._running: dict[RequestId, RunningCall] = {}
        # Bounded: if a client sends more, reading pauses until a call is done.
        self._waiting: Queue[RunningCall | None] = Queue(MAX_CALLS)
        self._workers: list[Thread] = []

    def take(self, line: bytes) -> None:
        if len(line) > MAX_LINE_BYTES:
            self._output.write(refuse(line, TOO_LARGE, f"The message is larger than {MAX_LINE_BYTES} bytes"))
            return
        message = decode_or_none(line)
        match message:
            case Request(method="tools/call"):
                self._start(RunningCall(line, message.id, Event()))
            case Notification(method="notifications/cancelled"):
                self._cancel(message.params.get("requestId"))
            case _:
                is_answered = self._answer(line)
                if message and legacy.is_handshake(message) and is_answered:
                    self._negotiated = legacy.get_version(message, None)

    def finish(self) -> None:
        """Wait for the answers of all calls."""
        self._waiting.join()

    def dismiss(self) -> None:
        """Ends the threads, and with them their connections. A thread that is still in a call ends with the process."""
        with suppress(Full):
            for _ in self._workers:
                self._waiting.put_nowait(None)
        for worker in self._workers:
            worker.join(LEAVE_SECONDS)

    def _start(self, call: RunningCall) -> None:
        self._running[call.id] = call
        self._waiting.put(call)
        if len(self._workers) < min(WORKERS, len(self._running)):
            # A daemon: a process that is told to end does not wait for calls.
            worker = Thread(target=self._work, name="mcp call", daemon=True)
            self._workers.append(worker)
            worker.start()

    def _cancel(self, request_id: object) -> None:
        """Cancels a running call. An id that is not known, or no longer, is ignored."""
        if isinstance(request_id, int | str) and (call := self._running.get(request_id)):
            call.is_cancelled.set()

    def _work(self) -> None:
        while (call := self._waiting.get()) is not None:
            try:
                if not call.is_cancelled.is_set():
                    self._answer(call.line, call.is_cancelled)
            except BrokenPipeError:
                pass  # the next message that is read ends the session
            except Exception:
                logger.exception("mcp_stdio_failure")
            finally:
                self._running.pop(call.id, None)
                self._waiting.task_done()
        connections.close_all()

    def _answer(self, line: bytes, is_cancelled: Event | None = None) -> bool:
        """Writes the answer to a message, until the call is cancelled. Returns whether it was answered without an error."""
        try:
            principal = self._identify()
        except InvalidCredential:
            self._output.write(refuse(line, UNAUTHORIZED, "The API key is not valid any more"))
            return False
        reply = self._dispatcher.handle(
            line, principal, narrowed_to=self._narrowed_to, may_stream=True, negotiated=self._negotiated
        )
        messages = reply.iter_messages()
        with closing(messages):
            for message in messages:
                if is_cancelled is not None and is_cancelled.is_set():
                    break
                if message:
                    self._output.write(message)
        return reply.outcome == "ok"


def decode_or_none(line: bytes) -> Message | None:
    """The message; None if it cannot be decoded: the dispatcher refuses those."""
    try:
        return jsonrpc.decode(line)
    except jsonrpc.JsonRpcError:
        return None


def refuse(line: bytes, code: int, message: str) -> bytes:
    error = jsonrpc.JsonRpcError(code, message, request_id=jsonrpc.peek_id(line))
    return jsonrpc.encode(jsonrpc.build_error(error))
