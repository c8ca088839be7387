"""An HTML page → NormalisedText: tree, main content, Markdown, and what the page says of itself. It cuts no sections."""

from __future__ import annotations

from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.heading_text import clean_heading
from collections_app.parsing.html.head import read_head
from collections_app.parsing.html.links import LinkResolver, find_base_href
from collections_app.parsing.html.main_content import choose_main_content
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import parse_tree
from collections_app.parsing.html.visibility import MAX_FINDINGS, iter_comments

_NO_TEXT = (
    "The page has no text of its own; scripts may write it in a browser, and none are run here. "
    "Give the site's Markdown or repository instead, or have its llms.txt or sitemap name pages with text."
)


def parse_html(raw: RawDocument) -> NormalisedText:
    """The page's main content; links are absolute if `source_url` is there.

    The title is the first level-1 heading, else the page's `<title>` without the site's name. Raises ParseError for a page that
    nests too deep, and for one without any text.
    """
    root, warnings = parse_tree(raw.content, raw.media_type)
    head = read_head(root, raw.source_url)
    comments = tuple(islice(iter_comments(root), MAX_FINDINGS))
    converted = convert_to_markdown(choose_main_content(root), LinkResolver(raw.source_url, find_base_href(root)))
    lines = converted.writer.lines
    if not lines:
        raise ParseError(_NO_TEXT)
    metadata = {"language": head.language, "canonical_url": head.canonical_url}
    return NormalisedText(
        format="html",
        content="\n".join([*lines, ""]),
        title=clean_heading(converted.writer.title) or head.title,
        description=head.description,
        keywords=head.keywords,
        metadata={key: value for key, value in metadata.items() if value},
        anchors=converted.writer.anchors,
        findings=(*converted.findings, *comments),
        warnings=warnings,
    )
