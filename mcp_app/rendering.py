"""Renders results for agents, within a token budget.

The budget is for the whole answer in the requested form: the functions below measure that, and shorten it or leave parts out until it fits.
Texts are cut by pieces.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from collections_app.naming.paths import name_by_id
from collections_app.naming.sections import abbreviate_section_id
from collections_app.text.tokens import estimate_tokens
from mcp_app.protocol.jsonrpc import dump_json

SEARCH_TOKENS = 4_000
READ_TOKENS = 8_000
MAX_TOKENS = 20_000
# Of a long section this many are read, from given words on: the answer is a paragraph or two, and a cursor gets the rest.
NEAR_TOKENS = 1_000
# Reserved for the lines that say what was cut and what to call, where an answer is not measured as a whole.
RESERVE_TOKENS = 120
# The most that a title, heading or description may cost where it is shown: about 200 characters.
NAME_TOKENS = 50
TITLE_PATH_TOKENS = 150
# The most that a path or section id may cost: this many tokens, and at most 1/REFERENCE_SHARE of the budget. Longer ones get a short name.
REFERENCE_TOKENS = 100
REFERENCE_SHARE = 8
ABBREVIATION_TOKENS = 4
# How many tokens longer the counts in an answer may become, such as the size of a text that is not cut yet.
COUNTS_TOKENS = 3

Cost = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """An answer in both forms, each made only when it is asked for."""

    markdown: Callable[[], str]
    data: Callable[[], dict[str, Any]]

    def as_markdown(self) -> str:
        return self.markdown()

    def as_json(self) -> dict[str, Any]:
        return self.data()


def estimate_json_tokens(text: str) -> int:
    """What a text costs within JSON, where quotes, backslashes and line ends are escaped."""
    return estimate_tokens(dump_json(text)[1:-1])


def fit_count(most: int, build: Callable[[int], str], max_tokens: int) -> int:
    """How many of `most` items fit into an answer, but at least one. `build(n)` makes the answer with the first n."""
    if most <= 1 or estimate_tokens(build(most)) <= max_tokens:
        return most
    return find_highest(1, most - 1, lambda count: estimate_tokens(build(count)) <= max_tokens)


def find_highest(low: int, high: int, has_room: Callable[[int], bool]) -> int:
    """The highest number from `low` to `high` that has room, found by bisection: if a number has room, so has every lower one. `low` if
    none has."""
    while low < high:
        middle = (low + high + 1) // 2
        if has_room(middle):
            low = middle
        else:
            high = middle - 1
    return low


def end_with(body: str, ending: str, max_tokens: int) -> str:
    """Body and ending as two paragraphs. If there is no room for both, the body is cut."""
    whole = f"{body}\n\n{ending}" if ending else body
    if estimate_tokens(whole) <= max_tokens:
        return whole
    cut = f"…\n\n{ending}" if ending else "…"
    return body[: find_longest(body, max_tokens - estimate_tokens(cut))].rstrip() + cut


def keep_facts(facts: Iterable[str], max_tokens: int) -> str:
    """The facts joined, in order, without those for which there is no room."""
    kept: list[str] = []
    for fact in facts:
        if fact and estimate_tokens(join_facts([*kept, fact])) <= max_tokens:
            kept.append(fact)
    return join_facts(kept)


def drop_fields(fields: dict[str, Any], least_important: Iterable[str], max_tokens: int) -> dict[str, Any]:
    """The fields of a JSON object, without as many of `least_important` (removed in that order) as needed to fit."""
    kept = dict(fields)
    for name in least_important:
        if estimate_tokens(dump_json(kept)) <= max_tokens:
            break
        kept.pop(name, None)
    return kept


def take_within(lines: Iterable[str], max_tokens: int) -> list[str]:
    """The first lines that together fit the budget; always at least one."""
    taken: list[str] = []
    left = max_tokens - RESERVE_TOKENS
    for line in lines:
        left -= estimate_tokens(line) + 1
        if taken and left < 0:
            break
        taken.append(line)
    return taken


def fits(text: str, max_tokens: int, cost: Cost = estimate_tokens) -> bool:
    """Whether a text costs at most `max_tokens`. A text that is far too long is not even counted."""
    return len(text) <= max_tokens * 4 and cost(text) <= max_tokens


def find_longest(text: str, max_tokens: int, cost: Cost = estimate_tokens) -> int:
    """How many leading characters cost at most `max_tokens`; at least 1, so that reading makes progress."""
    most = min(len(text), max(max_tokens, 0) * 4)
    return max(find_highest(0, most, lambda end: cost(text[:end]) <= max_tokens), 1)


def count_of(count: int, noun: str) -> str:
    """`1 section`, `2 sections`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def describe_list_end(count: int, noun: str) -> str:
    """The sentence for a cursor that leads past the last entry of a list."""
    return f"The list ends here: it has {count_of(count, noun)}. Leave out the cursor to begin at the first."


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


def shorten_name(text: str, max_tokens: int = NAME_TOKENS) -> str:
    """The text on one line, costing at most `max_tokens` in Markdown and in JSON."""
    flat = " ".join(text[: max_tokens * 40].split())
    if estimate_json_tokens(flat) <= max_tokens:
        return flat
    return flat[: find_longest(flat, max_tokens - 1, estimate_json_tokens)].rstrip() + "…"


def shorten_heading_path(headings: Sequence[str], max_tokens: int = TITLE_PATH_TOKENS) -> list[str]:
    """The headings, each shortened so that together they cost at most `max_tokens`."""
    share = max(min(max_tokens // max(len(headings), 1), NAME_TOKENS), 2)
    return [shorten_name(heading, share) for heading in headings]


def get_reference_tokens(max_tokens: int) -> int:
    """The most that one path or section id may cost in an answer of `max_tokens`."""
    return min(max_tokens // REFERENCE_SHARE, REFERENCE_TOKENS)


def name_section(section_id: str, max_tokens: int) -> str:
    """The section's id, or its abbreviation if the id would cost too much."""
    most = get_reference_tokens(max_tokens)
    if estimate_tokens(section_id) <= most:
        return section_id
    return abbreviate_section_id(section_id, most - ABBREVIATION_TOKENS)


def name_path(path: str, document_id: int, max_tokens: int) -> str:
    """The path, or the document's id (which every tool also accepts) if the path would cost too much or has more than one line."""
    is_one_line = path.splitlines() == [path.strip()]
    fits_line = is_one_line and estimate_json_tokens(path) <= get_reference_tokens(max_tokens)
    return path if fits_line else name_by_id(document_id)


def iter_titles(title: str, heading_path: Sequence[str]) -> Iterator[str]:
    """Title and headings, without the title twice. A heading may have no text, for example on a page that shows a picture instead."""
    headings = list(filter(None, heading_path))
    if not headings or headings[0].casefold() != title.casefold():
        yield title
    yield from headings
