"""Puts a picture whose tag takes several lines (`<img`, `alt="…"`, `/>`), as formatters write it, on one line, as Markdown
requires. Of JSX a style that only says how large a picture is, and what is around it, goes (`style={{ width: '60%' }}`). PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code
from collections_app.parsing.safety.places import replace_outside_code

# Others may hide it, and so may sizes of nothing and margins that lead away from the page.
_PROPERTY = (
    r"\s*+(?:(?:max|min)?[Ww]idth|(?:max|min)?[Hh]eight|(?:border|margin|padding)[A-Z]?[a-zA-Z]*+|objectFit)\s*+:\s*+"
    r"(?=[\"']?(?:[1-9]|0 auto|[A-Za-z]++(?!\()))(?:[^{}<>`,:\n-]|-(?=[a-z]))++"
)
_STYLE = re.compile(rf"(?<=\s)style=\{{\{{{_PROPERTY}(?:,{_PROPERTY})*+(?:,\s*+)?\}}\}}")
_PICTURE = re.compile(
    r"^(?P<indent>[ \t]*)<img(?P<attributes>(?:[ \t][^<>{}`\n]*+)?\n"
    rf"(?:[^<>{{}}`s]|{_STYLE.pattern}|s){{1,3000}}+)>[ \t]*$",
    re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def join_pictures(content: str, *, is_jsx: bool) -> str:
    """The text with each such picture on one line; all other lines keep their places."""
    if "<img" not in content:
        return content
    replace_outside = replace_outside_mdx_code if is_jsx else replace_outside_code
    return replace_outside(_PICTURE, _join, content)


def _join(picture: re.Match[str]) -> str:
    """The tag on one line. With a blank line in it, it is no tag in Markdown; what HTML begins with attributes is read as such."""
    attributes, style_count = _STYLE.subn("", picture["attributes"])
    is_html = not style_count and not picture["attributes"].lstrip(" \t").startswith("\n")
    if is_html or _BLANK_LINE.search(picture["attributes"]):
        return picture[0]
    lines = "\n" * picture["attributes"].count("\n")
    return f"{picture['indent']}<img {' '.join(attributes.split())}>{lines}"
