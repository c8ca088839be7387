"""The Content-Security-Policy of each part: nothing inline on our own pages. The admin's theme needs more, and gets it only there."""

from __future__ import annotations

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest, HttpResponseBase

ADMIN = "/admin/"
PAGES_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    # Pictures in documents come from the host of their source: reading/links.py.
    "img-src": [SELF, "https:", "http:"],
    "connect-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}
# Unfold's Alpine.js evaluates expressions in attributes.
ADMIN_POLICY = PAGES_POLICY | {
    "script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
    "img-src": [SELF, "data:", "blob:"],
    "font-src": [SELF, "data:"],
}


class ContentSecurityMiddleware(CSPMiddleware):
    """Adds the policy to pages only: no browser shows the answers for programs."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page else response

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(ADMIN) and parts.config is None and not report_only:
            parts.config = ADMIN_POLICY
        return parts
