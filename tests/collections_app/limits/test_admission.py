"""Callers whom the process knows: one statement for who asks, its count and what it may read; and whatever changes, they are not known."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache.backends import locmem
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from collections_app import process_memory
from collections_app.access import known_callers
from collections_app.access.authentication import InvalidCredential, authenticate
from collections_app.access.principal import Principal, Scope
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import CollectionNotFound
from collections_app.limits import admission
from collections_app.limits.admission import admit_known
from collections_app.limits.requests import Usage, count_request, find_usage
from collections_app.models import ApiKey, Collection, CollectionGrant, Membership, MonthlyRequests, Tenant, User
from collections_app.postgres.counter_cache import CounterCache
from tests.factories import make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

ADDRESS = "192.0.2.7"


@pytest.fixture(autouse=True)
def config(settings: Any) -> Any:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": False})
    return settings.DOCSMCP


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant()


@pytest.fixture
def docs(tenant: Tenant) -> Collection:
    return make_collection("docs", tenant=tenant)


def issue(tenant: Tenant, **options: Any) -> tuple[ApiKey, str]:
    """A key whose use has just been noted."""
    key, secret = ApiKey.objects.issue(tenant=tenant, name="agent", **options)
    ApiKey.objects.filter(pk=key.pk).update(last_used=timezone.now())
    return key, secret


def ask(credential: str | None) -> list[Collection]:
    """As a request does of a caller whom the process does not know."""
    principal = authenticate(credential, ADDRESS)
    count_request(principal)
    return get_visible_collections(principal)


def count_used(principal: Principal) -> int:
    usage = find_usage(principal)
    assert usage
    return usage.used


def recall(credential: str | None, **options: Any) -> tuple[Principal, Usage]:
    """Of a caller whom the process knows."""
    admitted = admit_known(credential, ADDRESS, **options)
    assert admitted
    principal, usage = admitted
    assert usage
    return principal, usage


class TestKnown:
    def test_one_statement_serves_who_asks_the_count_and_the_collections(
        self, tenant: Tenant, docs: Collection, django_assert_num_queries: Any
    ) -> None:
        key, secret = issue(tenant, scopes=[Scope.READ, Scope.ASK])
        assert ask(secret) == [docs]
        with django_assert_num_queries(1):
            principal, usage = recall(secret)
            [found] = get_visible_collections(principal)
        assert principal == key.make_principal()
        assert principal.label == key.prefix
        assert principal.scopes == {Scope.READ, Scope.ASK}
        assert usage.used == 2
        assert (found, found.tenant) == (docs, tenant)
        assert found.__dict__.keys() == Collection.objects.select_related("tenant").get().__dict__.keys()

    def test_what_it_may_read_is_read_anew_by_who_asks_a_second_time(self, tenant: Tenant, docs: Collection) -> None:
        """Within a request, which may have changed it."""
        _, secret = issue(tenant)
        ask(secret)
        principal, _ = recall(secret)
        assert get_visible_collections(principal) == [docs]
        other = make_collection("other", tenant=tenant)
        assert get_visible_collections(principal) == [docs, other]

    def test_each_request_is_counted_once(self, tenant: Tenant, docs: Collection) -> None:
        key, secret = issue(tenant)
        for used in (1, 2):
            ask(secret)
            assert count_used(key.make_principal()) == used
        assert [recall(secret)[1].used for _ in range(3)] == [3, 4, 5]
        ask(secret)
        assert recall(secret)[1].used == 7

    def test_what_does_not_count_is_only_looked_at(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        ask(secret)
        assert recall(secret, counts=False)[1].used == 1
        assert recall(secret)[1].used == 2

    def test_a_month_is_counted_too(self, tenant: Tenant, docs: Collection) -> None:
        Tenant.objects.filter(pk=tenant.pk).update(monthly_quota=100)
        _, secret = issue(tenant)
        ask(secret)
        assert recall(secret)[1].remaining == 98
        assert MonthlyRequests.objects.get().requests == 2

    def test_a_month_that_cannot_be_counted_leaves_one_count(
        self, tenant: Tenant, docs: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any) -> int:
            raise OperationalError("it waits") from SimpleError("57014")

        Tenant.objects.filter(pk=tenant.pk).update(monthly_quota=100)
        _, secret = issue(tenant)
        ask(secret)
        monkeypatch.setattr(type(MonthlyRequests.objects), "count_one", fail)
        with capture_logs() as logs:
            assert recall(secret)[1].used == 2
        assert [each["event"] for each in logs] == ["limits_unavailable"]

    def test_nobody_in_particular_is_known_by_what_is_public(self, django_assert_num_queries: Any) -> None:
        public = make_collection(is_public=True)
        assert ask(None) == [public]
        with django_assert_num_queries(1):
            principal, usage = recall(None)
            assert get_visible_collections(principal) == [public]
        assert (principal, usage.used) == (authenticate(None, ADDRESS), 2)
        assert principal.is_anonymous
        other, _ = admit_known(None, "198.51.100.9") or pytest.fail("not known")
        assert other.address == "198.51.100.9"

    def test_an_endpoint_of_one_collection_knows_its_callers_by_itself(
        self, tenant: Tenant, docs: Collection, django_assert_num_queries: Any
    ) -> None:
        other = make_collection("other", tenant=tenant)
        _, secret = issue(tenant)
        only = (tenant.slug, "docs")
        assert get_visible_collections(authenticate(secret), only) == [docs]
        assert admit_known(secret, ADDRESS) is None
        assert admit_known(secret, ADDRESS, only=(tenant.slug, "other")) is None
        ask(secret)
        with django_assert_num_queries(1):
            spelled = (tenant.slug.upper(), "Docs")
            principal, _ = recall(secret, only=spelled)
            assert get_visible_collections(principal, spelled) == [docs]
        principal, _ = recall(secret, only=only)
        assert get_visible_collections(principal) == [docs, other]
        assert get_visible_collections(recall(secret)[0], (tenant.slug, "other")) == [other]
        other.delete()
        assert recall(secret, only=only)
        docs.delete()
        assert admit_known(secret, ADDRESS, only=only) is None

    def test_who_asks_a_collection_that_is_not_there_is_not_kept(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        only = (tenant.slug, "nope")
        with pytest.raises(CollectionNotFound):
            get_visible_collections(authenticate(secret), only)
        assert admit_known(secret, ADDRESS, only=only) is None

    def test_another_cache_counts_after_the_database_was_asked(
        self, tenant: Tenant, docs: Collection, settings: Any, django_assert_num_queries: Any
    ) -> None:
        counters = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": f"counters-{tenant.pk}"}
        settings.CACHES = {**settings.CACHES, "counters": counters}
        key, secret = issue(tenant)
        ask(secret)
        with django_assert_num_queries(1):
            assert recall(secret)[1].used == 2
        ApiKey.objects.filter(pk=key.pk).update(rate_limit=50)
        assert admit_known(secret, ADDRESS) is None
        assert count_used(key.make_principal()) == 2

    def test_no_secret_stands_in_memory(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        ask(secret)
        kept = locmem._caches["process"]  # type: ignore[attr-defined]
        name = known_callers.name_caller(secret)
        assert any(name in each for each in kept)
        hidden = secret.split("_", 2)[2]  # which may have underscores itself
        assert not any(hidden in key or hidden.encode() in value for key, value in kept.items())


CHANGES: dict[str, Callable[[ApiKey, Collection], object]] = {
    "revoked": lambda key, docs: key.revoke(),
    "deleted": lambda key, docs: key.delete(),
    "rotated": lambda key, docs: key.rotate(timedelta(0)),
    "other scopes": lambda key, docs: ApiKey.objects.filter(pk=key.pk).update(scopes=["write"]),
    "another limit": lambda key, docs: ApiKey.objects.filter(pk=key.pk).update(rate_limit=7),
    "another limit of its tenant": lambda key, docs: Tenant.objects.update(rate_limit=7),
    "a quota of its tenant": lambda key, docs: Tenant.objects.update(monthly_quota=7),
    "a tenant renamed": lambda key, docs: Tenant.objects.update(slug="renamed"),
    "one more collection": lambda key, docs: make_collection("more", tenant=docs.tenant),
    "one collection less": lambda key, docs: docs.delete(),
    "another index": lambda key, docs: Collection.objects.update(index_version=99),
    "a collection renamed": lambda key, docs: Collection.objects.update(name="Other"),
    "the same written again": lambda key, docs: Collection.objects.update(name=docs.name),
}
CHANGES_OF_GRANTS: dict[str, Callable[[ApiKey, Collection], object]] = {
    "a grant taken back": lambda key, docs: CollectionGrant.objects.filter(collection=docs).delete(),
    "one more grant": lambda key, docs: CollectionGrant.objects.create(
        tenant=docs.tenant, api_key=key, collection=make_collection("more", tenant=docs.tenant)
    ),
    "all granted": lambda key, docs: ApiKey.objects.filter(pk=key.pk).update(all_collections=True),
}


class TestChanged:
    @pytest.mark.parametrize(
        ("change", "is_granted"),
        [
            *((each, False) for each in CHANGES),
            *((each, True) for each in {**CHANGES, **CHANGES_OF_GRANTS} if each != "one more collection"),
        ],
    )
    def test_who_changed_is_not_known_and_not_counted(
        self, tenant: Tenant, docs: Collection, change: str, is_granted: bool
    ) -> None:
        key, secret = issue(tenant, collections=[docs] if is_granted else None)
        principal = authenticate(secret)
        ask(secret)
        assert recall(secret)
        (CHANGES | CHANGES_OF_GRANTS)[change](key, docs)
        assert admit_known(secret, ADDRESS) is None
        assert count_used(principal) == 2

    def test_other_tenants_changes_are_none(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        ask(secret)
        stranger = make_collection("strange", is_public=True)
        ApiKey.objects.issue(tenant=stranger.tenant, name="other")
        assert recall(secret)

    def test_of_several_changes_none_is_taken_for_another(self, tenant: Tenant, docs: Collection) -> None:
        """A grant that was given and taken back while the rows were read is no longer there."""
        key, secret = issue(tenant, collections=[docs])
        principal = authenticate(secret)
        more = make_collection("more", tenant=tenant)
        CollectionGrant.objects.create(tenant=tenant, api_key=key, collection=more)
        assert get_visible_collections(principal) == [docs, more]
        CollectionGrant.objects.filter(collection=more).delete()
        assert admit_known(secret, ADDRESS) is None
        assert ask(secret) == [docs]

    @pytest.mark.parametrize("change", ["published", "withdrawn", "deleted"])
    def test_what_is_public_may_change(self, change: str) -> None:
        public, private = make_collection(is_public=True), make_collection()
        ask(None)
        assert recall(None)
        if change == "deleted":
            public.delete()
        else:
            chosen = private if change == "published" else public
            Collection.objects.filter(pk=chosen.pk).update(is_public=change == "published")
        assert admit_known(None, ADDRESS) is None

    def test_the_next_request_learns_what_changed(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        ask(secret)
        other = make_collection("other", tenant=tenant)
        assert ask(secret) == [docs, other]
        assert get_visible_collections(recall(secret)[0]) == [docs, other]


class TestUnknown:
    def test_who_was_never_here(self, tenant: Tenant, docs: Collection) -> None:
        _, secret = issue(tenant)
        ask(secret)
        _, other = issue(tenant)
        wrong = secret[:-1] + ("A" if secret[-1] != "A" else "B")
        for credential in (other, wrong, "", "\0", "ключ", "x" * 10_000):
            assert admit_known(credential, ADDRESS) is None

    def test_who_must_show_a_key(self, settings: Any) -> None:
        make_collection(is_public=True)
        ask(None)
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
        assert admit_known(None, ADDRESS) is None

    def test_whose_use_is_to_be_noted(self, tenant: Tenant, docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
        key, secret = issue(tenant)
        ApiKey.objects.filter(pk=key.pk).update(last_used=timezone.now() - timedelta(seconds=50))
        ask(secret)
        assert recall(secret)
        later = timezone.now() + timedelta(seconds=11)
        for module in ("access.known_callers", "access.authentication"):
            monkeypatch.setattr(f"collections_app.{module}.timezone", SimpleNamespace(now=lambda: later))
        assert admit_known(secret, ADDRESS) is None
        ask(secret)
        assert ApiKey.objects.get(pk=key.pk).last_used == later

    @pytest.mark.parametrize("is_old", [False, True])
    def test_whose_key_has_ended(
        self, tenant: Tenant, docs: Collection, monkeypatch: pytest.MonkeyPatch, is_old: bool
    ) -> None:
        ends = timezone.now() + timedelta(seconds=20)
        key, secret = issue(tenant)
        if is_old:
            key.rotate(timedelta(seconds=20))
            ApiKey.objects.filter(pk=key.pk).update(old_last_used=timezone.now())
        else:
            ApiKey.objects.filter(pk=key.pk).update(expires=ends)
        ask(secret)
        assert recall(secret)
        later = ends + timedelta(seconds=1)
        for module in ("access.known_callers", "access.authentication", "models.tenants"):
            monkeypatch.setattr(f"collections_app.{module}.timezone", SimpleNamespace(now=lambda: later))
        assert admit_known(secret, ADDRESS) is None
        with pytest.raises(InvalidCredential):
            authenticate(secret)

    def test_who_has_too_much_to_be_kept(self, tenant: Tenant, docs: Collection) -> None:
        Collection.objects.update(description="".join(map(chr, range(0x4E00, 0x4E00 + process_memory.MOST_BYTES // 3))))
        _, secret = issue(tenant)
        assert ask(secret) == [docs]
        assert admit_known(secret, ADDRESS) is None
        Collection.objects.update(description="")
        ask(secret)
        assert recall(secret)

    @pytest.mark.parametrize("sqlstate", ["25006", None])
    def test_anybody_while_the_database_fails(
        self, tenant: Tenant, docs: Collection, monkeypatch: pytest.MonkeyPatch, sqlstate: str | None
    ) -> None:
        """Who cannot be counted is let in, once it is known who that is; a database that does not answer is not asked again."""

        def fail(*args: Any, **options: Any) -> int:
            raise OperationalError("it fails") from SimpleError(sqlstate)

        _, secret = issue(tenant)
        ask(secret)
        monkeypatch.setattr(CounterCache, "incr", fail)
        with capture_logs() as logs, nullcontext() if sqlstate else pytest.raises(OperationalError):
            assert admit_known(secret, ADDRESS) is None
        assert not logs


class SimpleError(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        super().__init__()
        self.sqlstate = sqlstate


def send(message: dict[str, Any], secret: str) -> Any:
    return Client().post(
        "/mcp", json.dumps(message), content_type="application/json", headers={"Authorization": f"Bearer {secret}"}
    )


def call_tool(secret: str, query: str = "gear") -> tuple[int, str]:
    params = {"name": "search_docs", "arguments": {"query": query}}
    answer = send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, secret)
    return answer.status_code, answer.content.decode()


def search(secret: str, query: str = "gear") -> tuple[int, str]:
    answer = Client().get("/api/search", {"q": query}, headers={"Authorization": f"Bearer {secret}"})
    return answer.status_code, answer.content.decode()


Request = Callable[..., tuple[int, str]]


@pytest.mark.parametrize("request_", [call_tool, search])
class TestOverHttp:
    def test_a_key_works_until_it_is_revoked(self, tenant: Tenant, docs: Collection, request_: Request) -> None:
        key, secret = issue(tenant)
        assert [request_(secret)[0] for _ in range(3)] == [200] * 3
        assert admit_known(secret, ADDRESS, counts=False)
        key.revoke()
        assert request_(secret)[0] == 401

    def test_the_limit_holds(self, tenant: Tenant, docs: Collection, request_: Request) -> None:
        key, secret = issue(tenant)
        ApiKey.objects.filter(pk=key.pk).update(rate_limit=4)
        answers = [request_(secret) for _ in range(5)]
        refused = [status == 429 or "limit of 4 requests" in text for status, text in answers]
        assert refused == [False] * 4 + [True]

    def test_a_grant_is_given_and_taken_at_once(self, tenant: Tenant, docs: Collection, request_: Request) -> None:
        put(docs, {"gear.md": "# Gear\n\nThe gear of brass turns slowly.\n"})
        key, secret = issue(tenant, collections=[])

        def find() -> list[bool]:
            """Of other questions each: who asks the same again is told so."""
            return ["turns slowly" in request_(secret, query)[1] for query in ("gear", "brass")]

        assert find() == [False, False]
        grant = CollectionGrant.objects.create(tenant=tenant, api_key=key, collection=docs)
        assert find() == [True, True]
        grant.delete()
        assert find() == [False, False]


def test_a_narrowed_endpoint_answers_until_its_collection_is_taken_back(
    tenant: Tenant, docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = issue(tenant, collections=[docs])
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_doc_pages", "arguments": {}}}

    def ask_it() -> str:
        url = f"/mcp/{tenant.slug}/docs"
        headers = {"Authorization": f"Bearer {secret}"}
        return str(Client().post(url, json.dumps(message), content_type="application/json", headers=headers).content)

    for _ in range(2):
        assert "No documents here yet" in ask_it()
    assert recall(secret, only=(tenant.slug, "docs"))
    with monkeypatch.context() as patch:  # as long as it is known
        patch.setattr(admission, "authenticate", lambda *shown: pytest.fail("it was not known"))
        assert "No documents here yet" in ask_it()
    CollectionGrant.objects.all().delete()
    assert "There is no collection" in ask_it()


def test_a_notification_is_taken_over_the_limit(tenant: Tenant, docs: Collection) -> None:
    key, secret = issue(tenant)
    ApiKey.objects.filter(pk=key.pk).update(rate_limit=2)
    for _ in range(3):
        call_tool(secret)
    assert recall(secret, counts=False)[1].used == 3
    answer = send({"jsonrpc": "2.0", "method": "notifications/initialized"}, secret)
    assert (answer.status_code, answer["RateLimit-Remaining"]) == (202, "0")
    assert send({"jsonrpc": "2.0", "id": 1, "method": "ping"}, secret).status_code == 429


def test_a_signed_in_member_is_itself_though_anybody_is_known(tenant: Tenant, docs: Collection) -> None:
    make_collection(is_public=True)
    ask(None)
    assert recall(None)
    member = User.objects.create_user("ann")
    Membership.objects.create(tenant=tenant, user=member, role=Membership.Role.OWNER)
    client = Client()
    client.force_login(member)
    assert client.get("/api/collections/docs").status_code == 200
    assert (
        client.post("/api/collections", {"slug": "more", "name": "More"}, content_type="application/json").status_code
        == 201
    )


def test_where_no_key_is_looked_at_none_is_counted(tenant: Tenant, docs: Collection) -> None:
    _, secret = issue(tenant)
    ask(secret)
    for _ in range(3):
        assert Client().get("/api/schema", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert recall(secret)[1].used == 2


@pytest.mark.django_db(transaction=True)
def test_a_row_that_came_back_to_its_place_is_another(tenant: Tenant, docs: Collection) -> None:
    """PostgreSQL uses the room of old versions again, after which only the transaction tells them apart."""
    key, secret = issue(tenant)

    def settle() -> str:
        """Where the key's row is, once the table is as short as it can be."""
        with connection.cursor() as cursor:
            cursor.execute("VACUUM FULL collections_app_apikey")
            cursor.execute("SELECT ctid::text FROM collections_app_apikey WHERE id = %s", [key.pk])
            return str(cursor.fetchone()[0])

    place = settle()
    ask(secret)
    assert recall(secret)
    ApiKey.objects.filter(pk=key.pk).update(scopes=["write"])
    assert settle() == place
    assert admit_known(secret, ADDRESS) is None


@pytest.mark.django_db(transaction=True)
def test_a_row_in_the_place_of_another_of_its_transaction_is_another(tenant: Tenant) -> None:
    """As a table that is rewritten puts it there."""
    with transaction.atomic():
        first, second = make_collection("a", tenant=tenant), make_collection("b", tenant=tenant)
    key, secret = issue(tenant, collections=[first])
    assert ask(secret) == [first]
    assert recall(secret)
    CollectionGrant.objects.create(tenant=tenant, api_key=key, collection=second)
    first.delete()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL collections_app_collection")
    assert admit_known(secret, ADDRESS) is None
    assert ask(secret) == [second]
