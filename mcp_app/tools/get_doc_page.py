"""get_doc_page: a whole document, in pieces if it is large, or named sections of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import (
    Fragment,
    SectionText,
    Span,
    find_begun,
    find_fragment,
    find_sections,
    iter_page,
    list_fragment_words,
    read_steadily,
    sections_of,
)
from collections_app.documents.near import find_nearby
from collections_app.exceptions import InvalidParameter
from collections_app.text.markdown.code_choice import read_language
from collections_app.text.passages.best_passage import PARAGRAPH_CHARACTERS
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.pieces import is_heading_only
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    COUNTS_TOKENS,
    NAME_TOKENS,
    TextAnswer,
    drop_fields,
    estimate_json_tokens,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools import read_sections
from mcp_app.tools.fragments import describe_missing, describe_words, find_elsewhere, make_missing_data
from mcp_app.tools.opening import OfPage, Opening, open_page
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    Code,
    CollectionName,
    Cursor,
    OrAbsent,
    Path,
    TokenBudget,
    Version,
    get_reach,
)
from mcp_app.tools.places import FARTHEST, NOTHING_READ, Piece, Place, make_place_cursor, read_place, take_page

# Fields that are left out if the budget is small, in this order.
DISPENSABLE = (
    "other_versions",
    "notice",
    "missing_words",
    "namesakes",
    "close_sections",
    "elsewhere",
    "near",
    "description",
    "source_url",
    "indexed",
    "title",
)
MAX_MISSING = 20
# A remark about where a page begins may take this fraction of the budget: 1/20.
HEADING_SHARE = 20
# At least 1/4 of the budget is for the text; if remarks leave less, they are shortened.
TEXT_SHARE = 4


class GetDocPageParams(ToolParams):
    aliases: ClassVar = {
        **PATH_ALIASES,
        **COLLECTION_ALIASES,
        **dict.fromkeys(("section", "section_id", "section_ids", "ids"), "sections"),
        "language": "code",
    }
    unlisted: ClassVar = ("version", "code")

    path: Path
    collection: CollectionName = None
    sections: Annotated[list[str], Field(max_length=100, description="Section ids; default: whole page")] = []  # noqa: RUF012
    near: Annotated[str | None, Field(max_length=1000, description="Begin at these words"), OrAbsent] = None
    max_tokens: TokenBudget = None
    cursor: Cursor = None
    version: Version = None
    code: Code = None


@dataclass(frozen=True, slots=True)
class Page(OfPage):
    """A piece of a document that begins at `start`; `cursor` leads to the next piece and is None at the end.

    `fragment`: what the address names, unless that is the page's beginning; `until`: the position where the section that it names ends, if
    nothing else is read (the cursor leads on from there). `near`: the words that the page should begin with;
    `section_id`: the section where they are, empty if they are nowhere; `namesakes`: other sections that have them as a name or an entry's
    label; `missing`: those of them that are nowhere. For an unknown fragment
    `near` has the fragment's own words; if these are nowhere either, nothing is read, and `elsewhere` has the sections called so on other
    pages, as paths with fragments. `asked_tokens`: the budget that the caller gave.
    `is_brief`: there is only room for the text and what is needed to read on.
    """

    opening: Opening
    start: Place
    asked_tokens: int | None
    fragment: Fragment | None = None
    until: int | None = None
    near: str = ""
    section_id: str = ""
    namesakes: Sequence[str] = ()
    missing: Sequence[str] = ()
    elsewhere: Sequence[str] = ()
    piece: Piece = NOTHING_READ
    cursor: str | None = None
    is_brief: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether the section that the address names was found nowhere."""
        return bool(self.fragment and not self.fragment.section and not self.section_id)

    @property
    def is_beginning(self) -> bool:
        """Whether the page is read from its first words on."""
        return not (self.start.position or self.start.offset or self.section_id or self.is_unknown)

    @property
    def most_before(self) -> int:
        """How many characters may precede the words: a quarter of the answer, at most a paragraph."""
        return min(PARAGRAPH_CHARACTERS, self.max_tokens)

    @property
    def code(self) -> str:
        return self.start.code

    def call_again(self, cursor: str | None = None) -> str:
        return self.call_page(self.code, cursor)


