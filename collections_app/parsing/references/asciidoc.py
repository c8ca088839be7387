"""What AsciiDoc pages refer to in others, and what they can be referred to by: files, and ids of sections and blocks. A label is a place in
a file, with its path from the root; a title is as written, with its markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc.addresses import find_address, find_place, normalise_place
from collections_app.parsing.asciidoc.antora import get_attributes
from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value
from collections_app.parsing.asciidoc.conditions import iter_kept_lines
from collections_app.parsing.asciidoc.facts import BlockFacts
from collections_app.parsing.asciidoc.lines import (
    CONTINUATION,
    Lines,
    find_delimiter,
    find_title,
    match_block_attributes,
    match_block_macro,
    match_block_title,
)
from collections_app.parsing.asciidoc.signs import unprotect
from collections_app.parsing.hints import Hint
from collections_app.parsing.references import mentions
from collections_app.parsing.references.mentions import Mention
from collections_app.parsing.references.names import MAX_TITLE_CHARACTERS, Label, Names
from collections_app.parsing.references.targets import Kind

HINT = Hint(rb":(?<=xref:)", rb"<<")
"""Is in every text in which iter_mentions() finds something."""

_WITHOUT_WORDS = re.compile(
    r"xref:(?P<macro>(?:(?!xref:)[^\s\[\]]){1,1000})"
    r"\[\s*(?:\w+=[^\[\]]*|image:[^\s\[\]]{1,1000}\[(?:,[^\[\]]*)?\]\s*)?\]"
    r"|<<(?P<angle>[^<>,]{1,1000})>>"
)
_VERBATIM = "-.+/`"


def iter_mentions(text: str, path: str) -> Iterator[Mention]:
    """The places in other files that references without words lead to, each once, up to MAX_MENTIONS."""
    labels = dict.fromkeys(normalise_place(place) for place in _iter_places(text, path) if "#" in place)
    yield from (Mention(Kind.LABEL, label) for label in islice(labels, mentions.MAX_MENTIONS))


def _iter_places(text: str, path: str) -> Iterator[str]:
    for line in _iter_lines(text, Attributes(get_attributes(path))):
        for match in _WITHOUT_WORDS.finditer(line):
            macro, angle = match["macro"], match["angle"]
            address, _ = find_address(macro or angle, path, is_macro=bool(macro))
            if address:
                yield find_place(address, path)


def read_names(text: str, path: str) -> Names:
    """The page's title and labels. Of labels with the same letters, those set in the page come before those made from titles."""
    attributes = Attributes(get_attributes(path))
    named = list(_iter_named(Lines(list(_iter_lines(text, attributes)))))
    title = attributes.get("reftext") or next((heading for _, heading in named if heading), "")
    labels = (
        Label(
            normalise_place(f"{path}#{_shorten(facts.id or heading)}"),
            _shorten(facts.id_text or heading or facts.title),
            _shorten(facts.id),
        )
        for facts, heading in named
    )
    page = Label(f"{path}#", _shorten(title), "")
    return Names(page.title, [page, *sorted(labels, key=lambda label: not label.fragment)])


def _shorten(text: str) -> str:
    return text[:MAX_TITLE_CHARACTERS]


def _iter_lines(text: str, attributes: Attributes) -> Iterator[str]:
    """The lines that conditions keep, with the values of attributes. If these become too long, the page's parser reports it."""
    lines = [line.rstrip() for line in text.split("\n")]
    with suppress(ParseError):
        for line in iter_kept_lines(lines, attributes):
            yield unprotect(attributes.replace_references(line))


def _iter_named(lines: Lines) -> Iterator[tuple[BlockFacts, str]]:
    """Sections with their titles, and blocks with an id and words for it, each with what lines above say about it."""
    facts = BlockFacts()
    while lines:
        line = lines.peek()
        heading, _, count = find_title(line, lines.peek(1))
        if heading:
            lines.take(count)
            heading = facts.take_anchor(heading)
            yield facts, heading
        elif match_block_attributes(line):
            facts.take_line(lines.take())
            continue
        elif title := match_block_title(line):
            facts.title = title["title"]
            lines.take()
            continue
        elif line in ("", CONTINUATION) or line.startswith("//"):
            lines.take()
            if find_delimiter(line):
                lines.take_block(line)
            continue
        elif entry := match_entry(line):
            lines.take(1 + read_entry_value(entry, lines.get_following())[1])
            continue
        else:
            if facts.id and (facts.title or facts.id_text):
                yield facts, ""
            _pass_over(lines, facts.attributes.style)
        facts = BlockFacts()


def _pass_over(lines: Lines, style: str) -> None:
    """Skip a block, or the first line of one with other blocks in it."""
    line = lines.take()
    if delimiter := find_delimiter(line):
        if line[0] in _VERBATIM and (line != "--" or style == "source"):
            lines.take_block(delimiter)
    elif not match_block_macro(line):
        lines.take_paragraph()
