"""Results as an agent reads them, within a token budget.

Texts are cut at section edges, then at paragraphs; what was cut is said, and the call that gets it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from collections_app.parsing.tokens import estimate_tokens

SEARCH_TOKENS = 4_000
READ_TOKENS = 8_000
MAX_TOKENS = 20_000
# Kept free for the lines that say what was cut and what to call.
RESERVE_TOKENS = 120

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """An answer in both its forms, made only when asked for."""

    markdown: Callable[[], str]
    data: Callable[[], dict[str, Any]]

    def as_markdown(self) -> str:
        return self.markdown()

    def as_json(self) -> dict[str, Any]:
        return self.data()


def take_within(items: Iterable[T], text_of: Callable[[T], str], max_tokens: int) -> list[T]:
    """The first items whose texts fit the budget together; always at least the first."""
    taken: list[T] = []
    left = max_tokens - RESERVE_TOKENS
    for item in items:
        left -= estimate_tokens(text_of(item)) + 1
        if taken and left < 0:
            break
        taken.append(item)
    return taken


def cut_text(text: str, max_tokens: int) -> str:
    """The beginning of a text that fits the budget, ended after a paragraph, or a line or word where one alone is too long."""
    if estimate_tokens(text) <= max_tokens:
        return text
    longest = find_longest(text, max_tokens)
    for edge in ("\n\n", "\n", " "):
        end = text.rfind(edge, 1, longest)
        if end > longest // 4:
            return text[: end + len(edge)]
    return text[:longest]


def find_longest(text: str, max_tokens: int) -> int:
    """How many leading characters cost at most `max_tokens`."""
    low, high = 0, min(len(text), max_tokens * 4)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    return max(low, 1)


def dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def join_facts(facts: Iterable[str]) -> str:
    return " · ".join(fact for fact in facts if fact)


def format_size(size_bytes: int) -> str:
    """`640b`, `12.3kb`, `4.1mb`."""
    if size_bytes < 1024:
        return f"{size_bytes}b"
    if size_bytes < 1024 * 1024:
        return f"{size_bytes / 1024:.1f}kb"
    return f"{size_bytes / 1024 / 1024:.1f}mb"


def format_date(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d") if moment else ""


def format_call(tool: str, **arguments: Any) -> str:
    """A call as a model would write it: read_sections(path="a.md", section_ids=["b"])."""
    given = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items() if value is not None
    )
    return f"{tool}({given})"


def shorten(text: str, characters: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= characters else flat[: characters - 1].rstrip() + "…"


def iter_titles(title: str, heading_path: Sequence[str]) -> Iterator[str]:
    """Title and headings without saying the title twice."""
    if not heading_path or heading_path[0].casefold() != title.casefold():
        yield title
    yield from heading_path
