"""Marks of what is new in code, as the tool writes them that takes excerpts into pages of Dart and Flutter (`[!client.close()!]`), on pages
that have its instructions (`<?code-excerpt "lib/a.dart"?>`). PURE.
"""

from __future__ import annotations

import re

from collections_app.text.markdown.code_blocks import iter_fenced_code

_SIGN = "<?code-excerpt "
_MARKED = re.compile(r"\[!(?P<code>(?:(?!\[!|!\]).){1,2000})!\]", re.DOTALL)


def drop_excerpt_marks(content: str) -> str:
    """The text without the marks in its fenced code; no line moves."""
    if _SIGN not in content or "!]" not in content:
        return content
    lines = content.split("\n")
    for block in iter_fenced_code(lines):
        code = _MARKED.sub(r"\g<code>", "\n".join(lines[block.start + 1 : block.end]))
        lines[block.start + 1 : block.end] = code.split("\n") if block.end > block.start + 1 else []
    return "\n".join(lines)
