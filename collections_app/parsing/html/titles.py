"""A page's title that its generator writes as something else than a heading of the first level, made one: it names the page and says which
part is its content. It looks at the marks of known generators alone. So are headings that are
paragraphs with a style of that name (Word, RoboHelp, Google Docs).
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

# Each a path of its own: libxml2 looks for each element of one path among all of another that it is united with.
_TITLES = (
    etree.XPath(f"//div[{has_class('headertitle')}]/div[{has_class('title')}]"),  # Doxygen
    etree.XPath(f"//h2[{has_class('phpdocumentor-content__title')}]"),
    etree.XPath("//div[@id='module-header']/p[@class='caption']"),  # Haddock
)
_TITLE_WITHOUT_HEADING = etree.XPath(
    f"//div[{has_class('header')}]/h2[{has_class('title')}][@title]"
)  # Javadoc, up to 15
_BESIDE = etree.XPath(f"../../div[{has_class('summary')}]")  # Doxygen's ways to the parts of the page
_LABELS = etree.XPath("span[@class='mlabels']")  # what else is said of its subject, such as `final`
_WITHIN = etree.XPath(f"div[{has_class('ingroups')}]")  # and to the groups that its subject is in


def mend_title(root: Element) -> None:
    """Of several the first. It comes before what stands in its box, such as the package of a class."""
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
    """Of each generator the first, in the page's order."""
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
_MAX_TITLES = 10  # of which the first are empty lines


def mend_styled_headings(root: Element) -> None:
    """Titles of Word and Google Docs are of the first level, as their first headings are, and say more than the name of the file."""
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
    """Paragraphs with the name of a heading's style, and its level; not those in items and cells."""
    depth = 0
    for event, each in etree.iterwalk(root, events=("start", "end"), tag=("li", "p", "td", "th")):
        if each.tag != "p":
            depth += 1 if event == "start" else -1
        elif event == "start" and not depth and (level := _read_level(each)):
            yield each, level


def _read_level(paragraph: Element) -> int:
    """0 for what is no heading, or too long to be one."""
    found = next(filter(None, map(_STYLE.match, paragraph.get("class", "")[:_MAX_HEADING_CHARACTERS].split())), None)
    is_short = found is not None and len(get_text_start(paragraph, _MAX_HEADING_CHARACTERS)) <= _MAX_HEADING_CHARACTERS
    return int(found[1]) if found is not None and is_short else 0
