"""The wiring as a Django app, for the sake of its commands, its checks and its traces."""

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register


class DocsmcpSiteConfig(AppConfig):
    name = "docsmcp_site"
    verbose_name = "docsmcp"

    def ready(self) -> None:
        register(check_allowed_roots)
        register(check_database_settings)
        if endpoint := settings.DOCSMCP.otel_exporter_otlp_endpoint:
            from docsmcp_site.tracing import start_tracing

            start_tracing(endpoint)


# What says more of the operator's database.
OF_A_DATABASE = ("database_direct_url", "database_replica_url", "database_pool_size")


def check_database_settings(**_: object) -> list[CheckMessage]:
    config = settings.DOCSMCP
    unused = [name.upper() for name in OF_A_DATABASE if getattr(config, name) and not config.database_url]
    return [
        Warning(f"{name} is not used without DATABASE_URL.", hint="Set DATABASE_URL too.", id="docsmcp.W002")
        for name in unused
    ]


def check_allowed_roots(**_: object) -> list[CheckMessage]:
    """A directory may be mounted later, so that one is missing is a warning and no mistake."""
    return [
        Warning(
            f"ALLOWED_ROOTS: {root} is no directory.", hint="Create it, or take it off the list.", id="docsmcp.W001"
        )
        for root in settings.DOCSMCP.allowed_roots
        if not root.is_dir()
    ]
