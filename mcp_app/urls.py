"""The addresses of the MCP endpoint, with and without a slash at the end: a redirect would lose the message.

Also those where clients look for OAuth metadata: at those that belong to /mcp there is none.
"""

from django.urls import include, path, re_path

from mcp_app.oauth.switch import answer_no_oauth
from mcp_app.transports.views import McpView

urlpatterns = [
    path("mcp", McpView.as_view(), name="mcp"),
    path("mcp/", McpView.as_view()),
    path("mcp/<slug:tenant>/<slug:collection>", McpView.as_view(), name="mcp_collection"),
    path("mcp/<slug:tenant>/<slug:collection>/", McpView.as_view()),
    path("", include("mcp_app.oauth.urls")),
    re_path(
        r"^(?:mcp/(?:[^/]+/[^/]+/)?)?\.well-known/"
        r"(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:/.*)?$",
        answer_no_oauth,
    ),
]
