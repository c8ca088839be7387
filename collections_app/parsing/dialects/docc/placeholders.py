"""Placeholders in Swift code, which Xcode offers to fill in: `<#name#>`, `<#T##name: String##String#>`. PURE."""

from __future__ import annotations

import re

from collections_app.text.markdown.code_blocks import iter_fenced_code

_PLACEHOLDER = re.compile(r"<#(?:T##)?(?P<name>(?! )[^#<>\n]++)(?<! )(?:##[^#<>\n]++)*+#>")


def write_placeholders(content: str) -> str:
    """The text with their names in Swift's code, and where a page with such code names it in a line. Other code may have comments so."""
    if "<#" not in content or "swift" not in content or not _PLACEHOLDER.search(content):
        return content
    lines = content.split("\n")
    blocks = list(iter_fenced_code(lines))
    if all(block.language != "swift" for block in blocks):
        return content
    others = {number for block in blocks if block.language != "swift" for number in range(block.start, block.end)}
    return "\n".join(
        line if number in others else _PLACEHOLDER.sub(r"\g<name>", line) for number, line in enumerate(lines)
    )
