"""table_of_contents: the sections of a document and what reading each costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, zip_longest
from typing import Any, ClassVar

from collections_app.documents import (
    Fragment,
    Outline,
    OutlineEntry,
    find_fragment,
    get_brief_names,
    get_outline,
    read_steadily,
)
from collections_app.models import Section
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    NAME_TOKENS,
    NEAR_TOKENS,
    READ_TOKENS,
    RESERVE_TOKENS,
    TextAnswer,
    count_of,
    drop_fields,
    fit_count,
    format_call,
    get_reference_tokens,
    join_facts,
    keep_facts,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools.fragments import describe_missing, make_missing_data, shorten_missing
from mcp_app.tools.opening import OfPage, Opening, open_page
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Cursor,
    Path,
    TokenBudget,
    Version,
    get_reach,
)
from mcp_app.tools.places import make_document_cursor, read_document_cursor

# The kind of its cursors.
KIND = "contents"
NO_HEADING = "(no heading)"
# The most that a section may cost if a read with the default budget gives it whole.
READABLE_TOKENS = READ_TOKENS - RESERVE_TOKENS
# A list that would cost more is shortened to terse lines.
WHOLE_TOKENS = 2_500
# Without a budget, a list that would cost more has only the highest levels that cost at most this, if these have at least FEW_ENTRIES.
LEVELS_TOKENS = 4_000
FEW_ENTRIES = 20
# Longer documents are not searched for ids that may be cut short.
MAX_BRIEFLY_NAMED = 5_000
# Entries of a level that does not fit are left out once at least this many of higher levels are shown.
FEWEST_GROUPS = 5
# The facts above the list may take this fraction of the budget: 1/4.
HEADER_SHARE = 4
# Fields that are left out if there is no room, in this order.
DISPENSABLE = (
    "other_versions",
    "close_sections",
    "title",
    "within",
    "collection",
    "missing_section",
    "notice",
)
DISPENSABLE_OF_ENTRY = ("sections_within", "page_number", "character_count", "level", "title")


class TableOfContentsParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES}
    unlisted: ClassVar = ("version",)

    path: Path
    collection: CollectionName = None
    max_tokens: TokenBudget = None
    cursor: Cursor = None
    version: Version = None


@dataclass(frozen=True, slots=True)
class Contents(OfPage):
    """The outline of a document from position `start` on.

    An outline from the beginning leaves out the lowest levels if there is no room; the cursor then lists the rest in order, at all levels.
    `fragment`: what the document's address names; if that section has subsections, it is `part`, and only it is outlined.
    `until`: the position where a part, and its continuation, ends. `names`: position → a shorter name than its id that a section can be
    read by. `asked_tokens` is the budget that the caller gave.
    """

    opening: Opening
    outline: Outline
    start: int
    call: Call
    asked_tokens: int | None
    fragment: Fragment | None = None
    part: Section | None = None
    until: int | None = None
    names: Mapping[int, str] = field(default_factory=dict)

    def name(self, entry: OutlineEntry) -> str:
        brief = self.names.get(entry.position, entry.section_id)
        has_room = estimate_tokens(brief) <= get_reference_tokens(self.max_tokens)
        return brief if has_room else name_section(entry.section_id, self.max_tokens)

    @property
    def end(self) -> int:
        """The position after the last listed section, shown or not."""
        return self.until or self.outline.section_count

    def choose(self, count: int) -> list[OutlineEntry]:
        """The `count` entries to show, in document order. From the document's beginning, higher levels have precedence."""
        if self.start:
            return list(self.outline.entries[:count])
        by_level = sorted(self.outline.entries, key=lambda entry: (entry.level, entry.position))
        return sorted(by_level[:count])

    def keep_levels(self, count: int) -> int:
        """How many of `count` entries belong to complete levels, if that is enough to show: all groups with their counts say more than the
        contents of the first few."""
        entries = self.outline.entries
        if self.start or count == self.end:
            return count
        levels = Counter(entry.level for entry in entries)
        if len(entries) < self.end:
            del levels[max(levels)]  # the outline may have only the first entries of this level
        whole = [total for total in accumulate(number for _, number in sorted(levels.items())) if total <= count]
        return whole[-1] if whole and whole[-1] >= FEWEST_GROUPS else count

    def make_next_cursor(self, shown: Sequence[OutlineEntry]) -> str | None:
        """Continues at the first section that is not shown; None when all are."""
        positions = {entry.position for entry in shown}
        rest = range(self.start, self.end)
        limits = [self.until] if self.until else []
        following = next((position for position in rest if position not in positions), None)
        return None if following is None else make_document_cursor(KIND, self.call, self.document, [following, *limits])


