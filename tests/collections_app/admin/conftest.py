"""People of every role, and a row of every kind in a tenant."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app import jobs
from collections_app.access import connected_apps
from collections_app.access.principal import Scope
from collections_app.ingest import remove_documents
from collections_app.models import (
    AnswerUsage,
    ApiKey,
    AuditEvent,
    Collection,
    ConnectedApp,
    Document,
    Feedback,
    FileOutcome,
    IngestJob,
    Invitation,
    Membership,
    OAuthClient,
    RemovedDocument,
    SearchEvent,
    Source,
    Tenant,
    Upload,
    User,
)
from tests.factories import make_collection, make_tenant, put

ROLES = ("nobody", "viewer", "editor", "owner", "superuser")

Rows = dict[type[Model], Any]


def make_person(role: str, tenant: Tenant) -> Client:
    """Signed in; "nobody" belongs to no tenant."""
    user = User.objects.create_user(f"{role}-{tenant.slug}", is_superuser=role == "superuser")
    if role in Membership.Role.values:
        Membership.objects.create(tenant=tenant, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def connect_app(tenant: Tenant, person: User, name: str = "Chat") -> ConnectedApp:
    """An app that the person has connected, and that has taken it up."""
    address = "https://chat.example/"
    client = OAuthClient.objects.create(client_id=f"{name} of {person}", name=name, redirect_uris=[address])
    allowed: Any = {"scopes": [Scope.READ], "collections": None, "resource": "/oauth/mcp", "redirect_uri": address}
    app, code = connected_apps.authorize(client, person, tenant, code_challenge="c" * 43, **allowed)
    connected_apps.redeem(app, code)
    return app


def make_rows(slug: str) -> Rows:
    """A tenant with a row of each registered model."""
    collection = make_collection(slug, tenant=make_tenant(slug))
    tenant = collection.tenant
    put(collection, {"gone.md": f"# Gone of {slug}\n\nllamas\n"})
    remove_documents(collection, [Document.objects.get(collection=collection).pk])
    put(collection, {"kept.md": f"# Kept of {slug}\n\nalpacas\n"})
    source = Source.objects.create(tenant=tenant, collection=collection, kind=Source.Kind.DIRECTORY, location=slug)
    of = {"tenant": tenant, "collection": collection}
    job = IngestJob.objects.create(**of, source=source, state=IngestJob.State.SUCCEEDED)
    now = timezone.now()
    connector = User.objects.create_user(f"connector-{slug}")
    Membership.objects.create(tenant=tenant, user=connector)
    return {
        User: User.objects.create_user(f"somebody-{slug}"),
        Tenant: tenant,
        Membership: Membership.objects.create(
            tenant=tenant, user=User.objects.create_user(f"member-{slug}"), role="editor"
        ),
        Invitation: Invitation.objects.create(
            tenant=tenant, email=f"{slug}@example.org", digest=slug, expires=now + timedelta(days=1)
        ),
        AuditEvent: AuditEvent.objects.create(tenant=tenant, actor_name="root", action=f"look at {slug}"),
        Collection: collection,
        Source: source,
        Document: Document.objects.get(collection=collection),
        RemovedDocument: RemovedDocument.objects.get(collection=collection),
        IngestJob: job,
        FileOutcome: FileOutcome.objects.create(**of, job=job, path=f"{slug}.md", outcome="indexed"),
        Upload: Upload.objects.create(**of, source=source, path=f"{slug}.md"),
        ApiKey: ApiKey.objects.issue(tenant=tenant, name=f"key of {slug}")[0],
        ConnectedApp: connect_app(tenant, connector, f"app of {slug}"),
        SearchEvent: SearchEvent.objects.create(tenant=tenant, query=slug, mode="keyword", hits=0, duration_ms=1),
        AnswerUsage: AnswerUsage.objects.create(
            tenant=tenant, day=now.date(), answers=1, tokens_in=1, tokens_out=1, cost=1
        ),
        Feedback: Feedback.objects.create(tenant=tenant, collection=collection, question=slug, helpful=False),
    }


@pytest.fixture
def own(db: None) -> Rows:
    return make_rows("own")


@pytest.fixture
def other(db: None) -> Rows:
    return make_rows("other")


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


@pytest.fixture
def collection(db: None) -> Collection:
    return make_collection("manual")


@pytest.fixture
def editor(collection: Collection) -> Client:
    return make_person("editor", collection.tenant)


@pytest.fixture
def configure(settings: Any) -> Callable[..., None]:
    def configure(**update: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update=update)

    return configure


@pytest.fixture
def source(db: None, tmp_path: Path) -> Source:
    """A directory with a document, not read yet."""
    (tmp_path / "a.md").write_text("# A\n\nllamas\n")
    return jobs.ensure_directory_source(make_collection(), tmp_path)


def choose(admin: Client, action: str, row: Model, **given: str) -> str:
    """Do an action to one row of a list; the page that follows."""
    address = reverse(f"admin:collections_app_{row._meta.model_name}_changelist")
    response = admin.post(address, {"action": action, "_selected_action": [row.pk], **given}, follow=True)
    assert response.status_code == 200
    return response.content.decode()
