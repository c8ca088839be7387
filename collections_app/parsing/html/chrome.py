"""Recognises the page's frame within the main content: signs beside headings and code, and links to other pages.

Some names of frames are also subjects of documentation (`pagination`, `feedback`); for these the element's content decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import islice
from types import MappingProxyType

from lxml import etree

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.tree import Element, get_text_start
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, CODE_TAGS, HEADING_TAGS

_SIGN_WORDS = frozenset({"", "source", "src", "view source", "(source)", "toggle source"})
_SIGN_CHARACTERS = 20
_DATE_CHARACTERS = 60
_DATE = re.compile(r"Last modified\b[^\d]{1,10}\d.{0,30}|\d{1,2} [^\W\d]{3,12} \d{4}")
_PLACE_TAGS = frozenset({*BLOCK_TAGS, *CODE_TAGS, *HEADING_TAGS})  # tags that links with such a class lead to (RDoc)
_LEGAL_CHARACTERS = 200  # of Javadoc's legal line; a longer text may be the subject of the page
_JUDGED_ELEMENTS = 1000
_JUDGED_CHARACTERS = 1000  # of a link's text
_ASIDE_TAGS = frozenset({"aside", "details", "div", "ol", "section", "ul"})
_TOLD_TAGS = ("dl", "h1", "main", "pre", "table")
_LEADING_TAGS = frozenset({"a", "button", *HEADING_TAGS})
_MAX_SIGNS = 10  # in a heading
_MAX_ASIDES = 3  # nested elements of this kind above one that is checked
_JUDGED_STEPS = 10_000
# Characters outside of links, for each link: the page's own name in breadcrumbs, the question before a button.
_UNLINKED_CHARACTERS = 60


def is_chrome(element: Element, facts: ClassFacts) -> bool:
    if facts.is_chrome:
        return element.tag not in CODE_TAGS
    if facts.is_anchor_link:
        return element.tag not in _PLACE_TAGS
    if facts.doubtful_chrome and _IS_CHROME[facts.doubtful_chrome](element):
        return True
    if facts.is_page_info:
        return element.tag == "div"
    if facts.is_language_sign or facts.is_aside_title:
        return _is_language_sign(element, facts)
    if facts.is_sign_link and element.tag == "a":
        return get_text_start(element, _SIGN_CHARACTERS).strip("[]#→").casefold() in _SIGN_WORDS
    if facts.is_legal_copy:
        return len(get_text_start(element, _LEGAL_CHARACTERS)) <= _LEGAL_CHARACTERS
    if facts.is_likely_chrome and _only_leads_on(element):
        return True
    is_aside = facts.is_aside or (element.tag == "aside" and read_class(element.get("id", "")).is_aside)
    return is_aside and element.tag in _ASIDE_TAGS and _leads_away(element)


def _is_language_sign(element: Element, facts: ClassFacts) -> bool:
    """Whether it names the language of code in VitePress, or in Jazzy, which uses the same class for titles of boxes."""
    box, beside = element.getparent(), element.getnext()
    is_boxed = box is not None and (not facts.is_aside_title or "language" in box.get("class", "").split())
    return is_boxed and beside is not None and beside.tag == "pre"


def _is_sign(element: Element) -> bool:
    return len(get_text_start(element, 1)) <= 1


def _is_date(element: Element) -> bool:
    """Whether it says when the page was changed, and nothing else (Writerside)."""
    is_date = _DATE.fullmatch(get_text_start(element, _DATE_CHARACTERS)) is not None
    return is_date and element.tag == "div" and next(element.iterchildren(*HEADING_TAGS), None) is None


def _is_numbers(element: Element) -> bool:
    return get_text_start(element, _SIGN_CHARACTERS).replace(" ", "").isdigit()


_IS_CHROME: Mapping[str, Callable[[Element], bool]] = MappingProxyType(
    {"header-anchor-trigger": _is_sign, "last-modified": _is_date, "line-numbers-wrapper": _is_numbers}
)


def is_mostly_links(element: Element) -> bool:
    """Whether at least half of its text, as far as it is checked, is in links and in headings."""
    _, linked, characters = _weigh_links(element, ("a", *HEADING_TAGS))
    return 2 * linked >= characters


def _only_leads_on(element: Element) -> bool:
    """Whether it has no heading, and little besides links and buttons."""
    if next(element.iter(*HEADING_TAGS), None) is not None:
        return False
    links, linked, characters = _weigh_links(element, ("a", "button", "input"))
    return links > 0 and characters - linked <= max(linked, _UNLINKED_CHARACTERS * links)


def _leads_away(element: Element) -> bool:
    """Whether it has little besides links, and headings that cannot be linked to. An element too large to be checked has more."""
    around = (each for each in element.iterancestors(*_ASIDE_TAGS) if read_class(each.get("class", "")).is_aside)
    if next(islice(around, _MAX_ASIDES, None), None) is not None or next(element.iter(*_TOLD_TAGS), None) is not None:
        return False
    linked = unlinked = links = away = headings = 0
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for step, (event, each) in enumerate(walk):
        if step > _JUDGED_STEPS:
            return False
        if event != "start":
            unlinked += _count(each.tail) if each is not element else 0
        elif each.tag in _LEADING_TAGS:
            if each.tag in HEADING_TAGS and _is_place(each):
                return False
            headings += each.tag in HEADING_TAGS
            links += each.tag == "a"
            away += not each.get("href", "#").startswith("#")
            linked += len(get_text_start(each, _JUDGED_CHARACTERS)) if each.tag == "a" else 0
            if each.tag in ("a", "button"):
                walk.skip_subtree()
        else:
            unlinked += _count(each.text)
    return (away if headings else links) > 0 and unlinked <= max(linked, _UNLINKED_CHARACTERS)


def _is_place(heading: Element) -> bool:
    """Whether links can lead to the heading, as to a section of the page."""
    return any(
        each.get("id") or (each.tag == "a" and each.get("name")) for each in islice(heading.iter("*"), _MAX_SIGNS)
    )


def _weigh_links(element: Element, tags: Collection[str]) -> tuple[int, int, int]:
    """Among the first _JUDGED_ELEMENTS: how many have one of the tags, the characters in these, and all characters."""
    links = linked = characters = 0
    for each in islice(element.iter(), _JUDGED_ELEMENTS):
        characters += _count(each.tail) if each is not element else 0
        if not isinstance(each.tag, str):  # a comment
            continue
        characters += _count(each.text)
        if each.tag in tags:
            links += 1
            linked += len(get_text_start(each, _JUDGED_CHARACTERS))
    return links, linked, characters


def _count(text: str | None) -> int:
    return len(" ".join(text.split())) if text else 0
