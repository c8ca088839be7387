"""Puts a picture whose tag takes several lines (`<img`, `alt="…"`, `/>`), as formatters write it, on one line, as Markdown
requires. PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code
from collections_app.parsing.safety.places import replace_outside_code

_PICTURE = re.compile(r"^(?P<indent>[ \t]*)<img[ \t]*\n(?P<attributes>[^<>{}`]{1,3000})>[ \t]*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"^[ \t]*\n", re.MULTILINE)


def join_pictures(content: str, *, is_jsx: bool) -> str:
    """The text with each such picture on one line; all other lines keep their places."""
    if "<img" not in content:
        return content
    replace_outside = replace_outside_mdx_code if is_jsx else replace_outside_code
    return replace_outside(_PICTURE, _join, content)


def _join(picture: re.Match[str]) -> str:
    """The tag on one line. With a blank line in it, it is no tag in Markdown."""
    if _BLANK_LINE.search(picture["attributes"]):
        return picture[0]
    lines = "\n" * (picture["attributes"].count("\n") + 1)
    return f"{picture['indent']}<img {' '.join(picture['attributes'].split())}>{lines}"
