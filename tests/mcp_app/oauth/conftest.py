from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Collection, Membership, User
from tests.factories import make_collection, put
from tests.mcp_app.oauth.apps import Browser


@pytest.fixture(autouse=True)
def _switched_on(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": True})


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection("handbook")
    put(collection, {"leave.md": "# Holidays\n\nEverybody has thirty days.\n"})
    return collection


@pytest.fixture
def person(collection: Collection) -> User:
    """A viewer of the collection's tenant."""
    user = User.objects.create_user("anna")
    Membership.objects.create(tenant=collection.tenant, user=user, role=Membership.Role.VIEWER)
    return user


@pytest.fixture
def browser(person: User) -> Browser:
    return Browser(person)
