"""MyST, the Markdown of Sphinx and Jupyter: replaces its roles and directives with CommonMark. PURE.

    directives.py    fences with a name; those that hold Markdown: boxes, tabs, figures, cards, version changes
    shown.py         those that hold none: code, formulas, lists of pages, buttons, videos; tables.py reads and writes their tables
    objects.py       descriptions of functions, options and other objects
    roles.py         `{ref}`words <label>``, `{func}`os.open`` and other roles, and links without words

https://mystmd.org/guide, https://myst-parser.readthedocs.io. Nothing is run or read: code that a notebook would run stays code, and what
would come from elsewhere (`{autoclass}`) stays as it is written. Parts in reStructuredText (`{eval-rst}`) are read by ../../rst.
"""

from __future__ import annotations

from collections_app.parsing.dialects.myst.directives import write_directives
from collections_app.parsing.dialects.myst.roles import write_empty_links, write_roles
from collections_app.parsing.references.myst import PAGE_TITLE, ask_for_titles
from collections_app.parsing.references.targets import Kind, Targets
from collections_app.parsing.sphinx.myst_signs import is_myst


def write_myst(content: str, targets: Targets) -> str:
    """The text with its roles and directives as Markdown; no line moves. `targets` are the known targets of references. In a text without
    signs of MyST, only links without words change.
    """

    def has_title(path: str) -> bool:
        target = targets.get((Kind.PAGE, path))
        return target is not None and bool(target.title)

    content = ask_for_titles(content, has_title)
    if is_myst(content):
        return write_roles(write_directives(content, targets), targets)
    return write_empty_links(content, targets) if targets or f"[{PAGE_TITLE}](" in content else content
