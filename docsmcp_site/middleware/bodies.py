"""Makes each answer to HEAD the answer to GET without its body, whatever made it; both state the body's length.

It is the outermost middleware, so everything that others do to a body and its headers is done. WSGI servers drop such a body too, but
with a warning.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]


def answer_head_without_body(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Content-Length", str(len(response.content)))
        if request.method == "HEAD":
            drop_body(response)
        return response

    return answer


def drop_body(response: HttpResponseBase) -> None:
    """A stream is not read; it is closed with the answer, as files are."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    elif isinstance(response, HttpResponse):
        response.content = b""
