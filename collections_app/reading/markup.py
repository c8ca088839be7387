"""Turns Markdown into HTML that is safe to show: rendered by Python-Markdown, sanitised by nh3. Knows neither rows nor sections.

Documents are not trusted. nh3 lets through only elements of text: no script, style, form, frame or SVG, no id, no event handler, no
address except http, https and mailto, no class except ours and Pygments'. The caller decides where links and images lead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

import nh3
import structlog
from markdown import Markdown
from markdown.blockprocessors import BlockProcessor, BlockQuoteProcessor, HashHeaderProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor, SimpleTagInlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX, AtomicString

from collections_app.parsing.html.vocabulary import BLOCK_TAGS, DROPPED_TAGS, HEADING_TAGS, make_set
from collections_app.reading.allowance import Allowance, AllowanceSpent
from collections_app.reading.highlighting import TOKEN_CLASSES, render_code
from collections_app.reading.markdown_blocks import Holders, is_too_long, rewrite_blocks

# Where a link or image leads: takes "a" or "img" and the address as written, returns the address to use, or None to drop it.
Resolve = Callable[[str, str], str | None]

# Styles of boxes, and the mark before a box's title until it is rendered. Text never has these characters: Python-Markdown removes them.
CALLOUTS = {"note", "tip", "important", "warning", "caution"}
BOX_SIGN = re.compile(f"{STX}box:([a-z]*){ETX}")
TAGS = make_set(
    "a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img "
    "ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var"
)
# The content of these elements is not text for readers.
DROPPED_WITH_CONTENT = make_set("iframe math noscript object script select style svg template textarea title")
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height", "loading", "referrerpolicy"},
    "div": {"data-language"},
    "ol": {"start"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "details": {"open"},
    "abbr": {"title"},
}
CLASSES = {
    "span": set(TOKEN_CLASSES),
    "div": {"code", "table"},
    "blockquote": {"callout", *CALLOUTS},
    "p": {"callout-title", "code-title"},
}
# Elements of HTML, to tell them from `<name>` in prose, which stands for something else.
ELEMENTS = TAGS | DROPPED_WITH_CONTENT | DROPPED_TAGS | BLOCK_TAGS | set(HEADING_TAGS)
ELEMENTS |= make_set("acronym bdi bdo big data font marquee nobr optgroup picture rp rt ruby strike time tt wbr xml")
TAG = re.compile(r"<(?=/?([a-zA-Z][^\s<>/]*))")
# Characters that a backslash escapes in CommonMark.
PUNCTUATION = list("\\`*_{}[]()>#+-.!\"$%&',/:;<=?@^|~")
NUMBER = re.compile("[0-9]{1,4}%?$")
NUMBERS = {"width", "height", "colspan", "rowspan", "start"}

# Processor time for a page; the slowest ordinary page takes a tenth of a second. After COLOURS_SECONDS code is plain, after the second
# limit everything is.
COLOURS_SECONDS = 0.5
PAGE_SECONDS = 1.5
# For a page of 100,000 characters: a long address that many links refer to is repeated in each of them.
MAX_HTML_CHARACTERS = 5_000_000
# Browsers, and therefore nh3, reopen these elements in each block if the previous block left them open, once for each set of attributes.
REOPENED = re.compile(r"<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/]", re.IGNORECASE)
REOPENED_ATTRIBUTES = re.compile(REOPENED.pattern + "[^<>]*", re.IGNORECASE)
MAX_REOPENED = 200_000

logger = structlog.get_logger(__name__)


class Renderer:
    """Renders the sections of one page. `references` are the link definitions in all of its document."""

    def __init__(
        self,
        references: dict[str, tuple[str, str]] | None = None,
        make_allowance: Callable[[float], Allowance] = Allowance,
    ) -> None:
        self.references = references or {}
        self.allowance = make_allowance(PAGE_SECONDS)
        self.colours = make_allowance(COLOURS_SECONDS)
        self.room = MAX_HTML_CHARACTERS
        self.markdown = make_markdown(self.allowance, self.colours)

    def render(self, text: str) -> str:
        """HTML that is not yet safe. Text that breaks the renderer, or comes after the page's time is spent, is shown plain."""
        if self.allowance.is_spent():
            return render_plain(text)
        try:
            html = self.convert(text)
        except (AllowanceSpent, RecursionError, AssertionError, IndexError, ValueError) as error:
            logger.warning("unrenderable_markdown", reason=type(error).__name__)
            self.markdown = make_markdown(self.allowance, self.colours)  # the state of the old one is unknown
            return render_plain(text)
        self.room -= len(html)
        return html

    def convert(self, text: str) -> str:
        """Raises AllowanceSpent, ValueError if there would be too much HTML, and what Python-Markdown raises."""
        self.markdown.reset()
        self.markdown.references.update(self.references)
        html = limit_reopened(self.markdown.convert(text))
        if len(html) > self.room:
            raise ValueError("too much HTML")
        return html


