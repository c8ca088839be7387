"""Avoids sending a page again that the client already has, by an ETag of what it is made of. Does not decide who may have it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.metadata import version
from typing import cast

from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag

from collections_app.models import Collection, Document
from collections_app.reading.access import ReadingRequest

VERSION = version("docsmcp")


def answer_conditionally(
    request: ReadingRequest,
    collection: Collection,
    document: Document | None,
    kind: str,
    make: Callable[[], HttpResponseBase],
) -> HttpResponseBase:
    """The result of `make`, or 304 if the client already has it. `kind` distinguishes the forms of one address."""
    etag = make_etag(request, collection, document, kind)
    last_modified = int((document.indexed if document and document.indexed else collection.updated).timestamp())
    # The date says nothing about the pages around a document, so it is sent but not checked.
    unchanged = get_conditional_response(request, etag=etag) if "If-None-Match" in request.headers else None
    response = cast("HttpResponseBase", unchanged) if unchanged is not None else make()
    response["ETag"] = etag
    response["Last-Modified"] = http_date(last_modified)
    is_for_all = collection.is_public and request.principal.is_anonymous
    response["Cache-Control"] = "public, no-cache" if is_for_all else "private, no-cache"
    if not collection.is_public:
        response["X-Robots-Tag"] = "noindex"
    return response


def make_etag(request: ReadingRequest, collection: Collection, document: Document | None, kind: str) -> str:
    """A page names its visitor, so the ETag includes them; also the host, which is part of the addresses in llms.txt."""
    parts = [
        VERSION,
        kind,
        request.build_absolute_uri(),
        request.principal.label,
        f"{collection.pk} {collection.index_version} {collection.updated.timestamp()} {collection.is_public}",
        f"{document.pk} {document.indexed}" if document else "",
    ]
    return quote_etag(hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32])
