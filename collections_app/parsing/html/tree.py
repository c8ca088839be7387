"""Bytes of an HTML page → an lxml tree, or the reason why not; and what lxml's own types leave open. It converts nothing.

libxml2 parses in linear time and without recursion. Past 2,048 open elements it stops reading; a page cut there would
look whole, so it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from lxml import etree

from collections_app.exceptions import ParseError
from collections_app.parsing.html.bombs import refuse_bombs
from collections_app.parsing.html.decoding import make_utf8
from collections_app.parsing.html.prefixes import drop_prefixes
from collections_app.parsing.html.vocabulary import HEADING_TAGS

Element: TypeAlias = etree._Element
Attributes: TypeAlias = Mapping[str, str]

_MAX_NAME_CHARACTERS = 1000
_READ_FROM_BELOW = ("class", "data-lang", "data-language", "language")
_LONG_NAMED = etree.XPath(f"descendant-or-self::*/@*[string-length() > {_MAX_NAME_CHARACTERS}]/..")
_BREAK_END = re.compile(rb"</br(?=[\s/>])", re.IGNORECASE)  # a break to browsers, nothing to libxml2
_MAY_BREAK = re.compile(  # where a line may end, as Asciidoctor says behind dots and dashes, and Javadoc from 9 to 15 between parameters
    "(,|…|—|&#8230;|&#8212;|&hellip;|&mdash;)(?:\u200b|&#8203;)|(?:\u200b|&#8203;)(?=[(])".encode()
)
_NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # XML 1.0, production 2


def parse_tree(content: bytes, media_type: str) -> tuple[Element, tuple[str, ...]]:
    """The page's root element (an empty one for a page without any) and warnings about its encoding.

    Raises ParseError for elements nested deeper than libxml2 reads, and for pages that bombs.py refuses.
    """
    utf8, warnings = make_utf8(content, media_type)
    utf8 = _MAY_BREAK.sub(rb"\1", _BREAK_END.sub(b"<br", drop_prefixes(utf8)))
    refuse_bombs(utf8)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True)
    root: Element | None
    try:
        root = etree.fromstring(utf8, parser)
    except etree.ParserError:
        root = None
    except etree.XMLSyntaxError as error:
        raise ParseError(
            f"The page cannot be read as HTML (line {error.lineno}); check that it is an HTML file."
        ) from None
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise ParseError("The page nests its elements deeper than 2,048 levels; close the elements that stay open.")
    if root is None:
        return etree.Element("html"), warnings
    _shorten_names(root)
    _mend_headings(root)
    _wrap_terms(root)
    _mend_terms(root)
    return root, warnings


def parse_fragment(html: str) -> Element:
    """The body that holds a piece of HTML. Raises ParseError as parse_tree() does."""
    root, _ = parse_tree(f"<html><body>{html}</body></html>".encode(), "text/html; charset=utf-8")
    body = root.find("body")
    return etree.Element("body") if body is None else body


def _shorten_names(root: Element) -> None:
    """What an element is called is asked again for all that stands in it: a long name would be read as often."""
    for element in find_elements(_LONG_NAMED, root):
        for name in _READ_FROM_BELOW:
            if len(value := element.get(name, "")) > _MAX_NAME_CHARACTERS:
                element.set(name, _NOT_XML.sub("", value[:_MAX_NAME_CHARACTERS]))


def _mend_headings(root: Element) -> None:
    """Write the signs between the parts of a name that only a style sheet draws, and put below the heading of one of Erlang's
    functions what stands in its article above that ("Types"): both are sections.
    """
    # Of those that are open the level of the first heading, 0 before it; None of articles that are no function.
    articles: list[int | None] = []
    headings = 0
    for event, each in etree.iterwalk(root, events=("start", "end"), tag=("article", "span", *HEADING_TAGS)):
        if each.tag == "article":
            is_function = "func" in each.get("class", "").split()
            articles.append(0 if is_function else None) if event == "start" else articles.pop()
        elif each.tag == "span":
            if event == "start" and headings:
                _write_sign(each)
        elif event == "start":
            headings += 1
        else:
            headings -= 1
            if articles and articles[-1] is not None:
                level = int(each.tag[1])
                articles[-1] = articles[-1] or level
                if level < articles[-1]:
                    each.tag = HEADING_TAGS[min(articles[-1], len(HEADING_TAGS) - 1)]


def _write_sign(part: Element) -> None:
    """A dot that is a part of its own (gi-docgen), a blank behind what sort of thing is named (TypeDoc)."""
    before = part.getprevious()
    if part.get("class") == "sep" and not (len(part) or part.text):
        part.text = "."
    elif before is not None and before.get("class") == "tsd-tag":
        before.tail = before.tail or " "


def _wrap_terms(root: Element) -> None:
    """Put terms and descriptions that stand in no list, nor in each other, into one, which ends where they do."""
    depth, loose = 0, list[Element]()
    for event, each in etree.iterwalk(root, events=("start", "end"), tag=("dd", "dl", "dt")):
        if event == "end":
            depth -= 1
            continue
        if not depth and each.tag != "dl":
            loose.append(each)
        depth += 1
    for first in loose:
        parent = first.getparent()
        if parent is None or parent.tag == "dl":
            continue
        terms = etree.Element("dl")
        first.addprevious(terms)
        following: Element | None = first
        while following is not None and following.tag in ("dd", "dt"):
            terms.append(following)
            following = terms.getnext()


def _mend_terms(root: Element) -> None:
    """Put back what libxml2 takes out of a term: the list of parameters that Sphinx writes into a long signature, and what follows it."""
    for inner in list(root.iter("dl")):
        term, outer = inner.getprevious(), inner.getparent()
        if term is None or term.tag != "dt" or outer is None or outer.tag != "dl":
            continue
        while (following := term.getnext()) is not None and following.tag not in ("dd", "dt"):
            term.append(following)


def has_class(name: str) -> str:
    """As a condition in XPath."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def find_elements(path: etree.XPath, element: Element) -> list[Element]:
    """What a path to elements leads to, in the page's order."""
    return cast("list[Element]", path(element))


