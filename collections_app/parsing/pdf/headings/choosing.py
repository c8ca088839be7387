"""Decides which lines of a PDF are headings: those named in its outline, else those tagged as such, else those set larger than the text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from collections_app.parsing.pdf.headings.bold import find_bold_headings
from collections_app.parsing.pdf.headings.numbers import find_number, strip_number
from collections_app.parsing.pdf.headings.romans import find_roman_headings
from collections_app.parsing.pdf.headings.sizes import LargeText, iter_large_headings, iter_large_texts
from collections_app.parsing.pdf.headings.tags import iter_tagged_headings
from collections_app.parsing.pdf.pages import Line, OutlineEntry, Pages, fold_text, join_texts

_MIN_OUTLINE_ENTRIES = 2
_MAX_PAGES_PER_ENTRY = 25  # an outline with fewer entries names only parts: font sizes say more
_MIN_TAGGED = 2
_MAX_PAGES_PER_TAG = 4  # fewer tags are only the title and whatever else an author happened to give a style
_MAX_SECTION_CHARACTERS = 4000  # on average; if sections are longer, numbered and bold lines become headings too
_MAX_OUTLINED_CHARACTERS = 8000  # of a section by the outline; in a longer one, headings are also found by type
_MIN_MORE = 3
_MAX_LEVEL = 6
_MAX_HEADING_LINES = 4
_MAX_SEARCHED_LINES = 50  # from the position that a bookmark points to
_MAX_WORD = 20  # characters: a longer title without blanks is really several words
_NUMBER_ENDS = ".:) "
# The beginning of PowerPoint's bookmarks.
_SLIDE = re.compile(r"(?:slide|folie|diapositiv[ea])(?: number)? \d+(?:: *|$)", re.IGNORECASE)
_POINTING_SLACK = 3.0  # points by which a bookmark may point below its line


_Heading = tuple[LargeText, int]
"""A heading and its level."""


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading before line `index` of its page, replacing `line_count` lines from there on."""

    index: int
    line_count: int
    level: int
    text: str


def find_headings(
    pages: Pages, outline: Sequence[OutlineEntry], *, is_tagged: bool
) -> Mapping[int, Sequence[PlacedHeading]]:
    """Page number, from 0 → its headings in line order: by the outline or by tags if there are enough of these, else by size."""
    if len(outline) >= max(_MIN_OUTLINE_ENTRIES, len(pages) / _MAX_PAGES_PER_ENTRY):
        return _cut_long(pages, _place_outline(pages, _name_slides(pages, outline)))
    texts = list(iter_large_headings(pages))
    tagged = list(iter_tagged_headings(pages)) if is_tagged else []
    if len(tagged) >= max(_MIN_TAGGED, len(pages) / _MAX_PAGES_PER_TAG):
        texts = _add_larger(tagged, texts)
    characters = sum(len(line.text) for lines in pages for line in lines)
    for find_more in (find_roman_headings, find_bold_headings):
        if characters > _MAX_SECTION_CHARACTERS * (len(texts) + 1):
            texts = _add_below(texts, find_more(pages))
    headings: dict[int, list[PlacedHeading]] = defaultdict(list)
    for text, level in texts:
        headings[text.page].append(PlacedHeading(text.index, text.line_count, level, text.text))
    return headings


def _add_larger(tagged: Sequence[_Heading], large: Sequence[_Heading]) -> list[_Heading]:
    """The tagged headings, and what is set larger than all of them: titles have styles of their own, as “Contents” does."""
    largest = min(text.rank[0] for text, level in tagged if level == 1)
    larger = [(text, 1) for text, _ in large if text.rank[0] < largest]
    return sorted([*tagged, *larger], key=lambda heading: (heading[0].page, heading[0].index))


def _add_below(texts: Sequence[_Heading], more: Sequence[LargeText]) -> list[_Heading]:
    """The headings, with others below them if there are enough."""
    if len(more) < _MIN_MORE:
        return list(texts)
    level = 1 + max((level for _, level in texts), default=0)
    taken = {(text.page, text.index + n) for text, _ in texts for n in range(text.line_count)}
    free = [(text, min(level, _MAX_LEVEL)) for text in more if (text.page, text.index) not in taken]
    return sorted([*texts, *free], key=lambda heading: (heading[0].page, heading[0].index))


def _name_slides(pages: Pages, outline: Sequence[OutlineEntry]) -> Sequence[OutlineEntry]:
    """The outline, with the largest text of a slide in place of a mere slide number."""
    if not any(_SLIDE.match(entry.title) for entry in outline):
        return outline
    largest: dict[int, LargeText] = {}
    for text in iter_large_texts(pages):
        if text.page not in largest or text.rank[0] < largest[text.page].rank[0]:
            largest[text.page] = text
    titles = {page: text.text for page, text in largest.items()}
    return [_name_slide(entry, titles) if _SLIDE.match(entry.title) else entry for entry in outline]


