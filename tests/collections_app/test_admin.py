"""The admin keeps what ingest promises."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.models import ApiKey, Document, Section, TermStatistic, User
from tests.factories import find_paths, make_collection, put

pytestmark = pytest.mark.django_db

LISTED = ["user", "tenant", "collection", "source", "document", "apikey", "ingestjob", "searchevent"]


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


@pytest.mark.parametrize("model", LISTED)
def test_each_list_opens(admin: Client, model: str) -> None:
    assert admin.get(reverse(f"admin:collections_app_{model}_changelist")).status_code == 200


def test_deleting_a_document_takes_it_out_of_the_index(admin: Client) -> None:
    collection = make_collection()
    put(collection, {"a.md": "# A\n\nllamas\n", "b.md": "# B\n\nalpacas\n"})
    pk = Document.objects.get(path="a.md").pk
    assert admin.post(reverse("admin:collections_app_document_delete", args=[pk]), {"post": "yes"}).status_code == 302
    chosen = {"action": "delete_selected", "_selected_action": [Document.objects.get().pk], "post": "yes"}
    assert admin.post(reverse("admin:collections_app_document_changelist"), chosen).status_code == 302
    assert not Document.objects.exists()
    assert not Section.objects.exists()
    assert not TermStatistic.objects.filter(sections__gt=0).exists()
    assert find_paths(collection, "llamas") == []


def test_a_keys_digest_is_shown_nowhere(admin: Client) -> None:
    key, secret = ApiKey.objects.issue(tenant=make_collection().tenant, name="k")
    page = admin.get(reverse("admin:collections_app_apikey_change", args=[key.pk])).content.decode()
    assert key.digest not in page
    assert secret not in page
    assert key.prefix in page


def test_it_is_for_staff_only(client: Client) -> None:
    response = client.get(reverse("admin:collections_app_document_changelist"))
    assert response.status_code == 302
    assert "login" in response.headers["Location"]
