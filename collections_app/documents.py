"""What a document says, by path and section id: its table of contents, its sections, the page.

A document is replaced as a whole, at any moment: whoever reads it in several queries reads one version of it, or is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from django.db import connection
from django.db.models import Q, QuerySet

from collections_app.catalog import iter_places, name_collections
from collections_app.exceptions import (
    DocumentNotFound,
    InternalError,
    InvalidParameter,
    InvalidSectionId,
    SectionNotFound,
)
from collections_app.models import Collection, Document, Section
from collections_app.naming.paths import SUGGESTIONS, choose_close, read_id
from collections_app.naming.sections import (
    NamedSection,
    find_close_ids,
    fold_name,
    index_names,
    is_abbreviation,
    look_up,
)
from collections_app.postgres.replicas import read_from_replica

MAX_PATH_CHARACTERS = 2000
MAX_SECTION_ID_CHARACTERS = 4000
# Close paths are looked for among this many at most.
MAX_COMPARED_PATHS = 50_000
MAX_LISTED_PATHS = 20
# How many sections of a page are fetched at a time.
PAGE_SECTIONS = 100
# How many entries of a table of contents are fetched at most: more than fit any answer.
OUTLINE_SECTIONS = 700
READ_ATTEMPTS = 3
# How many of a path's last `#` may begin a fragment.
MAX_FRAGMENTS = 5

T = TypeVar("T")


class DocumentReplaced(InternalError):
    """The document was replaced or removed since it was looked up: look it up again."""

    retryable = True

    def __init__(self, document: Document) -> None:
        super().__init__(f"{document.path} is being replaced by a newer version. Read it again.", retry_after=1)


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with its subsections: `text` is theirs in order, `character_count` its exact length."""

    position: int
    end_position: int
    section_id: str
    heading: str
    heading_path: tuple[str, ...]
    level: int
    start_line: int
    page_number: int | None
    character_count: int
    token_count: int
    text: str


class OutlineEntry(NamedTuple):
    """A section as a table of contents names it; the counts include its subsections."""

    position: int
    end_position: int
    section_id: str
    heading: str
    level: int
    page_number: int | None
    character_count: int
    token_count: int


@dataclass(frozen=True, slots=True)
class Outline:
    """`entries` in order, at most about OUTLINE_SECTIONS of the document's `section_count`; `token_count` is that of all."""

    entries: Sequence[OutlineEntry]
    section_count: int
    token_count: int


class Level(NamedTuple):
    """How many sections of this level a document has, and the tokens of those that are inside no other."""

    level: int
    section_count: int
    token_count: int


def read_steadily(read: Callable[[], T], collections: Sequence[Collection] = ()) -> T:
    """What `read` gives, which is begun anew when a document is replaced while it is read; by a replica, where these collections are given.

    It looks up the document itself, and writes nothing. Raises DocumentReplaced when that never stops.
    """
    for _ in range(READ_ATTEMPTS - 1):
        try:
            return read_from_replica(collections, read) if collections else read()
        except DocumentReplaced:
            continue
    return read()


def find_documents(collections: Sequence[Collection], path: str) -> list[Document]:
    """The readable documents of these collections that `path` may mean: an id (`id://1515`), a path as it stands, without a fragment,
    with or without `./`, `/` and `.md`, a number that is an id, a source URL."""
    name = path.strip()
    readable = (
        Document.objects.in_collections(collections).readable().select_related("collection__tenant").defer("content")
    )
    if (document_id := read_id(name)) is not None:
        return list(readable.filter(pk=document_id))
    if "://" in name:
        return find_first(readable, "source_url", list_urls(name))
    found = find_first(readable, "path", iter_spellings(name))
    document_id = find_id(name)
    return found if found or document_id is None else list(readable.filter(pk=document_id))


def list_urls(url: str) -> list[str]:
    """What a page's source URL may be, that is asked for by this one; the likeliest first."""
    without_fragment = url.partition("#")[0]
    bare = without_fragment.rstrip("/")
    return [url, without_fragment, bare, f"{bare}/"]


