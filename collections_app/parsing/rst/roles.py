"""How inline roles are rendered: those of Sphinx as code, names, titles or links to documents, unknown ones as their text. No role reads or
runs anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docutils import nodes

from collections_app.parsing.rst.raw_html import make_raw_html
from collections_app.parsing.sphinx.markup import (
    DROPPED_ROLES,
    TITLE_ROLES,
    Style,
    drop_inventory,
    find_pep_page,
    show_role,
    split_title,
)

RAW_HTML = "raw html"
"""The base of roles that pass HTML through. No text can use this name."""

# Docutils handles these itself.
_PLAIN_ROLES = frozenset(
    ["emphasis", "strong", "math", "subscript", "sub", "superscript", "sup", "title-reference", "title", "t"]
)


def find_role_nodes(role: str, text: str) -> list[nodes.Node] | None:
    """The nodes for `text` with `role`; None to leave it to docutils."""
    name = role.lower()
    if name in _PLAIN_ROLES:
        return None
    if name == RAW_HTML:
        return [make_raw_html(text)]
    if name in DROPPED_ROLES:
        return []
    kind = name.rpartition(":")[2]
    if kind in TITLE_ROLES:
        return [make_reference(kind, drop_inventory(text) if kind == "term" else text)]
    style, words = show_role(name, text)
    if kind == "pep" and (page := find_pep_page(split_title(text)[1])):
        return [make_pep_reference(split_title(text)[0], words, page)]
    return [_NODES[style](words)]


def _make_code(text: str) -> nodes.Node:
    return nodes.literal(text, text)


def _make_bold(text: str) -> nodes.Node:
    return nodes.strong("", text)


_NODES: Mapping[Style, Callable[[str], nodes.Node]] = {
    Style.CODE: _make_code,
    Style.BOLD: _make_bold,
    Style.PLAIN: nodes.Text,
}


def make_reference(kind: str, text: str) -> nodes.Node:
    """A link to another document, a reference to a label for the writer to resolve, or the title given."""
    title, target = split_title(text)
    if kind == "doc" and target:
        return make_page_reference(title, target)
    if kind in ("ref", "numref") and target:
        label, is_numbered = nodes.fully_normalize_name(target), kind == "numref"
        return nodes.inline(text, title or target, reftarget=label, is_titled=bool(title), is_numbered=is_numbered)
    return nodes.Text(title or target)


def make_page_reference(title: str, target: str) -> nodes.Node:
    """A link to another document; without a title, the writer looks for the document's own."""
    return nodes.reference("", title or target.lstrip("/"), refuri=target, names_page=True, is_titled=bool(title))


def make_pep_reference(title: str, words: str, page: str) -> nodes.Node:
    """A link with the title, if the source has the page; else the words, which name the PEP."""
    return nodes.inline("", words, pep_page=page, title=title or words)
