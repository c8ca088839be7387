"""A document as a page: which of its sections are on it, and their HTML under the ids that agents know.

Each section is rendered by itself, its heading by us, so anchors are the section ids, whatever the Markdown says. A long document
has several pages, cut between sections; a section that is too long for one page is cut between lines. Rendered pages are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import accumulate
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Length

from collections_app.documents import check_version, sections_of
from collections_app.models import Collection, Document
from collections_app.naming.slugs import make_slug
from collections_app.parsing.headings import iter_headings
from collections_app.postgres.replicas import read_from_replica
from collections_app.reading.addresses import format_reading, get_url_of
from collections_app.reading.links import Linker
from collections_app.reading.markup import Renderer, clean_html
from collections_app.reading.references import find_references
from collections_app.reading.rewriting import name_images
from collections_app.soft_cache import recall, remember

MAX_PAGE_CHARACTERS = 100_000
MAX_PAGE_SECTIONS = 300
MAX_ENTRIES = 250
# How far beyond the limit the end of a line is looked for.
MAX_LINE_CHARACTERS = 20_000
REMEMBERED_SECONDS = 86_400
# To be raised when pages look different, or Page has other fields.
RENDERING = 3
VERSION = f"{version('docsmcp')}.{RENDERING}"


class OutlineRow(NamedTuple):
    position: int
    section_id: str
    heading: str
    level: int
    anchor: str
    page_number: int | None
    token_count: int
    characters: int


class Piece(NamedTuple):
    """The characters of the section at `position` from `start` to about `end`; both are moved to where lines end."""

    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A section in the table of contents; `depth` is 0 for the highest ones on the page."""

    section_id: str
    heading: str
    depth: int


@dataclass(frozen=True, slots=True)
class Block:
    """A section as it is shown. `rank` is that of its HTML heading, 0 if it has none of its own; `aliases` are other ids for it; `call` is
    how agents read it."""

    section_id: str
    heading: str
    rank: int
    html: str
    call: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the document. `beginnings` are the headings that its pages begin with; `number` counts from 1."""

    number: int
    beginnings: tuple[str, ...]
    entries: tuple[Entry, ...]
    blocks: tuple[Block, ...]
    title_id: str = ""
    title_call: str = ""
    title_tokens: int = 0
    is_cut: bool = False

    @property
    def count(self) -> int:
        return len(self.beginnings)

    @property
    def following(self) -> int | None:
        return self.number + 1 if self.number < self.count else None


def get_page(collection: Collection, document: Document, number: int) -> Page | None:
    """None if the document has no page of that number. Raises DocumentReplaced."""
    indexed = document.indexed.timestamp() if document.indexed else 0
    # Links depend on which documents exist.
    key = f"page:{VERSION}:{document.pk}:{indexed}:{collection.index_version}:{number}"
    known: Page | None = recall([key]).get(key)
    if known is not None:
        return known
    page = read_from_replica([collection], partial(render_page, collection, document, number))
    if page is not None:
        remember({key: page}, REMEMBERED_SECONDS)
    return page


def get_outline_rows(document: Document) -> list[OutlineRow]:
    """All sections of the document, in order. Raises DocumentReplaced."""
    fields = ("position", "section_id", "heading", "level", "anchor", "page_number", "token_count")
    rows = [OutlineRow(*row) for row in sections_of(document).values_list(*fields, Length("content"))]
    if not rows:
        check_version(document)
    return rows


def find_page_number(document: Document, position: int) -> int:
    """The document's page on which the section at this position begins."""
    pages = split_into_pages(get_outline_rows(document))
    begun = (
        number for number, pieces in enumerate(pages, 1) if any((p.position, p.start) == (position, 0) for p in pieces)
    )
    return next(begun, 1)


def split_into_pages(rows: Iterable[OutlineRow]) -> list[list[Piece]]:
    pages: list[list[Piece]] = [[]]
    characters = 0
    for row in rows:
        for start in range(0, max(1, row.characters), MAX_PAGE_CHARACTERS):
            piece = Piece(row.position, start, min(row.characters, start + MAX_PAGE_CHARACTERS))
            length = piece.end - piece.start
            if pages[-1] and (characters + length > MAX_PAGE_CHARACTERS or len(pages[-1]) >= MAX_PAGE_SECTIONS):
                pages.append([])
                characters = 0
            pages[-1].append(piece)
            characters += length
    return pages


def render_page(collection: Collection, document: Document, number: int) -> Page | None:
    rows = get_outline_rows(document)
    pages = split_into_pages(rows)
    if not 1 <= number <= len(pages):
        return None
    by_position = {row.position: row for row in rows}
    pieces = pages[number - 1]
    texts = get_texts(document, pieces)
    headed = {row.position: row for row in rows[:1] if is_headed_by_title(row, document.title)}
    first = headed.get(0) if number == 1 else None
    shown = [by_position[piece.position] for piece in pieces if piece.start == 0 and piece.position not in headed]
    blocks = render_blocks(collection, document, pieces, texts, by_position, headed)
    return Page(
        number=number,
        beginnings=tuple(by_position[page[0].position].heading if page else document.title for page in pages),
        entries=tuple(make_entries(shown)),
        blocks=tuple(name_aliases(blocks, by_position, pieces)),
        title_id=first.section_id if first else "",
        title_call=format_reading(collection, document.path, first.section_id) if first else "",
        title_tokens=first.token_count if first else 0,
        is_cut=any(by_position[piece.position].characters > MAX_PAGE_CHARACTERS for piece in pieces),
    )


