"""Adapts a page that Confluence exported as HTML: the title loses the space's name and moves to the beginning of the content, and macros
that only a style sheet shows (details, tasks, boxes) become HTML elements. Only the marks of such pages count.
"""

from __future__ import annotations

from typing import cast

from lxml import etree

from collections_app.parsing.html.tree import Element, clean_text, find_elements, get_text, move_tail_before
from collections_app.parsing.html.visibility import is_unread_within

CONTENT_ID, CONTENT_CLASS = "main-content", "wiki-content"

_CONTENT = etree.XPath(f"//div[@id='{CONTENT_ID}'][contains(@class, '{CONTENT_CLASS}')]")
_TITLE = etree.XPath("//h1[@id='title-heading']")
_SPACE = etree.XPath("string(//ol[@id='breadcrumbs']/li[1])")
_EXPANDS = etree.XPath(".//div[@class='expand-container'][div[@class='expand-control']]")
_TASKS = etree.XPath(".//ul[@class='inline-task-list']/li[@data-inline-task-id]")
_BOXES = etree.XPath(".//div[@class='panelMacro']/table")  # before version 6
_CONTROL = etree.XPath("div[@class='expand-control'][1]")
_KINDS = {"infoMacro": "info", "noteMacro": "note", "tipMacro": "tip", "warningMacro": "warning"}


def mend_confluence(root: Element) -> None:
    contents = find_elements(_CONTENT, root)
    if len(contents) != 1:
        return
    content = contents[0]
    for title in find_elements(_TITLE, root)[:1]:
        _mend_title(title, root)
        if not is_unread_within(title, root) and not is_unread_within(content, root):
            content.insert(0, title)
    for expand in find_elements(_EXPANDS, content):
        _mend_expand(expand)
    for task in find_elements(_TASKS, content):
        tick_task(task, is_done=task.get("class") == "checked")
    for box in find_elements(_BOXES, content):
        if kind := _KINDS.get(box.get("class", "")):
            box.set("class", f"admonition {kind}")
            for each in (box, *_list_parts(box)):
                each.tag = "div"


def _mend_expand(expand: Element) -> None:
    """Make it `details`, with its control as the summary at the beginning, wherever that is written."""
    expand.tag = "details"
    for control in find_elements(_CONTROL, expand):
        control.tag = "summary"
        before = control.getprevious()
        if before is not None:
            move_tail_before(control)
            expand.insert(0, control)
        control.tail = clean_text(f"{expand.text or ''}{control.tail or ''}")
        expand.text = None


def _list_parts(table: Element) -> list[Element]:
    """The bodies, rows and cells of the table itself, without those of tables inside it."""
    bodies = list(table.iterchildren("tbody"))
    rows = [row for each in (table, *bodies) for row in each.iterchildren("tr")]
    return [*bodies, *rows, *(cell for row in rows for cell in row.iterchildren("td"))]


def tick_task(task: Element, *, is_done: bool) -> None:
    """Write the checkbox that a style sheet draws before a task."""
    box = etree.Element("input", {"type": "checkbox", "disabled": "", **({"checked": ""} if is_done else {})})
    box.tail, task.text = clean_text(task.text), None
    task.insert(0, box)


def _mend_title(heading: Element, root: Element) -> None:
    """Change `Space : Title` to `Title`, in the heading and in the page's `<title>`."""
    space = " ".join(cast("str", _SPACE(root)).split())
    called = root.find("head/title")
    for each in (*heading.iter("h1", "span"), *([] if called is None else [called])):
        text = get_text(each) if len(each) == 0 else ""
        if space and text.startswith(f"{space} : "):
            each.text = clean_text(text.removeprefix(f"{space} : "))
