from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import count
from threading import Event
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models import Sum
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from collections_app.access.principal import Principal
from collections_app.activity import usage
from collections_app.activity.latency import find_bucket
from collections_app.activity.usage import COUNTERS, count_call, count_read, write_counts
from collections_app.models import ApiKey, Collection, DailyUsage, Document, DocumentRead
from collections_app.tasks import forget_old_events
from mcp_app.dispatching.dispatcher import get_dispatcher
from tests.factories import make_collection, make_principal, put

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted(db: None) -> Iterator[None]:
    """Neither here nor by a server that wrote last after the test that it was for."""
    COUNTERS.begin()
    DailyUsage.objects.all().delete()
    yield
    COUNTERS.begin()


@pytest.fixture
def one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ended while a test runs would have rows of its own."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.fixture
def collection() -> Collection:
    collection = make_collection("manual", is_public=True)
    put(collection, {"a.md": "# A\n\nLlamas.\n", "b.md": "# B\n\nAlpacas.\n"})
    return collection


def ask(method: str, principal: Principal, **params: Any) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    get_dispatcher().handle(json.dumps(message).encode(), principal)


def call(tool: str, principal: Principal, **arguments: Any) -> None:
    ask("tools/call", principal, name=tool, arguments=arguments)


def get_counts() -> dict[str, tuple[int, int]]:
    """Call → requests and errors of all callers, once they are written."""
    write_counts()
    rows = DailyUsage.objects.order_by().values_list("call").annotate(Sum("requests"), Sum("errors"))
    return {call: (requests, errors) for call, requests, errors in rows}


def read_paths() -> dict[str, int]:
    write_counts()
    paths = dict(Document.objects.values_list("pk", "path"))
    return {paths[row.document_id]: row.reads for row in DocumentRead.objects.all()}


@pytest.mark.usefixtures("one_day")
class TestCounting:
    def test_a_call_is_counted_by_its_tool_with_its_key_and_day(self, collection: Collection) -> None:
        caller = make_principal(collection)
        for query in ("llamas", "alpacas", ""):
            call("search_docs", caller, query=query)
        write_counts()
        row = DailyUsage.objects.get()
        assert (row.tenant_id, row.api_key_id, row.call) == (caller.tenant_id, caller.api_key_id, "search_docs")
        assert (row.requests, row.errors, sum(row.latencies)) == (3, 1, 3)
        assert row.day == timezone.now().date()
        assert row.total_ms > 0

    def test_what_is_written_adds_up(self) -> None:
        caller = make_principal()
        for duration_ms in (3, 30, 300):
            count_call(caller, "search_docs", duration_ms, is_error=False)
            write_counts()
        row = DailyUsage.objects.get()
        assert (row.requests, row.errors, row.total_ms) == (3, 0, 333)
        assert [number for number, count in enumerate(row.latencies) if count] == [
            find_bucket(ms) for ms in (3, 30, 300)
        ]

    def test_names_that_clients_make_up_are_one(self, collection: Collection) -> None:
        caller = make_principal(collection)
        for number in range(3):
            ask(f"method-{number}", caller)
            call(f"tool-{number}", caller)
        assert get_counts() == {"other": (3, 3), "tools/call": (3, 3)}

    def test_an_older_name_counts_as_the_tool_that_it_means(self, collection: Collection) -> None:
        caller = make_principal(collection)
        call("search_documentation", caller, query="llamas")
        call("search_nowhere_docs", caller, query="llamas")
        call("search", caller, query="llamas")  # of a profile
        assert get_counts() == {"search_docs": (2, 1), "search": (1, 1)}

    def test_a_notification_is_none(self) -> None:
        message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        get_dispatcher().handle(json.dumps(message).encode(), make_principal())
        assert get_counts() == {}

    def test_callers_without_a_tenant_are_one_total(self, collection: Collection) -> None:
        for address in ("192.0.2.1", "192.0.2.2"):
            call("list_collections", Principal(address=address))
        call("list_collections", Principal(user_id=7))
        row_of = DailyUsage.objects.get
        write_counts()
        assert (row_of().tenant_id, row_of().api_key_id, row_of().requests) == (None, None, 3)
        write_counts()
        call("list_collections", Principal())
        write_counts()
        assert row_of().requests == 4

    def test_the_operator_of_a_tenant_counts_without_a_key(self, collection: Collection) -> None:
        call("list_collections", Principal(tenant_id=collection.tenant_id, all_collections=True))
        write_counts()
        assert (DailyUsage.objects.get().tenant, DailyUsage.objects.get().api_key_id) == (collection.tenant, None)

    def test_it_asks_the_database_nothing(self, django_assert_num_queries: Any) -> None:
        caller = make_principal()
        with django_assert_num_queries(0):
            ask("tools/list", caller)
            count_read(Document(pk=1), caller)

    def test_the_rest_api_counts_by_endpoint_and_not_by_address(self, collection: Collection, client: Client) -> None:
        key, secret = ApiKey.objects.issue(tenant=collection.tenant, name="k")
        headers = {"Authorization": f"Bearer {secret}"}
        for path in ("collections/manual/documents/a.md", "collections/manual/documents/gone.md", "nowhere", "else"):
            client.get(f"/api/{path}", headers=headers)
        client.generic("BREW", "/api/collections", headers=headers)
        assert get_counts() == {"GET /api/collections/<collection>/documents/<path>": (2, 1), "other": (3, 3)}
        assert DailyUsage.objects.get(call__startswith="GET").api_key_id == key.pk
        assert read_paths() == {"a.md": 1}

    def test_a_wrong_key_is_nobodys(self, client: Client) -> None:
        client.get("/api/collections", headers={"Authorization": "Bearer dmcp_wrong"})
        assert get_counts() == {"GET /api/collections": (1, 1)}
        assert DailyUsage.objects.get().tenant is None


