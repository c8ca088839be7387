from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from collections_app.models import ApiKey, Collection, Membership, User
from tests.factories import make_collection, make_tenant, put

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
GUIDE = """---
Title: Guide
Description: How to begin
Category: Start
---
# Guide

Welcome. See [the API](ref/api.md#get-x) and [the licence](LICENSE).

## Install

```sh
make install
```

### On Linux

Unpack the archive.

## Install

Again.
"""


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser, a key or both."""

    client: Client
    key: str = ""

    def get(self, path: str, **headers: str) -> Any:
        shown = {"authorization": f"Bearer {self.key}"} if self.key else {}
        return self.client.get(path, headers={"accept": BROWSER, **shown, **headers})

    def read(self, path: str, **headers: str) -> str:
        response = self.get(path, **headers)
        assert response.status_code == 200, response.status_code
        return str(response.getvalue().decode())


@pytest.fixture
def visitor(client: Client) -> Visitor:
    return Visitor(client)


@pytest.fixture
def docs(db: None) -> Collection:
    """A public collection at /docs/acme/docs/."""
    collection = make_collection("docs", tenant=make_tenant("acme"), is_public=True)
    put(
        collection,
        {"guide.md": GUIDE, "ref/api.md": "# API\n\nBack to [the guide](../guide.md).\n\n## GET /x\n\nText.\n"},
    )
    return collection


@pytest.fixture
def private(db: None) -> Collection:
    """Nobody's but its tenant's, at /docs/secret/plans/."""
    collection = make_collection("plans", tenant=make_tenant("secret"))
    put(collection, {"plan.md": "# Plan\n\nClassified words.\n"})
    return collection


@pytest.fixture
def make_member() -> Callable[[Collection], Visitor]:
    def make(collection: Collection) -> Visitor:
        user = User.objects.create_user("ann", password="secret words")
        Membership.objects.create(tenant=collection.tenant, user=user, role=Membership.Role.VIEWER)
        client = Client()
        client.force_login(user)
        return Visitor(client)

    return make


@pytest.fixture
def make_key() -> Callable[..., Visitor]:
    """For all collections of the tenant, or the ones given."""

    def make(collection: Collection, granted: list[Collection] | None = None, **options: Any) -> Visitor:
        _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="k", collections=granted, **options)
        return Visitor(Client(), secret)

    return make
