"""What readers of the page do not see: hidden elements and comments, and which of them to report to an editor.

It knows attributes and inline styles; it reads no style sheet, because those hide tabs and menus too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile

from lxml import etree

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.html.chrome import is_chrome
from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.tree import Attributes, Element, find_elements, get_attributes, get_text
from collections_app.parsing.html.vocabulary import DROPPED_TAGS
from collections_app.parsing.safety.hiding_styles import is_hiding_style, is_removing_style
from collections_app.parsing.safety.instructions import iter_instructions
from collections_app.parsing.safety.prose import is_prose, is_telling_comment, make_excerpt

MAX_FINDINGS = 100

HIDING_ATTRIBUTES = frozenset({"aria-hidden", "hidden", "style"})
_JUDGED_CHARACTERS = 10_000
_MAY_BE_PUT_AWAY = etree.XPath("descendant-or-self::*[@hidden or @style]")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")


def is_hidden(attributes: Attributes, facts: ClassFacts) -> bool:
    """Whether the element itself says that readers do not see it. Closed tab panels count as visible, since a click opens them."""
    if facts.is_tab_panel or attributes.get("role") == "tabpanel":
        return False
    if facts.is_unseen or HIDING_ATTRIBUTES.isdisjoint(attributes):
        return facts.is_unseen
    if attributes.get("hidden", "until-found") != "until-found" or attributes.get("aria-hidden") == "true":
        return True
    return is_hiding_style(attributes.get("style", ""))


def list_put_away(root: Element) -> set[Element]:
    """All elements in what `hidden` or a style takes off the page. Tab panels are not among them, since a click opens them."""
    found: set[Element] = set()
    for element in find_elements(_MAY_BE_PUT_AWAY, root):
        if element not in found and _is_put_away(element):
            found.update(element.iter("*"))
    return found


def _is_put_away(element: Element) -> bool:
    attributes = get_attributes(element)
    if attributes.get("role") == "tabpanel" or read_class(attributes.get("class", "")).is_tab_panel:
        return False
    is_named = attributes.get("hidden", "until-found") != "until-found"
    return is_named or is_removing_style(attributes.get("style", ""))


def is_unread(element: Element) -> bool:
    """Whether an element is not part of the text around it: dropped, hidden, or part of the page's frame."""
    facts = read_class(element.get("class", ""))
    return element.tag in DROPPED_TAGS or is_chrome(element, facts) or is_hidden(get_attributes(element), facts)


def is_unread_within(element: Element, outer: Element) -> bool:
    """Whether it, or an element around it within `outer`, is not part of the text."""
    around = takewhile(lambda each: each is not outer, element.iterancestors())
    return any(map(is_unread, chain([element], around)))


def get_visible_text(element: Element) -> str:
    """The text in `element` that a reader sees, on one line, without permalink signs and buttons."""
    return " ".join("".join(_iter_visible(element) if len(element) else [element.text or ""]).split())


def _iter_visible(root: Element) -> Iterator[str]:
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        if event != "start":
            yield "" if element is root else element.tail or ""
        elif element is not root and is_unread(element):
            walk.skip_subtree()
        else:
            yield " " if element.tag == "br" else element.text or ""


def find_hidden_text(element: Element, line: int) -> Finding | None:
    """The finding about a hidden element left out at `line`; None if it contains only a sign or a few words."""
    text = get_text(element)
    return Finding(FindingKind.HIDDEN_TEXT, line, make_excerpt(text), removed=True) if is_prose(text) else None


def find_comments(root: Element, at_most: int = MAX_FINDINGS) -> dict[Element, Finding]:
    """Findings about the page's comments that are long or addressed to a model, by the comment; their lines are not known yet. Notes,
    licences, and markup that is commented out do not count.
    """
    return dict(islice(_iter_comments(root), at_most))


def _iter_comments(root: Element) -> Iterator[tuple[Element, Finding]]:
    for comment in root.iter(etree.Comment):
        text = (comment.text or "")[:_JUDGED_CHARACTERS]
        first = min((start for start, _ in iter_instructions(text)), default=None)
        if first is not None or (is_telling_comment(text) and not _MARKUP.search(text)):
            yield comment, Finding(FindingKind.COMMENT, -1, make_excerpt(text[first or 0 :]), removed=True)
