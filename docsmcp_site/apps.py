"""The wiring as a Django app, so that Django finds its commands and checks, and starts tracing."""

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from docsmcp_site.configuration.exposure import answers_any_name, is_open_without_https


class DocsmcpSiteConfig(AppConfig):
    name = "docsmcp_site"
    verbose_name = "docsmcp"

    def ready(self) -> None:
        register(check_allowed_roots)
        register(check_database_settings)
        register(check_exposure, deploy=True)
        if endpoint := settings.DOCSMCP.otel_exporter_otlp_endpoint:
            from docsmcp_site.observability.tracing import start_tracing

            start_tracing(endpoint)


# Settings that have a meaning only for the operator's own database.
OF_A_DATABASE = ("database_direct_url", "database_replica_url", "database_pool_size")


def check_database_settings(**_: object) -> list[CheckMessage]:
    config = settings.DOCSMCP
    unused = [name.upper() for name in OF_A_DATABASE if getattr(config, name) and not config.database_url]
    return [
        Warning(f"{name} is not used without DATABASE_URL.", hint="Set DATABASE_URL too.", id="docsmcp.W002")
        for name in unused
    ]


def check_exposure(**_: object) -> list[CheckMessage]:
    """Replaces Django's checks of https, which are off without HTTPS_ONLY, since at home the server answers on http."""
    config, found = settings.DOCSMCP, list[CheckMessage]()
    if is_open_without_https(config):
        hint = "Set HTTPS_ONLY=true, behind a proxy that ends TLS and that TRUSTED_PROXIES names."
        found.append(Warning("Others can reach the server, and may come by http.", hint=hint, id="docsmcp.W003"))
    if answers_any_name(config):
        hint = "Name its public names in ALLOWED_HOSTS."
        found.append(Warning("The server answers to any Host name.", hint=hint, id="docsmcp.W004"))
    return found


def check_allowed_roots(**_: object) -> list[CheckMessage]:
    """A missing directory may be mounted later, so it is a warning and not an error."""
    return [
        Warning(
            f"ALLOWED_ROOTS: {root} is no directory.", hint="Create it, or take it off the list.", id="docsmcp.W001"
        )
        for root in settings.DOCSMCP.allowed_roots
        if not root.is_dir()
    ]
