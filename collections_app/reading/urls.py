"""The addresses of the pages, below `/docs/`. docsmcp_site/urls.py adds the page that needs the protocol, in the same namespace."""

from django.urls import path
from django.views.generic import RedirectView

from collections_app.reading import programs, views
from collections_app.reading.read_only import read_only

urlpatterns = [
    path("", views.show_collections, name="collections"),
    path("<slug:tenant>/<slug:collection>", read_only(RedirectView.as_view(pattern_name="reading:contents"))),
    path("<slug:tenant>/<slug:collection>/", views.show_contents, name="contents"),
    path("<slug:tenant>/<slug:collection>/-/search", views.show_search, name="search"),
    path("<slug:tenant>/<slug:collection>/llms.txt", programs.show_llms_txt, name="llms"),
    path("<slug:tenant>/<slug:collection>/llms-full.txt", programs.show_llms_full, name="llms_full"),
    path("<slug:tenant>/<slug:collection>/sitemap.xml", programs.show_sitemap, name="sitemap"),
    path("<slug:tenant>/<slug:collection>/<path:path>", views.show_document, name="document"),
]
