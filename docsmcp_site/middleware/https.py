"""What https means behind a proxy that ends TLS: the proxy says that a request came over https, and its cookies are marked Secure.

A setting could not mark them: the same server may answer on http at home. X-Forwarded-Proto is believed only if it comes from
TRUSTED_PROXIES, as access/client_address.py does for addresses.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from collections_app.access.client_address import find_address, is_trusted

Answer = Callable[[HttpRequest], HttpResponseBase]


def understand_https(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        if came_over_https(request):
            request.META["wsgi.url_scheme"] = "https"
        response = get_response(request)
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response

    return answer


def came_over_https(request: HttpRequest) -> bool:
    """Judged by what the nearest proxy says: its value is last in the header."""
    said = request.META.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip().lower()
    peer = find_address(request.META.get("REMOTE_ADDR", ""))
    return said == "https" and peer is not None and is_trusted(peer)
