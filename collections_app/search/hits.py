"""Turns ranked sections into hits: chooses which ones are shown and gives each its snippet."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from collections_app.models import Collection
from collections_app.naming.change_pages import asks_for_changes, is_of_changes
from collections_app.naming.version_folders import find_outdated, read_version
from collections_app.search.phrases import Pattern, has_phrases
from collections_app.search.question import Question
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.spreading import put_behind, spread_pages
from collections_app.search.results import Hit
from collections_app.search.section_rows import Row, get_parts, get_rows, get_subsections, is_long
from collections_app.search.snippets import Passage, is_heading
from collections_app.search.stages import timing
from collections_app.text.markdown.code_choice import list_alternatives

# The part of its score that a section of release notes keeps, unless the question asks about changes.
OF_CHANGES = 0.8
# The part of its score that a section of an older version keeps if the same page of a newer version was found too.
OUTDATED = 0.8
# The same if the very section of the newer version was found too.
OUTDATED_SECTION = 0.5
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
    remaining = spread_pages(ranked)
    found: list[FoundRow] = []
    shown: set[tuple[Hashable, ...]] = set()
    is_current = True
    lowest = math.inf
    while remaining and len(found) < limit:
        chosen, remaining = remaining[: limit + spare], remaining[limit + spare :]
        rows = get_rows([section.section_id for section in chosen])
        is_current &= len(rows) == len(chosen)
        for section in put_behind(chosen, weigh_rows(rows.values(), question.query.text)):
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
    return found, is_current


def fits(row: Row, question: Question, *, is_pinned: bool) -> bool:
    """Whether the section has the question's phrases (pinned ones need not) and nothing that the question excludes."""
    language = question.collections[row.collection_id].language
    has_all = is_pinned or lacks_nothing(row, question.patterns.get(language, ()))
    return has_all and not any(has_phrases([each], row.text) for each in question.excluded_patterns.get(language, ()))


def lacks_nothing(row: Row, patterns: Sequence[Pattern]) -> bool:
    """Whether the section has the phrases, or may have them because only its beginning was read."""
    return not patterns or is_long(row) or has_phrases(patterns, row.text)


def weigh_rows(rows: Iterable[Row], question: str) -> dict[int, float]:
    """Section id → the part of its score that it keeps, for sections that lose some.

    These are release notes, unless the question asks about changes, and pages of an older version if the newer page is here too.
    """
    by_collection: defaultdict[int, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        by_collection[row.collection_id][row.id] = row
    worth = {section: part for own in by_collection.values() for section, part in weigh_outdated(own, question).items()}
    if not asks_for_changes(question):
        of_changes = [row.id for own in by_collection.values() for row in own.values() if is_of_changes(row.path)]
        worth |= {section: worth.get(section, 1.0) * OF_CHANGES for section in of_changes}
    return worth


def weigh_outdated(rows: Mapping[int, Row], question: str) -> dict[int, float]:
    """The same for sections of older versions of pages, among those of a collection."""
    outdated = find_outdated({section: row.path for section, row in rows.items()}, question)
    if not outdated:
        return {}
    newest = {identify(row) for section, row in rows.items() if section not in outdated}
    return {section: OUTDATED_SECTION if identify(rows[section]) in newest else OUTDATED for section in outdated}


def identify(row: Row) -> tuple[tuple[str, ...], str]:
    """What a section has in common with the same one of the page's other versions."""
    return read_version(row.path).page, row.section_id


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
