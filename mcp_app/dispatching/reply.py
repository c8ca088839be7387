"""What the dispatcher hands to a transport: one encoded message, or several that are made while the transport reads them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    """`body` is one encoded message, or None if no answer is due. Only HTTP uses the status.

    A call that reports before it answers has `messages` instead: encoded messages, the answer last. An empty message only means that the
    call is still at work. Closing the generator ends the call.
    """

    body: bytes | None
    http_status: int
    outcome: str
    messages: Generator[bytes, None, None] | None = None

    def iter_messages(self) -> Generator[bytes, None, None]:
        """All messages, whether they are in `body` or in `messages`."""
        if self.messages is not None:
            yield from self.messages
        elif self.body is not None:
            yield self.body
