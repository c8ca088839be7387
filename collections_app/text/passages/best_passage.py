"""Finds where to begin reading a text for some words: the place with most of the telling words, including what leads in to it. PURE.

A word is the more telling the fewer mentions it has in this text; repeated mentions in one place count once. Words in code count only if
the prose does not have them, since an example shows what the prose says.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import log
from operator import itemgetter

from collections_app.text.markdown.code_blocks import blank_code
from collections_app.text.passages.question_words import find_densest
from collections_app.text.spans import is_in_span

# How far apart words may be to count as one place, and how long a paragraph may be for reading to begin at its start.
REACH_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 1_000
# The place may begin later if the words that remain are still worth at least this part of all.
MOST_OF_IT = 0.9
# Words that say how something is asked, and not what about; in addition to PostgreSQL's stop words.
ASKING = frozenset({
    "able", "anybody", "anyone", "best", "describe", "difference", "differences", "example", "examples", "explain", "happen", "happened",
    "happening", "happens", "mean", "meaning", "means", "need", "needs", "please", "possible", "purpose", "show", "someone", "tell", "want",
    "way", "ways",
})  # fmt: skip
BEGIN_BEHIND = ("\n", ". ", "。")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_WITHIN_ITEM = re.compile(r"(?:[ \t]{2,}|>[ \t]{2,})\S")
# An item of a table of contents.
_CONTENTS = re.compile(r"^[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]++\[[^\]\n]*+\]\(#[^()\s]*+\)[ \t]*+$", re.MULTILINE)
_TABLE = re.compile(
    r"^(?P<head>[ \t>]*+\|[^\n]*+)\n[ \t>]*+\|[ \t:|-]++\n(?P<rows>(?:[ \t>]*+\|[^\n]*+\n?)++)", re.MULTILINE
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t][^\n]*", re.MULTILINE)
# Paragraphs that do not lead in to a list: headings and tables.
_NO_LEAD = re.compile(r" {0,3}(?:#{1,6}[ \t]|\|)")


def weigh_by_rarity(found: Iterable[tuple[int, str]]) -> Mapping[str, float]:
    """Word → its worth, at most 1, by how often it occurs. `found`: (position, word) of all places in a text."""
    counts = Counter(word for _, word in found)
    return {word: 1 / (1 + log(count)) for word, count in counts.items()}


def prefer_prose(text: str, found: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """The places without those in code, for words that the prose has too."""
    prose = blank_code(text)
    if prose == text:
        return found
    told = {word for at, word in found if not prose[at].isspace()}
    return [(at, word) for at, word in found if word not in told or not prose[at].isspace()]


def prefer_rows(text: str, found: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """The places without those in the heads of long tables, unless there are no others: a head says the same of each row."""
    heads = [table.span("head") for table in _TABLE.finditer(text) if len(table["rows"]) > REACH_CHARACTERS]
    if not heads:
        return found
    kept = [(at, word) for at, word in found if not is_in_span(heads, at, at + 1)]
    return kept or found


def blank_contents(text: str) -> str:
    """The text with a table of contents replaced by blanks: it has all words of a page close together, but says nothing about them."""
    return _CONTENTS.sub(lambda line: " " * len(line[0]), text) if "](#" in text else text


def blank_headings(text: str) -> str:
    """The text with headings replaced by blanks: a heading announces a text, but says nothing itself."""
    return _HEADING.sub(lambda line: " " * len(line[0]), text) if "#" in text else text


def look_around(found: Sequence[tuple[int, str]], start: int) -> set[str]:
    """The words within REACH_CHARACTERS from `start` on. `found`: (position, word), in order."""
    first, end = (bisect_left(found, (at, "")) for at in (start, start + REACH_CHARACTERS))
    return {word for _, word in found[first:end]}


def find_telling(found: Sequence[tuple[int, str]]) -> int:
    """The position where the most telling words are together. `found`: (position, word), in order.

    Of equal places it is the first, and there the last word from which on the words are worth at least MOST_OF_IT, unless what is before it
    is worth as much, like the first of several rows.
    """
    weights = weigh_by_rarity(found)
    first = find_densest(found, REACH_CHARACTERS, weights)
    near = [(at, word) for at, word in found if first <= at < first + 2 * REACH_CHARACTERS]
    most = MOST_OF_IT * sum(weights[word] for word in look_around(near, first))
    start, before = 0, set[str]()
    for at, words in group_by_place(near):
        if at >= first + REACH_CHARACTERS or (before and sum(weights[word] for word in before) >= most):
            break
        if sum(weights[word] for word in look_around(near, at)) >= most:
            start = at
        before |= words
    return start


def group_by_place(found: Iterable[tuple[int, str]]) -> Iterator[tuple[int, set[str]]]:
    for at, group in groupby(found, key=itemgetter(0)):
        yield at, {word for _, word in group}


def find_beginning(text: str, at: int, most_before: int = PARAGRAPH_CHARACTERS) -> int:
    """Where to begin reading to get to position `at`: its paragraph, line or sentence, the first of these that begins at most `most_before`
    characters before; else `at` itself.

    For a list it is the paragraph that leads in to it, else an earlier item, as far as these are near.
    """
    start = begin_paragraph(text, at)
    if at - start <= most_before:
        return begin_list(text, start, at - most_before)
    for end in BEGIN_BEHIND:
        before = text.rfind(end, 0, at)
        start = before + len(end) if before >= 0 else 0
        if at - start <= most_before:
            return start
    return at


def begin_paragraph(text: str, at: int) -> int:
    before = text.rfind("\n\n", 0, at)
    return before + 2 if before >= 0 else 0


def begin_list(text: str, start: int, earliest: int) -> int:
    """Where to begin for a paragraph that begins at `start`: if it is a list item, with what leads in to the list; not before
    `earliest`."""
    item = None
    while start and (_ITEM.match(text, start) or _WITHIN_ITEM.match(text, start)):
        if item is None and _ITEM.match(text, start):
            item = start
        end = end_before(text, start)
        before = begin_paragraph(text, end)
        if before < earliest:
            return start if item is None else item
        if _NO_LEAD.match(text, before) or text.endswith(("```", "~~~"), before, end):
            break
        start = before
    return start


def end_before(text: str, start: int) -> int:
    """The end of the text before `start`, without trailing white space."""
    while start and text[start - 1].isspace():
        start -= 1
    return start
