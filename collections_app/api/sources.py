"""Sources over REST: where a collection's documents come from, refreshing one, and the secret of its webhook."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.access.principal import Principal
from collections_app.api.access import check_may_change, get_collection, get_own_collection
from collections_app.api.authentication import Manage
from collections_app.api.base import ApiView, ListView, read_body
from collections_app.api.fields import ChoiceField, Input, MetadataField
from collections_app.api.jobs import JobSerializer
from collections_app.jobs import check_interval, get_max_file_bytes, renew_webhook_secret, start_job
from collections_app.models import Source
from collections_app.source_intake import MAKERS
from collections_app.webhooks import make_examples

Kind = Source.Kind


class SourceSerializer(serializers.ModelSerializer[Source]):
    tenant = serializers.CharField(source="collection.tenant.slug")
    collection = serializers.CharField(source="collection.slug")
    location = serializers.CharField(source="told_location", read_only=True, help_text="Of a directory, only its name")
    max_file_bytes = serializers.SerializerMethodField(
        help_text="What MAX_FILE_BYTES says, unless it has a number of its own"
    )
    has_token = serializers.SerializerMethodField()
    has_webhook = serializers.SerializerMethodField()

    class Meta:
        model = Source
        fields = (
            "id",
            "tenant",
            "collection",
            "kind",
            "location",
            "include",
            "exclude",
            "max_file_bytes",
            "refresh_interval_seconds",
            "auto_index",
            "options",
            "has_token",
            "has_webhook",
            "created",
        )

    def get_max_file_bytes(self, source: Source) -> int:
        return get_max_file_bytes(source)

    def get_has_token(self, source: Source) -> bool:
        return bool(source.encrypted_token)

    def get_has_webhook(self, source: Source) -> bool:
        return bool(source.encrypted_webhook_secret)


class GlobsField(serializers.ListField):
    child = serializers.CharField(max_length=500)


def get_usual_max_file_bytes() -> int:
    most: int = settings.DOCSMCP.max_file_bytes
    return most


class NewSource(Input):
    kind = ChoiceField([kind.value for kind in Kind if kind is not Kind.UPLOAD])
    location = serializers.CharField(
        max_length=1500, help_text="The site's first page, the repository's URL, or a directory of the server"
    )
    include = GlobsField(default=list)
    exclude = GlobsField(default=list)
    max_file_bytes = serializers.IntegerField(
        min_value=1,
        max_value=2**30,
        default=get_usual_max_file_bytes,
        help_text="At most the setting MAX_FILE_BYTES, which it is if it is left out",
    )
    refresh_interval_seconds = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text=f"At least {Source.LEAST_REFRESH_SECONDS}; 0: only when told to",
    )
    auto_index = serializers.BooleanField(required=False, help_text="False stops every schedule of this source")
    options = MetadataField(
        default=dict, help_text="Of a site: prefix, language, follow_links, max_pages; of a repository: branch, folder"
    )
    token = serializers.CharField(
        max_length=1000, required=False, write_only=True, help_text="To read a private repository; kept encrypted"
    )


class WebhookSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="Shown once")
    url = serializers.CharField()
    examples = serializers.DictField(child=serializers.CharField())


class SourcesView(ListView[Source]):
    permission_classes = (Manage,)
    serializer_class = SourceSerializer
    queryset = Source.objects.none()
    ordering = "pk"

    def get_queryset(self) -> QuerySet[Source]:
        collection = get_collection(self.principal, self.kwargs["collection"])
        return Source.objects.in_collections([collection]).select_related("collection__tenant")

    @extend_schema(request=NewSource, responses=SourceSerializer)
    def post(self, request: Request, collection: str) -> Response:
        """One that is there gets these settings. Its documents come with the next schedule, or with a refresh."""
        own = get_own_collection(self.principal, collection)
        given = read_body(request, NewSource)
        check_interval(given.get("refresh_interval_seconds", 0))
        source = MAKERS[given["kind"]](self.principal, own, given)
        for name in ("refresh_interval_seconds", "auto_index"):
            setattr(source, name, given.get(name, getattr(source, name)))
        source.save(update_fields=["refresh_interval_seconds", "auto_index"])
        return Response(SourceSerializer(source).data)


class Refresh(Input):
    accept_removals = serializers.BooleanField(
        default=False, help_text="Remove what is gone even if it is most of the source's documents"
    )


class SourceRefreshView(ApiView):
    permission_classes = (Manage,)

    @extend_schema(request=Refresh, responses={HTTPStatus.ACCEPTED: JobSerializer})
    def post(self, request: Request, source_id: int) -> Response:
        """A job that looks at all of the source; 409 with the job's id while another is unfinished."""
        accepts = read_body(request, Refresh)["accept_removals"]
        source = get_own_source(self.principal, source_id)
        job = start_job(source, accepts_removals=accepts, requested_by=self.principal.label)
        return Response(JobSerializer(job).data, HTTPStatus.ACCEPTED)


class SourceWebhookView(ApiView):
    permission_classes = (Manage,)

    @extend_schema(request=None, responses={HTTPStatus.CREATED: WebhookSerializer})
    def post(self, request: Request, source_id: int) -> Response:
        """A new secret in place of the one before. It cannot be shown again."""
        source = get_own_source(self.principal, source_id)
        secret = renew_webhook_secret(source)
        url = request.build_absolute_uri(reverse("hook", args=[source.pk]))
        return Response({"secret": secret, "url": url, "examples": make_examples(url)}, HTTPStatus.CREATED)


def get_own_source(principal: Principal, source_id: int) -> Source:
    """A source whose jobs the caller may start. Raises NotFound, PermissionDenied."""
    sources = Source.objects.visible_to(principal).select_related("collection__tenant")
    source = sources.filter(pk=source_id).first()
    if source is None:
        raise NotFound(f"There is no source {source_id}. GET …/sources of a collection lists those there are.")
    check_may_change(principal, source.collection.tenant)
    return source
