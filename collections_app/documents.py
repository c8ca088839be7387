"""What a document says, by path and section id: its table of contents, its sections, the page, the list of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from urllib.parse import unquote

from django.db.models import Q, QuerySet
from rapidfuzz import fuzz, process, utils

from collections_app.exceptions import DocumentNotFound, InvalidParameter, InvalidSectionId, SectionNotFound
from collections_app.models import Collection, Document, Section

MAX_PATH_CHARACTERS = 2000
MAX_SECTION_ID_CHARACTERS = 4000
# Close paths are looked for among this many at most.
MAX_COMPARED_PATHS = 50_000
SUGGESTIONS = 5
# How many sections of a page are fetched at a time.
PAGE_SECTIONS = 100


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


def find_documents(collections: Sequence[Collection], path: str) -> list[Document]:
    """The readable documents of these collections that `path` may mean: with or without `./`, `/` and `.md`, an id, a source URL."""
    name = path.strip()
    readable = (
        Document.objects.filter(
            tenant_id__in={c.tenant_id for c in collections},
            collection__in=[c.pk for c in collections],
            status=Document.Status.SUCCESS,
        )
        .select_related("collection__tenant")
        .defer("content")
    )
    if "://" in name:
        without_fragment = name.partition("#")[0]
        return list(readable.filter(source_url__in=[name, without_fragment, without_fragment.rstrip("/")]))
    bare = name.removeprefix("./").lstrip("/").partition("#")[0]
    found = list(readable.filter(path__in={bare, f"{bare}.md", unquote(bare)}))
    exact = [document for document in found if document.path == bare]
    if found or not name.isdecimal() or len(name) > 18:
        return exact or found
    return list(readable.filter(pk=int(name)))


def get_document(collections: Sequence[Collection], path: str) -> Document:
    """The one readable document that `path` means; `collection:path` says in which collection.

    Raises DocumentNotFound with the closest paths, and InvalidParameter when several collections have it.
    """
    if not path.strip() or len(path) > MAX_PATH_CHARACTERS:
        raise InvalidParameter(
            f"path must have 1 to {MAX_PATH_CHARACTERS:,} characters. list_doc_pages gives the paths."
        )
    found = find_documents(collections, path)
    prefix, colon, rest = path.partition(":")
    if not found and colon and not rest.startswith("//"):
        named = [c for c in collections if prefix.lower() in (c.slug.lower(), f"{c.tenant.slug}/{c.slug}".lower())]
        found = find_documents(named, rest) if named else []
    if not found:
        raise explain_missing(collections, path)
    if len(found) > 1:
        full = sorted(f"{name_collection(document.collection, collections)}:{document.path}" for document in found)
        raise InvalidParameter(
            f"Several collections have {path!r}. Give one of these as the path: {', '.join(full)}.", paths=full
        )
    return found[0]


def name_collection(collection: Collection, among: Sequence[Collection]) -> str:
    """Its slug where that is enough to tell it from the others, else `tenant/slug`."""
    alike = [other for other in among if other.slug == collection.slug]
    return collection.slug if len(alike) <= 1 else f"{collection.tenant.slug}/{collection.slug}"


def explain_missing(collections: Sequence[Collection], path: str) -> DocumentNotFound:
    close = find_close_paths(collections, path)
    hint = f"The closest are: {', '.join(close)}." if close else "list_doc_pages gives the paths there are."
    return DocumentNotFound(f"There is no document {path[:200]!r}. {hint}", suggestions=close)


def find_close_paths(collections: Sequence[Collection], path: str) -> list[str]:
    paths = Document.objects.filter(
        tenant_id__in={c.tenant_id for c in collections},
        collection__in=[c.pk for c in collections],
        status=Document.Status.SUCCESS,
    ).values_list("path", flat=True)[:MAX_COMPARED_PATHS]
    matches = process.extract(
        path[:300], list(paths), scorer=fuzz.WRatio, processor=utils.default_process, limit=SUGGESTIONS, score_cutoff=60
    )
    return [match for match, _, _ in matches]


def get_outline(document: Document) -> list[Section]:
    """The document's sections without their texts, in order."""
    return list(sections_of(document).defer("content"))


def sections_of(document: Document) -> QuerySet[Section]:
    return Section.objects.filter(tenant=document.tenant_id, document=document).order_by("position")


def iter_page(document: Document, start: int = 0) -> Iterator[SectionText]:
    """The document's sections from position `start` on, each with its own text only. Read as far as the caller goes."""
    while rows := list(sections_of(document).filter(position__gte=start, position__lt=start + PAGE_SECTIONS)):
        for section in rows:
            yield make_section_text(section, section.content)
        start += PAGE_SECTIONS


def get_sections(document: Document, wanted: Sequence[str]) -> list[SectionText]:
    """These sections with their subsections, in the document's order; one inside another that is asked for too is not repeated.

    An id is also known by its last part, its heading, and with a leading `#`. Raises SectionNotFound with the closest ids.
    """
    if not wanted:
        raise InvalidParameter("Give at least one section id. table_of_contents lists them.")
    outline = get_outline(document)
    chosen = {section.position: section for section in (find_section(outline, document, name) for name in wanted)}
    outer: list[Section] = []
    for position in sorted(chosen):
        if not outer or position >= outer[-1].end_position:
            outer.append(chosen[position])
    texts = get_texts(document, outer)
    return [make_section_text(section, texts[section.position]) for section in outer]


def get_texts(document: Document, outer: Sequence[Section]) -> dict[int, str]:
    """The text of each of these sections, subsections included; position → text. They do not overlap."""
    spans = [Q(position__gte=section.position, position__lt=section.end_position) for section in outer]
    own = dict(sections_of(document).filter(reduce(or_, spans)).values_list("position", "content"))
    return {
        section.position: "".join(own.get(position, "") for position in range(section.position, section.end_position))
        for section in outer
    }


def find_section(outline: Sequence[Section], document: Document, name: str) -> Section:
    wanted = name.strip().removeprefix("#")
    if not wanted or len(wanted) > MAX_SECTION_ID_CHARACTERS:
        raise InvalidSectionId(f"{name[:80]!r} is no section id. table_of_contents lists those of {document.path}.")
    by_rule = (
        {section.section_id: section for section in reversed(outline)},
        {section.section_id.rpartition("/")[2]: section for section in reversed(outline)},
        {section.heading.casefold(): section for section in reversed(outline)},
    )
    for names in by_rule:
        if found := names.get(wanted) or names.get(wanted.casefold().strip("/")):
            return found
    ids = [section.section_id for section in outline]
    close = [match for match, *_ in process.extract(wanted, ids, limit=SUGGESTIONS, score_cutoff=50)]
    hint = f"The closest are: {', '.join(close)}." if close else f"table_of_contents lists those of {document.path}."
    raise SectionNotFound(
        f"{document.path} has no section {name[:200]!r}. {hint}", suggestions=close, path=document.path
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
