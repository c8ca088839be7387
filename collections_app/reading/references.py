"""Link definitions (`[label]: address`), which apply to a whole document although its sections are rendered one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.db.models import QuerySet

from collections_app.documents import sections_of
from collections_app.models import Document, Section

MAX_REFERENCES = 1_000
# At most so many sections with definitions are read; notes at the end of a document are in a single one.
MAX_SECTIONS = 20
DEFINITION = re.compile(
    r"^ {0,3}\[([^\]\n]{1,200})\]: ?<?([^\s<>]{1,2000})>?(?: +[\"'(]([^\n]{0,200})[\"')])? *$", re.MULTILINE
)
MAY_DEFINE = r"^ {0,3}\[[^]]+\]: ?[^ ]"


def find_references(document: Document) -> dict[str, tuple[str, str]]:
    """Label in lower case → address and title, from the first definition of each label. One query."""
    references: dict[str, tuple[str, str]] = {}
    for label, address, title in iter_definitions(sections_of(document)):
        references.setdefault(label, (address, title))
        if len(references) >= MAX_REFERENCES:
            break
    return references


def iter_definitions(sections: QuerySet[Section]) -> Iterator[tuple[str, str, str]]:
    defining = sections.filter(content__regex=f"(?n){MAY_DEFINE}")
    for content in defining.values_list("content", flat=True)[:MAX_SECTIONS]:
        for found in DEFINITION.finditer(content):
            yield " ".join(found[1].split()).lower(), found[2], found[3] or ""
