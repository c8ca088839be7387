"""Recognises monospaced fonts by name: code is set in them. PURE."""

from __future__ import annotations

import re

_MONOSPACED = re.compile(
    r"\bmono(?:space)?\b|\w(?<!\bmono)mono\b|courier|consolas|menlo|monaco|fira ?code|source ?code|cascadia|inconsolata|typewriter"
    r"|lucida console|fixedsys",
    re.IGNORECASE,
)


def is_monospaced(name: str) -> bool:
    """Whether the font is monospaced. It may be a list of fonts, as in style sheets."""
    return _MONOSPACED.search(name) is not None