class TestReading:
    def test_what_is_read_is_known_and_how_often(self, collection: Collection) -> None:
        caller = make_principal(collection)
        call("read_sections", caller, path="a.md", section_ids=["a"])
        call("get_doc_page", caller, path="a.md")
        call("get_doc_page", caller, path="a.md", sections=["a"])
        ask("resources/read", caller, uri="docs://manual/a.md")
        call("search_docs", caller, query="alpacas")
        call("table_of_contents", caller, path="b.md")
        assert read_paths() == {"a.md": 4}
        assert DocumentRead.objects.get().tenant == collection.tenant

    def test_a_page_for_people_is_a_reading_and_what_it_has_known_already_is_none(
        self, collection: Collection, client: Client
    ) -> None:
        address = f"/docs/{collection.tenant.slug}/manual/a"
        page = client.get(address)
        assert page.status_code == 200
        assert client.get(address, headers={"If-None-Match": page["ETag"]}).status_code == 304
        assert client.get(f"{address}.md").status_code == 200
        assert client.get(f"/docs/{collection.tenant.slug}/manual/").status_code == 200
        assert read_paths() == {"a.md": 2}

    def test_a_section_that_is_not_there_was_not_read(self, collection: Collection) -> None:
        call("read_sections", make_principal(collection), path="a.md", section_ids=["zzz"])
        assert read_paths() == {}

    def test_a_trial_is_no_reading_and_no_call(self, collection: Collection) -> None:
        call("get_doc_page", replace(make_principal(collection), is_trial=True), path="a.md")
        assert (read_paths(), get_counts()) == ({}, {})

    def test_the_last_time_counts(self, collection: Collection) -> None:
        document = Document.objects.get(path="a.md")
        count_read(document, Principal())
        write_counts()
        before = DocumentRead.objects.get().last_read
        count_read(document, Principal())
        write_counts()
        assert DocumentRead.objects.get().last_read > before


class TestWriting:
    def test_what_could_not_be_written_is_written_the_next_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        caller = make_principal()
        count_call(caller, "search_docs", 1, is_error=False)
        with monkeypatch.context() as patch:
            patch.setattr(usage, "write_rows", fail)
            with pytest.raises(DatabaseError):
                write_counts()
        count_call(caller, "search_docs", 1, is_error=True)
        assert get_counts() == {"search_docs": (2, 1)}

    def test_a_failure_is_told_in_the_log_and_no_further(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(usage, "write_rows", fail)
        monkeypatch.setattr(connection, "close", lambda: None)
        count_call(make_principal(), "search_docs", 1, is_error=False)
        with capture_logs() as logs:
            usage.write_or_warn()
        assert [entry["event"] for entry in logs] == ["usage_not_written"]

    def test_it_is_written_again_and_again_until_the_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        end, written = Event(), count()
        monkeypatch.setattr(usage, "WRITE_SECONDS", 0)
        monkeypatch.setattr(usage, "write_or_warn", lambda: end.set() if next(written) == 2 else None)
        usage.write_until(end)
        assert next(written) == 3

    def test_a_tenant_and_a_document_that_are_gone_are_left_out(self, collection: Collection) -> None:
        count_call(Principal(tenant_id=10**9), "search_docs", 1, is_error=False)
        count_call(make_principal(collection), "read_sections", 1, is_error=False)
        count_read(Document(pk=10**9), Principal())
        assert get_counts() == {"read_sections": (1, 0)}
        assert not DocumentRead.objects.exists()

    def test_usage_outlives_its_key(self) -> None:
        collection = make_collection()
        callers = [make_principal(collection), make_principal(collection)]
        for caller in callers:
            count_call(caller, "search_docs", 1, is_error=False)
        write_counts()
        ApiKey.objects.filter(pk__in=[caller.api_key_id for caller in callers]).delete()
        assert DailyUsage.objects.filter(tenant=collection.tenant).count() == 2

    def test_a_forked_process_leaves_to_its_parent_what_that_counted(self) -> None:
        count_call(Principal(tenant_id=1), "search_docs", 1, is_error=False)
        with warnings.catch_warnings():
            # Of forking beside threads: the child does nothing else.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os._exit(len(COUNTERS._calls))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(COUNTERS._calls) == 1

    @pytest.mark.django_db(transaction=True)
    def test_no_count_is_lost_among_threads_that_count_and_write(self) -> None:
        caller = make_principal()

        def count_and_write(number: int) -> None:
            try:
                count_call(caller, f"tool-{number % 3}", 1, is_error=False)
                if number % 5 == 0:
                    write_counts()
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(count_and_write, range(300)))
        assert get_counts() == {f"tool-{number}": (100, 0) for number in range(3)}


def fail(*_: object) -> None:
    raise DatabaseError("no such server")


@pytest.mark.usefixtures("one_day")
class TestForgetting:
    def test_counts_past_their_retention_go(self, settings: Any) -> None:
        caller = make_principal()
        for call_name in ("old", "new"):
            count_call(caller, call_name, 1, is_error=False)
        write_counts()
        oldest = timezone.now().date() - timedelta(days=settings.DOCSMCP.usage_retention_days)
        DailyUsage.objects.filter(call="old").update(day=oldest - timedelta(days=1))
        DailyUsage.objects.filter(call="new").update(day=oldest)
        assert forget_old_events() == 1
        assert [row.call for row in DailyUsage.objects.all()] == ["new"]

    def test_reads_of_documents_that_left_go(self, collection: Collection) -> None:
        for document in Document.objects.all():
            count_read(document, Principal())
        write_counts()
        DocumentRead.objects.filter(document__path="a.md").update(document=10**9)
        assert forget_old_events() == 1
        assert read_paths() == {"b.md": 1}
