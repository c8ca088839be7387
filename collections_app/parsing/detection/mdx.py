"""Whether a Markdown file is MDX, whatever its name: Docusaurus and others compile `.md` as MDX. It removes nothing."""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import WRAPPER, unwrap_mdx
from collections_app.parsing.headings import LineKind, iter_line_kinds

_SIGN = (
    r"import[ \t](?:[^\n'\"]*[ \t}]from[ \t]*)?(?:\"[^\"\n]*\"|'[^'\n]*')[ \t]*(?:;|\r?$)"
    r"|#{1,6}[ \t][^\n]*\{/\*[^\n*]*\*/\}[ \t]*\r?$"
)
_SIGN_IN_BYTES = re.compile(rf"^(?:{_SIGN})".encode(), re.MULTILINE)
_SIGN_IN_LINE = re.compile(_SIGN)
_MAX_LINE_CHARACTERS = 1000
_WRAPPER = WRAPPER.encode()


def is_mdx(content: bytes) -> bool:
    """Whether it has an `import` statement, or a heading with its id in `{/* */}`, outside of code and HTML, or an `mdx-code-block`."""
    if _WRAPPER in content and unwrap_mdx(text := content.decode("utf-8-sig", "replace")) != text:
        return True
    # Faster checks, made first.
    if not (content.startswith(b"import") or b"\nimport" in content or b"{/*" in content):
        return False
    if not _SIGN_IN_BYTES.search(content):
        return False
    lines = content.decode("utf-8-sig", "replace").split("\n")
    kinds = iter_line_kinds(lines)
    return any(
        kind is LineKind.MARKDOWN and len(line) <= _MAX_LINE_CHARACTERS and _SIGN_IN_LINE.match(line) is not None
        for line, kind in zip(lines, kinds, strict=True)
    )
