"""Escapes text that looks like Markdown, only where CommonMark would take it for structure.

Identifiers stay searchable: nothing inside a word is escaped, and emphasis signs in running text are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TAG_START = re.compile(r"<(?=[a-zA-Z/!?]|$)")  # a piece of text may end within a tag
_NEEDS_BRACKETS = re.compile(r"[\s()]")
_BLOCK_START = re.compile(
    r"#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|`{3,}[^`]*$|~{3,}|\[[^\]]+\]:|=+$|-[- ]*$|(?:\* *){3,}$|(?:_ *){3,}$"
)
_NUMBER_START = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_OTHER_BLOCK_START = re.compile(r"\s|[|<]|:::|!\[[^\]]*\]\([^()]*\)$")
_UNDERLINE = re.compile(r"[ \t]*[|:=-][ \t|:=-]*$")
_BLOCK_SIGNS = frozenset("#-+*>`~[=_0123456789")

_HEADING_MARKUP = re.compile(r"[\\*`]|<(?=[a-zA-Z/!?]|$)|\](?=[(\[])|&(?=#?\w+;)")
_EDGED_NAME = re.compile(r"(?<!\w)(?:_\w*|\w+_)(?!\w)")
_CLOSING_SIGNS = re.compile(r"(?<!\S)(?=#+$)|(?=\{[^{}]*\}$)")
_BACKTICKS = re.compile("`+")


def escape_text(text: str) -> str:
    """Running text, with anything escaped that would begin a tag."""
    return _TAG_START.sub(r"\\<", text) if "<" in text else text


def escape_heading_text(text: str) -> str:
    """A piece of a heading's text. Names such as `__init__` become code: their underscores are part of them."""
    escaped = _HEADING_MARKUP.sub(r"\\\g<0>", text)
    return _EDGED_NAME.sub(r"`\g<0>`", escaped) if "_" in escaped else escaped


def escape_heading_end(heading: str) -> str:
    """A whole heading, with `#`s or `{…}` at its end escaped, since they belong to its text."""
    return _CLOSING_SIGNS.sub(r"\\", heading) if heading.endswith(("#", "}")) else heading


def escape_line_start(line: str) -> str:
    """A line of a paragraph, escaped if it would begin a heading, list, quote, fence, link definition or thematic break."""
    if not line or line[0] not in _BLOCK_SIGNS:
        return line
    if _BLOCK_START.match(line):
        return f"\\{line}"
    return _NUMBER_START.sub(r"\1\\\2", line, count=1) if _NUMBER_START.match(line) else line


def begins_paragraph(lines: Sequence[str]) -> bool:
    """Whether these lines of Markdown begin with a paragraph, as far as the first two show."""
    is_underlined = len(lines) > 1 and _UNDERLINE.match(lines[1]) is not None
    is_block = _BLOCK_START.match(lines[0]) or _NUMBER_START.match(lines[0]) or _OTHER_BLOCK_START.match(lines[0])
    return not is_underlined and not is_block


def make_code_span(code: str) -> str:
    """A code span, with more backticks around it than it contains in a row (CommonMark 0.31, section 6.1)."""
    if "`" not in code:
        return f"`{code}`"
    fence = "`" * (_get_longest_run(code) + 1)
    return f"{fence} {code} {fence}"


def make_link(text: str, address: str, title: str = "") -> str:
    """An inline link. An address with blanks or parentheses is put into angle brackets (CommonMark 0.31, section 6.3). `title` has its
    quotation marks.
    """
    destination = f"<{address}>" if _NEEDS_BRACKETS.search(address) else address
    return f"[{text}]({destination} {title})" if title else f"[{text}]({destination})"


def make_fence(code: str) -> str:
    """The fence for a code block: at least three backticks, and more than the code has in a row."""
    return "`" * max(3, _get_longest_run(code) + 1) if "```" in code else "```"


def _get_longest_run(code: str) -> int:
    return max(map(len, _BACKTICKS.findall(code)), default=0)