def _name_slide(entry: OutlineEntry, titles: Mapping[int, str]) -> OutlineEntry:
    title = _SLIDE.sub("", entry.title, count=1) or titles.get(entry.page) or entry.title
    return replace(entry, title=title, is_slide=True)


def _place_outline(pages: Pages, outline: Sequence[OutlineEntry]) -> Mapping[int, Sequence[PlacedHeading]]:
    """A heading per entry, replacing the line with the same words, or else at the position that the entry points to."""
    headings: dict[int, list[PlacedHeading]] = defaultdict(list)
    for entry in outline:
        placed = headings[entry.page]
        first = placed[-1].index + placed[-1].line_count if placed else 0
        placed.append(_place_entry(pages[entry.page], entry, first))
    return headings


def _cut_long(pages: Pages, headings: Mapping[int, Sequence[PlacedHeading]]) -> Mapping[int, Sequence[PlacedHeading]]:
    """Add headings by type in sections that the outline leaves very long: manuals list only chapters there, and print more."""
    starts = [(page, each) for page in sorted(headings) for each in headings[page]]
    owners = _find_owners(pages, starts)
    lengths: Counter[int] = Counter()
    for (page, index), owner in owners.items():
        lengths[owner] += len(pages[page][index].text)
    long = {owner for owner, length in lengths.items() if length > _MAX_OUTLINED_CHARACTERS}
    if not long:
        return headings
    taken = {(page, each.index + n) for page, each in starts for n in range(each.line_count)}
    found: dict[int, dict[tuple[int, int], LargeText]] = defaultdict(dict)
    for text in (*iter_large_texts(pages), *find_bold_headings(pages)):
        places = [(text.page, text.index + n) for n in range(text.line_count)]
        if owners.get(places[0]) in long and taken.isdisjoint(places) and len(text.text) > 1:
            found[owners[places[0]]][places[0]] = text
            taken.update(places)
    more = {page: list(placed) for page, placed in headings.items()}
    for owner, texts in found.items():
        level = min(starts[owner][1].level + 1, _MAX_LEVEL)
        for (page, index), text in texts.items() if len(texts) >= _MIN_MORE else ():
            more.setdefault(page, []).append(PlacedHeading(index, text.line_count, level, text.text))
    return {page: sorted(placed, key=lambda each: each.index) for page, placed in more.items()}


def _find_owners(pages: Pages, starts: Sequence[tuple[int, PlacedHeading]]) -> dict[tuple[int, int], int]:
    """Page and line → the heading above; lines before the first heading are left out."""
    owners: dict[tuple[int, int], int] = {}
    last = -1
    for page, lines in enumerate(pages):
        for index in range(len(lines)):
            while last + 1 < len(starts) and (starts[last + 1][0], starts[last + 1][1].index) <= (page, index):
                last += 1
            if last >= 0:
                owners[page, index] = last
    return owners


def _place_entry(lines: Sequence[Line], entry: OutlineEntry, first: int) -> PlacedHeading:
    level = min(entry.level, _MAX_LEVEL)
    start = first if entry.y is None else _find_first_below(lines, entry.y + _POINTING_SLACK, first)
    for index in range(start, min(start + _MAX_SEARCHED_LINES, len(lines))):
        if line_count := _count_title_lines(lines[index : index + _MAX_HEADING_LINES], entry.title):
            if entry.is_slide and index > start:
                break
            printed = join_texts(lines[index : index + line_count])
            title = _part_words(entry.title, printed) if line_count == 1 else entry.title
            return PlacedHeading(index, line_count, level, _add_number(title, printed))
    return PlacedHeading(start, 0, level, entry.title)


def _find_first_below(lines: Sequence[Line], y: float, first: int) -> int:
    return next((index for index in range(first, len(lines)) if lines[index].y <= y), len(lines))


def _count_title_lines(lines: Sequence[Line], title: str) -> int:
    """How many lines the title takes, ignoring numbers before it; 0 if the lines have other words."""
    wanted = {fold_text(title), fold_text(strip_number(title))} - {""}
    for count in range(1, len(lines) + 1):
        printed = join_texts(lines[:count])
        if wanted & {fold_text(printed), fold_text(strip_number(printed))}:
            return count
        if len(printed) > 2 * len(title) + 20:
            break
    return 0


def _part_words(title: str, printed: str) -> str:
    """The title with the page's blanks, if a program left them out. Letters that are set apart are no words."""
    words = list(map(fold_text, strip_number(printed).split()))
    is_run = title.isascii() and title.isalpha() and len(title) > _MAX_WORD
    if not is_run or min(map(len, words), default=0) < 2 or "".join(words) != title.lower():
        return title
    ends = list(accumulate(map(len, words), initial=0))
    return " ".join(title[start:end] for start, end in pairwise(ends))


def _add_number(title: str, printed: str) -> str:
    """The outline's words, which are clean, with the number that the page prints, because the text refers to it."""
    number = find_number(printed)
    if not number or not number[0].isdigit() or find_number(title):
        return title
    return f"{number} {title.removeprefix(number).lstrip(_NUMBER_ENDS)}"
