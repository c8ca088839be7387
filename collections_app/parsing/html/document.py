"""An HTML page → NormalisedText: tree, main content, Markdown, and what the page says about itself. It cuts no sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.head import Head, read_head, split_title
from collections_app.parsing.html.links import LinkResolver, find_base_href, is_own_path
from collections_app.parsing.html.main_content import choose_main_content
from collections_app.parsing.html.mending.abbreviations import write_abbreviations
from collections_app.parsing.html.mending.confluence import CONTENT_CLASS, mend_confluence
from collections_app.parsing.html.mending.faked_lists import mend_lists
from collections_app.parsing.html.mending.google_docs import mend_google_docs
from collections_app.parsing.html.mending.highlighters import mend_highlighters
from collections_app.parsing.html.mending.language_texts import write_language_texts
from collections_app.parsing.html.mending.levels import mend_levels
from collections_app.parsing.html.mending.notion import mend_notion
from collections_app.parsing.html.mending.swagger_ui import mend_swagger_ui
from collections_app.parsing.html.mending.templates import open_templates
from collections_app.parsing.html.mending.titles import mend_styled_headings, mend_title
from collections_app.parsing.html.overloads import name_overloads
from collections_app.parsing.html.page_facts import find_main_frame, find_refresh_target
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import Element, parse_tree
from collections_app.parsing.html.visibility import find_comments
from collections_app.parsing.html.writer import MarkdownWriter
from collections_app.text.markdown.code_blocks import blank_code

_MAX_REDIRECT_CHARACTERS = 500
"""The size of a page that redirects at once: “Click here if you are not redirected”. A longer one may be worth reading."""

_HEADING = re.compile(r"#{1,6} ")
_WORD = re.compile(r"\w+")
_SERVER_INCLUDE = re.compile(rb"<!--#include\s", re.IGNORECASE)
_ONLY_INCLUDES = (
    "The page has no text of its own; its server puts other files in it (`<!--#include …-->`). "
    "Those of them that are pages are read by themselves; read the site to have them in one."
)
_NO_TEXT = (
    "The page has no text of its own; scripts may write it in a browser, and none are run here. "
    "Give the site's Markdown or repository instead, or have its llms.txt or sitemap name pages with text."
)
# With names of which each page has one that they change.
_MENDERS: Sequence[tuple[Sequence[bytes], Callable[[Element], None]]] = (
    ((b"crayon-pre", b"syntaxhighlighter", b"js-file-line-container", b"codeSnippetContainer"), mend_highlighters),
    ((b"opblock",), mend_swagger_ui),
    ((CONTENT_CLASS.encode(),), mend_confluence),
    ((b"cmnt_ref",), mend_google_docs),
    ((b"page-body",), mend_notion),
)


def parse_html(raw: RawDocument) -> NormalisedText:
    """Like read_html(), but also raises ParseError for a page without any text."""
    page = read_html(raw)
    if not (page.content or page.redirect):
        raise ParseError(_ONLY_INCLUDES if _SERVER_INCLUDE.search(raw.content) else _NO_TEXT)
    return page


def read_html(raw: RawDocument) -> NormalisedText:
    """The page's main content, which may be empty. Links are absolute if `source_url` is set. If there is no other text, templates in the
    page are read.

    Raises ParseError for a page that is nested too deeply.
    """
    page = _read(raw)
    if page.content or page.redirect or (opened := open_templates(raw.content)) == raw.content:
        return page
    return _read(replace(raw, content=opened))


def _read(raw: RawDocument) -> NormalisedText:
    root, warnings = parse_tree(raw.content, raw.media_type)
    write_language_texts(root)
    _mend(root, raw.content)
    head = read_head(root, raw.source_url)
    links = LinkResolver(raw.source_url, find_base_href(root), raw.path)
    comments = find_comments(root)
    refresh = [find_refresh_target(root, for_all=for_all) for for_all in (True, False)]
    contents = choose_main_content(root)
    write_abbreviations(contents)
    converted = convert_to_markdown(contents, links, comments, links_within=True)
    lines = converted.writer.lines
    name_overloads(lines, converted.writer.anchors)
    is_short = sum(map(len, lines)) <= _MAX_REDIRECT_CHARACTERS
    leads_to = refresh[0] if lines else refresh[1] or find_main_frame(root)
    redirect = links.find_target(leads_to) if is_short and not _is_own(leads_to, raw, with_sites=not lines) else ""
    findings = converted.list_findings()
    metadata = {"language": head.language, "canonical_url": head.canonical_url}
    return NormalisedText(
        format="html",
        content="" if redirect else "\n".join([*lines, ""]),
        title=_choose_title(converted.writer, head),
        description=head.description,
        keywords=head.keywords,
        metadata={key: value for key, value in metadata.items() if value},
        anchors={} if redirect else converted.writer.anchors,
        redirect=redirect,
        findings=tuple(replace(each, line=-1) for each in findings) if redirect else findings,
        warnings=warnings,
    )


def _mend(root: Element, content: bytes) -> None:
    """Make explicit in the tree what some generators and exporters express by names and styles only. `content` is the page that the tree
    was read from, where their names are looked for first: looking through the tree for each of them takes as long as reading the page.
    """
    for mend in (mend_title, mend_levels, mend_styled_headings, mend_lists):
        mend(root)
    names = content.replace(b"\0", b"")  # in UTF-16, too
    for signs, mend_named in _MENDERS:
        if any(sign in names for sign in signs):
            mend_named(root)


def _is_own(target: str, raw: RawDocument, *, with_sites: bool) -> bool:
    """Whether a page that redirects to `target`, as it is written, stands for itself: the target is the page itself or, unless
    `with_sites`, on another site, which is not searched.
    """
    try:
        address = urlsplit(target)
    except ValueError:
        return True
    if address.netloc or address.scheme:
        return not with_sites and address.netloc != urlsplit(raw.source_url).netloc
    return not address.path or is_own_path(address.path, raw.path)


def _choose_title(writer: MarkdownWriter, head: Head) -> str:
    """The first level-1 heading, or the page's `<title>` without the site's name if there is none. The `<title>` is also preferred if the
    page has several level-1 headings, and the first shares no word with it ("1. Overview"): then they are its sections.
    """
    first = clean_heading(writer.title)
    is_section = len(writer.titles) > 1 and _list_words(first).isdisjoint(_list_words(head.full_title))
    if first and not (head.title and is_section):
        return first
    return _find_said(head, writer.lines) or head.title


def _find_said(head: Head, lines: Sequence[str]) -> str:
    """The part of the `<title>` that the first heading says, of whatever level: some sites put their own name before it. Empty where
    another heading says what comes first in the `<title>`.
    """
    text = blank_code("\n".join(lines))
    headings = [_list_words(clean_heading(line.lstrip("# "))) for line in text.split("\n") if _HEADING.match(line)]
    if not headings or _list_words(head.title) in headings[1:]:
        return ""
    return next((part for part in split_title(head.full_title) if _list_words(part) == headings[0]), "")


def _list_words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