def limit_reopened(html: str) -> str:
    """Drops invisible attributes if elements would be reopened too often because of them. Raises ValueError if that is not enough."""
    if count_reopened(html) <= MAX_REOPENED:
        return html
    bare = REOPENED_ATTRIBUTES.sub(r"<\1", html)
    if count_reopened(bare) > MAX_REOPENED:
        raise ValueError("too many open elements")
    return bare


def count_reopened(html: str) -> int:
    """The most elements that a browser could reopen; without attributes, only three of each name are reopened."""
    return len(REOPENED.findall(html)) * html.count("<")


def render_plain(text: str) -> str:
    return f"<pre>{escape(text, quote=False)}</pre>"


def clean_html(html: str, resolve: Resolve) -> str:
    """The safe part of the HTML, well-formed, with links and images leading where `resolve` says."""

    def filter_attribute(tag: str, name: str, value: str) -> str | None:
        if (tag, name) in {("a", "href"), ("img", "src")}:
            return resolve(tag, value)
        return value if name not in NUMBERS or NUMBER.match(value) else None

    return nh3.clean(
        show_unknown_tags(html),
        tags=set(TAGS),
        clean_content_tags=set(DROPPED_WITH_CONTENT),
        attributes=ATTRIBUTES,
        allowed_classes=CLASSES,
        attribute_filter=filter_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
        strip_comments=True,
    )


def show_unknown_tags(html: str) -> str:
    """Shows `<name>` as text, which a browser would hide."""
    return TAG.sub(lambda tag: tag[0] if tag[1].lower() in ELEMENTS else "&lt;", html)


def make_markdown(allowance: Allowance, colours: Allowance) -> Any:
    """A Python-Markdown that raises AllowanceSpent, and shows code plain once the allowance for colours is spent."""
    return Markdown(extensions=["tables", "sane_lists", _OurMarkdown(allowance, colours)], output_format="html")


class _OurMarkdown(Extension):
    def __init__(self, allowance: Allowance, colours: Allowance) -> None:
        super().__init__()
        self.allowance = allowance
        self.colours = colours

    def extendMarkdown(self, md: Any) -> None:  # noqa: N802  Python-Markdown's name
        md.ESCAPED_CHARS = PUNCTUATION
        md.preprocessors.deregister("html_block")
        md.preprocessors.register(_Blocks(md, self.colours), "our_blocks", 25)
        md.parser.blockprocessors.deregister("code")
        md.parser.blockprocessors.register(_Headings(md.parser), "hashheader", 70)
        md.parser.blockprocessors.register(_Quotes(md.parser), "quote", 20)
        md.inlinePatterns.register(SimpleTagInlineProcessor(r"()~~(?=\S)(.+?)(?<=\S)~~", "del"), "strike", 60)
        md.inlinePatterns.register(_BareLinks(r"(?<![\w/\"'=>])https?://[^\s<>\[\]`|]{1,2000}", md), "bare_links", 65)
        md.treeprocessors.register(_LongTexts(md), "long_texts", 25)
        md.treeprocessors.register(_Finish(md), "finish", 5)
        md.parser.blockprocessors.register(_BlockCheck(md.parser, self.allowance), "block_check", 110)
        for pattern in md.inlinePatterns:
            pattern.handleMatch = check_first(self.allowance, pattern.handleMatch)


