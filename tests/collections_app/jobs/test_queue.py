"""Tasks of jobs, where the queue that they go to is away."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.db import transaction
from structlog.testing import capture_logs

from collections_app import task_queue
from collections_app.jobs import NewUpload, accept_uploads, queue
from collections_app.models import IngestJob
from tests.factories import make_collection


@pytest.mark.django_db
def test_an_upload_while_redis_is_away_is_kept_and_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(queue, "is_in_database", lambda: False)
    monkeypatch.setattr(task_queue, "async_task", mock.Mock(side_effect=ConnectionError("refused\nby redis")))
    with capture_logs() as logs, django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        job = accept_uploads(make_collection(), [NewUpload("a.md", b"# A")])
    assert IngestJob.objects.get().state == "queued"
    [told] = [log for log in logs if log["event"] == "queue_away"]
    assert (told["job"], told["reason"], "exc_info" in told) == (job.pk, "ConnectionError: refused", False)
