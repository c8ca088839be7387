"""Corrects the levels of headings that generators chose by their looks, so that parts come below the whole. ExDoc gives each function the
level of its module, Doxygen each member that of its list, ecmarkup each clause of a specification the first level. In Jazzy, members are
code in list items, and in Sandcastle, the titles of a page's parts are no headings: these become headings.
"""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, find_elements
from collections_app.parsing.html.vocabulary import HEADING_TAGS

_LIST, _MEMBER = "details-list", "detail"  # ExDoc's; Javadoc's sections have the second class too
_CLAUSES = ("emu-annex", "emu-clause", "emu-intro")  # ecmarkup's, whose headings are all of the first level

_SANDCASTLE_TITLES = etree.XPath("//div/span[@class='collapsibleRegionTitle']")
_DOCUMENTER_TITLES = etree.XPath("(//header | //summary)[a[contains(@class, 'docstring-binding')]]")
_JAZZY_NAMES = etree.XPath("//li[@class='item']/div[code/a[starts-with(@class, 'token')]]")


def mend_levels(root: Element) -> None:
    for title in find_elements(_SANDCASTLE_TITLES, root):
        title.tag = "h2"
    for title in find_elements(_DOCUMENTER_TITLES, root):
        title.tag = "div"  # declarations.py makes its name a heading
    for name in find_elements(_JAZZY_NAMES, root):
        name.tag = "h3"
    is_titled = _has_title(root)
    depths = [0]  # for each open section, by how many levels its headings move down
    walk = etree.iterwalk(root, events=("start", "end"), tag=("section", *_CLAUSES, *HEADING_TAGS))
    for event, each in walk:
        classes = each.get("class", "").split()
        if each.tag not in HEADING_TAGS:
            if event == "end":
                depths.pop()
            elif each.tag in _CLAUSES:
                depths.append(depths[-1] + (is_titled or len(depths) > 1))
            else:
                is_deeper = _LIST in classes or (depths[-1] > 0 and _MEMBER in classes)
                depths.append(depths[-1] + is_deeper)
        elif event == "end":
            level = HEADING_TAGS.index(each.tag) + depths[-1] + ("memtitle" in classes)
            each.tag = "h2" if classes == ["section-name"] else HEADING_TAGS[min(level, len(HEADING_TAGS) - 1)]


def _has_title(root: Element) -> bool:
    """Whether the first level-1 heading is outside of the clauses, and so the title of them all."""
    first = next(root.iter("h1"), None)
    return first is not None and next(first.iterancestors(*_CLAUSES), None) is None
