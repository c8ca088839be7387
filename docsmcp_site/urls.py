"""Which path goes to which app."""

from django.contrib import admin
from django.urls import include, path

from docsmcp_site.health import show_liveness, show_root

urlpatterns = [
    path("", show_root, name="root"),
    path("livez", show_liveness, name="livez"),
    path("", include("mcp_app.urls")),
    path("api/", include("collections_app.api.urls")),
    path("admin/", admin.site.urls),
]
