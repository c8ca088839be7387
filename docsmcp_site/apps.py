"""The wiring as a Django app, for the sake of its commands, its checks and its traces."""

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register


class DocsmcpSiteConfig(AppConfig):
    name = "docsmcp_site"
    verbose_name = "docsmcp"

    def ready(self) -> None:
        register(check_allowed_roots)
        if endpoint := settings.DOCSMCP.otel_exporter_otlp_endpoint:
            from docsmcp_site.tracing import start_tracing

            start_tracing(endpoint)


def check_allowed_roots(**_: object) -> list[CheckMessage]:
    """A directory may be mounted later, so that one is missing is a warning and no mistake."""
    return [
        Warning(
            f"ALLOWED_ROOTS: {root} is no directory.", hint="Create it, or take it off the list.", id="docsmcp.W001"
        )
        for root in settings.DOCSMCP.allowed_roots
        if not root.is_dir()
    ]
