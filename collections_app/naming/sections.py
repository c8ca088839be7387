"""The names by which a section can be asked for, besides its id: the end of the id, its anchor at the source, its heading (alone or
with the headings above), the heading's number, the heading without its number, the options that it begins with, an abbreviation, any of
these without invisible characters, and its fragment on GitHub or Sphinx's sites. Reads no rows.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from rapidfuzz import fuzz

from collections_app.naming.slugs import make_slug

# Ids similar to a misspelled one are looked for among this many at most, in this many of their characters.
MAX_COMPARED_IDS = 5_000
COMPARED_CHARACTERS = 300
SUGGESTIONS = 5
# How similar (0 to 100) they must be.
CLOSE_ID = 50
SUGGESTED_CHARACTERS = 60

# One text may contain as many names as a list.
MAX_LISTED_NAMES = 100

DIGEST_CHARACTERS = 12
ABBREVIATION = re.compile(f"([0-9a-f]{{{DIGEST_CHARACTERS}}})…")

# Separates the title and the headings of a search hit.
TITLE_SEPARATOR = "›"

# The beginning of a numbered heading: `§ 3`, `Art. 13`, `Art.13`, `Section 4.2`, `5a`, `§ 5A`; the blank may be a non-breaking one.
_NUMBER = re.compile(r"(?:[^\W\d_]+(?:\.[ \u00a0]?|[ \u00a0])|§+[ \u00a0]?)?\d+(?:\.\d+)*[A-Za-z]?(?!\w)")

# One of the options that a heading begins with: `-n, --dry-run`, `--max-age=DURATION`, `--size SIZE | --count N`.
_OPTION = re.compile(r"[ `*]*(--?\w[\w-]*)[^,/|]*(?:[,/|]|\Z)")

# The fragment that a site may make of a heading: GitHub drops other signs, and puts no hyphens in their place.
_FRAGMENT = re.compile(r"[\w-]+")

_BETWEEN_WORDS = re.compile(r"[-_\s]+")

# They select a presentation of the character before. Of an emoji at the beginning of a heading, only this is left in an id.
_VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]+")


class NamedSection(NamedTuple):
    """The names of a section; `anchor` is the one on its source's own site."""

    position: int
    section_id: str
    heading: str
    anchor: str = ""


def index_names(
    sections: Sequence[NamedSection], *, abbreviations: bool, ends: bool = True
) -> list[dict[str, list[int]]]:
    """For each rule, the surest first: name → positions. The last four rules apply only if no other does, and to a single section.

    `abbreviations`, `ends`: whether the names to be looked up may be abbreviations, or have several parts of an id.
    """
    by_rule = [
        index_by(sections, lambda section: section.section_id),
        index_by(sections, lambda section: section.section_id.rpartition("/")[2]),
        index_by(sections, lambda section: section.anchor),
        index_by(sections, lambda section: section.heading.casefold()),
        index_by(sections, lambda section: find_number(section.heading)),
    ]
    if any(map(_VARIATION_SELECTORS.search, (section.section_id for section in sections))):
        by_rule.append(index_by(sections, lambda section: drop_unseen(section.section_id)))
        by_rule.append(index_by(sections, lambda section: drop_unseen(section.section_id.rpartition("/")[2])))
    if ends:
        by_rule.append(index_ends(sections))
    if abbreviations:
        by_rule.append(index_by(sections, lambda section: digest_section_id(section.section_id)))
    guesses = [
        index_by(sections, lambda section: make_sphinx_id(section.anchor)),
        index_by(sections, lambda section: drop_number(section.heading)),
        index_by(sections, lambda section: drop_signs(section.heading)),
        index_options(sections),
    ]
    return [*by_rule, *({name: found for name, found in guess.items() if len(found) == 1} for guess in guesses)]


def make_sphinx_id(anchor: str) -> str:
    """The fragment that Sphinx makes of a label: `page-type` of `Page_Type`."""
    return anchor.lower().replace("_", "-")


def list_brief_names(sections: Sequence[NamedSection]) -> dict[int, str]:
    """Position → the shortest end of the section's id, in whole parts, that means no other section."""
    by_rule = index_names(sections, abbreviations=False)

    def is_own(section: NamedSection, end: str) -> bool:
        return look_up(by_rule, end) == [section.position]

    return {
        each.position: next((end for end in iter_ends(each.section_id) if is_own(each, end)), each.section_id)
        for each in sections
    }


def iter_ends(section_id: str) -> Iterator[str]:
    """The last part of an id, the last two, and so on, up to the whole."""
    end = len(section_id)
    while end > 0:
        end = section_id.rfind("/", 0, end)
        yield section_id[end + 1 :]


def index_ends(sections: Sequence[NamedSection]) -> dict[str, list[int]]:
    """The ends of ids that have several parts, but not all → positions."""
    positions: dict[str, list[int]] = {}
    for section in sections:
        section_id = unicodedata.normalize("NFC", section.section_id)
        for end in iter_ends(section_id):
            if "/" in end and end != section_id:
                positions.setdefault(end, []).append(section.position)
    return positions


