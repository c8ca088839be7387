"""Ranked section ids → hits: which of them are shown, with their rows and snippets."""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from collections_app.models import Collection
from collections_app.naming.change_pages import asks_for_changes, is_of_changes
from collections_app.naming.version_folders import find_outdated
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.phrases import Pattern, has_phrases
from collections_app.search.question import Question
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.results import Hit
from collections_app.search.snippets import MAX_SCANNED_CHARACTERS, Passage, is_heading
from collections_app.search.stages import timing
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import PART_CHARACTERS, TOLD_CHARACTERS
from collections_app.text.code_choice import list_alternatives
from collections_app.text.link_targets import leave_out_targets

# Of a page's sections the first two are worth what they are; of those that follow, each this part of what the one before is.
UNCROWDED = 2
CROWDED = 0.9
IN_A_ROW = 3
# What a section of release notes is worth where nothing is asked of changes.
OF_CHANGES = 0.8
# What a section of an older version is worth beside the same page of a newer one.
OUTDATED = 0.8
# A shorter text may say different things below different titles.
TELLING_CHARACTERS = 200
# Read beyond what is shown, to take the places of copies that are folded; and where texts are looked through for a phrase.
SPARE = 5
SPARE_FOR_PHRASES = 100
# The parts of a very large section are cut at white space: each may begin so much earlier than at a multiple of its size.
SLACK_CHARACTERS = 4 * 1024


class Row(NamedTuple):
    """A section and what of its document is shown with it. `excerpt`: the first MAX_SCANNED_CHARACTERS of its text. `told`: the document's
    description and keywords, with its first section only. `digest`: SHA-256 of the text without heading signs and white space around it,
    empty for one that is shorter than an excerpt may be."""

    id: int
    collection_id: int
    document_id: int
    path: str
    title: str
    content_hash: str
    source_url: str
    indexed: datetime | None
    section_id: str
    heading_path: list[str]
    start_line: int
    page_number: int | None
    token_count: int
    excerpt: str
    told: str
    digest: bytes

    @property
    def text(self) -> str:
        """What its vector is made of, as far as the row has it."""
        return "\n".join((self.title, self.path, *self.heading_path, self.excerpt, self.told))

    @property
    def identity(self) -> tuple[int, str | bytes, str]:
        """The same for the same section of a copy of the page, and for the same longer text on another page, that both include. Where its
        links lead depends on the page."""
        if self.digest:
            return self.collection_id, self.digest, self.told
        if len(self.excerpt) >= TELLING_CHARACTERS:
            return self.collection_id, leave_out_targets(self.excerpt).strip().lstrip("#"), self.told
        return self.collection_id, self.content_hash, self.section_id


class FoundRow(NamedTuple):
    """A section that is shown: its row, and how it was found."""

    row: Row
    ranked: RankedSection


# In SQL: a third of a search's time would go into building these rows' query and objects.
ROWS = """
SELECT section.id, section.collection_id, document.id, document.path, document.title, document.content_hash, document.source_url,
       document.indexed, section.section_id, section.heading_path, section.start_line, section.page_number, section.token_count,
       left(section.content, %s),
       CASE WHEN section.position = 0
           THEN left(concat_ws(E'\\n', nullif(document.description, ''),
                                  'Keywords: ' || nullif(array_to_string(document.keywords, ', '), '')), %s)
           ELSE '' END,
       CASE WHEN section.character_count >= %s AND length(section.content) >= %s
           THEN sha256(convert_to(btrim(section.content, E'# \\n'), 'UTF8'))
           ELSE '' END
FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
WHERE section.id = ANY(%s::bigint[])
"""

# Of a section whose beginning is not all of it: how much stands before the part of it that was found, and that part.
PARTS = """
SELECT section.id, chosen.start, substr(section.content, chosen.start + 1, %s::int)
FROM collections_app_section AS section
LEFT JOIN collections_app_sectionvector AS found ON found.section_id = section.id AND found.id = ANY(%s::bigint[]),
LATERAL (SELECT greatest(0, coalesce(found.part, 0) * %s::int - %s::int) AS start) AS chosen
WHERE section.id = ANY(%s::bigint[])
"""

