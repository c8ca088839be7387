"""Makes the text of any format plain Markdown, step by step: without data that nobody reads, HTML as Markdown, footnotes where they are
referred to, headings without their ids. Each step is a module, and does nothing where its signs are not.
"""

from __future__ import annotations

from dataclasses import replace

from collections_app.parsing.documents import NormalisedText
from collections_app.parsing.headings.ids import take_heading_ids
from collections_app.parsing.normalising.abbreviations import write_abbreviations
from collections_app.parsing.normalising.character_references import write_characters
from collections_app.parsing.normalising.data_uris import drop_data_uris
from collections_app.parsing.normalising.embedded_drawings import drop_drawings
from collections_app.parsing.normalising.embedded_frames import write_frames_as_links
from collections_app.parsing.normalising.escaped_underscores import write_escaped_underscores
from collections_app.parsing.normalising.footnotes import move_footnotes
from collections_app.parsing.normalising.heading_decorations import drop_heading_decorations
from collections_app.parsing.normalising.html_headings import write_html_headings
from collections_app.parsing.normalising.html_in_markdown import write_html_as_markdown
from collections_app.parsing.normalising.html_within_lines import write_tags_as_markdown
from collections_app.parsing.normalising.split_pictures import join_pictures
from collections_app.parsing.normalising.table_padding import drop_table_padding
from collections_app.parsing.safety import WITH_RAW_HTML

_WRITTEN_BY_HAND = frozenset({"markdown", "mdx"})


def normalise(text: NormalisedText) -> NormalisedText:
    """The text with Markdown in place of remaining HTML, and without embedded data of pictures.

    Lines move only here, and only in formats whose parsers return no lines of anchors and pages, because their headings contain their ids.
    """
    content = drop_data_uris(text.content, has_markup=text.format != "text")
    if text.format not in WITH_RAW_HTML:
        return replace(text, content=content)
    is_jsx, is_by_hand = text.format == "mdx", text.format in _WRITTEN_BY_HAND
    if is_by_hand:
        content = write_html_headings(write_escaped_underscores(content))
    html = write_frames_as_links(drop_drawings(join_pictures(write_abbreviations(content), is_jsx=is_jsx)))
    written = write_tags_as_markdown(write_html_as_markdown(html, is_jsx=is_jsx), is_jsx=is_jsx)
    noted = move_footnotes(written) if is_by_hand else written
    content, ids = take_heading_ids(drop_table_padding(write_characters(noted)))
    return replace(text, content=drop_heading_decorations(content), anchors=ids)
