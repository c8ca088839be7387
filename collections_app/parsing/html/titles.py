"""A page's title that its generator writes as something else than a heading of the first level, made one: it names the page and says which
part is its content. It looks at the marks of known generators alone.
"""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, empty_element, find_elements


def _has(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


_TITLES = etree.XPath(
    f"//div[{_has('headertitle')}]/div[{_has('title')}]"  # Doxygen
    f"|//div[{_has('header')}]/h2[{_has('title')}][@title and not(//h1)]"  # Javadoc, up to 15
    f"|//h2[{_has('phpdocumentor-content__title')}]"
    "|//div[@id='module-header']/p[@class='caption']"  # Haddock
)
_BESIDE = etree.XPath(f"../../div[{_has('summary')}]")  # Doxygen's ways to the parts of the page
_WITHIN = etree.XPath(f"div[{_has('ingroups')}]")  # and to the groups that its subject is in


def mend_title(root: Element) -> None:
    """Of several the first. It comes before what stands in its box, such as the package of a class."""
    for title in find_elements(_TITLES, root)[:1]:
        for beside in find_elements(_BESIDE, title):
            empty_element(beside)
        for within in find_elements(_WITHIN, title):
            title.addnext(within)
        box = title.getparent()
        if box is not None:
            box.insert(0, title)
        title.tag = "h1"
