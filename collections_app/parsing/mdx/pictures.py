"""Pictures whose tag takes several lines (`<img`, `alt="…"`, `/>`), as formatters of JSX write it: on one, as Markdown knows them. PURE."""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code

_PICTURE = re.compile(r"^(?P<indent>[ \t]*)<img[ \t]*\n(?P<attributes>[^<>{}`]{1,3000})>[ \t]*$", re.MULTILINE)


def join_pictures(content: str) -> str:
    """The text with them so, its other lines on their places."""
    return replace_outside_mdx_code(_PICTURE, _join, content) if "<img" in content else content


def _join(picture: re.Match[str]) -> str:
    lines = "\n" * (picture["attributes"].count("\n") + 1)
    return f"{picture['indent']}<img {' '.join(picture['attributes'].split())}>{lines}"
