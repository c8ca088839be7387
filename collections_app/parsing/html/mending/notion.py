"""Adapts a page that Notion exported as HTML: what only its style sheet shows (checkboxes, kinds of callouts, commas between tags) becomes
HTML elements or words. Only the marks of such pages count.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from collections_app.parsing.dialects.notion import KINDS, read_picture_kind
from collections_app.parsing.html.mending.confluence import tick_task
from collections_app.parsing.html.tree import Element, empty_element, find_elements, get_text_start, remove_element

_PAGE = etree.XPath("//article[contains(@class, 'page')]/div[@class='page-body']")
_TASKS = etree.XPath("//ul[@class='to-do-list']/li[div[1][starts-with(@class, 'checkbox checkbox-o')]]")
_TAGS = etree.XPath("//td/span[@class='selected-value' or starts-with(@class, 'selected-value ')]")
_CALLOUTS = etree.XPath("//figure[contains(concat(' ', @class, ' '), ' callout ')]")
_PAGE_ICONS = etree.XPath("//div[starts-with(@class, 'page-header-icon')]")
_ADDRESSES = etree.XPath(
    "//a[starts-with(@class, 'bookmark')]/div[div/div[@class='bookmark-title'][normalize-space()]]/div[@class='bookmark-href']"
)
_CALLOUT_ICON = etree.XPath("div[1]/*[self::span or self::img][@class='icon']")
_BOX_TABLES = frozenset({"collection-content", "properties"})
_BOX = "checkbox checkbox-o"  # `-on` or `-off`
_DONE = "checkbox-on"
_MAX_ICON_CHARACTERS = 10
_MAX_NAME_CHARACTERS = 200


def mend_notion(root: Element) -> None:
    if not find_elements(_PAGE, root):
        return
    for task in find_elements(_TASKS, root):
        box = next(task.iterchildren("div"))
        is_done = _DONE in box.get("class", "").split()
        remove_element(box)
        tick_task(task, is_done=is_done)
    for box in list(_iter_boxes(root)):
        box.text = "☒" if _DONE in box.get("class", "").split() else "☐"
    for tag in find_elements(_TAGS, root):
        following = tag.getnext()
        if following is not None and following.tag == "span" and not (tag.tail or "").strip():
            tag.tail = ", "
    for callout in find_elements(_CALLOUTS, root):
        _mend_callout(callout)
    for sign in (*find_elements(_PAGE_ICONS, root), *find_elements(_ADDRESSES, root)):
        empty_element(sign)


def _iter_boxes(root: Element) -> Iterator[Element]:
    """The checkboxes in tables of properties and of pages. Takes linear time."""
    depth = 0
    for event, each in etree.iterwalk(root, events=("start", "end"), tag=("div", "table")):
        if each.tag == "table":
            step = each.get("class") in _BOX_TABLES
            depth += step if event == "start" else -step
        elif event == "start" and depth and _is_box(each):
            yield each


def _is_box(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag == "td" and element.get("class", "").startswith(_BOX)


def _mend_callout(callout: Element) -> None:
    """Make it an admonition, whose kind its icon tells; a note if the icon tells none."""
    kind = "Note"
    for icon in find_elements(_CALLOUT_ICON, callout)[:1]:
        sign = get_text_start(icon, _MAX_ICON_CHARACTERS).rstrip("\ufe0f")
        kind = (
            read_picture_kind(icon.get("src", "")[-_MAX_NAME_CHARACTERS:])
            if icon.tag == "img"
            else KINDS.get(sign, kind)
        )
        empty_element(icon)
    callout.tag = "aside"
    callout.set("class", f"{callout.get('class', '')} admonition {kind.lower()}")
