"""What limits mean over HTTP: a request is counted once its caller is known, and every answer says how much is left."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal
from collections_app.limits.requests import Usage, count_request, find_usage


class LimitedView(APIView):
    """Views call `count` themselves: DRF's throttles come after permissions, and would let those who lack them knock for ever."""

    caller: Principal | None = None
    usage: Usage | None = None

    def count(self, caller: Principal) -> None:
        """Count this request. Raises RateLimited."""
        self.settle(caller, count_request(caller))

    def settle(self, caller: Principal, usage: Usage | None) -> None:
        """Note who asks and what it has used, where the request is counted already. Raises RateLimited."""
        self.caller, self.usage = caller, usage
        if usage and usage.is_exceeded:
            raise usage.make_error()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """What was answered before anybody was counted tells what is left to the address."""
        final: Response = super().finalize_response(request, response, *args, **kwargs)
        usage = self.usage if self.caller else find_usage(make_anonymous(request))
        for name, value in usage.make_headers().items() if usage else ():
            final[name] = value
        return final


def make_anonymous(request: Request) -> Principal:
    """Who asks, as long as nothing but the address is known."""
    return Principal(address=get_client_address(request.META))
