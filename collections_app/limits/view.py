"""The request limits over HTTP: a request is counted once its caller is known, and every answer says how much is left."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal
from collections_app.limits.requests import Usage, count_request, find_usage


class LimitedView(APIView):
    """Views call `count` themselves: DRF's throttles come after permissions, so callers without permission could try without limit."""

    caller: Principal | None = None
    usage: Usage | None = None

    def count(self, caller: Principal) -> None:
        """Count this request. Raises RateLimited."""
        self.settle(caller, count_request(caller))

    def settle(self, caller: Principal, usage: Usage | None) -> None:
        """Notes the caller and its usage, if the request is counted already. Raises RateLimited."""
        self.caller, self.usage = caller, usage
        if usage and usage.is_exceeded:
            raise usage.make_error()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """An answer that was made before anybody was counted says what is left for the address."""
        final: Response = super().finalize_response(request, response, *args, **kwargs)
        usage = self.usage if self.caller else find_usage(make_anonymous(request))
        for name, value in usage.make_headers().items() if usage else ():
            final[name] = value
        return final


def make_anonymous(request: Request) -> Principal:
    """The caller as long as only its address is known."""
    return Principal(address=get_client_address(request.META))
