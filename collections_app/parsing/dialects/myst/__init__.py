"""MyST, the Markdown of Sphinx and Jupyter: what its roles and directives say, as Markdown that all readers know. PURE.

    directives.py    fences with a name: boxes, figures, code, tables, lists of pages, what changed
    roles.py         `{ref}`words <label>``, `{func}`os.open`` and their like, and links that have no words

https://mystmd.org/guide, https://myst-parser.readthedocs.io. Nothing is run or read: code that a notebook would run is code, and what
would be taken from elsewhere (`{autoclass}`, `{eval-rst}`) stays as it is written.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.myst.directives import DIRECTIVES, write_directives
from collections_app.parsing.dialects.myst.roles import ROLES, write_empty_links, write_roles
from collections_app.parsing.references.myst import PAGE_TITLE
from collections_app.parsing.references.targets import Targets

_NAMES = "|".join(sorted(map(re.escape, DIRECTIVES)))
# Each with what is in every text that has it, which is found much sooner.
_SIGNS = (
    (
        ("``{", "`` {", "::{", ":: {", "~~{", "~~ {"),
        re.compile(
            rf"^[ \t>]*+(?:[-*+][ \t]++|\d{{1,9}}[.)][ \t]++)?(?:`{{3,}}+|~{{3,}}+|:{{3,}}+)[ \t]*+\{{(?:{_NAMES})\}}",
            re.MULTILINE,
        ),
    ),
    (("}`",), re.compile(rf"(?<![\w`\\{{])\{{(?:[a-z]++:)?(?:{'|'.join(sorted(ROLES))})\}}`[^`\n]")),
    ((")=\n", ")= "), re.compile(r"^\([^\s()]++\)=[ \t]*$", re.MULTILINE)),
)


def write_myst(content: str, targets: Targets) -> str:
    """The text with these as Markdown, its lines on their places; `targets` are what is known of what it names. What shows no sign of MyST
    stays as it is, but for links without words.
    """
    if _is_myst(content):
        return write_roles(write_directives(content, targets), targets)
    return write_empty_links(content, targets) if targets or f"[{PAGE_TITLE}](" in content else content


def _is_myst(content: str) -> bool:
    return any(any(mark in content for mark in marks) and sign.search(content) for marks, sign in _SIGNS)
