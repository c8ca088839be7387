"""Errors, as `{"error": {"code", "message", "details"}}` with an HTTP status.

One table for the project's exceptions, one for those of HTTP. An unforeseen error is logged, and answered without its text.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions as http
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from collections_app import exceptions as docs
from collections_app.postgres.outages import DatabaseUnavailable, find_outage

STATUSES: dict[type[docs.DocsError], HTTPStatus] = {
    docs.NotFound: HTTPStatus.NOT_FOUND,
    docs.InvalidParameter: HTTPStatus.BAD_REQUEST,
    docs.JobUnfinished: HTTPStatus.CONFLICT,
    docs.JobEnded: HTTPStatus.CONFLICT,
    docs.CollectionClosed: HTTPStatus.CONFLICT,
    docs.PermissionDenied: HTTPStatus.FORBIDDEN,
    docs.FileTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    docs.QuotaExceeded: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    docs.UnsupportedFormat: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    docs.IngestError: HTTPStatus.UNPROCESSABLE_ENTITY,
    docs.RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    docs.UpstreamUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    docs.InternalError: HTTPStatus.INTERNAL_SERVER_ERROR,
}

# Refusals of HTTP itself. Any other is INVALID_PARAMETER: the caller can mend the request.
CODES = {
    HTTPStatus.UNAUTHORIZED: "UNAUTHENTICATED",
    HTTPStatus.FORBIDDEN: "FORBIDDEN",
    HTTPStatus.NOT_FOUND: "NOT_FOUND",
    HTTPStatus.METHOD_NOT_ALLOWED: "METHOD_NOT_ALLOWED",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "FILE_TOO_LARGE",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
}

logger = structlog.get_logger(__name__)


class BodyTooLarge(http.APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class BodyPacked(http.APIException):
    status_code = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class LengthRequired(http.APIException):
    status_code = HTTPStatus.LENGTH_REQUIRED


def answer_error(error: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler. Errors are JSON, whatever format was asked for."""
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = JSONRenderer.media_type
    if isinstance(error, docs.DocsError):
        return answer_docs_error(error)
    response = exception_handler(translate_error(error), context)
    if response is None and (outage := find_outage(error)):
        return answer_docs_error(outage)
    if response is None:
        logger.error("api_failure", exc_info=error)
        return answer_docs_error(docs.InternalError("The server failed at this request, and has logged why."))
    status = HTTPStatus(response.status_code)
    message, details = describe(response.data)
    response.data = build_error(CODES.get(status, docs.InvalidParameter.code), message, details)
    return response


def answer_docs_error(error: docs.DocsError) -> Response:
    status = next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    headers = {"Retry-After": str(error.details["retry_after"])} if "retry_after" in error.details else None
    return Response(build_error(error.code, error.message, error.details), status, headers=headers)


def build_error(code: str, message: str, details: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "details": details}}


def translate_error(error: Exception) -> Exception:
    """Translates Django's exceptions into DRF's. DRF itself knows those for paths and permissions."""
    if isinstance(error, Http404 | PermissionDenied):
        return http.NotFound() if isinstance(error, Http404) else error
    if isinstance(error, RequestDataTooBig):
        return BodyTooLarge("The body is too large: upload files as multipart/form-data.")
    if isinstance(error, SuspiciousOperation):  # too many files or fields
        return http.ParseError(str(error))
    return http.ParseError("The body broke off.") if isinstance(error, UnreadablePostError) else error


def describe(data: Any) -> tuple[str, dict[str, Any]]:
    """A sentence for DRF's detail, or for its mistakes by field; and in the latter case the fields."""
    if isinstance(data, dict) and "detail" in data:
        return str(data["detail"]), {}
    fields = flatten(data)
    return " ".join(f"{name}: {mistake}" if name else mistake for name, mistake in fields.items()), {"fields": fields}


def flatten(mistakes: Any, name: str = "") -> dict[str, str]:
    """Mistakes by dotted name; those about the whole body by the empty name."""
    if isinstance(mistakes, dict):
        parts = [(f"{name}.{key}" if name else str(key), value) for key, value in mistakes.items()]
        return {path: text for key, value in parts for path, text in flatten(value, drop_own(key)).items()}
    if isinstance(mistakes, list) and any(isinstance(item, dict | list) for item in mistakes):
        parts = [(f"{name}.{index}", item) for index, item in enumerate(mistakes)]
        return {path: text for key, value in parts for path, text in flatten(value, key).items()}
    return {name: " ".join(map(str, mistakes)) if isinstance(mistakes, list) else str(mistakes)}


def drop_own(name: str) -> str:
    """The name without DRF's word for mistakes that belong to no field."""
    return name.removesuffix("non_field_errors").removesuffix(".")