def run(call: Call, params: GetDocPageParams) -> TextAnswer:
    reach, code = get_reach(call, params.collection, params.version), read_language(params.code)
    if params.sections and params.cursor:
        raise InvalidParameter(
            "Give sections or a cursor, not both: the cursor goes on with what its answer was about, without sections."
        )
    if params.near and params.cursor:
        raise InvalidParameter("Give near or a cursor, not both: the cursor goes on where its answer ended.")

    def read() -> TextAnswer:
        opening = open_page(call, reach, params.path, params.version)
        if params.sections and not params.near:
            return read_sections.read_named(call, opening, params.sections, params.max_tokens, code)
        page = begin_page(call, params, Page(opening, Place(code=code), params.max_tokens))
        if not page.is_unknown:
            page = read_page(call, params, page)
            count_read(page.document, call.principal)
        return TextAnswer(partial(render, page), partial(make_data, page))

    return read_steadily(read, reach.chosen)


def begin_page(call: Call, params: GetDocPageParams, page: Page) -> Page:
    """The page with its start, nothing read yet. Raises InvalidParameter for a cursor that does not belong here."""
    if params.cursor:
        return replace(page, start=read_place(call, page.document, params.cursor, page.call_again(), page.code))
    if params.near:
        return begin_near(page, params.near, params.sections)
    fragment = find_fragment(page.document, params.path)
    if fragment is None:
        return page
    if fragment.words:
        return begin_near(page, fragment.words, [])
    if fragment.section is None:
        return begin_at_words(page, fragment)
    start, until = fragment.section.position, fragment.section.end_position
    return replace(page, start=Place(start, code=page.code), fragment=fragment, until=until) if start else page


def begin_at_words(page: Page, fragment: Fragment) -> Page:
    """Where to begin for a fragment that names no section: at the one section whose heading begins with its words, else from the place
    where all of them stand together to the end of that section. If neither is found, the page `is_unknown`, with what is
    `elsewhere`."""
    page = replace(page, fragment=fragment)
    sections, spellings = list(iter_page(page.document, code=page.code)), list_fragment_words(fragment.name)
    for words in spellings:
        if begun := find_begun(sections, words):
            return begin_within(page, words, begun, 0)
    for words in spellings:
        nearby = find_nearby(sections, words, page.document.collection.language, page.most_before)
        if nearby and nearby.has_all:
            return begin_within(page, words, nearby.section, nearby.offset)
    return replace(page, elsewhere=find_elsewhere(page.document, fragment.name, page.reach, page.max_tokens))


def begin_within(page: Page, words: str, section: SectionText, offset: int) -> Page:
    place = Place(section.position, offset, [Span(section.position, section.end_position)], page.code)
    return replace(page, start=place, near=words, section_id=section.section_id)


def begin_near(page: Page, words: str, section_ids: Sequence[str]) -> Page:
    """Begins at the paragraph with most of the words, within the named sections if there are any. Raises SectionNotFound."""
    sections = find_sections(page.document, section_ids) if section_ids else []
    spans = [Span(section.position, section.end_position) for section in sections]
    first = spans[0].position if spans else 0
    language = page.document.collection.language
    named = {span.position for span in spans}
    sections_there = iter_page(page.document, first, spans, page.code)
    nearby = find_nearby(sections_there, words, language, page.most_before, named)
    if nearby is None:
        return replace(page, start=Place(first, 0, spans, page.code), near=words)
    place = Place(nearby.section.position, nearby.offset, spans, page.code)
    return replace(
        page,
        start=place,
        near=words,
        section_id=nearby.section.section_id,
        namesakes=nearby.namesakes,
        missing=nearby.missing,
    )


def read_page(call: Call, params: GetDocPageParams, page: Page) -> Page:
    """Reads from `start` as much as the answer has room for in the requested form."""
    document, start = page.document, page.start
    is_json = params.format == "json"
    empty = replace(
        page, cursor=make_place_cursor(call, document, replace(FARTHEST, spans=start.spans, code=start.code))
    )
    cost = estimate_json_tokens if is_json else estimate_tokens
    left = count_left(empty, is_json=is_json)
    if left < page.max_tokens // TEXT_SHARE:
        page = replace(page, is_brief=True)
        left = count_left(replace(empty, is_brief=True), is_json=is_json)
    take = partial(take_page, start=start, max_tokens=left, cost=cost, is_markdown=not is_json)
    page = take_named(page, take)
    if page.until is None:
        page = replace(page, piece=take(iter_page(document, start.position, start.spans, start.code)))
    following = page.piece.following
    return replace(page, cursor=make_place_cursor(call, document, following) if following else None)


def take_named(page: Page, take: Callable[[Iterator[SectionText]], Piece]) -> Page:
    """The page with the section that its address names; `until` None if there is no such section, or nothing below its heading."""
    if page.until is None:
        return page
    document, start = page.document, page.start
    piece = take(iter_page(document, start.position, [Span(start.position, page.until)], page.code))
    if piece.following is None and is_heading_only(piece.text):
        return replace(page, until=None)
    if piece.following is None and sections_of(document).filter(position__gte=page.until).exists():
        piece = replace(piece, following=replace(start, position=page.until))
    return replace(page, piece=piece)


