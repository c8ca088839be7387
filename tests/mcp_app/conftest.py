from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture

from collections_app.access.authentication import InvalidCredential
from collections_app.access.principal import Principal
from collections_app.limits import admission
from mcp_app.dispatching import call_record, dispatcher, tool_calls
from mcp_app.transports import views
from tests.mcp_app.fake_tools import DISPATCHER, READER, WRITER

GOOD_KEY = "dmcp_good"
# Of this process: there is no database behind the fake tools.
MEMORY_CACHES = {
    alias: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": alias}
    for alias in ("default", "counters", "process")
}


def authenticate(credential: str | None, address: str = "") -> Principal:
    """One key is good; none shown is the anonymous reader."""
    if credential is None:
        return replace(READER, address=address)
    if credential != GOOD_KEY:
        raise InvalidCredential
    return WRITER


@pytest.fixture
def config(settings: Any, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The settings that the endpoint reads, to be changed by a test. Behind it are fake tools and one good key."""
    fake = SimpleNamespace(
        database_row_security="off",
        mcp_enabled=True,
        mcp_auth_required=False,
        oauth_enabled=False,
        mcp_allowed_origins=(),
        mcp_rate_limit_requests=1_000_000,
        mcp_rate_limit_window=3_600,
        trusted_proxies=(),
    )
    settings.DOCSMCP = fake
    settings.CACHES = MEMORY_CACHES
    settings.ALLOWED_HOSTS = ["testserver", "127.0.0.1"]
    monkeypatch.setattr(admission, "authenticate", authenticate)
    monkeypatch.setattr(views.McpView, "dispatcher", DISPATCHER)
    return fake


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is logged of calls."""
    capture = LogCapture()
    bound = structlog.wrap_logger(
        None, processors=[capture], wrapper_class=structlog.make_filtering_bound_logger("debug")
    )
    for module in (call_record, dispatcher, tool_calls):
        monkeypatch.setattr(module, "logger", bound)
    return capture.entries  # type: ignore[return-value]