def run(call: Call, params: TableOfContentsParams) -> TextAnswer:
    reach = get_reach(call, params.collection, params.version)

    def read() -> Contents:
        opening = open_page(call, reach, params.path, params.version)
        document = opening.document
        start, until, fragment = 0, None, None
        if params.cursor:
            again = format_call("table_of_contents", path=opening.reach.locate(document))
            start, *limits = read_document_cursor(KIND, call, document, params.cursor, again)
            until = limits[0] if limits else None
        else:
            fragment = find_fragment(document, params.path)
            fragment = None if fragment and fragment.words else fragment  # sections are listed, not words
        part = get_part(fragment)
        if part:
            start, until = part.position, part.end_position
        outline = get_outline(document, start, until)
        is_short = params.format == "markdown" and outline.section_count <= MAX_BRIEFLY_NAMED
        names = get_brief_names(document) if is_short else {}
        return Contents(opening, outline, start, call, params.max_tokens, fragment, part, until, names)

    contents = read_steadily(read, reach.chosen)
    return TextAnswer(partial(render, contents), partial(make_data, contents))


def get_part(fragment: Fragment | None) -> Section | None:
    """The named section, if it has subsections and is not the whole document."""
    section = fragment.section if fragment else None
    return section if section and section.position and section.end_position > section.position + 1 else None


def render(contents: Contents) -> str:
    entries = contents.outline.entries
    whole = build_text(contents, {entry.position: render_entry(entry, contents) for entry in entries}, len(entries))
    if estimate_tokens(whole) <= min(contents.max_tokens, WHOLE_TOKENS):
        return whole
    lines = {entry.position: render_tersely(entry, contents) for entry in entries}
    build = partial(build_text, contents, lines, is_terse=True)
    text = build(count_levels(contents, len(lines), build))
    if estimate_tokens(text) <= contents.max_tokens:
        return text
    build = partial(build, is_brief=True)
    return build(fit_count(len(lines), build, contents.max_tokens))


def count_levels(contents: Contents, most: int, build: Callable[[int], str]) -> int:
    """How many entries to show, at most `most`, as whole levels if possible."""
    if contents.asked_tokens is None:
        count = fit_count(most, build, LEVELS_TOKENS)
        if FEW_ENTRIES <= (levels := contents.keep_levels(count)) < count:
            return levels
    return contents.keep_levels(fit_count(most, build, contents.max_tokens))


def build_text(
    contents: Contents, lines: Mapping[int, str], count: int, *, is_terse: bool = False, is_brief: bool = False
) -> str:
    """`lines`: position → what is said of the section. `is_terse`: the lines do not label their facts; a line above explains them.
    `is_brief`: besides the lines there is hardly more than the page's title and that a requested section is missing."""
    shown = contents.choose(count)
    within = count_within(shown)
    notes = (
        render_brief_notes(contents)
        if is_brief
        else render_notes(contents, is_terse=is_terse, has_unlisted=bool(within))
    )
    head = [render_header(contents, is_brief=is_brief), notes]
    more = {position: f" · {number} within" for position, number in within.items()}
    parts = [*head, "\n".join(f"{lines[entry.position]}{more.get(entry.position, '')}" for entry in shown)]
    return "\n\n".join(part for part in [*parts, render_end(contents, shown, is_brief=is_brief)] if part)


