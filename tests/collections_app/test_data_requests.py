"""What an owner asks for is exported or deleted to the end, whatever happens to a worker, and nobody else's is touched."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.db.models.signals import pre_delete
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from structlog.testing import capture_logs

from collections_app import data_requests, jobs, task_queue
from collections_app.exceptions import CollectionClosed, InvalidParameter
from collections_app.ingest.database_errors import in_transaction
from collections_app.ingest.removal import restore_batch
from collections_app.models import (
    ApiKey,
    AuditEvent,
    Collection,
    DataRequest,
    Document,
    IngestJob,
    Membership,
    SearchEvent,
    Source,
    Tenant,
    User,
)
from collections_app.removal.closing import check_is_open
from collections_app.transfer.tenants import export_tenant
from tests.collections_app.admin.conftest import make_rows
from tests.factories import find_paths
from tests.other_thread import start, wait_until_it_waits

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The requests that tasks were made of."""
    found: list[int] = []
    monkeypatch.setattr(task_queue, "async_task", lambda _, request_id, **options: found.append(request_id))
    return found


@pytest.fixture
def tenant() -> Tenant:
    made: Tenant = make_rows("acme")[Tenant]
    return made


def run(request: DataRequest) -> DataRequest:
    data_requests.run(request.pk)
    request.refresh_from_db()
    return request


def upload(collection: Collection) -> IngestJob:
    return jobs.accept_uploads(collection, [jobs.NewUpload("new.md", b"# New\n")])


WAYS_IN: list[Callable[[Source], object]] = [
    lambda source: upload(source.collection),
    lambda source: jobs.start_job(source),
    lambda source: jobs.run_source(source),
    lambda source: jobs.ensure_directory_source(source.collection, Path("/srv/new")),
    lambda source: in_transaction(lambda: restore_batch(source.collection, [])),
]


def read_export(request: DataRequest) -> zipfile.ZipFile:
    content = b"".join(data_requests.iter_export(request))
    assert len(content) == request.size_bytes
    return zipfile.ZipFile(io.BytesIO(content))


