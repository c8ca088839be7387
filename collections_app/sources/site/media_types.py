"""Which answers may be documents, by media type and name, before their bodies are read. Parsing finds out what they really are."""

from __future__ import annotations

from mimetypes import MimeTypes

from collections_app.parsing.detection.document_names import is_document_name
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.formats import DOCUMENT_MEDIA_TYPES, UNTELLING_MEDIA_TYPES

HTML = frozenset({"text/html", "application/xhtml+xml"})
MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5"

_DATA = frozenset({"application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"})
_TYPES_BY_NAME = MimeTypes()


def may_be_document(media_type: str, path: str) -> bool:
    """Whether an answer of this type, for the page with this path, is worth reading."""
    if media_type in DOCUMENT_MEDIA_TYPES:
        return True
    if media_type in UNTELLING_MEDIA_TYPES:
        return not _get_extension(path) or is_document_name(path.partition(";")[0])
    return media_type in _DATA and is_document_name(path)


def is_worth_asking(path: str) -> bool:
    """Whether the page with this path may be a document, judged by its name."""
    by_name = _find_type(path)
    return by_name is None or is_document_name(path.partition(";")[0]) or may_be_document(by_name, path)


def is_page(path: str) -> bool:
    """Whether the name is that of a page that may have links."""
    by_name = _find_type(path)
    return by_name is None or by_name in HTML | MARKDOWN


def _find_type(path: str) -> str | None:
    media_type, packing = _TYPES_BY_NAME.guess_type(f"name{_get_extension(path)}")
    return packing or media_type


def _get_extension(path: str) -> str:
    return get_extension(path.partition(";")[0])
