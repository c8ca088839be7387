"""HTML documents: pages, and files with front matter and a generator's tags, from which a site generator (Jekyll, Hugo) makes pages."""

from __future__ import annotations

from dataclasses import replace

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.template_tags.writer import drop_template_tags
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.front_matter import FrontMatter, has_front_matter, split_front_matter
from collections_app.parsing.html import parse_html, read_html


def parse_html_document(raw: RawDocument) -> NormalisedText:
    """Raises what parse_html() and front matter raise. A file with front matter may have no text: then a layout provides it."""
    if not has_front_matter(raw.content):
        return parse_html(raw)
    front_matter, body = split_front_matter(decode_text(raw.content)[0])
    return _parse_source(raw, front_matter, body) if front_matter.line_count else parse_html(raw)


def _parse_source(raw: RawDocument, front_matter: FrontMatter, body: str) -> NormalisedText:
    text = read_html(replace(raw, content=body.encode(), media_type="text/html; charset=utf-8"))
    return replace(
        text,
        content=drop_template_tags(text.content),
        title=front_matter.title or text.title,
        description=front_matter.description or text.description,
        keywords=front_matter.keywords or text.keywords,
        category=front_matter.category,
        metadata={**text.metadata, **front_matter.metadata},
        redirect=text.redirect or front_matter.redirect,
        warnings=text.warnings + front_matter.warnings,
    )
