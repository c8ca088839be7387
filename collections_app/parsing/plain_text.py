"""Plain text: one section, whatever it looks like. No heading and no front matter is looked for."""

from __future__ import annotations

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import ParsedDocument, RawDocument
from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.sections import split_into_sections


def parse_plain_text(raw: RawDocument) -> ParsedDocument:
    """One section of level 0 with the file's name as heading; none if the file is blank."""
    content, warnings = decode_text(raw.content)
    title = get_title_from_path(raw.path)
    if not content.strip():
        return ParsedDocument(title=title, format="text", content="", sections=(), warnings=warnings)
    sections = split_into_sections(content.split("\n"), (), title)
    return ParsedDocument(title=title, format="text", content=content, sections=sections, warnings=warnings)
