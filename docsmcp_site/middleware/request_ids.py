"""Gives each request an id that its log records, jobs and upstream calls carry, and counts it. Accepts a sane X-Request-ID."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import perf_counter
from uuid import uuid4

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from collections_app.metrics import observe_http
from collections_app.request_ids import HEADER, set_request_id

SANE = re.compile(r"[A-Za-z0-9._:-]{8,128}")
# First parts of paths that are counted separately; all others are counted together.
SURFACES = frozenset({"", "mcp", "oauth", "api", "admin", "docs", "static", "livez", "readyz", "health", "metrics"})

Answer = Callable[[HttpRequest], HttpResponseBase]


def identify_requests(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        request_id = given if SANE.fullmatch(given) else uuid4().hex
        began = perf_counter()
        set_request_id(request_id)
        # The id stays set until the thread takes the next request: a stream continues after this.
        response = get_response(request)
        response[HEADER] = request_id
        observe_http(find_surface(request.path_info), response.status_code, perf_counter() - began)
        return response

    return answer


def find_surface(path: str) -> str:
    first = path.lstrip("/").partition("/")[0]
    return (first or "root") if first in SURFACES else "other"
