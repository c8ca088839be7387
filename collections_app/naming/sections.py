"""By which names a section is known beside its id: the last part of it, its heading, an abbreviation, and any of these without what
nobody sees in it. It reads no rows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import process

# Close ids are looked for among this many at most, in this many of their characters.
MAX_COMPARED_IDS = 5_000
COMPARED_CHARACTERS = 300
SUGGESTIONS = 5
SUGGESTED_CHARACTERS = 60

DIGEST_CHARACTERS = 12
ABBREVIATION = re.compile(f"([0-9a-f]{{{DIGEST_CHARACTERS}}})…")


# Which look of the character before is meant: of the emoji that headings begin with, only this stays in their ids.
_VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]+")


class NamedSection(NamedTuple):
    """What a section is called."""

    position: int
    section_id: str
    heading: str


def index_names(sections: Sequence[NamedSection], *, abbreviations: bool) -> list[dict[str, int]]:
    """Name → position by each of the rules, the surest first; of several namesakes it is the first that is meant."""
    backwards = sections[::-1]
    by_rule = [
        {section.section_id.rpartition("/")[2]: section.position for section in backwards},
        {section.heading.casefold(): section.position for section in backwards},
    ]
    if any(map(_VARIATION_SELECTORS.search, (section.section_id for section in sections))):
        by_rule.append({drop_unseen(section.section_id): section.position for section in backwards})
        by_rule.append({drop_unseen(section.section_id.rpartition("/")[2]): section.position for section in backwards})
    if abbreviations:
        by_rule.append({digest_section_id(section.section_id): section.position for section in backwards})
    return by_rule


def look_up(by_rule: Sequence[Mapping[str, int]], name: str) -> int | None:
    abbreviated = ABBREVIATION.match(name)
    spellings = [name, fold_name(name), drop_unseen(fold_name(name)), *([abbreviated[1]] if abbreviated else [])]
    return next((names[spelling] for names in by_rule for spelling in spellings if spelling in names), None)


def fold_name(name: str) -> str:
    """A name as section ids are written."""
    return name.casefold().strip("/")


def drop_unseen(name: str) -> str:
    """A section id as somebody writes it who copies only what can be seen."""
    parts = _VARIATION_SELECTORS.sub("", name).split("/")
    return "/".join(re.sub("-+", "-", part).strip("-") for part in parts)


def find_close_ids(sections: Sequence[NamedSection], name: str) -> list[str]:
    """The ids that a misspelt one may mean, best first; long ones abbreviated."""
    beginnings = [section.section_id[:COMPARED_CHARACTERS] for section in sections[:MAX_COMPARED_IDS]]
    matches = process.extract(name[:COMPARED_CHARACTERS], beginnings, limit=SUGGESTIONS, score_cutoff=50)
    close = [sections[index].section_id for _, _, index in matches]
    return [
        each if len(each) <= COMPARED_CHARACTERS else abbreviate_section_id(each, SUGGESTED_CHARACTERS)
        for each in close
    ]


def abbreviate_section_id(section_id: str, characters: int) -> str:
    """A name for a section whose id is too long to be shown: a digest of the id, and its last `characters` (1 or more)."""
    return f"{digest_section_id(section_id)}…{section_id[-characters:]}"


def is_abbreviation(name: str) -> bool:
    return ABBREVIATION.match(name) is not None


def digest_section_id(section_id: str) -> str:
    return hashlib.sha256(section_id.encode()).hexdigest()[:DIGEST_CHARACTERS]
