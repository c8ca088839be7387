"""The addresses of OAuth, all below /oauth and where clients look for its metadata, which has the path of what it describes behind it."""

from django.urls import path, re_path

from mcp_app.oauth.consent import show_consent
from mcp_app.oauth.endpoint import OAuthMcpView
from mcp_app.oauth.metadata import show_resource, show_server
from mcp_app.oauth.registration import register_client
from mcp_app.oauth.switch import answer_no_oauth
from mcp_app.oauth.tokens import issue_token, revoke_token

urlpatterns = [
    path("oauth/mcp", OAuthMcpView.as_view(), name="oauth_mcp"),
    path("oauth/mcp/", OAuthMcpView.as_view()),
    path("oauth/mcp/<slug:tenant>/<slug:collection>", OAuthMcpView.as_view(), name="oauth_mcp_collection"),
    path("oauth/mcp/<slug:tenant>/<slug:collection>/", OAuthMcpView.as_view()),
    path("oauth/authorize", show_consent, name="oauth_authorize"),
    path("oauth/token", issue_token, name="oauth_token"),
    path("oauth/register", register_client, name="oauth_register"),
    path("oauth/revoke", revoke_token, name="oauth_revoke"),
    path(".well-known/oauth-protected-resource/<path:path>", show_resource),
    path(".well-known/oauth-authorization-server/oauth", show_server),
    re_path(r"^oauth/(?:mcp/(?:[^/]+/[^/]+/)?)?\.well-known/", answer_no_oauth),
]
