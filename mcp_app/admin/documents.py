"""Shows what an agent reads of a document: the actual text of get_doc_page and read_sections, read as the person who looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from collections_app.access.authentication import make_user_principal
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.exceptions import DocsError
from collections_app.models import Document, User
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call
from mcp_app.protocol.revisions import MODERN_REVISIONS
from mcp_app.rendering import TextAnswer, format_call
from mcp_app.tools import get_doc_page, read_sections

# The longest section id or cursor that may be given.
MAX_PARAMETER_CHARACTERS = 4_000


@admin_page("documents/<int:pk>/as-read/", name="document_as_read")
def show_as_read(request: HttpRequest, pk: int) -> HttpResponse:
    """A part of the document's page: the whole document piece by piece, or the section that is named."""
    document = get_row_or_404(request, Document.objects.select_related("collection__tenant").defer("content"), pk)
    section, cursor = (get_parameter(request, name) for name in ("section", "cursor"))
    context: dict[str, Any] = {
        "call": name_call(document, section, cursor),
        "own": reverse("admin:document_as_read", args=[document.pk]),
        "is_part": bool(section or cursor),
    }
    try:
        answer = ask(make_call(request.user, document), document, section, cursor)
        context |= {"text": answer.as_markdown(), "cursor": answer.as_json().get("next_cursor")}
    except DocsError as error:
        context |= {"text": "", "error": error.message}
    context["tokens"] = estimate_tokens(context["text"])
    return render(request, "admin/documents/as_read.html", context)


def get_parameter(request: HttpRequest, name: str) -> str:
    """The parameter without characters that cannot occur in text from the database."""
    return request.GET.get(name, "").replace("\0", "")[:MAX_PARAMETER_CHARACTERS]


def make_call(user: Any, document: Document) -> Call:
    """A call at the endpoint of the document's own collection, where its path means this document."""
    assert isinstance(user, User)
    collection = document.collection
    looker = replace(make_user_principal(user), is_trial=True)
    return Call(looker, MODERN_REVISIONS[-1], narrowed_to=(collection.tenant.slug, collection.slug))


def ask(call: Call, document: Document, section: str, cursor: str) -> TextAnswer:
    """Calls the tool. Raises DocsError, as the tool does."""
    if section:
        return read_sections.run(call, read_sections.ReadSectionsParams(path=document.path, section_ids=[section]))
    return get_doc_page.run(call, get_doc_page.GetDocPageParams(path=document.path, cursor=cursor or None))


def name_call(document: Document, section: str, cursor: str) -> str:
    if section:
        return format_call("read_sections", path=document.path, section_ids=[section])
    return format_call("get_doc_page", path=document.path, cursor="…" if cursor else None)
