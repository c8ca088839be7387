"""Relative links in a file that is put into a page, where its generator counts them from the file's own folder: DocFX, MkDocs'
include-markdown. Those of VitePress count from the page up to its version 1. PURE.
"""

from __future__ import annotations

import posixpath
import re

from collections_app.parsing.safety.places import replace_outside_code

# No address with a scheme, from a site's root, with an alias before it or with a variable.
_TARGET = re.compile(
    r"(?P<before>\](?:\([ \t]*|:[ \t]+)<?|\b(?:src|source|href)=[\"'])(?P<target>(?![a-zA-Z][\w+.-]*:|[/#~@{$?])[^\s()<>\"'#?{}]+)"
)


def move_links(text: str, origin: str, folder: str) -> str:
    """The text, of a file in the folder `origin`, with its links as they are written in `folder`; both paths are from the source's root."""
    if origin == folder:
        return text

    def move(link: re.Match[str]) -> str:
        target = link["target"]
        moved = posixpath.relpath(posixpath.join("/", origin, target), posixpath.join("/", folder))
        return f"{link['before']}{moved}{'/' if target.endswith('/') else ''}"

    return replace_outside_code(_TARGET, move, text) if "](" in text or "]:" in text or "=" in text else text
