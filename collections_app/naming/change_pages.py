"""Recognises pages about changes between releases, and questions that ask for them. PURE.

Such pages contain every word of a documentation, but each in a sentence that says less than the page about the subject.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PAGE = re.compile(
    r"(?:^|[/._-])(?:change-?logs?|changes|history|news|release-?notes?|releases?|what-?s-?new\w*|announcements?)(?=[/._-]|$)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\b(?:change-?logs?|change[sd]|histor(?:y|ies)|release[sd]?|new(?:s|er|est)?|latest|since|versions?|upgrad\w*|migrat\w*|announce\w*|"
    r"introduc\w*|deprecat\w*|remov(?:ed|al)|breaking)\b|\d\.\d",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)  # each search asks for the paths of what it found
def is_of_changes(path: str) -> bool:
    """Whether the page, or a folder above it, has such a name: changelogs, release notes, news."""
    return _PAGE.search(path) is not None


def asks_for_changes(question: str) -> bool:
    """Whether the question may be about the changes of a release, or names a version."""
    return _QUESTION.search(question) is not None
