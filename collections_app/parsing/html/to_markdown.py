"""The main content of a page → Markdown: one table with the handler of each tag and class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from collections_app.parsing.documents import Finding
from collections_app.parsing.html.classes import ClassFacts
from collections_app.parsing.html.converter import Converter, Handler, leave_out
from collections_app.parsing.html.handlers.buttons import enter_button
from collections_app.parsing.html.handlers.declarations import (
    SOURCES_OF_MKDOCSTRINGS,
    enter_binding,
    enter_dart_signature,
    enter_declaration,
    enter_docstring,
    enter_json,
    enter_signature,
    enter_source,
    enter_source_of_members,
    enter_specification,
)
from collections_app.parsing.html.handlers.flow import (
    enter_admonition,
    enter_block,
    enter_code_block,
    enter_code_lines,
    enter_form,
    enter_header,
    enter_heading,
    enter_markdown,
    enter_quote,
    enter_rubric,
    enter_summary,
)
from collections_app.parsing.html.handlers.inline import (
    enter_break,
    enter_code,
    enter_emphasis,
    enter_footnote_label,
    enter_formula,
    enter_image,
    enter_input,
    enter_kept_image,
    enter_kept_link,
    enter_link,
    enter_lowered,
    enter_quotation,
    enter_raised,
    enter_reading,
    enter_ruby,
    enter_script,
    enter_strong,
    enter_struck,
    enter_tex,
    enter_told_image,
)
from collections_app.parsing.html.handlers.lists import (
    enter_classifier,
    enter_description,
    enter_item,
    enter_list,
    enter_term,
)
from collections_app.parsing.html.handlers.member_tables import enter_member_table, enter_summary_table
from collections_app.parsing.html.handlers.tables import enter_described_table, enter_layout_cell, enter_table
from collections_app.parsing.html.handlers.tabs import (
    enter_code_group,
    enter_label,
    enter_tab_list,
    enter_tab_panel,
    is_tab_list,
    is_tab_panel,
)
from collections_app.parsing.html.links import LinkResolver, OwnLinks
from collections_app.parsing.html.places import Places
from collections_app.parsing.html.tree import Attributes, Element, find_holders
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, DROPPED_TAGS, HEADING_TAGS, MARKDOWN_TAG

_TEX_TAGS = frozenset({"div", "img", "p", "span"})
_BOX_TAGS = frozenset({"article", "aside", "blockquote", "details", "div", "p", "section"})
_NO_COMMENTS: Mapping[Element, Finding] = MappingProxyType({})
_HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        **dict.fromkeys(DROPPED_TAGS, lambda *_: leave_out),
        **dict.fromkeys(BLOCK_TAGS, enter_block),
        **dict.fromkeys(HEADING_TAGS, enter_heading),
        **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), enter_list),
        **dict.fromkeys(("pre", "listing", "xmp"), enter_code_block),
        **dict.fromkeys(("code", "kbd", "samp", "tt"), enter_code),
        **dict.fromkeys(("em", "i", "cite", "dfn"), enter_emphasis),
        **dict.fromkeys(("strong", "b"), enter_strong),
        **dict.fromkeys(("del", "s", "strike"), enter_struck),
        **dict.fromkeys(("rp", "rt"), enter_reading),
        **dict.fromkeys(("td", "th"), enter_layout_cell),
        "a": enter_link,
        "blockquote": enter_quote,
        "br": enter_break,
        "button": enter_button,
        "dd": enter_description,
        "dt": enter_term,
        "form": enter_form,
        "header": enter_header,
        "img": enter_image,
        "input": enter_input,
        "label": enter_label,
        "li": enter_item,
        "math": enter_formula,
        "q": enter_quotation,
        "ruby": enter_ruby,
        "script": enter_script,
        "sub": enter_lowered,
        "summary": enter_summary,
        "sup": enter_raised,
        "table": enter_table,
    }
)
_HANDLERS_OF_FRAGMENTS: Mapping[str, Handler] = MappingProxyType(
    {**_HANDLERS, "a": enter_kept_link, "img": enter_told_image}
)
_HANDLERS_OF_MARKDOWN: Mapping[str, Handler] = MappingProxyType(
    {**_HANDLERS_OF_FRAGMENTS, "img": enter_kept_image, MARKDOWN_TAG: enter_markdown}
)


def convert_to_markdown(
    contents: Iterable[Element],
    links: LinkResolver,
    comments: Mapping[Element, Finding] = _NO_COMMENTS,
    *,
    links_within: bool = False,
) -> Converter:
    """The finished conversion: the text, the anchors of its headings, and findings about what was left out. `comments` are findings that
    get their lines here. `links_within` makes links within the page lead to sections; else they become words.
    """
    contents = list(contents)
    converter = _make_converter(contents, links, _HANDLERS)
    converter.comments = dict(comments)
    converter.places = Places() if links_within else None
    _convert(contents, converter)
    if converter.places:
        converter.places.write_links(converter.writer.lines, converter.writer.headings, converter.writer.anchors)
    return converter


def convert_own_fragment(body: Element) -> Sequence[str]:
    """The lines for HTML within Markdown, which may contain Markdown itself: its headings make no sections, and all pictures stay."""
    return convert_fragment(body, _HANDLERS_OF_MARKDOWN).writer.lines


def convert_own_heading(body: Element) -> tuple[str, str]:
    """The line for a single heading within Markdown, and its anchor; empty texts if it is anything else."""
    writer = _convert([body], _make_converter([body], OwnLinks(), _HANDLERS_OF_MARKDOWN)).writer
    return (writer.lines[0], writer.anchors.get(0, "")) if len(writer.lines) == 1 and writer.headings else ("", "")


def convert_fragment(
    body: Element, handlers: Mapping[str, Handler] = _HANDLERS_OF_FRAGMENTS, *, is_cell: bool = False
) -> Converter:
    """The finished conversion of a fragment in a document that is not HTML: its headings make no sections. In a cell, code makes
    no block.
    """
    converter = _make_converter([body], OwnLinks(), handlers)
    converter.is_cell = is_cell
    converter.writer.open_cell()
    return _convert([body], converter)


def _make_converter(contents: Sequence[Element], links: LinkResolver, handlers: Mapping[str, Handler]) -> Converter:
    headed = set[Element]().union(*(find_holders(content, *HEADING_TAGS) for content in contents))
    return Converter(handlers, _find_special_handler, links, headed)


def _convert(contents: Iterable[Element], converter: Converter) -> Converter:
    for content in contents:
        converter.convert(content)
    return converter


def _find_special_handler(tag: str, attributes: Attributes, facts: ClassFacts) -> Handler | None:
    if is_tab_list(attributes, facts):
        return enter_tab_list
    if tag in _BOX_TAGS and is_tab_panel(attributes, facts):
        return enter_tab_panel
    if tag == "details" and attributes.get("class") in SOURCES_OF_MKDOCSTRINGS:
        return enter_source_of_members
    if tag in _BOX_TAGS and facts.admonition:
        return enter_admonition
    if table_handler := _find_table_handler(tag, attributes, facts):
        return table_handler
    if facts.is_code_group:
        return enter_code_group
    if facts.is_code_lines and tag == "div":
        return enter_code_lines
    if declaration_handler := _find_declaration_handler(tag, facts):
        return declaration_handler
    return _find_inline_handler(tag, facts)


def _find_table_handler(tag: str, attributes: Attributes, facts: ClassFacts) -> Handler | None:
    """The handler of what is a table by its role or class only, and of a table element that is none."""
    if attributes.get("role") == "table" and tag != "table":
        return enter_described_table
    if facts.is_summary_table and tag == "div":
        return enter_summary_table
    return enter_member_table if facts.is_member_table and tag == "table" else None


def _find_inline_handler(tag: str, facts: ClassFacts) -> Handler | None:
    if facts.is_rubric and tag == "p":
        return enter_rubric
    if facts.is_footnote_label and tag == "span":
        return enter_footnote_label
    if facts.is_classifier:
        return enter_classifier
    return enter_formula if facts.is_formula else enter_tex if facts.is_tex and tag in _TEX_TAGS else None


def _find_declaration_handler(tag: str, facts: ClassFacts) -> Handler | None:
    if facts.signature_language:
        return enter_dart_signature if facts.signature_language == "dart" else enter_signature
    if facts.is_binding:
        return enter_binding
    if tag not in ("div", "p"):
        return None
    if facts.is_docstring:
        return enter_docstring
    if facts.is_json and tag == "div":
        return enter_json
    if facts.is_source:
        return enter_source
    return enter_specification if facts.is_specification else enter_declaration if facts.declaration else None
