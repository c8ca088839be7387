"""With the application's own filters taken away, the database still hides another tenant, on every surface that reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from collections_app.access import roles
from collections_app.access.principal import Scope
from collections_app.activity.history import record_search
from collections_app.admin.site import get_site
from collections_app.catalog import visible
from collections_app.jobs import start_job
from collections_app.models import ApiKey, Collection, IngestJob, Membership, Source, Tenant, User
from collections_app.models.library import CollectionQuerySet
from collections_app.models.visibility import InCollectionQuerySet, TenantQuerySet
from collections_app.postgres.row_security import is_available
from docsmcp_site.middleware import tenant_wall
from tests.factories import find, make_collection, make_principal, make_tenant, put
from tests.web_login import signed_in_as_web_login

pytestmark = pytest.mark.django_db

# In every row of the other tenant, and in no request.
MARK = "heliotrope"
PAGE = f"---\ntitle: {MARK}\n---\n# Plan\n\nThe orchid of {MARK} blooms.\n"


@dataclass(frozen=True)
class Ours:
    """Who belongs to another tenant than the rows with the mark."""

    client: Client
    key: str

    def get(self, path: str) -> str:
        return self.client.get(path, headers={"authorization": f"Bearer {self.key}"}).getvalue().decode()

    def call(self, method: str, **params: Any) -> str:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        response = self.client.post(
            "/mcp", json.dumps(message), "application/json", headers={"authorization": f"Bearer {self.key}"}
        )
        return response.getvalue().decode()

    def visit(self, path: str) -> str:
        """With the session, without the key."""
        return self.client.get(path, headers={"accept": "text/html"}).getvalue().decode()


@pytest.fixture
def theirs() -> Collection:
    tenant = make_tenant("theirs")
    Tenant.objects.filter(pk=tenant.pk).update(name=MARK)
    tenant.refresh_from_db()
    collection = make_collection("plans", tenant=tenant)
    Collection.objects.filter(pk=collection.pk).update(name=MARK, description=MARK)
    collection.refresh_from_db()
    put(collection, {"plan.md": PAGE})
    source = Source.objects.create(
        tenant=tenant, collection=collection, kind="site", location=f"https://{MARK}.example/"
    )
    IngestJob.objects.filter(pk=start_job(source, requested_by=MARK).pk).update(error_message=MARK)
    ApiKey.objects.issue(tenant=tenant, name=MARK)
    Membership.objects.create(tenant=tenant, user=User.objects.create_user(MARK))
    record_search(make_principal(collection), [collection], find(collection, MARK), 1.0)
    return collection


@pytest.fixture
def ours(theirs: Collection) -> Ours:
    collection = make_collection("handbook", tenant=make_tenant("ours"))
    put(collection, {"page.md": "# Page\n\nA tulip, and an orchid of our own.\n"})
    user = User.objects.create_user("ann")
    Membership.objects.create(tenant=collection.tenant, user=user, role=Membership.Role.OWNER)
    client = Client()
    client.force_login(user)
    _, key = ApiKey.objects.issue(tenant=collection.tenant, name="k", scopes=[Scope.READ, Scope.WRITE])
    return Ours(client, key)


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch, theirs: Collection) -> None:
    """As if every filter by tenant had been forgotten."""
    for kind in (TenantQuerySet, InCollectionQuerySet, CollectionQuerySet):
        monkeypatch.setattr(kind, "visible_to", lambda rows, principal: rows.all())
    monkeypatch.setattr(visible, "prepare_visible", visible.prepare_visible.__wrapped__)  # not what was written before
    everywhere = set(Tenant.objects.values_list("pk", flat=True))
    monkeypatch.setattr(roles, "find_tenant_ids", lambda user, role: everywhere)


@pytest.fixture
def set_wall(settings: Any) -> Iterator[Callable[[str], None]]:
    if not is_available():
        pytest.skip("this database's user may not make the role")

    def set_to(choice: str) -> None:
        cache.clear()
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_row_security": choice})

    yield set_to
    tenant_wall.is_there.cache_clear()


def tool(name: str, **arguments: Any) -> Callable[[Ours], str]:
    return lambda ours: ours.call("tools/call", name=name, arguments=arguments)


SURFACES: dict[str, Callable[[Ours], str]] = {
    "list_collections": tool("list_collections"),
    "search_docs": tool("search_docs", query="orchid"),
    "search_docs in the collection": tool("search_docs", query="orchid blooms", collection="plans"),
    "list_doc_pages": tool("list_doc_pages", collection="plans"),
    "table_of_contents": tool("table_of_contents", path="plans:plan.md"),
    "read_sections": tool("read_sections", path="plans:plan.md", section_ids=["plan"]),
    "resources/list": lambda ours: ours.call("resources/list"),
    "api collections": lambda ours: ours.get("/api/collections"),
    "api collection": lambda ours: ours.get("/api/collections/plans"),
    "api search": lambda ours: ours.get("/api/search?q=orchid"),
    "api documents": lambda ours: ours.get("/api/collections/plans/documents"),
    "api document": lambda ours: ours.get("/api/collections/plans/documents/plan.md"),
    "api sources": lambda ours: ours.get("/api/collections/plans/sources"),
    "api jobs": lambda ours: ours.get("/api/jobs"),
    "pages": lambda ours: ours.visit("/docs/"),
    "pages of a collection": lambda ours: ours.visit("/docs/theirs/plans/"),
    "page": lambda ours: ours.visit("/docs/theirs/plans/plan"),
    "page as text": lambda ours: ours.get("/docs/theirs/plans/plan.md"),
    "search page": lambda ours: ours.visit("/docs/theirs/plans/-/search?q=orchid"),
    "llms.txt": lambda ours: ours.visit("/docs/theirs/plans/llms.txt"),
    "llms-full.txt": lambda ours: ours.visit("/docs/theirs/plans/llms-full.txt"),
    "admin dashboard": lambda ours: ours.visit("/admin/"),
}
# Every list of the admin in which the other tenant has a row.
ADMIN_LISTS = ("collection", "document", "source", "ingestjob", "apikey", "membership", "searchevent", "tenant")


@pytest.fixture(params=["owner", "login"])
def connected_as(request: pytest.FixtureRequest, ours: Ours, set_wall: Callable[[str], None]) -> Iterator[None]:
    """The tables' owner, or the web server's own login."""
    with signed_in_as_web_login() if request.param == "login" else nullcontext():
        yield


@pytest.mark.usefixtures("unfiltered", "connected_as")
@pytest.mark.parametrize("surface", SURFACES)
def test_a_forgotten_filter_shows_nothing_of_another_tenant(
    surface: str, ours: Ours, set_wall: Callable[[str], None]
) -> None:
    ask = SURFACES[surface]
    set_wall("off")
    assert MARK in ask(ours), "without the wall it would be shown"
    set_wall("on")
    assert MARK not in ask(ours)


@pytest.mark.usefixtures("unfiltered", "connected_as")
@pytest.mark.parametrize("name", ADMIN_LISTS)
def test_a_forgotten_filter_shows_nothing_of_another_tenant_in_the_admin(
    name: str, ours: Ours, set_wall: Callable[[str], None]
) -> None:
    assert name in {model._meta.model_name for model in get_site()._registry}
    set_wall("off")
    assert MARK in ours.visit(f"/admin/collections_app/{name}/"), "without the wall it would be shown"
    set_wall("on")
    assert MARK not in ours.visit(f"/admin/collections_app/{name}/")


@pytest.mark.usefixtures("connected_as")
def test_behind_the_wall_everything_of_ones_own_is_there(ours: Ours, set_wall: Callable[[str], None]) -> None:
    set_wall("on")
    assert "tulip" in tool("read_sections", path="page.md", section_ids=["page"])(ours)
    assert "orchid" in tool("search_docs", query="orchid")(ours)
    assert "handbook" in ours.get("/api/collections")
    assert "tulip" in ours.visit("/docs/ours/handbook/page.md")
    assert "page.md" in ours.visit("/admin/collections_app/document/")


@pytest.mark.usefixtures("connected_as")
def test_public_collections_are_seen_by_anybody(theirs: Collection, set_wall: Callable[[str], None]) -> None:
    Collection.objects.filter(pk=theirs.pk).update(is_public=True)
    set_wall("on")
    anybody = Ours(Client(), "")
    assert MARK in anybody.visit("/docs/theirs/plans/plan.md")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    search = message | {"params": {"name": "search_docs", "arguments": {"query": "orchid"}}}
    assert MARK in Client().post("/mcp", json.dumps(search), "application/json").getvalue().decode()


@pytest.mark.usefixtures("connected_as")
def test_a_superuser_sees_every_tenant(set_wall: Callable[[str], None]) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    set_wall("on")
    assert MARK in Ours(client, "").visit("/admin/collections_app/document/")


def test_the_wall_costs_no_statement(ours: Ours, set_wall: Callable[[str], None]) -> None:
    def count() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as statements:
            assert "orchid" in tool("search_docs", query="orchid")(ours)
        return len(statements)

    set_wall("off")
    for _ in range(2):  # after its key was marked as used, it is known
        count()
    without = count()
    set_wall("on")
    assert count() == without


def test_where_the_database_lacks_the_role_requests_are_answered_and_the_log_says_so(
    ours: Ours, set_wall: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tenant_wall.is_there.cache_clear()
    monkeypatch.setattr(tenant_wall, "is_available", lambda: False)
    set_wall("auto")
    assert "handbook" in ours.get("/api/collections")
    assert "no_row_security" in caplog.text
