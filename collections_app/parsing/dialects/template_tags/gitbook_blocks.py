"""GitBook blocks that have content of their own: embeds, files, API calls, prompts, and dated news entries. PURE."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.html.escaping import make_link

BLOCKS = frozenset({"embed", "file", "openapi", "openapi-operation", "prompt", "update", "updates"})
"""Names that have this meaning only between `{%` and `%}`."""

_FOLLOWING_HEADING = re.compile(r"[ \t]*\n\s*#{1,6}[ \t][^\n]*(?=\n)")
_UNSAFE = re.compile(r"[<>\n]")


def describe_block(name: str, get: Callable[[str], str]) -> str:
    """What readers see of a block's opening tag, empty for nothing; `get` returns an argument by name."""
    if name == "embed":
        return _write_link(_find_host(get("url")), get("url"))
    if name == "file":
        return _write_link(unquote(posixpath.basename(get("src"))), get("src"))
    if name.startswith("openapi"):
        return f"`{get('method').upper()} {get('path')}`" if get("method") and get("path") else ""
    if name == "update":
        return f"**{get('date')}**  " if get("date") else ""  # with a line break
    return write_title(get("description").replace("*", ""), "") if name == "prompt" and get("description") else ""


def find_place_below(content: str, position: int) -> int:
    """The beginning of the line below the heading that follows a tag, so that the date of news is in their own section; where no heading
    follows, the end of the tag.
    """
    heading = _FOLLOWING_HEADING.match(content, position)
    return heading.end() + 1 if heading else position


def _find_host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # the brackets hold no IPv6 address
        return ""


def _write_link(words: str, address: str) -> str:
    if not words or not address or _UNSAFE.search(address):
        return ""
    return make_link(words.replace("[", "(").replace("]", ")"), address)
