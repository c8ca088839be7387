"""The section that the address of a page names behind its `#`."""

from __future__ import annotations

from urllib.parse import unquote

from collections_app.documents.lookup import iter_without_fragments
from collections_app.documents.sections import find_sections
from collections_app.exceptions import InvalidSectionId, SectionNotFound
from collections_app.models import Document, Section


def find_fragment(document: Document, path: str) -> Section | None:
    """The section that is named behind the name of this document in what it was asked for by, without its text; None where none is.

    Raises DocumentReplaced.
    """
    asked = path.strip()
    name = next((each for each in iter_without_fragments(asked) if is_name_of(document, each)), asked)
    fragment = unquote(asked[len(name) + 1 :]).replace("\0", "")
    try:
        return find_sections(document, [fragment])[0] if fragment else None
    except (InvalidSectionId, SectionNotFound):
        return None


def is_name_of(document: Document, name: str) -> bool:
    """Whether that is the document's path or source URL, as far as find_documents() forgives, after whatever names its collection."""
    if document.source_url and name.rstrip("/") == document.source_url.rstrip("/"):
        return True
    before, _, query = name.partition("?")
    spellings = {name, unquote(name)} | ({before, unquote(before)} if "#" not in query else set())
    paths = {document.path, document.path.removesuffix(".md")}
    return any(each in paths or each.endswith((f"/{path}", f":{path}")) for each in spellings for path in paths)
