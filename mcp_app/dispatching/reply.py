"""What the dispatcher gives to the transports: one message, or several that are made while they are read. It encodes nothing."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: `body` is one encoded message, or None where none is due. The status is for HTTP alone.

    A call that reports before it answers has `messages` instead: encoded ones, the answer last; an empty one says only
    that the call goes on. They are made while they are read; closing the iterator ends the call.
    """

    body: bytes | None
    http_status: int
    outcome: str
    messages: Generator[bytes, None, None] | None = None

    def iter_messages(self) -> Generator[bytes, None, None]:
        """All messages of a reply of either kind."""
        if self.messages is not None:
            yield from self.messages
        elif self.body is not None:
            yield self.body
