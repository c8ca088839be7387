"""Markdown of every flavour, read as CommonMark: front matter and text, with what builders of sites add to it as plain
Markdown (dialects/). It renders nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.api_calls import find_api_call
from collections_app.parsing.dialects.block_attributes import drop_block_attributes
from collections_app.parsing.dialects.code_excerpts import drop_excerpt_marks
from collections_app.parsing.dialects.code_texts import write_code_texts
from collections_app.parsing.dialects.comment_facts import read_comment_facts, split_title_block
from collections_app.parsing.dialects.components.writer import drop_lone_components
from collections_app.parsing.dialects.docc import write_docc_signs
from collections_app.parsing.dialects.docfx import write_docfx_signs
from collections_app.parsing.dialects.documenter import split_title_of_filled_page, write_documenter_signs
from collections_app.parsing.dialects.erb import ENDING as ERB
from collections_app.parsing.dialects.erb import write_erb
from collections_app.parsing.dialects.exdoc import write_exdoc_names
from collections_app.parsing.dialects.front_matter_data import add_front_matter_data
from collections_app.parsing.dialects.knitr import drop_hidden_chunks, write_help_links
from collections_app.parsing.dialects.kumascript import write_kumascript
from collections_app.parsing.dialects.learn_pages import write_learn_page
from collections_app.parsing.dialects.mdc import write_mdc
from collections_app.parsing.dialects.mdx_code import unwrap_mdx
from collections_app.parsing.dialects.mkdocs.autorefs import write_autorefs
from collections_app.parsing.dialects.mkdocs.icons import drop_icons
from collections_app.parsing.dialects.mkdocs.mkdocstrings import write_docstring_notes
from collections_app.parsing.dialects.mkdocs.slash_blocks import write_slash_blocks
from collections_app.parsing.dialects.myst import write_myst
from collections_app.parsing.dialects.notion import write_notion_callouts
from collections_app.parsing.dialects.page_head import split_page_head
from collections_app.parsing.dialects.paradox import write_paradox_signs
from collections_app.parsing.dialects.rule_ids import write_rule_ids
from collections_app.parsing.dialects.template_tags.front_matter_cards import write_front_matter_cards
from collections_app.parsing.dialects.template_tags.jekyll_captures import write_captures
from collections_app.parsing.dialects.template_tags.liquid_addresses import write_liquid_addresses
from collections_app.parsing.dialects.template_tags.raw_code import drop_raw_tags, has_raw_code
from collections_app.parsing.dialects.template_tags.writer import drop_template_tags
from collections_app.parsing.dialects.twoslash import drop_hidden_code
from collections_app.parsing.dialects.vuepress import drop_values, write_vuepress_signs
from collections_app.parsing.dialects.writerside import find_summary, write_topic, write_writerside
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.front_matter import is_elsewhere, split_front_matter
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.markdown.reference_links import write_reference_links
from collections_app.parsing.references.targets import find_navigation_title, is_hidden, split_targets
from collections_app.parsing.wikilinks import write_wikilinks
from collections_app.text.pages.hidden import LEFT_OUT_OF_SEARCH

_REFRESH = re.compile(
    r"<meta[ \t]+http-equiv=[\"']?refresh[\"']?[ \t]+content=(?P<quote>[\"'])[ \t]*\d;[ \t]*url=[\"']?"
    r"(?P<target>[^\"'<>\s]{1,1000})[\"']?(?P=quote)[ \t]*/?>",
    re.IGNORECASE,
)
_MAX_REFRESH_CHARACTERS = 2_000


def parse_markdown(raw: RawDocument) -> NormalisedText:
    """Like read_markdown(), without component tags. Raises the same errors."""
    text = read_markdown(raw)
    return replace(text, content=drop_lone_components(text.content))


def read_markdown(raw: RawDocument) -> NormalisedText:
    """A text that may also be MDX. The content is the text after the front matter, without the tags and signs of site generators and the
    attributes of blocks, and with wikilinks as links. Their targets are supplied by sources, which have the files.

    Raises ParseError (encoding, front matter) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    text, targets = split_targets(text)
    front_matter, content = split_front_matter(write_topic(write_learn_page(text)))
    content = write_code_texts(unwrap_mdx(content))
    if raw.path.endswith(ERB):
        content = write_erb(content, front_matter.title)
    content = drop_excerpt_marks(drop_hidden_code(drop_hidden_chunks(content, raw.path)))
    told = read_comment_facts(content)
    content, described = split_page_head(content)
    content, in_block = split_title_block(content)
    content, named = split_title_of_filled_page(content)
    content = write_front_matter_cards(content, front_matter.metadata, front_matter.title)
    content = add_front_matter_data(content, front_matter.metadata, raw.path)
    has_raw = has_raw_code(content, front_matter.metadata)
    content = write_captures(content)
    content = drop_raw_tags(content) if has_raw else content
    redirect = front_matter.redirect
    refresh = _REFRESH.fullmatch(content.strip()) if len(content) <= _MAX_REFRESH_CHARACTERS else None
    if refresh and not is_elsewhere(refresh["target"]):
        redirect, content = refresh["target"], ""
    return _say_call(
        NormalisedText(
            format="markdown",
            content=write_wikilinks(
                _write_signs(write_myst(write_help_links(write_reference_links(content), raw.path), targets))
            ),
            title=drop_values(front_matter.title) or clean_heading(told.get("title", "") or in_block or named),
            description=front_matter.description or told.get("description", "") or described or find_summary(content),
            keywords=front_matter.keywords,
            category=front_matter.category,
            metadata={**front_matter.metadata, **({LEFT_OUT_OF_SEARCH: True} if is_hidden(targets) else {})},
            first_line=front_matter.line_count + 1,
            redirect=redirect,
            navigation_title=find_navigation_title(targets),
            warnings=warnings + front_matter.warnings,
        )
    )


def _say_call(text: NormalisedText) -> NormalisedText:
    """The text with the API call that only its front matter has, in place of lines of the front matter, which has at least three. A page
    without any text or description is left to the API description, which says more.
    """
    call = find_api_call(text.metadata)
    content = text.content if text.content.strip() else text.description
    if not call or not content or not text.title or text.redirect:
        return text
    return replace(text, content=f"{call}\n\n{content}", first_line=text.first_line - 2)


def _write_signs(content: str) -> str:
    """Replace everything that only site generators know with CommonMark."""
    for write in (
        write_writerside,
        write_paradox_signs,
        drop_template_tags,
        write_liquid_addresses,
        write_mdc,
        write_docfx_signs,
        write_docc_signs,
        write_documenter_signs,
        write_exdoc_names,
        write_rule_ids,
        write_kumascript,
        write_notion_callouts,
        write_vuepress_signs,
        write_docstring_notes,
        write_autorefs,
        write_slash_blocks,
        drop_icons,
        drop_block_attributes,
    ):
        content = write(content)
    return content
