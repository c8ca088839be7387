"""What within the main content is the page's frame: signs beside headings and code, and ways to other pages.

Some names of frames are also what a page may write about (`pagination`, `feedback`); there the element's content decides.
"""

from __future__ import annotations

from itertools import islice

from collections_app.parsing.html.classes import ClassFacts
from collections_app.parsing.html.tree import Element, get_text_start
from collections_app.parsing.html.vocabulary import CODE_TAGS, HEADING_TAGS

_JUDGED_LINKS = 500
_JUDGED_CHARACTERS = 1000
_UNLINKED_CHARACTERS = 60  # for each link: the page's own name in breadcrumbs, the question before a button


def is_chrome(element: Element, facts: ClassFacts) -> bool:
    if facts.is_chrome:
        return element.tag not in CODE_TAGS
    if facts.is_language_sign:
        beside = element.getnext()
        return beside is not None and beside.tag == "pre"
    return facts.is_likely_chrome and _only_leads_on(element)


def is_mostly_links(element: Element) -> bool:
    """Whether half of its text, as far as it is looked at, or more is that of links, and of headings above them."""
    links = islice(element.iter("a", *HEADING_TAGS), _JUDGED_LINKS)
    linked = sum(len(get_text_start(link, _JUDGED_CHARACTERS)) for link in links)
    return 2 * linked >= len(get_text_start(element, _JUDGED_CHARACTERS))


def _only_leads_on(element: Element) -> bool:
    """Whether it has no heading, and hardly more than links and buttons."""
    if next(element.iter(*HEADING_TAGS), None) is not None:
        return False
    links = list(islice(element.iter("a", "button", "input"), _JUDGED_LINKS))
    linked = sum(len(get_text_start(link, _JUDGED_CHARACTERS)) for link in links)
    unlinked = len(get_text_start(element, _JUDGED_CHARACTERS)) - linked
    return bool(links) and unlinked <= max(linked, _UNLINKED_CHARACTERS * len(links))
