"""Names of MyST's directives and roles, by what becomes of them. PURE."""

from __future__ import annotations

from collections_app.parsing.sphinx.markup import KNOWN_ROLES, MODULES, VERSION_CHANGES
from collections_app.parsing.sphinx.markup import UNTOLD as UNTOLD_BY_SPHINX

# fmt: off
BOXES = frozenset([
    "admonition", "attention", "caution", "danger", "dropdown", "error", "hint", "important", "note", "seealso", "tip", "todo", "topic",
    "group-tab", "tab", "tab-item", "tab-set", "tabs", "warning",
])
TABS = {"group-tab": "tab-item", "tab": "tab-item", "tabs": "tab-set"}
"""Those of sphinx-tabs, and what they are called in sphinx-design."""
VIDEOS = frozenset(["vimeo", "youtube"])
CARDS = frozenset(["card", "grid-item-card", "link-card", "page-card", "sidebar"])
BUTTONS = frozenset(["button-link", "button-ref"])
OPENED = frozenset([
    "aside", "card-group", "div", "epigraph", "exercise", "figure-md", "glossary", "grid", "grid-item", "ifconfig", "margin", "only",
    "proof", "solution", "step", "stepper", "table",
])
CODE = frozenset([
    "code", "code-block", "code-cell", "code-tab", "parsed-literal", "prompt", "sourcecode", "terminal", "mermaid", "graphviz",
])
UNTOLD = frozenset({*UNTOLD_BY_SPHINX, "bibliography", "highlight", "meta", "tableofcontents", "toc"})
ICON_ROLES = frozenset([
    "octicon", "fa", "fab", "fas", "far", "material-outlined", "material-regular", "material-round",
])
# fmt: on
TABLES = frozenset(["csv-table", "list-table"])
PICTURES = frozenset(["figure", "image"])
WITH_MARKDOWN = frozenset({*BOXES, *CARDS, *OPENED, *PICTURES, *VERSION_CHANGES})
DIRECTIVES = frozenset(
    {*WITH_MARKDOWN, *CODE, *UNTOLD, *MODULES, *TABLES, *BUTTONS, *VIDEOS, "eval-rst", "math", "raw", "toctree"}
)
"""Known directives, by which a text is recognised as MyST."""

PLAIN_ROLES = frozenset(["abbr", "icon", "eq", "u", "sc", "del", "strike"])
RAISED_ROLES = frozenset(["sup", "superscript"])
LOWERED_ROLES = frozenset(["sub", "subscript"])
CITE_ROLES = frozenset(["cite", "cite:p", "cite:t", "footcite"])
ROLES = frozenset({*KNOWN_ROLES, *PLAIN_ROLES, *RAISED_ROLES, *LOWERED_ROLES, *ICON_ROLES, "cite", "footcite", "math"})
"""Roles by which a text is recognised as MyST, without a domain before a colon."""
