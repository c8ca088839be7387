"""Turns a page's title that its generator does not write as a level-1 heading into one: it names the page, and shows which part is its
content. Paragraphs with a heading style (Word, RoboHelp, Google Docs) become headings too. Only known generators' marks count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from collections_app.parsing.html.tree import (
    Element,
    clean_text,
    empty_element,
    find_elements,
    get_text_start,
    has_class,
)
from collections_app.parsing.html.visibility import is_unread_within
from collections_app.parsing.html.vocabulary import HEADING_TAGS

# Separate paths: in a union, libxml2 would search for each element of one path among all those of the other.
_TITLES = (
    etree.XPath(f"//div[{has_class('headertitle')}]/div[{has_class('title')}]"),  # Doxygen
    etree.XPath(f"//h2[{has_class('phpdocumentor-content__title')}]"),
    etree.XPath("//div[@id='module-header']/p[@class='caption']"),  # Haddock
)
_TITLE_WITHOUT_HEADING = etree.XPath(
    f"//div[{has_class('header')}]/h2[{has_class('title')}][@title]"
)  # Javadoc, up to 15
_BESIDE = etree.XPath(f"../../div[{has_class('summary')}]")  # Doxygen's links to the parts of the page
_LABELS = etree.XPath("span[@class='mlabels']")  # properties of its subject, such as `final`
_WITHIN = etree.XPath(f"div[{has_class('ingroups')}]")  # groups that its subject is in


def mend_title(root: Element) -> None:
    """Make the first title a heading, and put it before everything else in its box, such as the package of a class."""
    for title in _find_titles(root)[:1]:
        for beside in find_elements(_BESIDE, title):
            empty_element(beside)
        for within in find_elements(_WITHIN, title):
            title.addnext(within)
        for labels in find_elements(_LABELS, title):
            labels.text = f" {clean_text(labels.text)}"
        box = title.getparent()
        if box is not None:
            box.insert(0, title)
        title.tag = "h1"


def _find_titles(root: Element) -> list[Element]:
    """The first title of each generator, in page order."""
    has_heading = next(root.iter("h1"), None) is not None
    paths = _TITLES if has_heading else (*_TITLES, _TITLE_WITHOUT_HEADING)
    found = {title for path in paths for title in find_elements(path, root)[:1]}
    return [each for each in root.iter("div", "h2", "p") if each in found] if len(found) > 1 else list(found)


_STYLE = re.compile(r"(?:[a-z]{1,4}_|mso)?heading[ _-]?([1-6])$", re.IGNORECASE)
_TITLE_PATHS = (
    etree.XPath(f"//p[{has_class('MsoTitle')}]"),
    etree.XPath(f"//p[{has_class('title')}][starts-with(@id, 'h.')]"),
)
_MAX_HEADING_CHARACTERS = 200
_MAX_TITLES = 10  # the first of them may be empty lines


def mend_styled_headings(root: Element) -> None:
    """Make styled paragraphs headings. The title of a Word or Google Docs document gets level 1, like the first headings in it, and becomes
    the page's title, since it says more than the name of the file.
    """
    for path in _TITLE_PATHS:
        told = (
            (each, get_text_start(each, _MAX_HEADING_CHARACTERS)) for each in find_elements(path, root)[:_MAX_TITLES]
        )
        title, text = next((each for each in told if each[1]), (None, ""))
        if title is None:
            continue
        title.tag = "h1"
        called = root.find("head/title")
        if called is not None and not is_unread_within(title, root):
            called.text = clean_text(text)
    for paragraph, level in list(_iter_styled(root)):
        paragraph.tag = HEADING_TAGS[level - 1]


def _iter_styled(root: Element) -> Iterator[tuple[Element, int]]:
    """Paragraphs with a heading style, and their levels; not those in list items and table cells."""
    depth = 0
    for event, each in etree.iterwalk(root, events=("start", "end"), tag=("li", "p", "td", "th")):
        if each.tag != "p":
            depth += 1 if event == "start" else -1
        elif event == "start" and not depth and (level := _read_level(each)):
            yield each, level


def _read_level(paragraph: Element) -> int:
    """The level; 0 if the paragraph is no heading, or too long for one."""
    found = next(filter(None, map(_STYLE.match, paragraph.get("class", "")[:_MAX_HEADING_CHARACTERS].split())), None)
    is_short = found is not None and len(get_text_start(paragraph, _MAX_HEADING_CHARACTERS)) <= _MAX_HEADING_CHARACTERS
    return int(found[1]) if found is not None and is_short else 0