def find_id(name: str) -> int | None:
    return int(name) if name.isdecimal() and len(name) <= 18 else None


def iter_spellings(name: str) -> Iterator[str]:
    """The path as it stands, then without a fragment that it may have (iter_without_fragments)."""
    for path in iter_without_fragments(name.removeprefix("./").lstrip("/")):
        if path:
            yield from (path, f"{path}.md", unquote(path).replace("\0", ""))


def iter_without_fragments(name: str) -> Iterator[str]:
    """The name as it stands, then without what follows its last `#`, the one before, …: `#` may also stand in a file's name."""
    for _ in range(1 + min(name.count("#"), MAX_FRAGMENTS)):
        yield name
        name = name.rpartition("#")[0]


def find_first(documents: QuerySet[Document], field: str, values: Iterable[str]) -> list[Document]:
    """The documents of the first of these values that any has."""
    by_value: dict[str, list[Document]] = {value: [] for value in values}
    for document in documents.filter(**{f"{field}__in": list(by_value)}):
        by_value[getattr(document, field)].append(document)
    return next(filter(None, by_value.values()), [])


def get_document(collections: Sequence[Collection], path: str) -> Document:
    """The one readable document that `path` means; `collection:path`, or the address that we gave it, says in which collection.

    Raises DocumentNotFound with the closest paths, and InvalidParameter when several collections have it.
    """
    if not path.strip() or len(path) > MAX_PATH_CHARACTERS:
        raise InvalidParameter(
            f"path must have 1 to {MAX_PATH_CHARACTERS:,} characters. list_doc_pages gives the paths."
        )
    places = chain([(collections, path)], iter_places(collections, path))
    found = next(filter(None, (find_documents(named, rest) for named, rest in places)), [])
    if not found:
        raise explain_missing(collections, path)
    if len(found) > 1:
        names = name_collections([document.collection for document in found], collections)
        full = sorted(f"{name}:{document.path}" for name, document in zip(names, found, strict=True))
        full = full[:MAX_LISTED_PATHS]
        raise InvalidParameter(
            f"Several collections have {path!r}. Give one of these as the path: {', '.join(full)}.", paths=full
        )
    return found[0]


def explain_missing(collections: Sequence[Collection], path: str) -> DocumentNotFound:
    close = find_close_paths(collections, path, collections)
    none = "list_doc_pages gives the paths there are. search_docs finds pages by their titles and words."
    hint = f"The closest are: {', '.join(close)}." if close else none
    return DocumentNotFound(f"There is no document {path[:200]!r}. {hint}", suggestions=close)


def find_close_paths(collections: Sequence[Collection], path: str, among: Sequence[Collection] = ()) -> list[str]:
    """Paths nearly like this one, closest first, as `collection:path` where `among` are several that may be meant."""
    readable = Document.objects.in_collections(collections).readable()
    rows = list(readable.values_list("path", "collection_id")[:MAX_COMPARED_PATHS])
    close = choose_close(path, list(dict.fromkeys(row[0] for row in rows)))
    if len(among) <= 1:
        return close
    names = dict(zip((c.pk for c in collections), name_collections(collections, among), strict=True))
    same = [sorted(f"{names[pk]}:{each}" for other, pk in rows if other == each) for each in close]
    return list(chain(*same))[:SUGGESTIONS]


def sections_of(document: Document) -> QuerySet[Section]:
    """The sections of this very version of the document, in order: none, once it was replaced."""
    return Section.objects.filter(
        tenant=document.tenant_id, document=document, document__indexed=document.indexed
    ).order_by("position")


def check_version(document: Document) -> None:
    """Raises DocumentReplaced unless it is still the one that there is."""
    if not Document.objects.filter(pk=document.pk, indexed=document.indexed).exists():
        raise DocumentReplaced(document)


