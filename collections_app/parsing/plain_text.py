"""Plain text, taken as it is, whatever it looks like. It has no headings and no front matter."""

from __future__ import annotations

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument


def parse_plain_text(raw: RawDocument) -> NormalisedText:
    """A text without headings; its title is the file's name. Raises ParseError (encoding) and UnsupportedFormat (binary)."""
    content, warnings = decode_text(raw.content)
    return NormalisedText(format="text", content=content, has_headings=False, warnings=warnings)
