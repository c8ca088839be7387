"""Findings that report an office file's hidden text to editors. The text itself is left out."""

from __future__ import annotations

from collections.abc import Iterable

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.safety.prose import is_prose, make_excerpt


def make_findings(texts: Iterable[str]) -> tuple[Finding, ...]:
    """Findings for the texts that say something."""
    return tuple(
        Finding(FindingKind.HIDDEN_TEXT, -1, make_excerpt(text), removed=True) for text in filter(is_prose, texts)
    )
