"""What is chosen in a list is done to each row, told for each, and kept in the audit log."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string
from structlog.testing import capture_logs

from collections_app import jobs
from collections_app.admin import asking
from collections_app.indexing import fulltext
from collections_app.ingest import removal
from collections_app.models import (
    AuditEvent,
    Collection,
    Document,
    IngestJob,
    Membership,
    RemovedDocument,
    Source,
    Tenant,
    TermStatistic,
    User,
)
from collections_app.provisioning import issue_api_key
from tests.collections_app.admin.conftest import choose
from tests.factories import find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db


def test_a_job_is_cancelled_and_tried_again(admin: Client, source: Source) -> None:
    job = jobs.start_job(source)
    assert f"Job {job.pk} is cancelled." in choose(admin, "cancel", job)
    assert f"retries job {job.pk}." in choose(admin, "retry", job)
    assert IngestJob.objects.get(retry_of=job).state == "queued"
    assert {event.action for event in AuditEvent.objects.filter(object_id=job.pk)} == {"cancel", "retry"}


def test_a_document_is_released_from_quarantine(admin: Client) -> None:
    collection = make_collection()
    put(collection, {"a.md": "# A\n\nllamas\n"})
    document = Document.objects.get()
    assert "is not in quarantine" in choose(admin, "release", document)
    assert not AuditEvent.objects.exists(), "What is refused was not done"
    fulltext.remove_from_index(collection, [document.pk])
    Document.objects.update(status=Document.Status.QUARANTINED)
    assert "is served from now on" in choose(admin, "release", document)
    assert find_paths(collection, "llamas") == ["a.md"]
    event = AuditEvent.objects.get()
    assert (event.actor_name, event.action, event.object_name) == ("root", "release", "a.md")
    assert (event.tenant, event.address) == (collection.tenant, "127.0.0.1")


class TestAsking:
    """Before what cannot simply be undone is done to any row."""

    def test_members_are_named_before_they_are_removed(self, admin: Client) -> None:
        tenant = make_tenant()
        members = [
            Membership.objects.create(tenant=tenant, user=User.objects.create_user(name), role="viewer")
            for name in ("ann", "bob")
        ]
        address = reverse("admin:collections_app_membership_changelist")
        chosen = {"action": "remove", "_selected_action": [member.pk for member in members]}
        page = admin.post(address, chosen).content.decode()
        assert "Remove 2 members?" in page
        assert "ann" in page
        assert "To come back they need an invitation." in page
        assert Membership.objects.count() == 2
        fields = re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page)
        answered = {name: [value for other, value in fields if other == name] for name, _ in fields}
        assert "bob belongs to" in admin.post(address, answered, follow=True).content.decode()
        assert not Membership.objects.exists()

    def test_a_source_stays_until_it_is_answered(self, admin: Client, source: Source) -> None:
        page = choose(admin, "remove", source)
        assert "Remove 1 source?" in page
        assert f"{Path(source.location).name} in {source.collection}" in page, "as the list names it"
        assert Source.objects.exists()
        assert not AuditEvent.objects.exists()

    def test_a_key_stays_until_it_is_answered(self, admin: Client) -> None:
        key, _ = issue_api_key(make_tenant(), "agent")
        assert "Revoke 1 API key?" in choose(admin, "revoke_chosen", key)
        key.refresh_from_db()
        assert key.revoked is None

    def test_what_can_be_undone_is_done_at_once(self, admin: Client, source: Source) -> None:
        assert "is queued for" in choose(admin, "refresh", source)


class TestDeleting:
    @pytest.fixture
    def collection(self) -> Collection:
        collection = make_collection("manual")
        put(collection, {f"{name}.md": f"# {name}\n\nllamas {name}\n" for name in "abc"})
        return collection

    def choose(self, client: Client, *rows: Document, query: str = "", **given: str) -> Any:
        """What follows on choosing these rows, or all that the list shows by this query."""
        address = f"{reverse('admin:collections_app_document_changelist')}{query}"
        chosen = [row.pk for row in rows or Document.objects.all()[:1]]
        across = {} if rows else {"select_across": "1"}
        return client.post(
            address, {"action": "delete_selected", "_selected_action": chosen, **across, **given}, follow=True
        )

    def test_the_first_are_named_and_the_others_counted_before(
        self, admin: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(asking, "SHOWN_NAMES", 1)
        page = self.choose(admin, *Document.objects.order_by("path")).content.decode()
        assert "Delete 3 documents?" in page
        assert "and 2 more" in page
        assert "c.md" not in page
        assert Document.objects.count() == 3

    def test_all_that_a_list_shows_needs_no_field_for_each(self, admin: Client, collection: Collection) -> None:
        page = self.choose(admin, query="?q=a.md")
        assert "Delete 1 document?" in page.content.decode()
        put(collection, {"more-a.md": "# More\n"})
        assert 'name="select_across" value="1"' in self.choose(admin).content.decode()
        assert self.choose(admin).content.decode().count('name="_selected_action"') == 1
        self.choose(admin, query="?q=a.md", post="yes")
        assert set(Document.objects.values_list("path", flat=True)) == {"b.md", "c.md"}

    def test_few_are_gone_at_once_and_the_audit_log_has_one_line(self, admin: Client, collection: Collection) -> None:
        rows = Document.objects.exclude(path="c.md")
        page = self.choose(admin, *rows, post="yes").content.decode()
        assert "2 documents are removed." in page
        assert find_paths(collection, "llamas") == ["c.md"]
        event = AuditEvent.objects.get()
        assert (event.action, event.object_type, event.object_name) == ("delete", "documents", "2 documents")
        assert (event.details, event.tenant) == ("a.md, b.md", collection.tenant)
        assert not LogEntry.objects.exists()

    def test_many_go_in_the_background_a_batch_at_a_time(
        self, admin: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, size in {"AT_ONCE": 1, "IN_A_TASK": 2}.items():
            monkeypatch.setattr(f"collections_app.removal.documents.{name}", size)
        monkeypatch.setattr(removal, "REMOVED_AT_ONCE", 1)
        queued: list[Any] = []
        monkeypatch.setattr("collections_app.task_queue.async_task", lambda *task, **_: queued.append(task))
        page = self.choose(admin, post="yes").content.decode()
        assert "3 documents are being removed in the background" in page
        assert Document.objects.count() == 3
        assert AuditEvent.objects.get().object_name == "3 documents"
        assert [len(ids) for _, _, ids in queued] == [2, 1]
        for name, *arguments in [*queued, *queued]:
            import_string(name)(*arguments)
        assert not Document.objects.exists()
        assert not TermStatistic.objects.filter(sections__gt=0).exists()
        assert RemovedDocument.objects.count() == 3

    @pytest.mark.usefixtures("collection")
    def test_who_removes_many_while_the_queue_is_away_is_told_so(
        self, admin: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("collections_app.removal.documents.AT_ONCE", 1)
        away = Mock(side_effect=ConnectionError("refused\nby redis"))
        monkeypatch.setattr("collections_app.task_queue.async_task", away)
        with capture_logs() as logs:
            page = self.choose(admin, post="yes").content.decode()
        assert "The queue cannot be reached, so documents are left that you chose." in page
        assert "in the background" not in page
        [told] = [log for log in logs if log["event"] == "queue_away"]
        assert (told["reason"], "exc_info" in told) == ("ConnectionError: refused", False)
        assert not AuditEvent.objects.exists()

    def test_each_tenant_is_told_of_its_own(self, admin: Client, collection: Collection) -> None:
        put(make_collection(), {"other.md": "# Other\n"})
        self.choose(admin, post="yes")
        events = AuditEvent.objects.order_by("pk")
        assert {(event.tenant, event.details) for event in events} == {
            (collection.tenant, "a.md, b.md, c.md"),
            (Tenant.objects.exclude(pk=collection.tenant_id).get(), ""),
        }

    def test_names_are_no_longer_than_the_log_has_room_for(self, admin: Client, collection: Collection) -> None:
        put(collection, {f"{'x' * 200}/{n}.md": f"# {n}\n" for n in range(5)})
        self.choose(admin, post="yes")
        assert len(AuditEvent.objects.get().details) == 500

    def test_other_rows_too(self, admin: Client) -> None:
        user = User.objects.create_user("somebody")
        assert "1 user is deleted." in choose(admin, "delete_selected", user, post="yes")
        assert AuditEvent.objects.get().object_name == "somebody"


def test_the_audit_log_keeps_the_name_of_what_is_gone(admin: Client, source: Source) -> None:
    jobs.run_source(source)
    choose(admin, "remove", source, post="yes")
    event = AuditEvent.objects.get()
    assert (event.action, event.object_id, event.object_name) == ("remove", str(source.pk), str(source))
