from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from collections_app.authentication import InvalidCredential
from collections_app.principal import Principal
from mcp_app import views
from tests.mcp_app.fake_tools import DISPATCHER, READER, WRITER

GOOD_KEY = "dmcp_good"


def authenticate(credential: str | None, address: str = "") -> Principal:
    """One key is good; none shown is the anonymous reader."""
    if credential is None:
        return READER
    if credential != GOOD_KEY:
        raise InvalidCredential
    return WRITER


@pytest.fixture
def config(settings: Any, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The settings that the endpoint reads, to be changed by a test. Behind it are fake tools and one good key."""
    fake = SimpleNamespace(mcp_enabled=True, mcp_auth_required=False, mcp_allowed_origins=())
    settings.DOCSMCP = fake
    settings.ALLOWED_HOSTS = ["testserver", "127.0.0.1"]
    monkeypatch.setattr(views, "authenticate", authenticate)
    monkeypatch.setattr(views, "get_dispatcher", lambda: DISPATCHER)
    return fake
