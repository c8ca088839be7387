"""Who visits the pages, and what they may read. A key or a session gives access to private collections; without either, only public ones
are visible.

Refused here: a bad key (401), a caller over its limit (429), and what may not be seen: a 404, as for what does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import cast

from django.conf import settings
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers

from collections_app.access.authentication import InvalidCredential, authenticate, find_key, make_user_principal
from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal, Scope
from collections_app.exceptions import NotFound
from collections_app.limits.requests import Usage, count_request
from collections_app.models import Collection, Document, User
from collections_app.models.library import CollectionQuerySet
from collections_app.reading.read_only import read_only

# Fields that a page does not need; `content` may have megabytes.
UNREAD_FIELDS = ("content", "metadata", "findings", "fetch_state", "warnings")


class ReadingRequest(HttpRequest):
    """A request whose sender is known."""

    principal: Principal


ReadingView = Callable[..., HttpResponseBase]


def for_visitors(view: ReadingView) -> ReadingView:
    """Makes a view of ReadingRequests: counted against the sender's limits, GET and HEAD only. What the view does not find is a 404."""

    @read_only
    @wraps(view)
    def visit(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if "\0" in request.path:
            raise Http404
        visited = cast("ReadingRequest", request)
        try:
            visited.principal = identify(request)
        except InvalidCredential:
            return refuse_key(request)
        usage = count_request(visited.principal)
        response = refuse_more(request, usage) if usage and usage.is_exceeded else answer(view, visited, args, kwargs)
        for name, value in usage.make_headers().items() if usage else ():
            response[name] = value
        patch_vary_headers(response, ["Accept", "Authorization", "Cookie", "X-Api-Key"])
        return response

    return visit


def answer(
    view: ReadingView, request: ReadingRequest, args: tuple[object, ...], kwargs: dict[str, object]
) -> HttpResponseBase:
    try:
        return view(request, *args, **kwargs)
    except (NotFound, Http404):
        if address := find_lower_case(request, kwargs):
            return redirect(address)
        raise Http404 from None


def find_lower_case(request: HttpRequest, kwargs: dict[str, object]) -> str | None:
    """The address with its tenant and collection in lower case, as slugs are; None where they were. It tells nothing of what there is."""
    given = "/{tenant}/{collection}".format(**kwargs) if "collection" in kwargs else ""
    return None if given == given.lower() else request.get_full_path().replace(given, given.lower(), 1)


def identify(request: HttpRequest) -> Principal:
    """A key that is shown takes precedence over a session. Raises InvalidCredential."""
    credential = find_key(request.headers)
    if credential is None and isinstance(request.user, User):
        return make_user_principal(request.user)
    return authenticate(credential, get_client_address(request.META))


def refuse_key(request: HttpRequest) -> HttpResponse:
    """The refusal counts against the sender's address."""
    usage = count_request(Principal(address=get_client_address(request.META)))
    if usage and usage.is_exceeded:
        return refuse_more(request, usage)
    headers = {"WWW-Authenticate": 'Bearer realm="docs", error="invalid_token"'}
    return render_error(request, HTTPStatus.UNAUTHORIZED, "This API key is not valid", headers)


def refuse_more(request: HttpRequest, usage: Usage) -> HttpResponse:
    return render_error(request, HTTPStatus.TOO_MANY_REQUESTS, usage.make_error().message, usage.make_headers())


def render_error(
    request: HttpRequest, status: HTTPStatus, message: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    response = render(request, "reading/error.html", {"heading": status.phrase, "message": message}, status=status)
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def get_readable_collections(principal: Principal) -> CollectionQuerySet:
    """Collections whose pages the principal may read, with their tenants, by tenant and slug. A signed-in person may also read public ones;
    a key only what it was granted."""
    if not principal.may(Scope.READ) or (principal.is_anonymous and settings.DOCSMCP.mcp_auth_required):
        return Collection.objects.none()
    visible = Collection.objects.visible_to(principal)
    if principal.user_id is not None:
        visible = Collection.objects.filter(Q(pk__in=visible.values("pk")) | Q(is_public=True))
    return visible.select_related("tenant").order_by("tenant__slug", "slug")


def get_collection_or_404(principal: Principal, tenant: str, collection: str) -> Collection:
    found = get_readable_collections(principal).filter(tenant__slug=tenant, slug=collection).first()
    if found is None:
        raise Http404
    return found


def get_document_or_404(collection: Collection, *paths: str) -> Document:
    """The readable document with the first of these paths that exists, without UNREAD_FIELDS."""
    readable = Document.objects.in_collections([collection]).readable().filter(path__in=paths)
    found = {document.path: document for document in readable.defer(*UNREAD_FIELDS)}
    for path in paths:
        if path in found:
            return found[path]
    raise Http404