def render_header(contents: Contents, *, is_brief: bool) -> str:
    document, outline = contents.document, contents.outline
    title = f"# {shorten_name(document.title, limit_name(contents))}"
    if is_brief:
        return title
    facts = [
        contents.reach.name(document.collection),
        name_path(document.path, document.pk, contents.max_tokens),
        count_of(contents.end - contents.start if contents.part else outline.section_count, "section"),
        f"the list goes on from section {contents.start + 1}"
        if contents.start and not contents.part
        else f"about {count_of(outline.token_count, 'token')}",
    ]
    return f"{title}\n{keep_facts(facts, contents.max_tokens // HEADER_SHARE)}"


def limit_name(contents: Contents) -> int:
    return min(NAME_TOKENS, get_reference_tokens(contents.max_tokens))


def render_notes(contents: Contents, *, is_terse: bool, has_unlisted: bool) -> str:
    """How the page was found, which part of it is listed or missing, and what the terse lines mean."""
    notes = [contents.opening.describe(contents.max_tokens)]
    if contents.part:
        whole = format_call("table_of_contents", path=contents.path, max_tokens=contents.asked_tokens)
        within = name_section(contents.part.section_id, contents.max_tokens)
        notes.append(f"[within section_id: {within}; the whole page: {whole}]")
    elif contents.fragment and not contents.fragment.section:
        notes.append(describe_missing(contents.fragment, contents.max_tokens))
    if is_terse and contents.outline.entries:
        unlisted = " · how many within are not listed" if has_unlisted else ""
        reading = format_call("read_sections", path=contents.path, section_ids=["…"])
        notes.append(f"[heading · section_id · tokens, subsections included{unlisted}; to read: {reading}]")
    return "\n".join(filter(None, notes))


def render_brief_notes(contents: Contents) -> str:
    fragment = contents.fragment
    name = shorten_missing(fragment.name, contents.max_tokens) if fragment and not fragment.section else ""
    missing = f"[no section {dump_json(name)} here]" if name else ""
    return "\n".join(filter(None, [contents.opening.describe_taken(contents.max_tokens), missing]))


def render_entry(entry: OutlineEntry, contents: Contents) -> str:
    facts = [
        f"section_id: {name_section(entry.section_id, contents.max_tokens)}",
        f"level {entry.level}",
        count_of(entry.character_count, "character"),
        count_of(entry.token_count, "token"),
    ]
    return render_line(entry, contents, facts)


def render_tersely(entry: OutlineEntry, contents: Contents) -> str:
    """Without labels: the indent shows the level. In a page with hundreds of lines each word in them costs hundreds of tokens."""
    return render_line(entry, contents, [contents.name(entry), str(entry.token_count)])


def count_within(shown: Sequence[OutlineEntry]) -> dict[int, int]:
    """Position → how many sections are within, for entries none of whose subsections are shown."""
    pairs = zip_longest(shown, shown[1:])
    return {
        entry.position: entry.end_position - entry.position - 1
        for entry, following in pairs
        if entry.end_position > entry.position + 1 and (following is None or following.position >= entry.end_position)
    }


def render_line(entry: OutlineEntry, contents: Contents, facts: Sequence[str]) -> str:
    indent = "  " * max(entry.level - 1, 0)
    return f"{indent}- {join_facts([shorten_name(entry.heading, limit_name(contents)) or NO_HEADING, *facts])}"


