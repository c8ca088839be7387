"""Turns ranked sections into hits: chooses which ones are shown and gives each its snippet."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from collections_app.models import Collection
from collections_app.naming.change_pages import asks_for_changes, is_of_changes
from collections_app.naming.version_folders import find_newest, may_have_versions, rank_versions
from collections_app.search.phrases import Pattern, has_phrases
from collections_app.search.question import Question
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.spreading import put_behind, spread_pages
from collections_app.search.results import Hit
from collections_app.search.section_rows import Place, Row, get_parts, get_places, get_rows, get_subsections, is_long
from collections_app.search.snippets import Passage, is_heading
from collections_app.search.stages import timing
from collections_app.text.markdown.code_choice import list_alternatives

# The part of its score that a section of release notes keeps, unless the question asks about changes.
OF_CHANGES = 0.8
# The part of its score that a section of an older version keeps if the same page of a newer version was found too.
OUTDATED = 0.8
# The same if the very section of a newer version was found too.
OUTDATED_SECTION = 0.5
# The best section of a page's newest version is placed before those of older versions if it has this part of what the best of them keeps.
LEAST_RAISED = 0.5
JUST_BEFORE = 1 + 1e-6
# How many more sections are read than are shown: they replace copies, and (SPARE_FOR_PHRASES) sections that turn out to lack a phrase.
SPARE = 5
SPARE_FOR_PHRASES = 100


class FoundRow(NamedTuple):
    """A section that is shown: its row, and its place in the ranking."""

    row: Row
    ranked: RankedSection


@timing("hits")
def make_hits(ranked: Sequence[RankedSection], question: Question, limit: int) -> tuple[tuple[Hit, ...], bool]:
    """At most `limit` hits, and whether all sections that were looked at still exist: a document may have been replaced meanwhile.

    Sections of one page leave room for other pages; release notes and outdated pages move down. Copies of a section are not shown, nor
    sections that lack one of the question's phrases.
    """
    found, is_current = choose_rows(ranked, question, limit)
    return tuple(
        make_hit(each, question.collections[each.row.collection_id], snippet)
        for each, snippet in zip(found, make_snippets(found, question), strict=True)
    ), is_current


def choose_rows(ranked: Sequence[RankedSection], question: Question, limit: int) -> tuple[list[FoundRow], bool]:
    spare = SPARE_FOR_PHRASES if any(question.patterns.values()) else SPARE
    found: list[FoundRow] = []
    shown: set[tuple[Hashable, ...]] = set()
    is_current = True
    lowest = math.inf
    for chosen, rows in iter_rows(spread_pages(ranked), limit + spare, question.query.text):
        is_current &= len(rows) == len(chosen)
        for section in put_behind(chosen, weigh_changes(rows.values(), question.query.text)):
            if not section.is_pinned:
                lowest = min(lowest, section.score)
                section = section.rescored(lowest)
            row = rows.get(section.section_id)
            if row is None or len(found) == limit:
                continue
            identities = row.identities
            if shown.isdisjoint(identities) and fits(row, question, is_pinned=section.is_pinned):
                shown |= identities
                found.append(FoundRow(row, section))
        if len(found) == limit:
            break
    return found, is_current


def iter_rows(
    sections: Sequence[RankedSection], size: int, question: str
) -> Iterator[tuple[Sequence[RankedSection], dict[int, Row]]]:
    """The sections, so many at a time, with their rows. If the first are of pages in folders of versions, the versions of all sections
    are put in order before: the newest version's section may come far behind."""
    rows = get_rows([section.section_id for section in sections[:size]])
    if may_have_versions(row.path for row in rows.values()):
        places = get_places([section.section_id for section in sections])
        sections = put_behind(sections, weigh_versions(sections, places, question))
    for start in range(0, len(sections), size):
        chosen = sections[start : start + size]
        ids = [section.section_id for section in chosen]
        rows |= get_rows([section_id for section_id in ids if section_id not in rows])
        yield chosen, {section_id: rows[section_id] for section_id in ids if section_id in rows}


