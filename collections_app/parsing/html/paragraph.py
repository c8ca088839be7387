"""The paragraph being read: pieces of text and the inline elements open around them → lines of Markdown.

Each kind of inline element is open at most once, so text is copied a bounded number of times however deep a page nests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Wrap = Callable[[str], str]

LINE_BREAK = "\0"
"""Stands for `<br>` among the pieces: a character that no page contains."""


@dataclass(slots=True)
class _Span:
    kind: str
    wrap: Wrap
    start: int


class Paragraph:
    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._spans: list[_Span] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)

    def drop_end(self, text: str) -> None:
        """Remove `text` if it was added last."""
        if self._pieces and self._pieces[-1] == text:
            self._pieces.pop()

    def is_open(self, kind: str) -> bool:
        return any(span.kind == kind for span in self._spans)

    def is_innermost(self, kind: str) -> bool:
        return bool(self._spans) and self._spans[-1].kind == kind

    def open(self, kind: str, wrap: Wrap) -> None:
        """Begin an inline element. Elements are closed in reverse order; one that is not closed continues in the next paragraph."""
        self._spans.append(_Span(kind, wrap, len(self._pieces)))

    def close(self) -> None:
        """End the innermost inline element."""
        self._wrap(self._spans.pop())

    def take_lines(self) -> list[str]:
        """The lines of the paragraph, divided at breaks; it is then empty for the next one."""
        for span in reversed(self._spans):
            self._wrap(span)
            span.start = 0
        if not self._pieces:
            return []
        text = "".join(self._pieces)
        self._pieces.clear()
        if LINE_BREAK not in text:
            return [" ".join(text.split())]
        return [" ".join(line.split()) for line in text.split(LINE_BREAK)]

    def _wrap(self, span: _Span) -> None:
        inner = "".join(self._pieces[span.start :])
        del self._pieces[span.start :]
        if inner.strip(" \t\r\n\f\0"):
            self._pieces.append(span.wrap(inner))
        else:
            self._pieces.append(inner)


def wrap_keeping_blanks(wrap: Wrap) -> Wrap:
    """`wrap` applied to the text without the blanks around it, which stay outside: `** x**` is no emphasis."""

    def wrap_words(inner: str) -> str:
        words = inner.strip()
        if not words:
            return inner
        before, _, after = inner.partition(words)
        return f"{before}{wrap(words)}{after}"

    return wrap_words