# Of a section, the headings of those in it that are in no other of them: each begins where the one before ends.
SUBSECTIONS = """
WITH RECURSIVE below AS (
    SELECT section.id, section.end_position AS last, 1 AS number, first.tenant_id, first.document_id, first.heading, first.end_position
    FROM collections_app_section AS section JOIN collections_app_section AS first
        ON first.tenant_id = section.tenant_id AND first.document_id = section.document_id AND first.position = section.position + 1
    WHERE section.id = ANY(%s::bigint[]) AND section.end_position > first.position
    UNION ALL
    SELECT below.id, below.last, below.number + 1, next.tenant_id, next.document_id, next.heading, next.end_position
    FROM below JOIN collections_app_section AS next
        ON next.tenant_id = below.tenant_id AND next.document_id = below.document_id AND next.position = below.end_position
    WHERE below.end_position < below.last AND below.number < %s
)
SELECT id, string_agg(heading, E';\\n' ORDER BY number) FROM below GROUP BY id
"""
MAX_SUBSECTIONS = 100


@timing("hits")
def make_hits(ranked: Sequence[RankedSection], question: Question, limit: int) -> tuple[tuple[Hit, ...], bool]:
    """The first `limit` of what is ranked, and whether all of it was still there: a document may have been replaced since.

    Many sections of a page are spread, release notes and what is outdated come later; copies of a page are not shown, nor what lacks one of
    the question's phrases.
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
    shown: set[tuple[int, str | bytes, str]] = set()
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
            if row is None or row.identity in shown or len(found) == limit:
                continue
            if fits(row, question, is_pinned=section.is_pinned):
                shown.add(row.identity)
                found.append(FoundRow(row, section))
    return found, is_current


def fits(row: Row, question: Question, *, is_pinned: bool) -> bool:
    """Whether it has what the question's phrases ask for, if it is not pinned, and nothing that the question excludes."""
    language = question.collections[row.collection_id].language
    has_all = is_pinned or lacks_nothing(row, question.patterns.get(language, ()))
    return has_all and not any(has_phrases([each], row.text) for each in question.excluded_patterns.get(language, ()))


def lacks_nothing(row: Row, patterns: Sequence[Pattern]) -> bool:
    """Whether it has the phrases. Of a section that is longer than what was read of it, that is not known."""
    return not patterns or is_long(row) or has_phrases(patterns, row.text)


def spread_pages(ranked: Sequence[RankedSection]) -> list[RankedSection]:
    """Best first, a page's third section and each further one as if it were worth CROWDED of what the one before was; each with the score
    that it is placed by, so that scores fall from one to the next. What people pinned stays in front, as it is."""
    pages: Counter[int] = Counter()

    def weigh(section: RankedSection) -> RankedSection:
        pages[section.document_id] += 1
        crowd = pages[section.document_id] - UNCROWDED
        return section.rescored(section.score * CROWDED**crowd) if crowd > 0 and section.score > 0 else section

    return list(lower_scores(order_by_worth(ranked, weigh)))


def put_behind(sections: Sequence[RankedSection], worth: Mapping[int, float]) -> Sequence[RankedSection]:
    """In their order, but each as if it were worth this part of what it is, by section id."""
    if not worth:
        return sections
    return order_by_worth(
        sections,
        lambda each: each.rescored(each.score * worth.get(each.section_id, 1.0)) if each.score > 0 else each,
    )


def weigh_rows(rows: Iterable[Row], question: str) -> dict[int, float]:
    """What part of its score each is worth, by section id, where that is not all: release notes, unless changes are asked for, and pages
    of an older version beside those of a newer one."""
    paths: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for row in rows:
        paths[row.collection_id][row.id] = row.path
    worth = {section: OUTDATED for own in paths.values() for section in find_outdated(own, question)}
    if not asks_for_changes(question):
        of_changes = [section for own in paths.values() for section, path in own.items() if is_of_changes(path)]
        worth |= {section: worth.get(section, 1.0) * OF_CHANGES for section in of_changes}
    return worth


