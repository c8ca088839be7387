"""Markdown of every flavour, read as CommonMark: front matter and text. It renders nothing.

MyST (`:::` fences, directives, targets, `%` comments) is paragraphs, HTML blocks and fences to CommonMark.
"""

from __future__ import annotations

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.template_tags import drop_template_tags


def parse_markdown(raw: RawDocument) -> NormalisedText:
    """The content is the text after the front matter, as it is but for the tags of site generators.

    Raises ParseError (encoding, front matter) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    front_matter, content = split_front_matter(text)
    return NormalisedText(
        format="markdown",
        content=drop_template_tags(content),
        title=front_matter.title,
        description=front_matter.description,
        keywords=front_matter.keywords,
        category=front_matter.category,
        metadata=front_matter.metadata,
        first_line=front_matter.line_count + 1,
        warnings=warnings + front_matter.warnings,
    )
