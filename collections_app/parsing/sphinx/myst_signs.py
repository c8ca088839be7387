"""Whether a Markdown text is MyST: it has a directive or a role that is known, or a label. PURE."""

from __future__ import annotations

import re

from collections_app.parsing.sphinx.myst_names import DIRECTIVES, ROLES

# Objects count with their domain, or if nothing else is called so: `{data}` may be anything.
_NAMES = "|".join(
    [*sorted(map(re.escape, DIRECTIVES)), "confval", "envvar", r"(?:c|config|cpp|http|js|py|rst|std):[a-z]+"]
)
_DIRECTIVE = re.compile(
    rf"^[ \t>]*+(?:[-*+][ \t]++|\d{{1,9}}[.)][ \t]++)?(?:`{{3,}}+|~{{3,}}+|:{{3,}}+) ?\{{(?:{_NAMES})\}}",
    re.MULTILINE,
)
# Patterns that begin with a certain character are searched for much faster.
_DIRECTIVE_NAME = re.compile(rf"\{{(?:{_NAMES})\}}")
_ROLE = re.compile(rf"\{{(?<![\w`\\{{]\{{)(?:[a-z]++:)?(?:{'|'.join(sorted(ROLES))})\}}`[^`\s]")
_TARGET = re.compile(r"\((?<=^\()[^\s()]++\)=[ \t]*\n", re.MULTILINE)


def is_myst(content: str) -> bool:
    return bool(
        (_DIRECTIVE_NAME.search(content) and _DIRECTIVE.search(content))
        or ("}`" in content and _ROLE.search(content))
        or (")=" in content and _TARGET.search(content))
    )
