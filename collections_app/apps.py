"""The app that knows: collections, documents, sections, and how they are found; and the admin's site."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class CollectionsAppConfig(AppConfig):
    name = "collections_app"
    verbose_name = "All pages"  # of the admin: where the first of its breadcrumbs leads
    default_auto_field = "django.db.models.BigAutoField"
    default = True


class DocsAdminConfig(admin.AdminConfig):
    default_site = "collections_app.admin.site.get_site"
    default = False