def render_end(contents: Contents, shown: Sequence[OutlineEntry], *, is_brief: bool) -> str:
    if not shown:
        return "There are no more sections." if contents.outline.section_count else "This document is empty."
    lines = ["" if is_brief else recommend(contents) or advise_on_long(contents, shown)]
    if cursor := contents.make_next_cursor(shown):
        call = format_call("table_of_contents", path=contents.path, max_tokens=contents.asked_tokens, cursor=cursor)
        ways = (
            "search_docs finds by words"
            if contents.part
            else "path#section lists within one; search_docs finds by words"
        )
        facts = [f"{describe_rest(contents, shown)} left out", f"the rest: {call}", *([] if is_brief else [ways])]
        lines.append(f"[{'; '.join(facts)}]")
    return "\n".join(filter(None, lines))


def recommend(contents: Contents) -> str:
    """The call that reads what the address names, if it fits into one read. Nothing says which other section is wanted, and the whole page
    never is."""
    named = contents.fragment.section if contents.fragment else None
    if named is None or named.token_count > READABLE_TOKENS or is_whole(named, contents):
        return ""
    section_id = name_section(named.section_id, contents.max_tokens)
    return f"Next: {format_call('read_sections', path=contents.path, section_ids=[section_id])}"


def advise_on_long(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    """How to read a section that is more than one answer, and has no subsections to choose from; empty if none of those shown is."""
    if not any(entry.token_count > READABLE_TOKENS and entry.end_position == entry.position + 1 for entry in shown):
        return ""
    call = format_call("get_doc_page", path=contents.path, near="words of what you look for", max_tokens=NEAR_TOKENS)
    return f"To read a section of more than {READ_TOKENS} tokens, say where to begin: {call}"


def is_whole(section: Section, contents: Contents) -> bool:
    return section.position == 0 and (section.end_position >= contents.outline.section_count)


def describe_rest(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    total = contents.end - contents.start if contents.part else contents.end
    return f"{contents.end - contents.start - len(shown)} of {count_of(total, 'section')}"


def make_data(contents: Contents) -> dict[str, Any]:
    document, outline = contents.document, contents.outline
    entries = {entry.position: make_entry_data(entry, contents) for entry in outline.entries}

    fragment = contents.fragment
    missing = make_missing_data(fragment, contents.max_tokens) if fragment and not fragment.section else {}
    within = {"within": name_section(contents.part.section_id, contents.max_tokens)} if contents.part else {}

    def build(count: int) -> dict[str, Any]:
        shown = contents.choose(count)
        inside = count_within(shown)
        return {
            "title": shorten_name(document.title),
            "collection": contents.reach.name(document.collection),
            "path": name_path(document.path, document.pk, contents.max_tokens),
            **contents.opening.make_data(contents.max_tokens),
            "sections": [
                entries[entry.position]
                | ({"sections_within": number} if (number := inside.get(entry.position)) else {})
                for entry in shown
            ],
            **missing,
            **within,
            "left_out": contents.end - contents.start - len(shown),
            "next_cursor": contents.make_next_cursor(shown),
        }

    count = fit_count(len(entries), lambda count: dump_json(build(count)), contents.max_tokens)
    data = build(contents.keep_levels(count))
    return shrink(data, contents.max_tokens)


def shrink(data: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    """For the case that even one section is too much: leaves out what can be done without."""
    data = drop_fields(data, DISPENSABLE, max_tokens)
    if len(data["sections"]) == 1:
        left = max_tokens - estimate_tokens(dump_json(data | {"sections": []}))
        data["sections"] = [drop_fields(data["sections"][0], DISPENSABLE_OF_ENTRY, left)]
    return data


def make_entry_data(entry: OutlineEntry, contents: Contents) -> dict[str, Any]:
    return {
        "id": name_section(entry.section_id, contents.max_tokens),
        "title": shorten_name(entry.heading, limit_name(contents)),
        "level": entry.level,
        "character_count": entry.character_count,
        "tokens": entry.token_count,
        "page_number": entry.page_number,
    }


TABLE_OF_CONTENTS = Tool(
    name="table_of_contents",
    title="Table of contents of a page",
    description="List a document's sections (with path#section, those within it), with ids and sizes, to read only what you need.",
    params=TableOfContentsParams,
    run=run,
)
