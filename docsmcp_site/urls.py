"""Which path goes to which app, and what answers if no view does."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from collections_app.admin.joining import show_invitation
from collections_app.admin.single_sign_on import begin, finish
from collections_app.reading import urls as reading_urls
from collections_app.reading.programs import show_robots, show_sitemap_index
from collections_app.reading.read_only import read_only
from docsmcp_site.pages.connecting import show_connection
from docsmcp_site.pages.health import show_root
from docsmcp_site.pages.static_files import PREFIX, serve_another_release

READING = [
    path("<slug:tenant>/<slug:collection>/-/connect", show_connection, name="connect"),
    *reading_urls.urlpatterns,
]

urlpatterns = [
    path("", show_root, name="root"),
    path("robots.txt", show_robots),
    path("sitemap.xml", show_sitemap_index),
    path("", include("mcp_app.urls")),
    path("api/", include("collections_app.api.urls")),
    path("docs", read_only(RedirectView.as_view(pattern_name="reading:collections"))),
    path("docs/", include((READING, "reading"))),
    path("admin/", admin.site.urls),
    path("invitations/<str:token>", show_invitation, name="invitation"),
    path("sign-in", begin, name="sign_in"),
    path("sign-in/return", finish, name="sign_in_return"),
    path(f"{PREFIX}<slug:release>/<path:name>", serve_another_release),
]

handler400 = "docsmcp_site.pages.errors.answer_bad_request"
handler403 = "docsmcp_site.pages.errors.answer_forbidden"
handler404 = "docsmcp_site.pages.errors.answer_not_found"
handler500 = "docsmcp_site.pages.errors.answer_failure"