def is_headed_by_title(row: OutlineRow, title: str) -> bool:
    """Whether the page's own heading is also the section's: for text before any heading, and for a first heading that says the same."""
    return row.position == 0 and (row.level == 0 or (row.level == 1 and make_slug(row.heading) == make_slug(title)))


def get_texts(document: Document, pieces: Sequence[Piece]) -> dict[int, str]:
    """Position → text of the section. Raises DocumentReplaced."""
    positions = [piece.position for piece in pieces]
    texts = dict(sections_of(document).filter(position__in=positions).values_list("position", "content"))
    if len(texts) < len(set(positions)):
        check_version(document)
    return texts


def render_blocks(
    collection: Collection,
    document: Document,
    pieces: Sequence[Piece],
    texts: Mapping[int, str],
    rows: Mapping[int, OutlineRow],
    headed: Mapping[int, OutlineRow],
) -> list[Block]:
    renderer = Renderer(find_references(document))
    unsafe = []
    for piece in pieces:
        text = cut_piece(texts.get(piece.position, ""), piece)
        row = rows[piece.position]
        unsafe.append(renderer.render(drop_heading(text, row) if piece.start == 0 else text))
    shown = {piece.position for piece in pieces}
    here, elsewhere = (
        {name for row in rows.values() if (row.position in shown) is is_shown for name in list_names(row)}
        for is_shown in (True, False)
    )
    linker = replace(make_linker(collection, document, unsafe), elsewhere=frozenset(elsewhere - here))
    blocks = []
    for piece, html in zip(pieces, unsafe, strict=True):
        row, safe = rows[piece.position], name_images(clean_html(html, linker.resolve))
        call = format_reading(collection, document.path, row.section_id)
        blocks.append(make_block(row, piece, safe, call, piece.position in headed))
    return blocks


def make_block(row: OutlineRow, piece: Piece, html: str, call: str, is_headed: bool) -> Block:
    has_heading = piece.start == 0 and not is_headed
    return Block(row.section_id, row.heading, min(6, max(2, row.level)) if has_heading else 0, html, call)


def cut_piece(text: str, piece: Piece) -> str:
    return text[find_line_end(text, piece.start) : find_line_end(text, piece.end)]


def find_line_end(text: str, position: int) -> int:
    if position in (0, len(text)):
        return position
    end = text.find("\n", position, position + MAX_LINE_CHARACTERS)
    return end + 1 if end >= 0 else position


def drop_heading(text: str, row: OutlineRow) -> str:
    """The section's text without its heading, which is the first line, unless blank lines or a preface precede it."""
    if row.level == 0:
        return text
    lines = text.split("\n")
    first = next((heading.line for heading in iter_headings(lines)), None) if row.position == 0 else 0
    return text if first is None else "\n".join(lines[:first] + lines[first + 1 :])


def make_linker(collection: Collection, document: Document, unsafe: Sequence[str]) -> Linker:
    """A Linker with the documents that the page's links may mean, looked up at once."""
    linker = Linker(document.path, document.source_url, get_url_of(collection))
    addresses: set[str] = set()

    def note(tag: str, address: str) -> str | None:
        if tag == "a":
            addresses.add(address)
        return None

    for html in unsafe:
        clean_html(html, note)
    targets = linker.find_targets(sorted(addresses))
    if not targets.paths and not targets.urls:
        return linker
    paths = {path for each in targets.paths.values() for path in each}
    return replace(linker, known=dict(iter_known(collection, paths, targets.urls)))


def iter_known(collection: Collection, paths: set[str], urls: set[str]) -> Iterator[tuple[str, str]]:
    wanted = Q(path__in=paths) | Q(source_url__in=urls) if urls else Q(path__in=paths)
    documents = Document.objects.in_collections([collection]).readable().filter(wanted)
    for path, url in documents.values_list("path", "source_url"):
        yield path, path
        if url in urls:
            yield url, path


def make_entries(rows: Sequence[OutlineRow]) -> Iterator[Entry]:
    """The highest levels on the page, as many as there is room for."""
    levels = sorted({row.level for row in rows})
    counts = accumulate(sum(row.level == level for row in rows) for level in levels)
    shown = [level for level, count in zip(levels, counts, strict=True) if count <= MAX_ENTRIES] or levels[:1]
    depths = {level: depth for depth, level in enumerate(shown[:3])}
    for row in [row for row in rows if row.level in depths][:MAX_ENTRIES]:
        yield Entry(row.section_id, row.heading, depths[row.level])


def list_names(row: OutlineRow) -> list[str]:
    """Names by which links in documents may refer to the section; its anchor may be empty."""
    return [row.section_id, row.section_id.rpartition("/")[2], row.anchor]


def name_aliases(blocks: Sequence[Block], rows: Mapping[int, OutlineRow], pieces: Sequence[Piece]) -> Iterator[Block]:
    """Links in documents name a heading as the source's own site does: by its own slug, or by the anchor it had there."""
    taken = {block.section_id for block in blocks}
    for block, piece in zip(blocks, pieces, strict=True):
        names = list_names(rows[piece.position]) if piece.start == 0 else []
        aliases = tuple(dict.fromkeys(name for name in names if name and name not in taken and name[0] != "_"))
        taken.update(aliases)
        yield replace(block, aliases=aliases)
