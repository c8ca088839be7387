"""Turns what only looks like a list into lists: paragraphs with a bullet or number in front (Word, Help & Manual), and the lists of Google
Docs, whose depth is only in a class. Numbers other than 1, 2, 3 stay in the text, because Markdown has none. Hidden content stays where it
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import cast

from lxml import etree

from collections_app.parsing.html.tree import Element, find_elements, move_tail, remove_element
from collections_app.parsing.html.visibility import is_unread

_PARAGRAPHS = etree.XPath(
    "//p[contains(@style, 'mso-list:') or starts-with(@class, 'MsoListParagraph') or *[1][self::span][@style]]"
)
_LISTS = etree.XPath(
    "(//ul | //ol)[contains(@class, 'lst-kix_')][contains(concat(' ', @class), ' lst-kix_')][li and not(*[not(self::li)])]"
)
_KIX_DEPTH = re.compile(r"(?:^|\s)lst-kix_\S+-(\d)(?=\s|$)")
_WORD_LEVEL = re.compile(r"mso-list:\s*+l\d++\s++level(\d)", re.IGNORECASE)
_MARGIN = re.compile(r"margin-left:\s*+(\d{1,4}(?:\.\d{1,4})?)", re.IGNORECASE)
_SIGN = re.compile(
    r"mso-list:\s*+Ignore|font-family:\s*+[\"']?(?:Symbol|Wingdings|Courier New)|display:\s*+inline-block;\s*+width:",
    re.IGNORECASE,
)
_IGNORED = re.compile(r"mso-list:\s*+Ignore", re.IGNORECASE)
_FONT = re.compile(r"font-family:\s*+[\"']?(?:Symbol|Wingdings|(Courier New))", re.IGNORECASE)
_ITEM = re.compile(r"mso-list:|text-indent:\s*+-", re.IGNORECASE)  # a paragraph's style
_GAP = re.compile(r"font:\s*+7\.0pt")  # the gap that Word puts between a number and the text
_BULLET = re.compile("[·•●○■o§▪◦*–-]$|[\uf000-\uf0ff]$")
_NUMBER = re.compile(r"(\d{1,9})[.)]$")
_ROMAN = "(?i:(?=[cxvil])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))"
_OTHER_NUMBER = re.compile(rf"\(?(?:\d{{1,3}}\.){{1,8}}\d{{0,3}}[.)]?$|\(?(?:[a-zA-Z]|{_ROMAN})[.)]$")
_MAX_SIGN_CHARACTERS = 20
_MAX_SIGN_PIECES = 20  # pieces of text; more cannot be a bullet or number
_MAX_RAW_CHARACTERS = 1000  # including the blanks after it
_MAX_STYLE_CHARACTERS = 1000
_MAX_SPANS = 5  # spans from the paragraph down to the bullet or number
_MAX_DEPTH = 9
_MAX_BETWEEN = 5


def mend_lists(root: Element) -> None:
    outline = _Outline()
    for paragraph in find_elements(_PARAGRAPHS, root):
        if sign := _take_sign(paragraph):
            outline.add(paragraph, sign, _read_depth(paragraph))
    _mend_depths(root)
    for each in list(root.iter("ul", "ol")):
        _put_into_item(each)


class _Outline:
    """The open lists, outermost first, each with its depth."""

    def __init__(self) -> None:
        self._open: list[tuple[float, Element]] = []

    def add(self, item: Element, sign: str, depth: float) -> None:
        """Append an item to the open list if nothing is between them, else put it into a new list in its place."""
        tag = "ol" if _NUMBER.match(sign) else "ul"
        if not self._open or not _is_next(item, self._open[0][1]):
            self._open = []
        while len(self._open) > 1 and (self._open[-1][0] > depth or len(self._open) > _MAX_DEPTH):
            self._open.pop()
        if not self._open:
            new = etree.Element(tag)
            item.addprevious(new)
            self._open = [(depth, new)]
        elif self._open[-1][0] < depth:
            inner = etree.SubElement(self._open[-1][1][-1], tag)
            self._open.append((depth, inner))
        elif self._open[-1][1].tag != tag:
            _, last = self._open.pop()
            beside = etree.Element(tag)
            last.addnext(beside)
            self._open.append((depth, beside))
        move_tail(item, self._open[0][1])
        self._open[-1][1].append(item)
        item.tag = "li"
        if found := _NUMBER.match(sign):
            item.set("value", found[1])


def _is_next(item: Element, before: Element) -> bool:
    """Whether only blanks and comments are between the two."""
    each = item.getprevious()
    for _ in range(_MAX_BETWEEN):
        if each is None or (each.tail or "").strip():
            return False
        if each is before:
            return True
        if isinstance(each.tag, str):
            return False
        each = each.getprevious()
    return False


def _take_sign(paragraph: Element) -> str:
    """Take the bullet or number out of the paragraph, unless Markdown has no such number, and return it; empty if there is none."""
    if is_unread(paragraph):
        return ""
    sign = _find_sign(paragraph)
    text = " ".join((paragraph.text or "").split())
    if sign is not None and not text:
        mark = _read_sign(sign)
        if not _is_mark(mark) or not _stands_for_item(paragraph, sign, mark):
            return ""
        if _OTHER_NUMBER.match(mark) and not _NUMBER.match(mark):
            return mark
        remove_element(sign)
        return mark
    if not _is_mark(text) or not _has_gap(paragraph):
        return ""
    if _NUMBER.match(text) or _BULLET.match(text):
        paragraph.text = None
    return text


def _read_sign(sign: Element) -> str:
    """Its whole text on one line; empty if that is too long for a bullet or number."""
    pieces = list(islice(cast("Iterable[str]", sign.itertext()), _MAX_SIGN_PIECES + 1))
    if len(pieces) > _MAX_SIGN_PIECES or sum(map(len, pieces)) > _MAX_RAW_CHARACTERS:
        return ""
    text = " ".join("".join(pieces).split())
    return text if len(text) <= _MAX_SIGN_CHARACTERS else ""


def _stands_for_item(paragraph: Element, sign: Element, mark: str) -> bool:
    """Whether more than the font shows that it is a bullet: operators may be in Symbol too, and code is in Courier New."""
    font = _FONT.search(_get_style(sign))
    if font is None or _has_style(sign, _IGNORED):
        return True
    is_item = (
        paragraph.get("class", "").startswith("MsoListParagraph") or _ITEM.search(_get_style(paragraph)) is not None
    )
    has_gap = _has_style(sign, _GAP) or _has_gap_behind(sign)
    return is_item and (mark == "o" or has_gap) if font[1] else is_item or has_gap


def _has_style(sign: Element, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(_get_style(each)) for each in islice(sign.iter("span"), _MAX_SPANS))


def _has_gap_behind(sign: Element) -> bool:
    tail, beside = sign.tail or "", sign.getnext()
    is_gap = not tail.strip() and beside is not None and _GAP.search(_get_style(beside)) is not None
    return is_gap or tail.startswith("\xa0")


def _get_style(element: Element) -> str:
    return element.get("style", "")[:_MAX_STYLE_CHARACTERS]


def _is_mark(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_BULLET, _NUMBER, _OTHER_NUMBER))


def _find_sign(paragraph: Element) -> Element | None:
    """The span with the bullet or number, or one around it: the first element in the paragraph, or in its first span."""
    each: Element | None = paragraph
    for _ in range(_MAX_SPANS):
        each = next((child for child in each.iterchildren("*")), None) if each is not None else None
        if each is None or each.tag != "span":
            return None
        if _SIGN.search(_get_style(each)):
            return each
        if (each.text or "").strip():
            return None
    return None


def _has_gap(paragraph: Element) -> bool:
    first = next(paragraph.iterchildren("*"), None)
    return first is not None and bool(_GAP.match(first.get("style", "")))


def _read_depth(paragraph: Element) -> float:
    """The level that Word states, else the left margin. Only comparisons matter."""
    style = _get_style(paragraph)
    found = _WORD_LEVEL.search(style) or _MARGIN.search(style)
    return float(found[1]) if found else 0.0


def _put_into_item(inner: Element) -> None:
    """Move a list that is beside the items of another list, or alone in an item of its own, into the item before it."""
    holder = inner.getparent()
    place = holder if holder is not None and _is_empty_item(holder, inner) else inner
    item, outer = place.getprevious(), place.getparent()
    if outer is None or outer.tag not in ("ol", "ul") or item is None or item.tag != "li" or is_unread(item):
        return
    if not (item.tail or "").strip():
        move_tail(place, item)
        item.append(inner)
        if place is not inner:
            outer.remove(place)


def _is_empty_item(item: Element, inner: Element) -> bool:
    """Whether it is an item without a number or an anchor that has nothing but the list (Javadoc shows a class's ancestors like that)."""
    outer = item.getparent()
    if item.tag != "li" or outer is None or outer.tag != "ul" or len(item) > 1 or item.get("id"):
        return False
    return not (item.text or "").strip() and not (inner.tail or "").strip()


def _mend_depths(root: Element) -> None:
    """Move lists of Google Docs into the last item of the list before them if that is less deep."""
    open_lists: list[tuple[int, Element]] = []
    for each in find_elements(_LISTS, root):
        found = _KIX_DEPTH.search(each.get("class", "")[:_MAX_STYLE_CHARACTERS])
        depth = int(found[1]) if found else 0
        if not depth or not open_lists or not _is_next(each, open_lists[0][1]):
            open_lists = [(depth, each)]
            continue
        while len(open_lists) > 1 and open_lists[-1][0] > depth:
            open_lists.pop()
        outer_depth, outer = open_lists[-1]
        move_tail(each, open_lists[0][1])
        if outer_depth < depth:
            outer[-1].append(each)
            open_lists.append((depth, each))
        else:
            outer.addnext(each)
            open_lists[-1] = (depth, each)
