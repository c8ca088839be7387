"""What is chosen in a list is done to each row, told for each, and kept in the audit log."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app import indexing, jobs
from collections_app.admin import base
from collections_app.models import AuditEvent, Document, IngestJob, Source
from tests.collections_app.admin.conftest import choose
from tests.factories import find_paths, make_collection, put

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
    indexing.remove_from_index(collection, [document.pk])
    Document.objects.update(status=Document.Status.QUARANTINED)
    assert "is served from now on" in choose(admin, "release", document)
    assert find_paths(collection, "llamas") == ["a.md"]
    event = AuditEvent.objects.get()
    assert (event.actor_name, event.action, event.object_name) == ("root", "release", "a.md")
    assert (event.tenant, event.address) == (collection.tenant, "127.0.0.1")


def test_of_many_rows_the_first_are_named_before_they_are_deleted(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MAX_NAMES", 1)
    put(make_collection(), {"a.md": "# A\n\nllamas\n", "b.md": "# B\n\nalpacas\n", "c.md": "# C\n\nvicunas\n"})
    rows = list(Document.objects.order_by("path").values_list("pk", flat=True))
    address = reverse("admin:collections_app_document_changelist")
    page = admin.post(address, {"action": "delete_selected", "_selected_action": rows}).content.decode()
    assert "and 2 more" in page
    assert "c.md" not in page


def test_the_audit_log_keeps_the_name_of_what_is_gone(admin: Client, source: Source) -> None:
    jobs.run_source(source)
    choose(admin, "remove", source)
    event = AuditEvent.objects.get()
    assert (event.action, event.object_id, event.object_name) == ("remove", str(source.pk), str(source))