def index_by(sections: Sequence[NamedSection], name: Callable[[NamedSection], str]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for section in sections:
        positions.setdefault(unicodedata.normalize("NFC", name(section)), []).append(section.position)
    positions.pop("", None)
    return positions


def index_options(sections: Sequence[NamedSection]) -> dict[str, list[int]]:
    """The options that headings begin with → positions."""
    positions: dict[str, list[int]] = {}
    for section in sections:
        for option in list_options(section.heading):
            positions.setdefault(option, []).append(section.position)
    return positions


def look_up(by_rule: Sequence[Mapping[str, list[int]]], name: str) -> list[int]:
    """The positions of the sections with this name (in the result of index_names()), likeliest first; a single one if it is an id."""
    spellings = list_spellings(name)
    ids, *others, unnumbered, unsigned, options = by_rule
    if exact := next((ids[spelling] for spelling in spellings if spelling in ids), None):
        return exact
    found = (names[spelling] for names in others for spelling in spellings if spelling in names)
    positions = list(dict.fromkeys(chain.from_iterable(found))) or unnumbered.get(make_slug(name), [])
    positions = positions or (unsigned.get(drop_signs(name), []) if _FRAGMENT.fullmatch(name) else [])
    return positions or options.get(name.strip("` "), [])


def list_spellings(name: str) -> list[str]:
    """The name as it stands and as ids are written; `Title › Heading › Heading`, as search prints it, with and without the title.

    Finally with hyphens for underscores: Sphinx labels have underscores in the source, and hyphens in addresses.
    """
    name = unicodedata.normalize("NFC", name)
    abbreviated = ABBREVIATION.match(name)
    slugs = [make_slug(part) for part in name.split(TITLE_SEPARATOR)] if TITLE_SEPARATOR in name else []
    paths = ["/".join(slugs), "/".join(slugs[1:])] if slugs else []
    others = [
        find_number(name) if _NUMBER.fullmatch(name.removesuffix(".")) else "",
        abbreviated[1] if abbreviated else "",
    ]
    folded = fold_name(name)
    return [name, folded, drop_unseen(folded), *paths, *filter(None, others), folded.replace("_", "-")]


def find_number(heading: str) -> str:
    """The number at its beginning, as ids are written: 3 for `§ 3 Scope` and `3. Scope`, art-13 for `Art. 13`; empty if there is none."""
    number = _NUMBER.match(heading)
    return make_slug(number[0]) if number else ""


def drop_number(heading: str) -> str:
    """The words after its number, as ids are written: `chunk-size` for `2.5 Chunk size`; empty without a number or without words."""
    number = _NUMBER.match(heading)
    words = heading[number.end() :] if number else ""
    return make_slug(words) if any(map(str.isalnum, words)) else ""


def list_options(heading: str) -> list[str]:
    """The options at its beginning, each once: `-n` and `--dry-run` for `-n, --dry-run`."""
    options: dict[str, None] = {}
    at = 0
    while found := _OPTION.match(heading, at):
        options[found[1]] = None
        at = found.end()
    return list(options)


def drop_signs(text: str) -> str:
    """Only its letters and digits: `cookiesheaders` for `cookies.headers()`, whose id has `cookies-headers`."""
    return "".join(filter(str.isalnum, text.casefold()))


def split_list(name: str) -> list[str]:
    """The names in a text that separates them by commas; empty if it has no comma, or more names than a list may have."""
    parts = [part.strip() for part in name.split(",")]
    return list(filter(None, parts)) if 1 < len(parts) <= MAX_LISTED_NAMES else []


def fold_name(name: str) -> str:
    """The name as section ids are written."""
    return name.casefold().strip("/")


def drop_unseen(name: str) -> str:
    """A section id as copied by somebody who copies only visible characters."""
    parts = _VARIATION_SELECTORS.sub("", name).split("/")
    return "/".join(re.sub("-+", "-", part).strip("-") for part in parts)


def find_close_ids(sections: Sequence[NamedSection], name: str) -> list[str]:
    """The ids that a misspelled one may mean, best first; long ones abbreviated. Their last parts are compared, word by word and as they
    stand; of equal ones those come first whose whole id is similar."""
    asked = name[:COMPARED_CHARACTERS]
    own = spell_words(asked)
    scores: list[tuple[float, float, int]] = []
    for index, section in enumerate(sections[:MAX_COMPARED_IDS]):
        section_id = section.section_id[:COMPARED_CHARACTERS]
        words = spell_words(section_id)
        score = (fuzz.WRatio(own, words) + fuzz.token_ratio(own, words)) / 2
        if score >= CLOSE_ID:
            scores.append((score, fuzz.ratio(asked, section_id), -index))
    close = [sections[-index].section_id for *_, index in nlargest(SUGGESTIONS, scores)]
    return [
        each if len(each) <= COMPARED_CHARACTERS else abbreviate_section_id(each, SUGGESTED_CHARACTERS)
        for each in close
    ]


def spell_words(section_id: str) -> str:
    """The words of its last part."""
    return " ".join(_BETWEEN_WORDS.split(fold_name(section_id).rpartition("/")[2]))


def abbreviate_section_id(section_id: str, characters: int) -> str:
    """A name for a section whose id is too long to show: a digest of the id, and its last `characters` (1 or more)."""
    return f"{digest_section_id(section_id)}…{section_id[-characters:]}"


def is_abbreviation(name: str) -> bool:
    return ABBREVIATION.match(name) is not None


def digest_section_id(section_id: str) -> str:
    return hashlib.sha256(section_id.encode()).hexdigest()[:DIGEST_CHARACTERS]
