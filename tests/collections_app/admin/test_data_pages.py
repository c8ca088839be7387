"""An owner exports its tenant's data, and deletes a collection or everything by typing its name."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collections_app import data_requests
from collections_app.models import AuditEvent, Collection, DataRequest, ExportPart, Tenant
from tests.collections_app.admin.conftest import Rows, make_person

pytestmark = pytest.mark.django_db


def make_export(tenant: Tenant) -> DataRequest:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("tenant.json", "{}")
    request = DataRequest.objects.create(
        tenant=tenant, kind="export", subject=tenant.slug, state="succeeded", size_bytes=len(file.getvalue())
    )
    ExportPart.objects.create(tenant=tenant, request=request, position=0, content=file.getvalue())
    return request


def read(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_an_owner_asks_for_an_export_and_sees_how_far_it_is(own: Rows) -> None:
    owner = make_person("owner", own[Tenant])
    page = reverse("admin:tenant_data", args=[own[Tenant].pk])
    assert "Look here again" in owner.post(page, follow=True).content.decode()
    assert "under way already" in owner.post(page, follow=True).content.decode()
    assert DataRequest.objects.get().requested_by == "owner-own"
    make_export(own[Tenant])
    assert "Download (" in owner.get(page).content.decode()


def test_an_owner_downloads_it(own: Rows) -> None:
    request = make_export(own[Tenant])
    response = make_person("owner", own[Tenant]).get(reverse("admin:export", args=[request.pk]))
    assert response.headers["Content-Disposition"].startswith('attachment; filename="own-')
    assert zipfile.ZipFile(io.BytesIO(read(response))).namelist() == ["tenant.json"]
    assert AuditEvent.objects.filter(action="download an export", tenant=own[Tenant]).exists()


def test_an_export_that_is_not_ready_is_not_there(own: Rows) -> None:
    request = data_requests.request_export(own[Tenant], "owner")
    assert make_person("owner", own[Tenant]).get(reverse("admin:export", args=[request.pk])).status_code == 404


@pytest.mark.parametrize("role", ["viewer", "editor"])
def test_it_is_for_owners(own: Rows, other: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    request = make_export(own[Tenant])
    for name, pk in (("tenant_data", own[Tenant].pk), ("export", request.pk)):
        assert client.get(reverse(f"admin:{name}", args=[pk])).status_code == 403
    for model in (Tenant, Collection):
        page = reverse(f"admin:collections_app_{model._meta.model_name}_delete", args=[own[model].pk])
        assert client.post(page, {"typed": own[model].slug}).status_code == 403


def test_another_tenants_is_not_there(own: Rows, other: Rows) -> None:
    client = make_person("owner", own[Tenant])
    request = make_export(other[Tenant])
    for name, pk in (("tenant_data", other[Tenant].pk), ("export", request.pk)):
        assert client.get(reverse(f"admin:{name}", args=[pk])).status_code == 404
        assert client.post(reverse(f"admin:{name}", args=[pk])).status_code == 404
    assert DataRequest.objects.count() == 1


@pytest.mark.parametrize("model", [Tenant, Collection])
def test_nothing_is_deleted_without_its_name(own: Rows, model: type[Any]) -> None:
    page = reverse(f"admin:collections_app_{model._meta.model_name}_delete", args=[own[model].pk])
    owner = make_person("owner", own[Tenant])
    assert "Type its name" in owner.get(page).content.decode()
    for typed in ("", "OWN", "other"):
        answer = owner.post(page, {"typed": typed, "post": "yes"})
        assert answer.status_code == 200
    assert "This is not its name: type own." in answer.content.decode()
    assert not DataRequest.objects.exists()


def test_a_collection_is_deleted_by_its_name(own: Rows) -> None:
    page = reverse("admin:collections_app_collection_delete", args=[own[Collection].pk])
    answer = make_person("owner", own[Tenant]).post(page, {"typed": "own"})
    assert "is being deleted" in answer.content.decode()
    assert DataRequest.objects.get().kind == "delete_collection"
    assert AuditEvent.objects.filter(action="delete collection", object_name="own", tenant=own[Tenant]).exists()


def test_who_deletes_its_last_tenant_is_told_and_has_no_access_any_more(own: Rows) -> None:
    owner: Client = make_person("owner", own[Tenant])
    answer = owner.post(reverse("admin:collections_app_tenant_delete", args=[own[Tenant].pk]), {"typed": "own"})
    assert "is being deleted" in answer.content.decode()
    assert owner.get(reverse("admin:index")).status_code == 302
    assert AuditEvent.objects.filter(action="delete tenant", tenant_slug="own").exists()
