"""An API description saved from Swagger UI in a browser. Each operation becomes a heading below that of its tag, instead of words in a
button, and the headings of its parts go below it.
"""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, clean_text, empty_element, find_elements, has_class
from collections_app.parsing.html.visibility import get_visible_text
from collections_app.parsing.html.vocabulary import HEADING_TAGS

# Separate paths: in a union, libxml2 would search for each element of one path among all those of the other.
_TAGS = etree.XPath(f"(//h3 | //h4)[{has_class('opblock-tag')}]")
_OPERATIONS = etree.XPath(f"//div[{has_class('opblock')}][div[{has_class('opblock-summary')}]]")
_SUMMARY = etree.XPath(f"div[{has_class('opblock-summary')}][1]")
_CONTROL = etree.XPath(f"button[{has_class('opblock-summary-control')}]")
_METHOD = etree.XPath(f"(.//span[{has_class('opblock-summary-method')}])[1]")
_PATH = etree.XPath(
    f"(.//*[{has_class('opblock-summary-path')} or {has_class('opblock-summary-path__deprecated')}])[1]"
)
_BREAK = "\u200b"  # where a browser may break an address into lines


def mend_swagger_ui(root: Element) -> None:
    for tag in find_elements(_TAGS, root):
        tag.tag = "h3"
    for operation in find_elements(_OPERATIONS, root):
        inner = list(operation.iter(*HEADING_TAGS[:4]))
        if _mend_summary(find_elements(_SUMMARY, operation)[0], operation.get("id", "")):
            for heading in inner:
                heading.tag = "h5"


def _mend_summary(summary: Element, anchor: str) -> bool:
    """Put method and path into a heading inside the summary, so that it is hidden if the summary is. Returns whether there are both."""
    parts = [*find_elements(_METHOD, summary), *find_elements(_PATH, summary)]
    words = [get_visible_text(part).replace(_BREAK, "") for part in parts]
    if len(parts) != 2 or not all(words):
        return False
    for control in find_elements(_CONTROL, summary):
        control.tag = "div"
    for part in parts:
        empty_element(part)
    heading = etree.Element("h4")
    heading.text = clean_text(" ".join(words))
    if anchor:
        heading.set("id", anchor)
    summary.insert(0, heading)
    return True
