"""The admin keeps what ingest promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from collections_app import indexing, jobs
from collections_app.ingest import remove_documents
from collections_app.models import (
    ApiKey,
    Collection,
    Document,
    IngestJob,
    RemovedDocument,
    Section,
    Source,
    Synonym,
    TermStatistic,
    User,
)
from tests.factories import find_paths, make_collection, put

pytestmark = pytest.mark.django_db

LISTED = [
    "user", "tenant", "collection", "source", "document", "removeddocument", "apikey", "ingestjob", "fileoutcome", "upload",
    "searchevent", "answerusage",
]  # fmt: skip


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


class TestCuration:
    @pytest.fixture
    def docs(self) -> Collection:
        collection = make_collection("manual")
        put(collection, {"kubernetes.md": "# Kubernetes\n\nPods.\n", "start.md": "# Start\n\nHere.\n"})
        return collection

    def save(self, admin: Client, docs: Collection, **fields: str) -> Any:
        page = admin.get(reverse("admin:collections_app_collection_change", args=[docs.pk]))
        forms = [
            page.context["adminform"].form,
            *(inline.formset.management_form for inline in page.context["inline_admin_formsets"]),
        ]
        shown = {form.add_prefix(name): form[name].value() for form in forms for name in form.fields}
        given = {name: value for name, value in shown.items() if value is not None and value is not False} | fields
        return admin.post(reverse("admin:collections_app_collection_change", args=[docs.pk]), given)

    def test_synonyms_and_pins_count_as_soon_as_they_are_saved(self, admin: Client, docs: Collection) -> None:
        assert find_paths(docs, "k8s") == []
        pin = {"pins-TOTAL_FORMS": "1", "pins-0-question": "Where?", "pins-0-path": "start.md", "pins-0-position": "0"}
        synonym = {"synonyms-TOTAL_FORMS": "1", "synonyms-0-term": "k8s", "synonyms-0-synonym": "kubernetes"}
        saved = self.save(admin, docs, **pin, **synonym)
        assert saved.status_code == 302, saved.context["errors"]
        assert find_paths(docs, "k8s") == ["kubernetes.md"]
        assert find_paths(docs, "where") == ["start.md"]
        assert Synonym.objects.get().tenant == docs.tenant

    def test_the_same_twice_is_refused_in_words(self, admin: Client, docs: Collection) -> None:
        rows = {f"synonyms-{n}-{name}": name for n in range(2) for name in ("term", "synonym")}
        page = self.save(admin, docs, **{"synonyms-TOTAL_FORMS": "2"}, **rows)
        assert "Two rows say the same" in page.content.decode()
        assert not Synonym.objects.exists()


def test_a_keys_digest_is_shown_nowhere(admin: Client) -> None:
    key, secret = ApiKey.objects.issue(tenant=make_collection().tenant, name="k")
    page = admin.get(reverse("admin:collections_app_apikey_change", args=[key.pk])).content.decode()
    assert key.digest not in page
    assert secret not in page
    assert key.prefix in page


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "a.md").write_text("# A\n\nllamas\n")
    return jobs.ensure_directory_source(make_collection(), tmp_path)


def choose(admin: Client, action: str, row: Model) -> str:
    """Do an action to one row; the page that follows."""
    address = reverse(f"admin:collections_app_{row._meta.model_name}_changelist")
    response = admin.post(address, {"action": action, "_selected_action": [row.pk]}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_a_source_is_read_again_in_the_background(admin: Client, source: Source) -> None:
    assert "is queued for" in choose(admin, "refresh", source)
    job = IngestJob.objects.get()
    assert (job.state, job.requested_by) == ("queued", "root")
    assert "is being ingested already" in choose(admin, "refresh", source)


def test_a_job_is_cancelled_and_tried_again(admin: Client, source: Source) -> None:
    job = jobs.start_job(source)
    assert f"Job {job.pk} is cancelled." in choose(admin, "cancel", job)
    assert f"retries job {job.pk}." in choose(admin, "retry", job)
    assert IngestJob.objects.get(retry_of=job).state == "queued"


def test_a_removed_source_takes_its_documents_along_and_they_are_brought_back(admin: Client, source: Source) -> None:
    jobs.run_source(source)
    collection = source.collection
    assert "1 documents left" in choose(admin, "remove", source)
    assert not Document.objects.exists()
    assert "1 of 1 documents are back" in choose(admin, "restore", RemovedDocument.objects.get())
    assert find_paths(collection, "llamas") == ["a.md"]


def test_a_document_is_released_from_quarantine(admin: Client) -> None:
    collection = make_collection()
    put(collection, {"a.md": "# A\n\nllamas\n"})
    document = Document.objects.get()
    assert "is not in quarantine" in choose(admin, "release", document)
    indexing.remove_from_index(collection, [document.pk])
    Document.objects.update(status=Document.Status.QUARANTINED)
    assert "is served from now on" in choose(admin, "release", document)
    assert find_paths(collection, "llamas") == ["a.md"]


@pytest.mark.parametrize("page", ["source", "ingestjob", "removeddocument"])
def test_each_row_opens(admin: Client, source: Source, page: str) -> None:
    job, _ = jobs.run_source(source)
    remove_documents(source.collection, list(Document.objects.values_list("pk", flat=True)))
    rows = {"source": source, "ingestjob": job, "removeddocument": RemovedDocument.objects.get()}
    assert admin.get(reverse(f"admin:collections_app_{page}_change", args=[rows[page].pk])).status_code == 200


def test_what_is_kept_encrypted_is_shown_nowhere(admin: Client, source: Source) -> None:
    Source.objects.update(encrypted_token="gAAAAAB-token", encrypted_webhook_secret="gAAAAAB-secret")
    page = admin.get(reverse("admin:collections_app_source_change", args=[source.pk])).content.decode()
    assert "gAAAAAB" not in page


def test_it_is_for_staff_only(client: Client) -> None:
    response = client.get(reverse("admin:collections_app_document_changelist"))
    assert response.status_code == 302
    assert "login" in response.headers["Location"]