def get_outline(document: Document, start: int = 0) -> Outline:
    """The sections from position `start` on, as far as OUTLINE_SECTIONS go.

    From the beginning of a document that has more: all of the higher levels that fit, and the first of the next level.
    """
    entries = fetch_entries(sections_of(document).filter(position__gte=start))
    if not entries:
        check_version(document)
    if start or len(entries) < OUTLINE_SECTIONS:
        tokens = sum(entry.token_count for entry in iter_outermost(entries))
        return Outline(entries, count_sections(document, entries), tokens)
    levels = count_levels(document)
    entries = fetch_highest(document, levels)
    return Outline(entries, sum(level.section_count for level in levels), sum(level.token_count for level in levels))


def fetch_entries(sections: QuerySet[Section]) -> list[OutlineEntry]:
    return [OutlineEntry(*row) for row in sections.values_list(*OutlineEntry._fields)[:OUTLINE_SECTIONS]]


def fetch_highest(document: Document, levels: Sequence[Level]) -> list[OutlineEntry]:
    """Of a document with OUTLINE_SECTIONS or more: its highest levels, of the last of them only the first sections."""
    entries: list[OutlineEntry] = []
    for level in levels:
        entries += fetch_entries(sections_of(document).filter(level=level.level))
        if len(entries) >= OUTLINE_SECTIONS:
            break
    if len(entries) < OUTLINE_SECTIONS:
        raise DocumentReplaced(document)
    return sorted(entries)


def count_sections(document: Document, entries: Sequence[OutlineEntry]) -> int:
    """How many sections a document has of which these are some in a row: positions are counted from 0."""
    if len(entries) < OUTLINE_SECTIONS:
        return entries[-1].position + 1 if entries else 0
    last = sections_of(document).values_list("position", flat=True).last()
    if last is None:
        raise DocumentReplaced(document)
    return last + 1


def iter_outermost(entries: Iterable[OutlineEntry]) -> Iterator[OutlineEntry]:
    """Those that are inside no other."""
    end = 0
    for entry in entries:
        if entry.position >= end:
            end = entry.end_position
            yield entry


# `covered` is where the sections before end: a section that begins there or later is inside none of them.
LEVELS = """
SELECT level, count(*), coalesce(sum(token_count) FILTER (WHERE position >= covered), 0)
FROM (SELECT section.level, section.position, section.token_count, coalesce(max(section.end_position) OVER before, 0) AS covered
      FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
      WHERE section.tenant_id = %s AND section.document_id = %s AND document.indexed IS NOT DISTINCT FROM %s
      WINDOW before AS (ORDER BY section.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS outline
GROUP BY level ORDER BY level
"""


def count_levels(document: Document) -> list[Level]:
    """The highest level first."""
    with connection.cursor() as cursor:
        cursor.execute(LEVELS, [document.tenant_id, document.pk, document.indexed])
        return [Level(*row) for row in cursor.fetchall()]


def iter_page(document: Document, start: int = 0) -> Iterator[SectionText]:
    """The document's sections from position `start` on, each with its own text only. Read as far as the caller goes.

    Raises DocumentReplaced, perhaps after the first of them.
    """
    while True:
        rows = list(sections_of(document).filter(position__gte=start)[:PAGE_SECTIONS])
        if not rows:
            check_version(document)
        for section in rows:
            yield make_section_text(section, section.content)
        if len(rows) < PAGE_SECTIONS:
            return
        start = rows[-1].position + 1


def get_sections(document: Document, wanted: Sequence[str]) -> list[SectionText]:
    """These sections with their subsections, in the document's order; one inside another that is asked for too is not repeated.

    An id is also known by its last part, its heading, its abbreviation, and with a leading `#`. Raises SectionNotFound with the closest
    ids, and DocumentReplaced.
    """
    if not wanted:
        raise InvalidParameter("Give at least one section id. table_of_contents lists them.")
    outer: list[Section] = []
    for section in find_sections(document, wanted):
        if not outer or section.position >= outer[-1].end_position:
            outer.append(section)
    texts = get_texts(document, outer)
    return [make_section_text(section, texts[section.position]) for section in outer]


