"""An answer to HEAD is that to GET without its body, whoever made it; and who asks by either is told the body's length.

The outermost of the middleware: what the others do to a body and its headers is done. WSGI servers drop such a body too, with a warning.
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
    """Of a stream nothing is made; it is closed with the answer, as are files."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    elif isinstance(response, HttpResponse):
        response.content = b""
