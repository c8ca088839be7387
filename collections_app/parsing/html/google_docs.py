"""What reviewers said of a document, which Google Docs writes behind its text, and the signs that lead there."""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, empty_element, find_elements

_COMMENTS = etree.XPath(
    "//div[p[1]/a[starts-with(@id, 'cmnt')][starts-with(@href, '#cmnt_ref')]]"
    "|//sup[a[starts-with(@id, 'cmnt_ref')][starts-with(@href, '#cmnt')]]"
)


def mend_google_docs(root: Element) -> None:
    for comment in find_elements(_COMMENTS, root):
        empty_element(comment)
