"""Cuts a document at its headings and gives every section its id. It knows headings, not formats.

An id is the slugs of the heading path, joined by `/`; a repeated one gets the first free of `-2`, `-3`, … Agents keep ids: the rule stays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from collections_app.naming.slugs import make_slug
from collections_app.parsing.documents import ParsedSection
from collections_app.parsing.headings import Heading, iter_headings
from collections_app.parsing.headings.text import MAX_HEADING_CHARACTERS, clean_heading
from collections_app.text.tokens import count_unspaced_characters, estimate_tokens_of_counts

MAX_SECTIONS = 20_000
DEEPEST_LEVEL = 6
# Each section is stored and indexed with the headings above it. Together these may have this many times the characters of the text, and
# in a short text somewhat more. In 11,000 pages of ten projects they have a twentieth of the text, and on no page more than the text.
MAX_PATHS_SHARE = 4
SHORT_CHARACTERS = 50_000

_TEXT_BEFORE_HEADINGS = 0
_BELOW_ALL_HEADINGS = 7


@dataclass(frozen=True, slots=True)
class _Part:
    """A section's own lines, from `start` up to `end`, counted from 0, `end` not included; `line` is that of its heading."""

    level: int
    heading: str
    line: int
    start: int
    end: int

    @property
    def rank(self) -> int:
        """Like `level`, but nothing is below the text before the first heading."""
        return self.level or _BELOW_ALL_HEADINGS


class SectionHeadings(NamedTuple):
    """The headings that make sections, in order; `deepest` is their deepest level. If it is not DEEPEST_LEVEL, `excess` says what there was
    too much of.
    """

    headings: list[Heading]
    deepest: int = DEEPEST_LEVEL
    excess: str = ""


def find_section_headings(
    lines: Sequence[str], beside: int = 0, given: Iterable[Heading] | None = None
) -> SectionHeadings:
    """Those that make sections of the `given` headings, or else of all in the lines.

    With more than MAX_SECTIONS headings, the deepest levels make no sections, one level after the other, until the rest are few enough. The
    same holds until what is stored with the sections, their heading paths and `beside` characters each, is not too much for this text.
    """
    deepest, excess = DEEPEST_LEVEL, ""
    headings: list[Heading] = []
    for heading in iter_headings(lines) if given is None else given:
        if heading.level > deepest:
            continue
        headings.append(heading)
        while len(headings) > MAX_SECTIONS:
            deepest, excess = deepest - 1, f"over {MAX_SECTIONS:,} headings"
            headings = [each for each in headings if each.level <= deepest]
    most = SHORT_CHARACTERS + MAX_PATHS_SHARE * (sum(map(len, lines)) + len(lines))
    while _count_path_characters(headings, beside) > most:
        deepest, excess = deepest - 1, f"its sections with the headings above them would be over {most:,} characters"
        headings = [each for each in headings if each.level <= deepest]
    return SectionHeadings(headings, deepest, excess)


def _count_path_characters(headings: Iterable[Heading], beside: int) -> int:
    """The characters of all heading paths, or somewhat more: a heading's words are never longer than its source."""
    total = 0
    above: list[tuple[int, int]] = []
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        characters = min(len(heading.text), MAX_HEADING_CHARACTERS) + (above[-1][1] if above else 0)
        above.append((heading.level, characters))
        total += characters + beside
    return total


def split_into_sections(
    lines: Sequence[str],
    headings: Sequence[Heading],
    title: str,
    *,
    first_line: int = 1,
    anchors: Mapping[int, str],
    page_lines: Sequence[int],
) -> tuple[ParsedSection, ...]:
    """The sections of a document that is not blank, given as its content split at line feeds.

    `first_line` and `page_lines` are those of NormalisedText, `anchors` the fragments by heading's line. Text before the first heading
    becomes a section of level 0 under `title`, unless the first heading is a level-1 heading with the same slug: then that section begins
    at the first line. Blank lines before the first heading belong to its section. Takes linear time.
    """
    parts = list(_iter_parts(lines, headings, title))
    texts = [_join_lines(lines, part) for part in parts]
    characters = [0, *accumulate(map(len, texts))]
    unspaced_characters = [0, *accumulate(map(count_unspaced_characters, texts))]
    ends = _find_subtree_ends(parts)
    paths = _iter_heading_paths(parts)
    section_ids = _SectionIds()
    sections = []
    for position, (part, text, end, path) in enumerate(zip(parts, texts, ends, paths, strict=True)):
        character_count = characters[end] - characters[position]
        section = ParsedSection(
            position=position,
            end_position=end,
            section_id=section_ids.take("/".join(map(make_slug, path))),
            heading=part.heading,
            level=part.level,
            heading_path=path,
            start_line=first_line + part.start,
            end_line=first_line + part.end - 1 - (part.end == len(lines) and lines[-1] == ""),
            text=text,
            character_count=character_count,
            token_count=estimate_tokens_of_counts(
                character_count, unspaced_characters[end] - unspaced_characters[position]
            ),
            page_number=max(1, bisect_right(page_lines, part.line)) if page_lines else None,
            anchor=anchors.get(part.line, "") if part.level else "",
        )
        sections.append(section)
    return tuple(sections)


def _iter_parts(lines: Sequence[str], headings: Sequence[Heading], title: str) -> Iterator[_Part]:
    starts = [heading.line for heading in headings]
    first = starts[0] if starts else len(lines)
    words = [clean_heading(heading.text) for heading in headings]
    is_blank = not any(line.strip() for line in lines[:first])
    if headings and (is_blank or (headings[0].level == 1 and make_slug(words[0]) == make_slug(title))):
        starts[0] = 0
    else:
        yield _Part(_TEXT_BEFORE_HEADINGS, title, 0, 0, first)
    for heading, text, (start, end) in zip(headings, words, pairwise([*starts, len(lines)]), strict=True):
        yield _Part(heading.level, text, heading.line, start, end)


def _join_lines(lines: Sequence[str], part: _Part) -> str:
    text = "\n".join(lines[part.start : part.end])
    return text if part.end == len(lines) else text + "\n"


def _find_subtree_ends(parts: Sequence[_Part]) -> list[int]:
    """For each part, the position after its last subsection."""
    ends = [len(parts)] * len(parts)
    open_positions: list[int] = []
    for position, part in enumerate(parts):
        while open_positions and parts[open_positions[-1]].rank >= part.rank:
            ends[open_positions.pop()] = position
        open_positions.append(position)
    return ends


def _iter_heading_paths(parts: Sequence[_Part]) -> Iterator[tuple[str, ...]]:
    above: list[_Part] = []
    for part in parts:
        while above and above[-1].rank >= part.rank:
            above.pop()
        above.append(part)
        yield tuple([each.heading for each in above])


class _SectionIds:
    """The ids that a document has used."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next_number: dict[str, int] = {}

    def take(self, section_id: str) -> str:
        """`section_id`, or with the first free of `-2`, `-3`, … Numbers that were used stay used, so none is tried twice."""
        unique_id, number = section_id, self._next_number.get(section_id, 2)
        while unique_id in self._taken:
            unique_id = f"{section_id}-{number}"
            number += 1
        self._next_number[section_id] = number
        self._taken.add(unique_id)
        return unique_id
