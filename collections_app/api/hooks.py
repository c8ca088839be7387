"""The endpoint where a forge or a CI reports that a source has changed. The signature identifies it; there is no key and no session.

A source that does not exist, one without a secret and a bad signature get the same answer, in the same time.
"""

from __future__ import annotations

import time
from functools import cache
from http import HTTPStatus
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.api.base import ApiView
from collections_app.encryption import decrypt, encrypt
from collections_app.exceptions import InvalidParameter
from collections_app.jobs import start_job
from collections_app.models import Source
from collections_app.postgres.row_security import as_owner, show_tenants
from collections_app.webhooks import Event, EventKind, is_signed, make_secret, read_event


class HookAnswerSerializer(serializers.Serializer[Any]):
    status = serializers.CharField(help_text="pong, ignored or accepted")
    message = serializers.CharField()
    job_id = serializers.IntegerField(required=False)


class HookView(ApiView):
    authentication_classes = ()
    permission_classes = ()

    @extend_schema(
        operation_id="api_hook",
        request=OpenApiTypes.OBJECT,
        responses={HTTPStatus.OK: HookAnswerSerializer, HTTPStatus.ACCEPTED: HookAnswerSerializer},
    )
    def post(self, request: Request, source_id: int) -> Response:
        """Push events of GitHub, Gitea, Forgejo and GitLab, Standard Webhooks, and anything signed as docs/api.md says."""
        source = identify(request, source_id)
        event = read_event(request.headers, request.body)
        if reason := find_reason_to_ignore(event, source):
            return Response({"status": "ignored", "message": reason})
        if event.kind is EventKind.PING:
            return Response({"status": "pong", "message": "The signature is good: pushes will be followed."})
        # If a job runs, another is queued behind it: the running one may have read the source before this push.
        job = start_job(source, requested_by="webhook", follow=True)
        message = f"Job {job.pk} is {job.state}."
        return Response({"status": "accepted", "message": message, "job_id": job.pk}, HTTPStatus.ACCEPTED)


def identify(request: Request, source_id: int) -> Source:
    """The source whose secret signed the request. Raises NotFound."""
    with as_owner():
        source = Source.objects.filter(pk=source_id).exclude(encrypted_webhook_secret="").first()
    secret = read_secret(source)
    if not is_signed(secret, request.headers, request.body, time.time()) or source is None:
        raise NotFound("There is no such hook, or this was not signed with its secret.")
    show_tenants({source.tenant_id})
    return source


def read_secret(source: Source | None) -> str:
    """The source's secret. If there is none, or it cannot be read, one that nobody knows, which takes as long to read."""
    try:
        return decrypt(source.encrypted_webhook_secret if source else make_unknown())
    except InvalidParameter:
        return make_secret()


@cache
def make_unknown() -> str:
    return encrypt(make_secret())


def find_reason_to_ignore(event: Event, source: Source) -> str:
    """Empty if the event should be acted on."""
    if event.kind is EventKind.OTHER:
        return "Only pushes start a refresh."
    if source.kind == Source.Kind.GIT and not event.concerns(source.options.get("branch", "")):
        return f"This was a push to {event.branch!r}, which the source does not follow."
    return ""
