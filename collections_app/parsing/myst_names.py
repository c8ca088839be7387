"""Names of MyST's directives that hold Markdown, by what becomes of them. PURE."""

from __future__ import annotations

from collections_app.parsing.sphinx_markup import VERSION_CHANGES

# fmt: off
BOXES = frozenset([
    "admonition", "attention", "caution", "danger", "dropdown", "error", "hint", "important", "note", "seealso", "tip", "todo", "topic",
    "tab-item", "tab-set", "warning",
])
CARDS = frozenset(["card", "grid-item-card", "link-card", "page-card", "sidebar"])
OPENED = frozenset([
    "aside", "card-group", "div", "epigraph", "exercise", "figure-md", "glossary", "grid", "grid-item", "margin", "proof", "solution",
    "step", "stepper", "table",
])
# fmt: on
PICTURES = frozenset(["figure", "image"])
WITH_MARKDOWN = frozenset({*BOXES, *CARDS, *OPENED, *PICTURES, *VERSION_CHANGES})
