from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from collections_app.access.principal import Scope
from collections_app.models import ApiKey, Collection, Membership, Tenant, User
from tests.factories import make_collection, put

GUIDE = "---\ntitle: Guide\ncategory: start\n---\n# Guide\n\nWelcome.\n\n## Install\n\nUnpack the archive.\n"


@dataclass(frozen=True)
class Caller:
    """Somebody with a key, a session or neither. Answers are (status, data)."""

    client: Client

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        options: dict[str, Any] = {"headers": headers}
        if data is not None:
            options |= {"data": data, "content_type": "application/json"}
        return getattr(self.client, method)(f"/api/{path}", **options)

    def ask(self, method: str, path: str, data: Any = None) -> tuple[int, Any]:
        response = self.send(method, path, data)
        return response.status_code, response.json() if response.content else None

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("get", path)

    def post(self, path: str, data: Any = None) -> tuple[int, Any]:
        return self.ask("post", path, {} if data is None else data)


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection("manual")
    put(collection, {"start/guide.md": GUIDE, "faq.md": "# FAQ\n\nAsk about the archive.\n"})
    return collection


@pytest.fixture
def strange(db: None) -> Collection:
    """Another tenant's collection."""
    collection = make_collection("secrets")
    put(collection, {"plan.md": "# Plan\n\nThe archive is hidden.\n"})
    return collection


def make_caller(
    tenant: Tenant, scopes: Iterable[Scope] = (Scope.READ, Scope.WRITE), collections: list[Collection] | None = None
) -> Caller:
    _, secret = ApiKey.objects.issue(tenant=tenant, name="test", scopes=scopes, collections=collections)
    return Caller(Client(headers={"authorization": f"Bearer {secret}"}, raise_request_exception=False))


def make_member(tenant: Tenant | None, role: str = "", *, is_superuser: bool = False) -> Caller:
    """Somebody who is signed in."""
    number = User.objects.count()
    user = User.objects.create_user(f"user-{number}", is_superuser=is_superuser)
    if tenant:
        Membership.objects.create(tenant=tenant, user=user, role=role)
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return Caller(client)


@pytest.fixture
def writer(collection: Collection) -> Caller:
    return make_caller(collection.tenant)


@pytest.fixture
def reader(collection: Collection) -> Caller:
    return make_caller(collection.tenant, [Scope.READ])


@pytest.fixture
def anybody(db: None) -> Caller:
    return Caller(Client(raise_request_exception=False))


def code_of(answer: tuple[int, Any]) -> tuple[int, str]:
    status, data = answer
    return status, data["error"]["code"]
