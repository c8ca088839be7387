"""Uploads over REST: files, archives, texts and URLs. What is accepted is stored before the answer; each refused file has its reason."""

from __future__ import annotations

import json
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.api.access import get_own_collection
from collections_app.api.authentication import Manage
from collections_app.api.base import MAX_BODY_BYTES, ApiView, BoundedJsonParser, read_body, validate
from collections_app.api.fields import Input, MetadataField
from collections_app.exceptions import InvalidParameter
from collections_app.intake import Sent, make_open_upload, make_text_upload, make_url_upload, sort_out
from collections_app.jobs import accept_uploads


class NewDocument(Input):
    """One document as JSON: its text, or where it is."""

    path = serializers.CharField(max_length=1000, required=False, help_text="Required with content")
    content = serializers.CharField(required=False, trim_whitespace=False, allow_blank=True)
    url = serializers.CharField(max_length=2000, required=False, help_text="A page to fetch, instead of content")
    metadata = MetadataField(default=dict, help_text="title, description, keywords, category, others")


class NewFiles(Input):
    """Files and archives (zip, tar, tar.gz) as multipart/form-data."""

    file = serializers.ListField(child=serializers.FileField(allow_empty_file=True), min_length=1)
    path = serializers.ListField(
        child=serializers.CharField(max_length=1000),
        default=list,
        help_text="One for each file, in order, or none: the files' names",
    )
    metadata = serializers.CharField(default="{}", help_text="A JSON object, for all of the files")


class UploadedFileSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    accepted = serializers.BooleanField()
    code = serializers.CharField(help_text="Why it was refused; empty if it was not")
    reason = serializers.CharField()


class UploadAnswerSerializer(serializers.Serializer[Any]):
    job_id = serializers.IntegerField()
    state = serializers.CharField()
    files = UploadedFileSerializer(many=True)


class UploadsView(ApiView):
    permission_classes = (Manage,)
    parser_classes = (MultiPartParser, BoundedJsonParser)

    def get_max_body_bytes(self) -> int:
        is_multipart = self.request.content_type.startswith("multipart/")
        return settings.DOCSMCP.max_upload_bytes if is_multipart else MAX_BODY_BYTES

    @extend_schema(
        request={"multipart/form-data": NewFiles, "application/json": NewDocument},
        responses={HTTPStatus.ACCEPTED: UploadAnswerSerializer},
    )
    def post(self, request: Request, collection: str) -> Response:
        """An upload at a path that is there replaces it. Some files may be refused while others are taken; if all are, that is an error."""
        own = get_own_collection(self.principal, collection)
        sent = read_files(request) if request.content_type.startswith("multipart/") else [read_document(request)]
        uploads, files = sort_out(own, sent)
        job = accept_uploads(own, uploads, requested_by=self.principal.label)
        return Response({"job_id": job.pk, "state": job.state, "files": files}, HTTPStatus.ACCEPTED)


def read_document(request: Request) -> Sent:
    given = read_body(request, NewDocument)
    path, metadata = given.get("path", ""), given["metadata"]
    if ("content" in given) == ("url" in given) or not (path or "url" in given):
        raise InvalidParameter("Give path and content, or url.")
    if url := given.get("url"):
        return Sent(path or url, partial(make_url_upload, url, path or None, metadata))
    return Sent(path, partial(make_text_upload, path, given["content"], metadata))


def read_files(request: Request) -> list[Sent]:
    """Raises ValidationError for a form that cannot be understood, InvalidParameter for paths that do not match the files."""
    sent = cast("QueryDict", request.data)
    form = {name: sent.getlist(name) if name in ("file", "path") else sent[name] for name in sent}
    given = validate(NewFiles(data=form))
    files, metadata = given["file"], read_metadata(given["metadata"])
    paths = given["path"] or [file.name for file in files]
    if len(paths) != len(files):
        counts = f"There are {len(files)} files and {len(paths)} paths"
        raise InvalidParameter(f"{counts}: give one path for each file, or none.")
    return [
        Sent(path, partial(make_open_upload, path, file, metadata)) for path, file in zip(paths, files, strict=True)
    ]


def read_metadata(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise serializers.ValidationError({"metadata": "must be a JSON object."})
    return MetadataField().to_internal_value(value)
