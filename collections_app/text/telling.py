"""Where to begin reading a text that has what was asked for: the place that has most of the words that tell, and what leads in to it. PURE.

A word tells the more the fewer mentions of it there are in this very text; how often it is mentioned in one place does not count. Words
in code count only where the prose around it has none of them: an example shows what the prose says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from collections_app.text.code_blocks import blank_code
from collections_app.text.question_words import find_densest

# How far from the first of them the others may stand to be counted, and how long a paragraph may be to be begun with.
REACH_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 1_000
# A word that tells so little of what a place has is left behind where that begins a paragraph later.
MOST_OF_IT = 0.9
# Words that say how something is asked, and not what about, beside the stop words that PostgreSQL has.
ASKING = frozenset({
    "able", "anybody", "anyone", "best", "describe", "difference", "differences", "example", "examples", "explain", "happen", "happened",
    "happening", "happens", "mean", "meaning", "means", "need", "needs", "please", "possible", "purpose", "show", "someone", "tell", "want",
    "way", "ways",
})  # fmt: skip
BEGIN_BEHIND = ("\n", ". ", "。")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_WITHIN_ITEM = re.compile(r"(?:[ \t]{2,}|>[ \t]{2,})\S")
# Of a list that says what sections there are.
_CONTENTS = re.compile(r"^[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]++\[[^\]\n]*+\]\(#[^()\s]*+\)[ \t]*+$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t][^\n]*", re.MULTILINE)
# A heading or a table.
_NO_LEAD = re.compile(r" {0,3}(?:#{1,6}[ \t]|\|)")


def weigh_by_rarity(found: Iterable[tuple[int, str]]) -> Mapping[str, float]:
    """What each word is worth, of all the places where words stand in a text: at most 1."""
    counts = Counter(word for _, word in found)
    return {word: 1 / (1 + log(count)) for word, count in counts.items()}


def prefer_prose(text: str, found: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Without the places in code of those words that stand elsewhere too."""
    prose = blank_code(text)
    if prose == text:
        return found
    told = {word for at, word in found if not prose[at].isspace()}
    return [(at, word) for at, word in found if word not in told or not prose[at].isspace()]


def blank_contents(text: str) -> str:
    """With blanks for a table of contents, all else where it was: it has all words of a page together, and says nothing of them."""
    return _CONTENTS.sub(lambda line: " " * len(line[0]), text) if "](#" in text else text


def blank_headings(text: str) -> str:
    """With blanks for the lines of headings, all else where it was: a heading says what follows, and nothing of it."""
    return _HEADING.sub(lambda line: " " * len(line[0]), text) if "#" in text else text


def look_around(found: Sequence[tuple[int, str]], start: int) -> set[str]:
    """The words that stand there, within reach."""
    return {word for at, word in found if start <= at < start + REACH_CHARACTERS}


def find_telling(found: Sequence[tuple[int, str]]) -> int:
    """Where the words begin that tell most together, of (position, word) in order; the first of such places, and there the last word from
    which on they still do."""
    weights = weigh_by_rarity(found)
    first = find_densest(found, REACH_CHARACTERS, weights)
    near = [(at, word) for at, word in found if first <= at < first + 2 * REACH_CHARACTERS]
    starts = sorted({at for at, _ in near if at < first + REACH_CHARACTERS}, reverse=True)
    most = MOST_OF_IT * sum(weights[word] for word in look_around(near, first))
    return next((at for at in starts if sum(weights[word] for word in look_around(near, at)) >= most), 0)


def find_beginning(text: str, at: int, most_before: int = PARAGRAPH_CHARACTERS) -> int:
    """Where the paragraph begins, or the line, or the sentence: the first of them that is no farther before. Of a list that is the
    paragraph that leads in to it, else its first item, else the item, as far as they are near."""
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
    """Of the paragraph that begins at `start`; not before `earliest`."""
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
    """Where the text ends that stands before, without white space."""
    while start and text[start - 1].isspace():
        start -= 1
    return start
