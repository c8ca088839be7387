"""Boxes around nothing but a heading, which only give it an id (`<div id="reef">`, `## Riffs`, `</div>`, each on its own line), as
translators of sites write them: MDX reads the heading inside, Markdown would read HTML. PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code

_BOX = re.compile(
    r"^(?P<indent>[ \t]*)<(?P<tag>div|section)[ \t]+id=[\"'](?P<id>[^\"'\s<>{}]{1,200})[\"'][ \t]*>[ \t]*\n(?P<above>(?:[ \t]*+\n){0,3})"
    r"[ \t]*(?P<heading>#{1,6}[ \t][^\n]*[^\s\]}])[ \t]*\n(?P<below>(?:[ \t]*+\n){0,3})[ \t]*</(?P=tag)>[ \t]*$",
    re.MULTILINE,
)


def write_heading_boxes(content: str) -> str:
    """The text with headings in place of the boxes; no line moves. Headings that have an id of their own stay as they are."""
    return (
        replace_outside_mdx_code(_BOX, _write_heading, content)
        if "<div" in content or "<section" in content
        else content
    )


def _write_heading(box: re.Match[str]) -> str:
    return f"\n{box['above']}{box['indent']}{box['heading']} {{#{box['id']}}}\n{box['below']}"