def get_texts(document: Document, outer: Sequence[Section]) -> dict[int, str]:
    """The text of each of these sections, subsections included; position → text. They do not overlap."""
    spans = [Q(position__gte=section.position, position__lt=section.end_position) for section in outer]
    own = dict(sections_of(document).filter(reduce(or_, spans)).values_list("position", "content"))
    if not own:
        raise DocumentReplaced(document)
    return {
        section.position: "".join(own.get(position, "") for position in range(section.position, section.end_position))
        for section in outer
    }


def find_sections(document: Document, wanted: Sequence[str]) -> list[Section]:
    """The sections without their texts, each once, in order. Only names that are no ids cost a look at the whole outline."""
    names = {name: clean_section_id(document, name) for name in wanted}
    rows = sections_of(document).defer("content")
    exact = {s.section_id: s for s in rows.filter(section_id__in={*names.values(), *map(fold_name, names.values())})}
    found = {name: exact.get(cleaned) or exact.get(fold_name(cleaned)) for name, cleaned in names.items()}
    chosen = {section.position: section for section in found.values() if section}
    if missing := {name: names[name] for name, section in found.items() if section is None}:
        positions = find_positions(document, missing)
        chosen |= {section.position: section for section in rows.filter(position__in=positions)}
        if not positions <= chosen.keys():
            raise DocumentReplaced(document)
    return [chosen[position] for position in sorted(chosen)]


def clean_section_id(document: Document, name: str) -> str:
    """Raises InvalidSectionId for what cannot be one."""
    cleaned = name.strip().removeprefix("#")
    if not cleaned or len(cleaned) > MAX_SECTION_ID_CHARACTERS:
        raise InvalidSectionId(f"{name[:80]!r} is no section id. table_of_contents lists those of {document.path}.")
    return cleaned


def find_fragment(document: Document, path: str) -> Section | None:
    """The section that is named behind the name of this document in what it was asked for by, without its text; None where none is.

    Raises DocumentReplaced.
    """
    asked = path.strip()
    name = next((each for each in iter_without_fragments(asked) if is_name_of(document, each)), asked)
    fragment = unquote(asked[len(name) + 1 :]).replace("\0", "")
    try:
        return find_sections(document, [fragment])[0] if fragment else None
    except (InvalidSectionId, SectionNotFound):
        return None


def is_name_of(document: Document, name: str) -> bool:
    """Whether that is the document's path or source URL, as far as find_documents() forgives, after whatever names its collection."""
    if document.source_url and name.rstrip("/") == document.source_url.rstrip("/"):
        return True
    before, _, query = name.partition("?")
    spellings = {name, unquote(name)} | ({before, unquote(before)} if "#" not in query else set())
    paths = {document.path, document.path.removesuffix(".md")}
    return any(each in paths or each.endswith((f"/{path}", f":{path}")) for each in spellings for path in paths)


def find_positions(document: Document, missing: Mapping[str, str]) -> set[int]:
    """Where the sections are that go by these names; name → the same, cleaned. Raises SectionNotFound with the closest ids."""
    outline = [
        NamedSection(*row) for row in sections_of(document).values_list("position", "section_id", "heading").iterator()
    ]
    if not outline:
        check_version(document)
    by_rule = index_names(outline, abbreviations=any(map(is_abbreviation, missing.values())))
    positions = {name: look_up(by_rule, cleaned) for name, cleaned in missing.items()}
    for name, position in positions.items():
        if position is None:
            raise explain_missing_section(document, name, find_close_ids(outline, name))
    return {position for position in positions.values() if position is not None}


def explain_missing_section(document: Document, name: str, close: Sequence[str]) -> SectionNotFound:
    hint = f"The closest are: {', '.join(close)}." if close else f"table_of_contents lists those of {document.path}."
    return SectionNotFound(
        f"{document.path} has no section {name[:200]!r}. {hint}", suggestions=list(close), path=document.path
    )


def make_section_text(section: Section, text: str) -> SectionText:
    return SectionText(
        position=section.position,
        end_position=section.end_position,
        section_id=section.section_id,
        heading=section.heading,
        heading_path=tuple(section.heading_path),
        level=section.level,
        start_line=section.start_line,
        page_number=section.page_number,
        character_count=len(text),
        token_count=section.token_count,
        text=text,
    )
