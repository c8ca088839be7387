"""What is a secret, or leads to one, is on no page, in no history and in no audit log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app import jobs
from collections_app.ingest import remove_documents
from collections_app.models import ApiKey, AuditEvent, Document, Invitation, RemovedDocument, Source, User
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db


def show(admin: Client, model: str, pk: int) -> str:
    response = admin.get(reverse(f"admin:collections_app_{model}_change", args=[pk]))
    assert response.status_code == 200
    return response.content.decode()


def test_a_keys_digest(admin: Client) -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="k")
    page = show(admin, "apikey", key.pk)
    assert key.digest not in page
    assert secret not in page
    assert key.prefix in page


def test_an_invitations_digest(admin: Client) -> None:
    invitation = Invitation.objects.create(
        tenant=make_tenant(), email="a@example.org", digest="d" * 64, expires=timezone.now() + timedelta(days=1)
    )
    assert invitation.digest not in show(admin, "invitation", invitation.pk)


@pytest.mark.parametrize("model", ["source", "removeddocument"])
def test_what_is_kept_encrypted(admin: Client, source: Source, model: str) -> None:
    jobs.run_source(source)
    Source.objects.update(encrypted_token="gAAAAAB-token", encrypted_webhook_secret="gAAAAAB-secret")
    remove_documents(source.collection, list(Document.objects.values_list("pk", flat=True)))
    row = source if model == "source" else RemovedDocument.objects.get()
    assert "gAAAAAB" not in show(admin, model, row.pk)


def test_a_password_that_was_set(admin: Client) -> None:
    user = User.objects.create_user("somebody", password="an-old-secret")
    given = {"password1": "a-new-secret-7", "password2": "a-new-secret-7", "usable_password": "true"}
    assert admin.post(reverse("admin:auth_user_password_change", args=[user.pk]), given).status_code == 302
    user.refresh_from_db()
    assert user.check_password("a-new-secret-7")
    event = AuditEvent.objects.get()
    assert (event.action, event.object_name) == ("change", "somebody")
    kept = f"{list(AuditEvent.objects.values())} {list(LogEntry.objects.values())}"
    assert "a-new-secret-7" not in kept
    assert user.password not in kept