def read_rows(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def count_rows(tenant_id: int) -> dict[str, int]:
    """Rows that name the tenant, by table."""
    models: list[type[Model]] = [
        model for model in apps.get_app_config("collections_app").get_models() if hasattr(model, "tenant_id")
    ]
    counts = {model.__name__: model._default_manager.filter(tenant=tenant_id).count() for model in models}
    return {name: count for name, count in counts.items() if count}


class TestExport:
    def test_it_lists_rows_as_they_were_made(self, tenant: Tenant) -> None:
        Membership.objects.create(tenant=tenant, user=User.objects.create_user("later"), role="viewer")
        ApiKey.objects.issue(tenant=tenant, name="later")
        # Which writes it behind the other.
        Membership.objects.filter(user__username="member-acme").update(role="viewer")
        archive = read_export(run(data_requests.request_export(tenant, "owner")))
        members, keys = (json.loads(archive.read(f"{name}.json")) for name in ("members", "api_keys"))
        assert [entry["user__username"] for entry in members] == ["connector-acme", "member-acme", "later"]
        assert [entry["name"] for entry in keys] == ["key of acme", "later"]

    def test_a_source_has_a_limit_only_where_it_is_its_own(self, tenant: Tenant) -> None:
        first = Source.objects.get(tenant=tenant)
        Source.objects.create(
            tenant=tenant, collection=first.collection, kind="directory", location="b", max_file_bytes=5
        )
        archive = read_export(run(data_requests.request_export(tenant, "owner")))
        assert [entry["max_file_bytes"] for entry in json.loads(archive.read("sources.json"))] == [None, 5]

    def test_it_has_everything_and_no_secret(self, tenant: Tenant) -> None:
        make_rows("other")
        source = Source.objects.get(tenant=tenant)
        Source.objects.filter(pk=source.pk).update(encrypted_token="gAAAAAB-token")
        key, secret = ApiKey.objects.issue(tenant=tenant, name="second")
        request = run(data_requests.request_export(tenant, "owner"))
        assert (request.state, data_requests.is_downloadable(request)) == ("succeeded", True)
        archive = read_export(request)
        assert {"tenant.json", "members.json", "api_keys.json", "sources.json", "collections/acme.zip"} <= set(
            archive.namelist()
        )
        assert {entry["user__username"] for entry in json.loads(archive.read("members.json"))} == {
            "member-acme",
            "connector-acme",
        }
        [app] = json.loads(archive.read("connected_apps.json"))
        assert (app["app"], app["person"], app["scopes"]) == ("app of acme", "connector-acme", ["read"])
        assert {entry["name"] for entry in json.loads(archive.read("api_keys.json"))} == {"key of acme", "second"}
        assert [row["query"] for row in read_rows(archive, "history/searches.csv")] == ["acme"]
        assert "look at acme" in {row["action"] for row in read_rows(archive, "history/audit.csv")}
        collection = zipfile.ZipFile(io.BytesIO(archive.read("collections/acme.zip")))
        texts = [container.read(name) for container in (archive, collection) for name in container.namelist()]
        for hidden in (key.digest, secret, "gAAAAAB-token", "of other"):
            assert not any(hidden.encode() in text for text in texts), hidden

    def test_what_keys_may_read_is_asked_once_for_all(self, tenant: Tenant, tmp_path: Path) -> None:
        def export() -> tuple[dict[str, list[str]], int]:
            with CaptureQueriesContext(connection) as statements:
                export_tenant(tenant, tmp_path / "all.zip")
            keys = json.loads(zipfile.ZipFile(tmp_path / "all.zip").read("api_keys.json"))
            return {key["name"]: key["collections"] for key in keys}, len(statements)

        _, count = export()
        for name in ("second", "third"):
            ApiKey.objects.issue(tenant=tenant, name=name, collections=tenant.collections.all())
        granted, with_three = export()
        assert (granted["second"], granted["third"], with_three) == (["acme"], ["acme"], count)

    def test_a_spreadsheet_finds_no_formula_in_it(self, tenant: Tenant) -> None:
        SearchEvent.objects.update(query='=HYPERLINK("http://evil.example")')
        archive = read_export(run(data_requests.request_export(tenant, "owner")))
        assert read_rows(archive, "history/searches.csv")[0]["query"].startswith("'=")

    def test_it_is_kept_in_pieces_and_for_some_days(self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(data_requests, "PART_BYTES", 500)
        request = run(data_requests.request_export(tenant, "owner"))
        assert request.parts.count() > 2
        assert read_export(request).testzip() is None
        DataRequest.objects.update(finished=timezone.now() - data_requests.EXPORT_LIFETIME - timedelta(seconds=1))
        assert data_requests.sweep() == 1
        assert not data_requests.is_downloadable(request)
        assert data_requests.sweep() == 0

    def test_one_at_a_time(self, tenant: Tenant) -> None:
        first = data_requests.request_export(tenant, "owner")
        with pytest.raises(InvalidParameter, match="under way already"):
            data_requests.request_export(tenant, "owner")
        run(first)
        data_requests.request_export(tenant, "owner")


class TestDeletion:
    def test_of_a_collection_takes_what_belongs_to_it_and_nothing_else(self, tenant: Tenant) -> None:
        others = count_rows(make_rows("other")[Tenant].pk)
        collection = Collection.objects.get(tenant=tenant)
        request = run(data_requests.request_deletion_of_collection(collection, "owner"))
        assert (request.state, request.message) == (
            "succeeded",
            "1 documents were deleted, and all that belonged to them.",
        )
        left = count_rows(tenant.pk)
        assert set(left) == {
            "AnswerUsage", "ApiKey", "AuditEvent", "ConnectedApp", "DataRequest", "Feedback", "Invitation", "Membership", "SearchEvent",
        }  # fmt: skip
        assert count_rows(Tenant.objects.get(slug="other").pk) == others

    def test_of_a_tenant_takes_everything_and_the_audit_log_keeps_that_it_was(self, tenant: Tenant) -> None:
        others = count_rows(make_rows("other")[Tenant].pk)
        tenant_id = tenant.pk
        request = run(data_requests.request_deletion_of_tenant(tenant, "the owner"))
        assert (request.state, request.tenant) == ("succeeded", None)
        assert count_rows(tenant_id) == {}
        assert not Tenant.objects.filter(pk=tenant_id).exists()
        event = AuditEvent.objects.get(action="delete_tenant succeeded")
        assert (event.tenant, event.tenant_slug, event.actor_name) == (None, "acme", "the owner")
        other = Tenant.objects.get(slug="other")
        assert count_rows(other.pk) == others
        assert find_paths(other.collections.get(), "alpacas") == ["kept.md"]

    def test_nobody_comes_in_from_the_moment_it_is_asked_for(self, tenant: Tenant) -> None:
        Collection.objects.update(is_public=True)
        data_requests.request_deletion_of_tenant(tenant, "owner")
        keys = ApiKey.objects.filter(tenant=tenant)
        assert {key.person is None for key in keys} == {True, False}
        assert all(key.revoked for key in keys)
        assert not Membership.objects.filter(tenant=tenant).exists()
        assert not Collection.objects.get(tenant=tenant).is_public
        assert User.objects.filter(username="member-acme").exists(), "Accounts are people's"

    @pytest.mark.parametrize(
        "ask", [data_requests.request_deletion_of_collection, data_requests.request_deletion_of_tenant]
    )
    @pytest.mark.parametrize("fill", WAYS_IN)
    def test_nothing_comes_in_from_the_moment_it_is_asked_for(
        self, tenant: Tenant, fill: Callable[[Source], object], ask: Callable[..., DataRequest]
    ) -> None:
        source = Source.objects.get(tenant=tenant)
        collection = source.collection
        request = ask(collection if ask is data_requests.request_deletion_of_collection else tenant, "owner")
        Source.objects.update(auto_index=True, refresh_interval_seconds=60)
        before = count_rows(tenant.pk)
        with pytest.raises(CollectionClosed, match="is being deleted"):
            fill(source)
        assert jobs.refresh_due_sources() == 0
        assert count_rows(tenant.pk) == before
        assert run(request).state == "succeeded"
        with pytest.raises(CollectionClosed):
            fill(source)

    def test_one_that_broke_off_closes_nothing_any_longer(
        self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collection = Collection.objects.get(tenant=tenant)
        request = data_requests.request_deletion_of_collection(collection, "owner")
        with monkeypatch.context() as broken:
            broken.setattr("collections_app.removal.deletion.delete_row", Mock(side_effect=OSError))
            assert run(request).state == "failed"
        assert upload(collection).state == "queued"
        assert run(data_requests.request_deletion_of_collection(collection, "owner")).state == "succeeded"

    def test_what_is_coming_in_just_then_goes_too(self, tenant: Tenant) -> None:
        """Who uploads is waited for, and the job is known by which it would be read."""
        collection = Collection.objects.get(tenant=tenant)
        with transaction.atomic():
            job = upload(collection)
            asked = start(lambda: data_requests.request_deletion_of_collection(collection, "owner"))
            wait_until_it_waits(asked)
            assert not asked.done()
        request = asked.result()
        job.refresh_from_db()
        assert job.state == "cancelled"
        assert isinstance(request, DataRequest)
        assert run(request).state == "succeeded"

    def test_it_waits_for_a_job_that_is_being_cancelled(self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
        source = Source.objects.get(tenant=tenant)
        job = IngestJob.objects.create(tenant=tenant, collection=source.collection, source=source, state="running")
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr("collections_app.removal.sources.holding_source", lambda _: nullcontext(False))
            request = run(data_requests.request_deletion_of_collection(source.collection, "owner"))
        job.refresh_from_db()
        assert job.cancel_requested
        assert request.state == "running"
        assert Document.objects.filter(tenant=tenant).exists()
        IngestJob.objects.filter(pk=job.pk).update(state="cancelled")
        assert run(request).state == "succeeded"


class TestWorkers:
    def test_what_was_lost_is_taken_up_again(self, tenant: Tenant, queued: list[int]) -> None:
        request = data_requests.request_export(tenant, "owner")
        assert queued == [request.pk]
        assert data_requests.sweep() == 0, "It may be about to begin"
        DataRequest.objects.update(attempted=timezone.now() - data_requests.SILENCE - timedelta(seconds=1))
        assert data_requests.sweep() == 1
        assert queued == [request.pk, request.pk]

    def test_what_ends_each_worker_is_not_tried_for_ever(self, tenant: Tenant) -> None:
        request = data_requests.request_export(tenant, "owner")
        DataRequest.objects.update(state="running", attempts=data_requests.MAX_ATTEMPTS)
        assert run(request).state == "failed"
        assert "Its worker ended each time" in DataRequest.objects.get().message

    def test_a_queue_that_is_away_is_told_in_a_line_and_the_request_kept(
        self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(task_queue, "async_task", Mock(side_effect=ConnectionError("refused\nby redis")))
        with capture_logs() as logs:
            request = data_requests.request_export(tenant, "owner")
        assert DataRequest.objects.get().state == "queued"
        [told] = [log for log in logs if log["event"] == "queue_away"]
        assert (told["request"], told["reason"], "exc_info" in told) == (request.pk, "ConnectionError: refused", False)

    def test_what_broke_off_is_told(self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise OSError("No space left on device: /some/where")

        monkeypatch.setattr(data_requests, "export_tenant", fail)
        request = run(data_requests.request_export(tenant, "owner"))
        assert request.state == "failed"
        assert request.message == "It broke off; the server's log says why. Ask for it again."

    def test_a_task_too_many_does_nothing(self, tenant: Tenant) -> None:
        request = run(data_requests.request_export(tenant, "owner"))
        finished = request.finished
        assert run(request).finished == finished
        data_requests.run(2_000_000_000)


def test_a_search_that_is_written_while_its_tenant_goes_stops_nothing(tenant: Tenant) -> None:
    def write_search() -> None:
        SearchEvent.objects.create(tenant_id=tenant.pk, query="llamas", mode="keyword", hits=1, duration_ms=1.0)

    def write_meanwhile(**signal: object) -> None:
        if signal["instance"] == tenant:
            writing.append(start(write_search))
            wait_until_it_waits(writing[0])

    writing: list[Future[object]] = []
    pre_delete.connect(write_meanwhile, sender=Tenant)
    try:
        request = run(data_requests.request_deletion_of_tenant(tenant, "root"))
    finally:
        pre_delete.disconnect(write_meanwhile, sender=Tenant)
    assert request.state == DataRequest.State.SUCCEEDED
    assert not Tenant.objects.filter(pk=tenant.pk).exists()
    assert isinstance(writing[0].exception(), IntegrityError)


def test_who_changes_members_while_a_deletion_is_asked_for_waits_for_nothing(tenant: Tenant) -> None:
    with transaction.atomic():
        Tenant.objects.select_for_update().get(pk=tenant.pk)
        asking = start(lambda: data_requests.request_deletion_of_tenant(tenant, "root"))
        wait_until_it_waits(asking)
        assert Membership.objects.filter(tenant=tenant).update(role="viewer")
    assert asking.result()


def test_who_fills_a_collection_while_its_tenant_is_to_go_waits_in_the_same_order(tenant: Tenant) -> None:
    collection = tenant.collections.get()
    with transaction.atomic():
        check_is_open(tenant.pk, collection.pk)
        asking = start(lambda: data_requests.request_deletion_of_tenant(tenant, "root"))
        wait_until_it_waits(asking)
        Source.objects.create(tenant=tenant, collection=collection, kind=Source.Kind.DIRECTORY, location="more")
    assert asking.result()
