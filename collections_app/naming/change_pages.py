"""Pages that tell what changed from release to release, and questions that ask for that. PURE.

They have every word of a documentation, each with a sentence that says less of it than the page that it is about.
"""

from __future__ import annotations

import re

_PAGE = re.compile(
    r"(?:^|[/._-])(?:change-?logs?|changes|history|news|release-?notes?|releases?|what-?s-?new\w*|announcements?)(?=[/._-]|$)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\b(?:change-?logs?|change[sd]|histor(?:y|ies)|release[sd]?|new(?:s|er|est)?|latest|since|versions?|upgrad\w*|migrat\w*|announce\w*|"
    r"introduc\w*|deprecat\w*|remov(?:ed|al)|breaking)\b|\d\.\d",
    re.IGNORECASE,
)


def is_of_changes(path: str) -> bool:
    """Whether a page is called so, or a folder above it: changelogs, release notes, news."""
    return _PAGE.search(path) is not None


def asks_for_changes(question: str) -> bool:
    """Whether it may be about what a release changed, or names a version."""
    return _QUESTION.search(question) is not None
