"""Targets of links and images in Markdown, which say nothing about the subject of a text. PURE."""

from __future__ import annotations

import re

_SCHEME = r"https?://|mailto:|\.{0,2}/|#"
# Of names of files beside the page: none that code has as the name of a property.
_ENDING = r"(?:md|mdx|rst|adoc|html?|ipynb|txt|ya?ml|pdf|zip|png|jpe?g|gif|svg|webp|avif|mp4|webm)"
# Targets, but not calls in a programming language (`handlers[name](event)`): between angle brackets, without brackets of their own, or with
# some. The lookahead for the end comes first: without an end, the rest of the line would be searched again after each `.md`.
TARGET = (
    rf"\]\((?:<[^<>\n]*+>\)|(?=[^()\n]*+\))(?:{_SCHEME}|[^()\s]+\.{_ENDING}\b)[^()\n]*+\)"
    rf"|(?:{_SCHEME})[^()\s]*+\([^()\s]*+\)[^()\s]*+\))"
)
LINK_TARGET = re.compile(TARGET)


def leave_out_targets(text: str) -> str:
    """The text with only the words of links left, in their brackets."""
    return LINK_TARGET.sub("]", text) if "](" in text else text
