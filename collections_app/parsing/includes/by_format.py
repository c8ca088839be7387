"""Which includes a text has, by its format. PURE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from collections_app.exceptions import IngestError
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.detection import Format, detect_format
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import asciidoc, markdown, restructured_text
from collections_app.parsing.includes.lines import Include

MARKDOWN = frozenset({Format.MARKDOWN, Format.MDX})

_HINTS: Mapping[Format, Hint] = {
    **dict.fromkeys(MARKDOWN, markdown.HINT),
    Format.RESTRUCTURED_TEXT: restructured_text.HINT,
    Format.ASCIIDOC: asciidoc.HINT,
}


def find_format(raw: RawDocument) -> Format | None:
    """The page's format; None if nothing is included."""
    if not any(hint.is_in(raw.content) for hint in set(_HINTS.values())):
        return None
    try:
        format = detect_format(raw)
    except IngestError:
        return None
    return format if has_hint(format, raw.content) else None


def has_hint(format: Format, content: bytes) -> bool:
    return format in _HINTS and _HINTS[format].is_in(content)


def iter_includes(format: Format, lines: Sequence[str], attributes: Attributes, path: str) -> Iterator[Include]:
    """The includes in these lines. `attributes` are those of AsciiDoc, and are updated with what the lines set."""
    if format is Format.ASCIIDOC:
        return asciidoc.iter_asciidoc(lines, attributes, path)
    find = markdown.iter_markdown if format in MARKDOWN else restructured_text.iter_restructured_text
    return find(lines)
