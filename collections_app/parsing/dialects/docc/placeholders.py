"""Placeholders in Swift code, which Xcode offers to fill in: `<#name#>`, `<#T##name: String##String#>`. PURE."""

from __future__ import annotations

import re

from collections_app.text.code_blocks import FENCE, ends_code, name_language

_PLACEHOLDER = re.compile(r"<#(?:T##)?(?P<name>(?! )[^#<>\n]++)(?<! )(?:##[^#<>\n]++)*+#>")


def write_placeholders(content: str) -> str:
    """The text with their names in Swift's code, and where a page with such code names it in a line. Other code may have comments so."""
    if "<#" not in content or "swift" not in content or not _PLACEHOLDER.search(content):
        return content
    lines = content.split("\n")
    fence, language, numbers, has_swift = "", "", list[int](), False
    for number, line in enumerate(lines):
        if fence:
            fence = "" if ends_code(line, fence) else fence
        elif opening := FENCE.match(line):
            fence, language = opening["fence"], name_language(opening["info"])
            has_swift |= language == "swift"
            continue
        if "<#" in line and (not fence or language == "swift"):
            numbers.append(number)
    for number in numbers if has_swift else ():
        lines[number] = _PLACEHOLDER.sub(r"\g<name>", lines[number])
    return "\n".join(lines)
