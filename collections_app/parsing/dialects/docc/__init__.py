"""Apple's DocC in Markdown, as CommonMark. PURE.

    directives.py     blocks such as `@Row { … }` and `@Tab("Linux") { … }`, pictures, and what readers do not see
    links.py          links to other pages (`<doc:ControlFlow#Early-Exit>`)
    placeholders.py   placeholders in Swift code (`<#name#>`)

https://www.swift.org/documentation/docc/
"""

from __future__ import annotations

from collections_app.parsing.dialects.docc.directives import write_directives
from collections_app.parsing.dialects.docc.links import has_links, write_links, write_words_of_links
from collections_app.parsing.dialects.docc.placeholders import write_placeholders

__all__ = ["has_links", "write_docc_signs", "write_links"]


def write_docc_signs(content: str) -> str:
    """The text without DocC's own markup. Links that no source has resolved are their words. No line behind a block moves."""
    return write_placeholders(write_words_of_links(write_directives(content)))
