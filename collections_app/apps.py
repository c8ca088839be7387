"""The app that knows: collections, documents, sections, and how they are found."""

from django.apps import AppConfig


class CollectionsAppConfig(AppConfig):
    name = "collections_app"
    verbose_name = "Collections"
    default_auto_field = "django.db.models.BigAutoField"
