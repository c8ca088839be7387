"""Takes out of a model's answer what a host would fetch or show: images, HTML, and addresses that are in no passage. PURE.

A planted instruction can make a model write an address with the reader's data in it; nothing of the kind gets through.
"""

from __future__ import annotations

import re

# Bounded, since a row of brackets would be looked through again from each of them; and nothing is tried a second time (`+`).
_IMAGE = re.compile(r"!\[([^\]\n]{0,300}+)\](?:\([^)\n]{0,2000}+\)|\[[^\]\n]{0,300}+\])?")
_LINK = re.compile(r"\[([^\]\n]{0,300}+)\]\(\s*+<?([^)\s>]{0,2000}+)>?[^)\n]{0,300}+\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$\n?", re.MULTILINE)
_TAG = re.compile(r"<(?!https?:)/?[A-Za-z!][^<>]*>")
_ADDRESS = re.compile(r"(?:https?:|ftp:|data:|javascript:|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_TRAILING = ".,;:!?*_"

REMOVED = "(address removed)"


def remove_foreign_links(prose: str, known: str) -> str:
    """`known` is all text that was sent: an address that stands in it stays, a link to another one becomes its text."""
    prose = _REFERENCE.sub("", prose)
    prose = _IMAGE.sub(r"\1", prose)
    prose = _LINK.sub(lambda match: match[0] if match[2] and match[2] in known else _keep_text(match[1]), prose)
    prose = _TAG.sub("", prose)
    return _ADDRESS.sub(lambda match: match[0] if match[0].rstrip(_TRAILING) in known else REMOVED, prose)


def _keep_text(text: str) -> str:
    """A link whose text is a number was meant as a citation."""
    return f"[{text}]" if text.isdecimal() else text
