"""Reads documents by path and section id: the table of contents, sections, and whole pages."""

from collections_app.documents.closest import explain_missing, explain_unread, find_close_paths, find_near_paths
from collections_app.documents.fragments import Fragment, find_begun, find_fragment, list_fragment_words
from collections_app.documents.lookup import (
    find_documents,
    find_id,
    find_moved,
    find_page,
    find_waiting,
    get_document,
    iter_spellings,
    list_urls,
    open_document,
)
from collections_app.documents.outline import OUTLINE_SECTIONS, Outline, OutlineEntry, get_outline
from collections_app.documents.sections import (
    MissingSection,
    SectionText,
    Span,
    find_sections,
    get_brief_names,
    get_sections,
    get_those_there,
    iter_page,
)
from collections_app.documents.versions import DocumentReplaced, check_version, read_steadily, sections_of

__all__ = [
    "OUTLINE_SECTIONS",
    "DocumentReplaced",
    "Fragment",
    "MissingSection",
    "Outline",
    "OutlineEntry",
    "SectionText",
    "Span",
    "check_version",
    "explain_missing",
    "explain_unread",
    "find_begun",
    "find_close_paths",
    "find_documents",
    "find_fragment",
    "find_id",
    "find_moved",
    "find_near_paths",
    "find_page",
    "find_sections",
    "find_waiting",
    "get_brief_names",
    "get_document",
    "get_outline",
    "get_sections",
    "get_those_there",
    "iter_page",
    "iter_spellings",
    "list_fragment_words",
    "list_urls",
    "open_document",
    "read_steadily",
    "sections_of",
]
