"""Documents over REST: list them, read one, remove one. They are written by uploads and sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.access.principal import Principal, Scope
from collections_app.activity.usage import count_read
from collections_app.api.access import get_collection, get_own_collection
from collections_app.api.base import ApiView, ListView
from collections_app.api.fields import ChoiceField
from collections_app.api.pagination import PageQuery
from collections_app.documents import DocumentReplaced, explain_unread, find_waiting, get_document, read_steadily
from collections_app.exceptions import DocumentNotFound, InvalidParameter
from collections_app.models import Collection, Document, Upload
from collections_app.models.jobs import UNREAD
from collections_app.naming.paths import compose
from collections_app.removal.documents import remove

Status = Document.Status


class DocumentsQuery(PageQuery):
    status = ChoiceField(
        [*Status.values, "all"], default=Status.SUCCESS.value, help_text="Others than success need the scope write"
    )
    category = serializers.CharField(max_length=200, required=False)


class DocumentSerializer(serializers.ModelSerializer[Document]):
    id = serializers.IntegerField(read_only=True, allow_null=True, help_text="null while it is pending or processing")

    size_bytes = serializers.IntegerField(
        source="known_size_bytes",
        read_only=True,
        allow_null=True,
        help_text="null of a file that was refused before it was read",
    )

    class Meta:
        model = Document
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "path",
            "title",
            "description",
            "keywords",
            "category",
            "format",
            "size_bytes",
            "source_url",
            "page_count",
            "status",
            "error_code",
            "error_message",
            "indexed",
        )


class WholeDocumentSerializer(DocumentSerializer):
    content = serializers.SerializerMethodField(help_text="Markdown; empty unless the status is success")

    class Meta(DocumentSerializer.Meta):
        fields = (*DocumentSerializer.Meta.fields, "metadata", "warnings", "findings", "created", "content")

    def get_content(self, document: Document) -> str:
        return document.content if document.status == Status.SUCCESS else ""


class MarkdownRenderer(BaseRenderer):
    """Tells content negotiation that Markdown is available."""

    media_type = "text/markdown"
    format = "markdown"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> Any:
        return data.encode()


@extend_schema_view(get=extend_schema(parameters=[DocumentsQuery]))
class DocumentsView(ListView[Document]):
    serializer_class = DocumentSerializer
    queryset = Document.objects.none()
    ordering = "path"
    query = DocumentsQuery

    def get_queryset(self) -> QuerySet[Document]:
        """For pending and processing documents these are uploads, which paginate_queryset() turns into documents; they have no category."""
        collection = get_collection(self.principal, self.kwargs["collection"])
        documents = Document.objects.in_collections([collection]).defer("content")
        if (status := self.given["status"]) != "all":
            documents = documents.filter(status=status)
        if status != Status.SUCCESS and not self.principal.may(Scope.WRITE):
            raise InvalidParameter("status must be 'success' without the scope write.", allowed=["success"])
        category = self.given.get("category")
        if status in UNREAD:
            uploads = Upload.objects.in_collections([collection]).defer("content")
            return cast("QuerySet[Document]", uploads.none() if category else uploads.with_status(status))
        return documents.filter(category__iexact=category) if category else documents

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        rows: Sequence[Document | Upload] = super().paginate_queryset(queryset) or []
        status = self.given["status"]
        return [row.make_unread(status) if isinstance(row, Upload) else row for row in rows]


class DocumentView(ApiView):
    renderer_classes = (JSONRenderer, MarkdownRenderer)

    @extend_schema(
        responses={
            (HTTPStatus.OK, "application/json"): WholeDocumentSerializer,
            (HTTPStatus.OK, "text/markdown"): OpenApiTypes.STR,
        }
    )
    def get(self, request: Request, collection: str, path: str) -> Response:
        """`path` may also be an id or a source URL, and may lack `./`, `/` or `.md`. Who may write sees failed and quarantined ones too."""
        found = get_whole_document(self.principal, get_collection(self.principal, collection), path)
        data = WholeDocumentSerializer(found).data
        if data["content"]:
            count_read(found, self.principal)
        return Response(data if request.accepted_renderer.format == "json" else data["content"])

    @extend_schema(responses={HTTPStatus.NO_CONTENT: None})
    def delete(self, request: Request, collection: str, path: str) -> Response:
        """An operator can bring it back for some days. One that its source still has comes back with the next refresh."""
        own = get_own_collection(self.principal, collection)
        remove(own.pk, [get_whole_document(self.principal, own, path).pk])
        return Response(status=HTTPStatus.NO_CONTENT)


def get_whole_document(principal: Principal, collection: Collection, path: str) -> Document:
    """The document with its content. Raises DocumentNotFound with the closest paths, or saying that it is still to be read;
    DocumentReplaced."""
    try:
        return read_steadily(partial(read, collection, path), [collection])
    except DocumentNotFound:
        if not principal.may(Scope.WRITE):
            raise
        if unread := Document.objects.in_collections([collection]).filter(path=compose(path)).first():
            return unread
        if waiting := find_waiting([collection], path):
            raise explain_unread([collection], waiting) from None
        raise


def read(collection: Collection, path: str) -> Document:
    found = get_document([collection], path, guess=False)
    document = Document.objects.filter(tenant=collection.tenant_id, pk=found.pk).first()
    if document is None:
        raise DocumentReplaced(found)
    return document
