"""Annotations after headings, links, pictures and code in MDX (`## Title {{ id: 'x' }}`, `[words](/a){{ target: '_blank' }}`), as the
plugin mdx-annotations reads them: properties of what they follow, which readers do not see.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code

_ANNOTATION = re.compile(r"\{\{[ \t]*\w+[ \t]*:[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+)*+\}\}")
# Children of components are indented.
_HEADING = re.compile(r"[ \t]*+#{1,6}[ \t]")
_LINE_END = re.compile(r"[ \t]*$", re.MULTILINE)
_ID = re.compile(r"\bid[ \t]*:[ \t]*([\"'])(?P<id>[\w-]+)\1")


def drop_annotations(content: str) -> str:
    """The text without annotations; no line moves. The id of a heading stays, as `{#id}`."""
    return replace_outside_mdx_code(_ANNOTATION, _write, content)


def _write(found: re.Match[str]) -> str:
    content = found.string
    line = content.rfind("\n", 0, found.start()) + 1
    if _HEADING.match(content, line) and _LINE_END.match(content, found.end()):
        own = _ID.search(found[0])
        return f"{{#{own['id']}}}" if own else ""
    return "" if content[found.start() - 1 : found.start()] in (")", "]", "`") else found[0]
