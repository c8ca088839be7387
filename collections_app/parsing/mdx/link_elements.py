"""Links that formatters of MDX write over several lines (`<Link href="/sails">`, `sails`, `</Link>`, each on a line of its own): Markdown
would read paragraphs, or HTML. PURE.
"""

from __future__ import annotations

import re
from collections import Counter

from collections_app.parsing.dialects.mdx_code import MdxPlaces
from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.text.spans import replace_spans

_ELEMENT = re.compile(
    r"<(?P<name>a|(?:[A-Z]\w{0,40})?(?:Link|Anchor))(?P<attributes>\s[^<>{}]{1,500})>"
    r"(?P<words>[^<>{}\n]{0,300}(?:\n[^<>{}\n]{1,300}){0,5}\n?[ \t]*)</(?P=name)>"
)
_ADDRESS = re.compile(r"(?<![\w-])(?:href|to)=[\"']([^\"']*)[\"']")
_MAY_HIDE = re.compile(r"(?<![\w-])(?:hidden|style|aria-hidden)(?![\w-])", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_MAX_PARAGRAPH_CHARACTERS = 5_000


def write_link_elements(content: str) -> str:
    """The text with such links as Markdown. Their paragraphs become shorter, what stands below these keeps its lines."""
    if "</a>" not in content and "Link>" not in content and "Anchor>" not in content:
        return content
    places, changes, missing = MdxPlaces(content), list[tuple[int, int, str]](), Counter[int]()
    for element in _ELEMENT.finditer(content):
        written, end = _write(element), _find_paragraph_end(content, element.end())
        if written and end >= 0 and not places.is_code_at(element.start()):
            changes.append((*element.span(), written))
            missing[end] += element[0].count("\n")
    ends = ((end, end, "\n" * count) for end, count in missing.items())
    return replace_spans(content, sorted([*changes, *ends]))


def _write(element: re.Match[str]) -> str:
    """The link; empty for an element on one line, without words or an address, or with something that may hide it."""
    found = _ADDRESS.search(element["attributes"])
    address, words = found[1] if found else "", " ".join(element["words"].split())
    is_link = "\n" in element[0] and words and is_address(address) and not _MAY_HIDE.search(element["attributes"])
    return f"[{words}]({address})" if is_link else ""


def _find_paragraph_end(content: str, start: int) -> int:
    """The end of the paragraph's last line; -1 if that is far away."""
    limit = start + _MAX_PARAGRAPH_CHARACTERS
    blank = _BLANK_LINE.search(content, start, limit)
    return blank.start() if blank else len(content) if len(content) <= limit else -1
