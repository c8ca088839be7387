"""MyST, the Markdown of Sphinx and Jupyter: replaces its roles and directives with CommonMark. PURE.

    directives.py    fences with a name: boxes, figures, code, lists of pages, version changes; tables.py reads and writes their tables
    roles.py         `{ref}`words <label>``, `{func}`os.open`` and other roles, and links without words

https://mystmd.org/guide, https://myst-parser.readthedocs.io. Nothing is run or read: code that a notebook would run stays code, and what
would come from elsewhere (`{autoclass}`) stays as it is written. Parts in reStructuredText (`{eval-rst}`) are read by ../../rst.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.myst.directives import DIRECTIVES, write_directives
from collections_app.parsing.dialects.myst.roles import ROLES, write_empty_links, write_roles
from collections_app.parsing.references.myst import PAGE_TITLE
from collections_app.parsing.references.targets import Targets

_NAMES = "|".join(sorted(map(re.escape, DIRECTIVES)))
_DIRECTIVE = re.compile(
    rf"^[ \t>]*+(?:[-*+][ \t]++|\d{{1,9}}[.)][ \t]++)?(?:`{{3,}}+|~{{3,}}+|:{{3,}}+) ?\{{(?:{_NAMES})\}}",
    re.MULTILINE,
)
# Patterns that begin with a certain character are searched for much faster.
_DIRECTIVE_NAME = re.compile(rf"\{{(?:{_NAMES})\}}")
_ROLE = re.compile(rf"\{{(?<![\w`\\{{]\{{)(?:[a-z]++:)?(?:{'|'.join(sorted(ROLES))})\}}`[^`\n]")
_TARGET = re.compile(r"\((?<=^\()[^\s()]++\)=[ \t]*\n", re.MULTILINE)


def write_myst(content: str, targets: Targets) -> str:
    """The text with its roles and directives as Markdown; no line moves. `targets` are the known targets of references. In a text without
    signs of MyST, only links without words change.
    """
    if _is_myst(content):
        return write_roles(write_directives(content, targets), targets)
    return write_empty_links(content, targets) if targets or f"[{PAGE_TITLE}](" in content else content


def _is_myst(content: str) -> bool:
    return bool(
        (_DIRECTIVE_NAME.search(content) and _DIRECTIVE.search(content))
        or ("}`" in content and _ROLE.search(content))
        or (")=" in content and _TARGET.search(content))
    )
