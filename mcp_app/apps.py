"""The Django app that speaks the Model Context Protocol, over HTTP and over stdin and stdout."""

from django.apps import AppConfig


class McpAppConfig(AppConfig):
    name = "mcp_app"
    verbose_name = "Model Context Protocol"
    default_auto_field = "django.db.models.BigAutoField"