def count_left(page: Page, *, is_json: bool) -> int:
    """How much of the budget is left for the text by everything else that is said."""
    return page.max_tokens - estimate_tokens(dump_json(make_data(page)) if is_json else render(page)) - COUNTS_TOKENS


def render(page: Page) -> str:
    text = page.piece.as_markdown()
    ending = "" if text or page.is_unknown else "[this page is empty]"
    if page.cursor:
        what = "what was asked for goes on" if page.start.spans else "the page goes on"
        ending = f"[{what}; next: {page.call_again(page.cursor)}]"
    code = read_sections.describe_code(page.code, (), page.max_tokens)
    notes = [page.opening.describe(page.max_tokens), code, render_fragment(page), render_near(page)]
    if page.is_brief:
        where = f"[section_id: {name_section(page.section_id, page.max_tokens)}]" if page.section_id else ""
        notes = [page.opening.describe_taken(page.max_tokens), where]
    else:
        notes.insert(0, read_sections.render_header(page.document, page.reach, page.max_tokens))
        notes.append(read_sections.describe_page(page.tell_description(text)) if page.is_beginning else "")
    return "\n\n".join(part for part in (*notes, text, ending) if part)


def render_near(page: Page) -> str:
    """In which section the text begins, and which of the words are nowhere."""
    if not page.near or page.fragment:
        return ""
    words = dump_json(shorten_name(page.near, page.max_tokens // HEADING_SHARE))
    if not page.section_id:
        return f"[none of the words {words} stands here: from the beginning]"
    others = read_sections.describe_namesakes(page.namesakes, page.max_tokens)
    where = f"in section_id: {name_section(page.section_id, page.max_tokens)}{others}"
    if not page.missing:
        return f"[from where {words} stands on, {where}]"
    missing = shorten_name(", ".join(page.missing), page.max_tokens // HEADING_SHARE)
    return f"[from where most of {words} stands on, {where}; not here: {missing}]"


def render_fragment(page: Page) -> str:
    """Says that not the whole page follows, or why it does not although that was asked for."""
    most = page.max_tokens // HEADING_SHARE
    if page.fragment is None:
        return ""
    if page.fragment.section:
        heading = dump_json(shorten_name(page.fragment.section.heading, min(NAME_TOKENS, most)))
        where = f"from {heading} on" if page.until is None else f"only {heading}"
        return f"[{where}; the whole page: {page.call_again()}]"
    if page.section_id:
        return describe_words(page.fragment, page.near, page.section_id, page.call_again(), page.max_tokens)
    return describe_missing(page.fragment, page.max_tokens, page.path, page.elsewhere)


def make_data(page: Page) -> dict[str, Any]:
    document = page.document
    data: dict[str, Any] = {
        "title": shorten_name(document.title),
        "description": shorten_name(document.description),
        "collection": page.reach.name(document.collection),
        "path": name_path(document.path, document.pk, page.max_tokens),
        "source_url": document.source_url,
        "indexed": document.indexed.isoformat() if document.indexed else None,
        **page.opening.make_data(page.max_tokens),
    }
    data |= {"code": page.code} if page.code else {}
    if page.fragment and page.fragment.section:
        data["from_section"] = name_section(page.fragment.section.section_id, page.max_tokens)
    elif page.near and not page.fragment:
        data["from_section"] = name_section(page.section_id, page.max_tokens) if page.section_id else None
        if page.namesakes:
            data["namesakes"] = read_sections.name_namesakes(page.namesakes, page.max_tokens)
        if page.missing:
            data["missing_words"] = [shorten_name(word) for word in page.missing[:MAX_MISSING]]
    elif page.fragment:
        data |= make_missing_data(page.fragment, page.max_tokens)
        data |= {"elsewhere": page.elsewhere} if page.elsewhere else {}
        if page.section_id:
            data |= {"near": page.near, "from_section": name_section(page.section_id, page.max_tokens)}
    return drop_fields(data, DISPENSABLE, page.max_tokens // 2) | {
        "content": page.piece.text,
        "tokens": estimate_tokens(page.piece.text),
        "next_cursor": page.cursor,
    }


GET_DOC_PAGE = Tool(
    name="get_doc_page",
    title="Get a page",
    description="Read a whole document by path, id or source URL; long ones come in parts. Costs more than read_sections.",
    params=GetDocPageParams,
    run=run,
)