def find_holders(root: Element, *tags: str) -> set[Element]:
    """The elements that have one of these tags, or hold one that has; those around `root` too. Takes linear time."""
    holders: set[Element] = set()
    for each in root.iter(*tags):
        holder: Element | None = each
        while holder is not None and holder not in holders:
            holders.add(holder)
            holder = holder.getparent()
    return holders


def read_attributes(element: Element) -> Attributes:
    """All of them, also those whose names lxml would refuse to look up."""
    return dict(cast("Iterable[tuple[str, str]]", element.items()))


def get_attributes(element: Element) -> Attributes:
    return cast("Attributes", element.attrib)


def get_raw_text(element: Element) -> str:
    """All text in `element` as it stands in the page."""
    return "".join(cast("list[str]", element.itertext()))


def get_text(element: Element) -> str:
    """All text in `element` on one line."""
    return " ".join(get_raw_text(element).split())


def get_text_start(element: Element, characters: int) -> str:
    """Some more than the first `characters` of the text in `element`, on one line. However long the rest is, it is not read."""
    pieces: list[str] = []
    length = 0
    for piece in cast("Iterable[str]", element.itertext()):
        words = piece[: 2 * characters]
        pieces.append(words)
        length += len(words.strip()) or 1
        if length > characters:
            break
    return " ".join("".join(pieces).split())


def remove_element(element: Element) -> None:
    """Take an element out of its tree; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    move_tail_before(element)
    parent.remove(element)


def move_tail_before(element: Element) -> None:
    """Put the text after an element, which has one around it, behind that before it."""
    parent, before = element.getparent(), element.getprevious()
    tail, element.tail = element.tail, None
    if before is not None:
        before.tail = _join_texts(before.tail, tail)
    elif parent is not None:
        parent.text = _join_texts(parent.text, tail)


def empty_element(element: Element) -> None:
    """Take out what is in an element; it stays, and so does the text after it. Costs nothing, however often it is done."""
    element.clear(keep_tail=True)  # type: ignore[call-arg]  # the stubs do not know it


def move_tail(element: Element, target: Element) -> None:
    """Put the text after one element, and nothing else, after another."""
    tail, element.tail = element.tail, None
    target.tail = clean_text(tail)


def clean_text(text: str | None) -> str:
    """Pages hold characters that lxml reads and refuses to be given."""
    return _NOT_XML.sub("", text or "")


def _join_texts(before: str | None, after: str | None) -> str:
    return clean_text(f"{before or ''}{after or ''}")
