"""What inline roles say: those of Sphinx as code, names, titles or links to documents, unknown ones as their text. No role reads or runs
anything.
"""

from __future__ import annotations

from docutils import nodes

from collections_app.parsing.sphinx_markup import (
    CALL_ROLES,
    DOCUMENT_PREFIXES,
    DROPPED_ROLES,
    LITERAL_ROLES,
    NAME_ROLES,
    OBJECT_ROLES,
    TITLE_ROLES,
    WIDGET_ROLES,
    add_parentheses,
    get_title,
    name_document,
    shorten_name,
    split_title,
    write_widgets,
)

# Docutils does these itself.
_PLAIN_ROLES = frozenset(
    ["emphasis", "strong", "math", "subscript", "sub", "superscript", "sup", "title-reference", "title", "t"]
)


def find_role_nodes(role: str, text: str) -> list[nodes.Node] | None:
    """The nodes for `text` with `role`; None if docutils is to do it."""
    name = role.lower()
    if name in _PLAIN_ROLES:
        return None
    if name in DROPPED_ROLES:
        return []
    kind = name.rpartition(":")[2]
    if kind in DOCUMENT_PREFIXES:
        return [nodes.Text(name_document(DOCUMENT_PREFIXES[kind], text))]
    if kind in TITLE_ROLES:
        return [_make_reference(kind, text)]
    if kind in CALL_ROLES:
        return [_make_code(add_parentheses(shorten_name(text)))]
    if kind in LITERAL_ROLES:
        return [_make_code(text)]
    if kind in NAME_ROLES:
        return [_make_code(get_title(text).removeprefix("!"))]
    if not name or ":" in name or kind in OBJECT_ROLES:
        return [_make_code(shorten_name(text))]
    if kind in WIDGET_ROLES:
        return [nodes.strong("", write_widgets(text))]
    return [nodes.Text(get_title(text))]


def _make_code(text: str) -> nodes.Node:
    return nodes.literal(text, text)


def _make_reference(kind: str, text: str) -> nodes.Node:
    """A link to another document, what the writer finds under a label, or the title that is given."""
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
