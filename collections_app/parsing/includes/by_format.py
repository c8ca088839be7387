"""Which includes a text has, by its format. PURE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.formats import Format
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import asciidoc, markdown, restructured_text
from collections_app.parsing.includes.lines import Include

MARKDOWN = frozenset({Format.MARKDOWN, Format.MDX})

_FORMATS: Mapping[Hint, Set[Format]] = {
    markdown.HINT: MARKDOWN,
    restructured_text.HINT: frozenset({Format.RESTRUCTURED_TEXT}),
    asciidoc.HINT: frozenset({Format.ASCIIDOC}),
}


def find_formats(content: bytes) -> Set[Format]:
    """The formats in which a page with this content may include something."""
    return {format for hint, formats in _FORMATS.items() if hint.is_in(content) for format in formats}


def has_hint(format: Format, content: bytes) -> bool:
    return any(format in formats and hint.is_in(content) for hint, formats in _FORMATS.items())


def iter_includes(format: Format, lines: Sequence[str], attributes: Attributes, path: str) -> Iterator[Include]:
    """The includes in these lines. `attributes` are those of AsciiDoc, and are updated with what the lines set."""
    if format is Format.ASCIIDOC:
        return asciidoc.iter_asciidoc(lines, attributes, path)
    find = markdown.iter_markdown if format in MARKDOWN else restructured_text.iter_restructured_text
    return find(lines)
