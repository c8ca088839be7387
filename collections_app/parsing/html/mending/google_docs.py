"""Reviewers' comments on a document, which Google Docs writes after its text, and the marks that link to them."""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, empty_element, find_elements

# Separate paths: in a union, libxml2 would search for each element of one path among all those of the other.
_COMMENTS = etree.XPath("//div[p[1]/a[starts-with(@id, 'cmnt')][starts-with(@href, '#cmnt_ref')]]")
_SIGNS = etree.XPath("//sup[a[starts-with(@id, 'cmnt_ref')][starts-with(@href, '#cmnt')]]")


def mend_google_docs(root: Element) -> None:
    for comment in (*find_elements(_COMMENTS, root), *find_elements(_SIGNS, root)):
        empty_element(comment)