def fits(row: Row, question: Question, *, is_pinned: bool) -> bool:
    """Whether the section has the question's phrases (pinned ones need not) and nothing that the question excludes."""
    language = question.collections[row.collection_id].language
    has_all = is_pinned or lacks_nothing(row, question.patterns.get(language, ()))
    return has_all and not any(has_phrases([each], row.text) for each in question.excluded_patterns.get(language, ()))


def lacks_nothing(row: Row, patterns: Sequence[Pattern]) -> bool:
    """Whether the section has the phrases, or may have them because only its beginning was read."""
    return not patterns or is_long(row) or has_phrases(patterns, row.text)


def weigh_changes(rows: Iterable[Row], question: str) -> dict[int, float]:
    """Section id → the part of its score that it keeps, for sections of release notes, unless the question asks about changes."""
    return {} if asks_for_changes(question) else {row.id: OF_CHANGES for row in rows if is_of_changes(row.path)}


def weigh_versions(sections: Iterable[RankedSection], places: Iterable[Place], question: str) -> dict[int, float]:
    """Section id → what its score is multiplied by, for sections of pages that were found in several versions."""
    scores = {section.section_id: section.score for section in sections if not section.is_pinned and section.score > 0}
    by_collection: defaultdict[int, list[Place]] = defaultdict(list)
    for place in places:
        if place.id in scores:
            by_collection[place.collection_id].append(place)
    return {
        section: part for own in by_collection.values() for section, part in weigh_pages(own, scores, question).items()
    }


def weigh_pages(places: Sequence[Place], scores: Mapping[int, float], question: str) -> dict[int, float]:
    """The same for sections of one collection. The best section of a page's newest version comes before those of its older versions, if
    its own score is not much less."""
    ranked = rank_versions({place.id: place.path for place in places}, question)
    of_page = find_newest(ranked.values())
    names = {place.id: (ranked[place.id].page, place.section_id) for place in places} if ranked else {}
    of_section = find_newest((names[section], rank) for section, (_, rank) in ranked.items())
    worth: dict[int, float] = {}
    newest: dict[tuple[str, ...], int] = {}
    highest: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for section, (page, rank) in sorted(ranked.items(), key=lambda item: -scores[item[0]]):
        if rank == of_page[page]:
            newest.setdefault(page, section)
        else:
            worth[section] = OUTDATED if rank == of_section[names[section]] else OUTDATED_SECTION
            highest[page] = max(highest[page], scores[section] * worth[section])
    for page, section in newest.items():
        if scores[section] < highest[page] <= scores[section] / LEAST_RAISED:
            worth[section] = highest[page] / scores[section] * JUST_BEFORE
    return worth


def make_snippets(found: Sequence[FoundRow], question: Question, length: int | None = None) -> list[str]:
    """A snippet of each section, from the passage that shows best why it was found; `length`, in characters, replaces the question's.

    The passage is from the section's text (for a very large one, also the part that was found), from the headings below it if it has no
    text of its own, or from its document's description.
    """
    parts = get_parts(each.ranked for each in found if is_long(each.row))
    subsections = get_subsections([each.row.id for each in found if is_heading(each.row.excerpt)])

    def snip(row: Row) -> str:
        passages = [subsections.get(row.id, Passage(row.excerpt)), *parts.get(row.id, ())]
        told = [Passage(row.told)] if row.told and not question.code else []
        return question.snip([*passages, *told], question.collections[row.collection_id].language, length)

    return [snip(each.row) for each in found]


def make_hit(found: FoundRow, collection: Collection, snippet: str) -> Hit:
    row, section = found
    return Hit(
        tenant=collection.tenant.slug,
        collection=collection.slug,
        version=collection.version,
        document_id=row.document_id,
        path=row.path,
        title=row.title,
        section_id=row.section_id,
        heading_path=tuple(row.heading_path),
        start_line=row.start_line,
        page_number=row.page_number,
        score=round(section.score, 4),
        tokens=row.token_count,
        snippet=snippet,
        source_url=row.source_url,
        indexed=row.indexed,
        is_pinned=section.is_pinned,
        code_languages=tuple(list_alternatives(row.excerpt)),
    )
