"""What a document says, by path and section id: its table of contents, its sections, the page."""

from collections_app.documents.closest import explain_missing, find_close_paths
from collections_app.documents.fragments import Fragment, find_fragment
from collections_app.documents.lookup import find_documents, find_id, get_document, iter_spellings, list_urls
from collections_app.documents.outline import OUTLINE_SECTIONS, Outline, OutlineEntry, get_outline
from collections_app.documents.sections import (
    SectionText,
    Span,
    find_sections,
    get_sections,
    iter_page,
    look_up_sections,
)
from collections_app.documents.versions import DocumentReplaced, check_version, read_steadily, sections_of

__all__ = [
    "OUTLINE_SECTIONS",
    "DocumentReplaced",
    "Fragment",
    "Outline",
    "OutlineEntry",
    "SectionText",
    "Span",
    "check_version",
    "explain_missing",
    "find_close_paths",
    "find_documents",
    "find_fragment",
    "find_id",
    "find_sections",
    "get_document",
    "get_outline",
    "get_sections",
    "iter_page",
    "iter_spellings",
    "list_urls",
    "look_up_sections",
    "read_steadily",
    "sections_of",
]