def order_by_worth(
    sections: Sequence[RankedSection], weigh: Callable[[RankedSection], RankedSection]
) -> list[RankedSection]:
    """By the scores that `weigh` gives them, equals in their order, and no more of a page in a row than IN_A_ROW while there is another.
    What people pinned stays in front, and is not weighed."""
    pinned = [section for section in sections if section.is_pinned]
    others = [weigh(section) for section in sections if not section.is_pinned]
    return [*pinned, *limit_rows(sorted(others, key=attrgetter("score"), reverse=True))]


def lower_scores(sections: Iterable[RankedSection]) -> Iterator[RankedSection]:
    """Each with the lowest score so far: limit_rows() may have put one behind another that is worth less. Not what people pinned."""
    lowest = math.inf
    for section in sections:
        if section.is_pinned:
            yield section
            continue
        lowest = min(lowest, section.score)
        yield section if section.score == lowest else section.rescored(lowest)


def limit_rows(sections: Sequence[RankedSection]) -> list[RankedSection]:
    """In their order, but what would be one more of its page than IN_A_ROW waits until the next of another page has come."""
    ordered: list[RankedSection] = []
    waiting: deque[RankedSection] = deque()  # all of the page that the last ones are of

    def is_full() -> bool:
        return (
            len(ordered) >= IN_A_ROW
            and len({section.document_id for section in (*ordered[-IN_A_ROW:], waiting[0])}) == 1
        )

    for section in sections:
        if waiting and section.document_id != waiting[0].document_id:
            ordered.append(section)
        else:
            waiting.append(section)
        while waiting and not is_full():
            ordered.append(waiting.popleft())
    return [*ordered, *waiting]


def make_snippets(found: Sequence[FoundRow], question: Question, length: int | None = None) -> list[str]:
    """Of each what shows best that it answers: of its text; of the part of a very large one that was found; of the headings below one
    without a text of its own; of what its document says of itself. `length`: in place of the question's."""
    parts = get_parts(each.ranked for each in found if is_long(each.row))
    subsections = get_subsections([each.row.id for each in found if is_heading(each.row.excerpt)])

    def snip(row: Row) -> str:
        passages = [subsections.get(row.id, Passage(row.excerpt)), *parts.get(row.id, ())]
        told = [Passage(row.told)] if row.told and not question.code else []
        return question.snip([*passages, *told], question.collections[row.collection_id].language, length)

    return [snip(each.row) for each in found]


def get_rows(section_ids: Sequence[int]) -> dict[int, Row]:
    if not section_ids:
        return {}
    with open_cursor() as cursor:
        most = MAX_SCANNED_CHARACTERS
        cursor.execute(ROWS, [most, TOLD_CHARACTERS, most, most, write_array(section_ids)])
        return {row[0]: Row(*row) for row in cursor.fetchall()}


def is_long(row: Row) -> bool:
    """Whether there is more of the section than its row has."""
    return len(row.excerpt) == MAX_SCANNED_CHARACTERS


def get_parts(sections: Iterable[RankedSection]) -> dict[int, list[Passage]]:
    """Section id → the part of it that was found, of a size that is looked through; its first part where none is known."""
    vector_ids = {section.section_id: section.vector_id for section in sections}
    if not vector_ids:
        return {}
    with open_cursor() as cursor:
        cursor.execute(
            PARTS,
            [
                PART_CHARACTERS + SLACK_CHARACTERS,
                write_array(vector_ids.values()),
                PART_CHARACTERS,
                SLACK_CHARACTERS,
                write_array(vector_ids),
            ],
        )
        return {section_id: [Passage(text, start)] for section_id, start, text in cursor.fetchall()}


def get_subsections(section_ids: Sequence[int]) -> dict[int, Passage]:
    """Section id → the headings below it, where there are any."""
    if not section_ids:
        return {}
    with open_cursor() as cursor:
        cursor.execute(SUBSECTIONS, [write_array(section_ids), MAX_SUBSECTIONS])
        return {section_id: Passage(headings, label="Subsections: ") for section_id, headings in cursor.fetchall()}


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
