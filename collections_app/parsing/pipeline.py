"""RawDocument → ParsedDocument, in this process: the format's parser, remaining HTML, the policy, the sections. Loaded with the first
document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module

from collections_app.parsing import variables
from collections_app.parsing.documents import (
    MAX_TITLE_CHARACTERS,
    ContentPolicy,
    NormalisedText,
    ParsedDocument,
    RawDocument,
)
from collections_app.parsing.file_names import get_title_from_path, has_date_for_name, has_name
from collections_app.parsing.formats import Format
from collections_app.parsing.front_matter import find_menu_title, find_redirect
from collections_app.parsing.given import put_first, read_given
from collections_app.parsing.headings import Heading
from collections_app.parsing.headings.ids import list_heading_ids
from collections_app.parsing.headings.page_titles import find_lone_heading, find_main_heading, find_page_title
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.escaping import escape_line_start
from collections_app.parsing.includes import find_unresolved
from collections_app.parsing.normalising import normalise
from collections_app.parsing.safety import (
    MAX_FINDINGS,
    NOTE,
    apply_policy,
    clean_fact,
    find_in_path,
    is_suspicious,
)
from collections_app.parsing.sections import find_section_headings, split_into_sections
from collections_app.text.markdown.heading_lines import is_heading_line
from collections_app.text.pages.hidden import is_hidden_page
from collections_app.text.pages.moved import is_moved_page, make_link_text, make_redirect_text

Parser = Callable[[RawDocument], NormalisedText]

PARSERS: Mapping[Format, str] = {
    Format.MARKDOWN: "markdown.parser.parse_markdown",
    Format.MDX: "mdx.parse_mdx",
    Format.TEXT: "plain_text.parse_plain_text",
    Format.HTML: "html.sources.parse_html_document",
    Format.RESTRUCTURED_TEXT: "rst.parse_restructured_text",
    Format.ASCIIDOC: "asciidoc.document.parse_asciidoc",
    Format.RD: "rd.to_html.parse_rd",
    Format.PDF: "pdf.parse_pdf",
    Format.DOCX: "office.docx.parse_docx",
    Format.ODT: "office.odt.parse_odt",
    Format.PPTX: "office.pptx.parse_pptx",
    Format.XLSX: "office.spreadsheets.xlsx.parse_xlsx",
    Format.ODS: "office.spreadsheets.ods.parse_ods",
    Format.CSV: "office.spreadsheets.delimited.parse_csv",
    Format.EPUB: "epub.parse_epub",
    Format.NOTEBOOK: "notebook.parse_notebook",
    Format.OPENAPI: "openapi.parse_openapi",
}
"""By name, since some take a tenth of a second to load: a parser is loaded with its first document."""


_WEB = ("https://", "http://")

NO_TEXT = "it has no text: it is listed, and nothing of it is found"
MOVED = "it only says where its text is: it can be read, and searches leave it out"
HIDDEN = (
    "its site leaves it out of its search (`noIndex: true`, `hidden: true`): it can be read, and is not found here, too"
)


_MARKDOWNS = (Format.MARKDOWN, Format.MDX)


def get_parser(format: Format) -> Parser:
    module, _, name = PARSERS[format].rpartition(".")
    parser: Parser = getattr(import_module(f"collections_app.parsing.{module}"), name)
    return parser


def parse_as(format: Format, raw: RawDocument, policy: ContentPolicy) -> ParsedDocument:
    """A document of this format; its content is empty if that is blank. Raises as parse() does."""
    given = read_given(raw.metadata)
    parsed = get_parser(format)(raw)
    read = _take_redirect(normalise(parsed))
    text, is_own_suspicious = apply_policy(read, policy)
    if not text.content.strip():
        description = _take_description_as_text(read, given.description or read.description)
        described, is_suspicious_too = apply_policy(description, policy)
        text = replace(described, findings=tuple(dict.fromkeys([*text.findings, *described.findings])))
        is_own_suspicious |= is_suspicious_too
    given, is_given_suspicious = apply_policy(given, policy) if raw.metadata else (given, False)
    in_path = find_in_path(raw.path)
    text = replace(
        text,
        findings=(*in_path, *given.findings, *text.findings)[:MAX_FINDINGS],
        warnings=(
            *text.warnings,
            *given.warnings,
            *find_unresolved(format, raw.content),
            *_find_variables(format, raw, text.content),
        ),
    )
    document = _make_document(
        text,
        partial(_find_other_title, parsed, raw.path, policy),
        beside=len(raw.path) + min(len(given.title or text.title), MAX_TITLE_CHARACTERS),
    )
    is_held = is_own_suspicious or is_given_suspicious or is_suspicious(in_path)
    return replace(put_first(given, document), is_quarantined=is_held and policy is ContentPolicy.QUARANTINE)


def _find_variables(format: Format, raw: RawDocument, text: str) -> tuple[str, ...]:
    return variables.find_unresolved(raw.content, text) if format in _MARKDOWNS else ()


def _make_document(text: NormalisedText, find_title: Callable[[str, str], str], beside: int) -> ParsedDocument:
    """`find_title` is called if there is no title and no level-1 heading that is one, with the heading that all others are below, and the
    first of level 1. `beside` is the number of characters indexed with each section besides its own, those of path and title.
    """
    content = text.content if text.content.strip() else ""
    lines = content.split("\n")
    headings, deepest, excess = find_section_headings(lines, beside, text.headings)
    first = _find_first_title(headings)
    main = find_main_heading(lines, headings) if text.format in _MARKDOWNS else first
    title = text.title or main or find_title(find_lone_heading(lines, headings), first)
    given = text.anchors
    anchors = {**given, **list_heading_ids(content, (each for each in headings if not given.get(each.line)))}
    sections = split_into_sections(
        lines, headings, title, first_line=text.first_line, anchors=anchors, page_lines=text.page_lines
    )
    folded = f"{excess}: {f'those below level {deepest}' if deepest else 'they'} make no sections"
    told = [folded] if excess else []
    told += [MOVED] if is_moved_page(content) else []
    told += [HIDDEN] if is_hidden_page(text.metadata) else []
    return ParsedDocument(
        title=title,
        format=text.format,
        content=content,
        sections=sections if content else (),
        description=text.description,
        keywords=text.keywords,
        category=text.category,
        metadata=text.metadata,
        page_count=len(text.page_lines) or None,
        findings=text.findings,
        warnings=(*text.warnings, *told),
    )


def _find_other_title(
    parsed: NormalisedText, path: str, policy: ContentPolicy, lone_heading: str, first_heading: str
) -> str:
    """The title at the top of a Markdown page, as far as the policy leaves it; else the site's name for the page, the heading that all
    others are below (level 2 in mdBook), or the name of the file or its folder. The first heading is better than `README` without a folder.
    """
    is_markdown = parsed.format in _MARKDOWNS
    is_called_by_lone = is_markdown or parsed.format == Format.HTML
    lone_heading = lone_heading if is_called_by_lone and not has_date_for_name(path) else ""
    at_top = find_page_title(apply_policy(parsed, policy)[0].content) if is_markdown else ""
    named = (get_title_from_path(path), first_heading)
    by_name = named if has_name(path, first_heading) else reversed(named)
    in_menu = find_menu_title(parsed.metadata) if is_markdown else ""
    titles = (at_top, parsed.navigation_title, in_menu, lone_heading, *by_name)
    return next(filter(None, (clean_fact(title, policy) for title in titles)), NOTE)


def _take_redirect(text: NormalisedText) -> NormalisedText:
    """A page without text of its own gets the target of its redirect as text."""
    if not text.redirect or any(line.strip() and not is_heading_line(line) for line in text.content.split("\n")):
        return text
    return replace(text, content=make_redirect_text(text.redirect), first_line=1, anchors={})


def _take_description_as_text(text: NormalisedText, description: str) -> NormalisedText:
    """A page without any text, for example because a site generator takes it from elsewhere, gets its description as text, and where its
    front matter leads: to another site, or _take_redirect() would have taken it.
    """
    target = find_redirect(text.metadata)
    leads_to = make_link_text(target) if target.lower().startswith(_WEB) else ""
    content = "\n\n".join(filter(None, (escape_line_start(" ".join(description.split())), leads_to)))
    warnings = text.warnings if content else (NO_TEXT, *text.warnings)
    return normalise(replace(text, content=content, first_line=1, anchors={}, warnings=warnings))


def _find_first_title(headings: Iterable[Heading]) -> str:
    """The first level-1 heading with any words, or an empty text."""
    titles = (clean_heading(heading.text) for heading in headings if heading.level == 1)
    return next(filter(None, titles), "")