def check_first(allowance: Allowance, handle: Callable[..., Any]) -> Callable[..., Any]:
    """Checks the allowance before an inline pattern's match is handled: handling may read on to the paragraph's end."""

    def handle_match(match: re.Match[str], data: str) -> Any:
        allowance.check()
        return handle(match, data)

    return handle_match


class _BlockCheck(BlockProcessor):
    """Checks the allowance before each block; takes none itself. Some processors take one line off a block and put back the rest."""

    def __init__(self, parser: Any, allowance: Allowance) -> None:
        super().__init__(parser)
        self.allowance = allowance

    def test(self, parent: Element, block: str) -> bool:
        self.allowance.check()
        return False


class _Blocks(Preprocessor):
    """Code and HTML blocks bypass Python-Markdown: see markdown_blocks/."""

    def __init__(self, md: Any, colours: Allowance) -> None:
        super().__init__(md)
        self.colours = colours

    def run(self, lines: list[str]) -> list[str]:
        holders = Holders(
            code=self.hold_code,
            html=self.hold,
            text=lambda text: self.hold(f"<div>{escape(text)}</div>"),
            box=lambda style: f"{STX}box:{style}{ETX}",
        )
        return rewrite_blocks(lines, holders)

    def hold_code(self, code: str, info: str) -> str:
        return self.hold(render_code(code, info, self.colours))

    def hold(self, html: str) -> str:
        held: str = self.md.htmlStash.store(html)
        return held


class _Headings(HashHeaderProcessor):
    """In CommonMark `#hashtag` is no heading. Blanks and closing signs are read in linear time, however many there are."""

    RE = re.compile(
        r"(?:^|\n)(?P<level>#{1,6})(?P<header>(?: ++(?:\\.|[^\\\n ]| ++(?!#* *(?:\n|$)))*+)?)(?: +#+)? *(?:\n|$)"
    )


class _Quotes(BlockQuoteProcessor):
    """A quote after a blank line is a separate one, as in CommonMark, and a box is separate from the one before it."""

    def lastChild(self, parent: Element) -> None:  # noqa: N802  Python-Markdown's name
        return None


class _BareLinks(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802
        address = m[0].rstrip(".,;:!?'\"*_~")
        if address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1]
        link = Element("a", {"href": address})
        link.text = address
        return link, m.start(0), m.start(0) + len(address)


class _LongTexts(Treeprocessor):
    """A heading, cell or item that is longer than a paragraph may be is left unparsed."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.text and is_too_long(len(element.text), element.text.count("[")):
                element.text = AtomicString(element.text)
            if element.tail and is_too_long(len(element.tail), element.tail.count("[")):
                element.tail = AtomicString(element.tail)


class _Finish(Treeprocessor):
    """Renders boxes (quotes with a mark), puts headings below the page's own, and makes wide content scroll."""

    def run(self, root: Element) -> None:
        for quote in root.iter("blockquote"):
            self.mark_callout(quote)
        for heading in [*root.iter("h1")]:
            heading.tag = "h2"
        for parent in [*root.iter()]:
            for index, child in enumerate(parent):
                if child.tag == "table":
                    box = Element("div", {"class": "table"})
                    box.tail, child.tail = child.tail, None
                    parent[index] = box
                    box.append(child)

    def mark_callout(self, quote: Element) -> None:
        title = quote[0] if len(quote) else None
        if title is None or not (sign := BOX_SIGN.match(title.text or "")):
            return
        quote.set("class", f"callout {sign[1]}".rstrip())
        title.set("class", "callout-title")
        title.text = (title.text or "")[sign.end() :]
        if not title.text and not len(title):
            quote.remove(title)
