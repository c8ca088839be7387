"""What people are shown of a document is the very text that the tools give."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.models import Collection, Document
from mcp_app.admin.documents import name_call
from mcp_app.entries import Call
from mcp_app.tools import get_doc_page, read_sections
from tests.collections_app.admin.conftest import make_person
from tests.factories import make_collection, make_principal, make_tenant, put

pytestmark = pytest.mark.django_db

GUIDE = "# Guide\n\nHello <b>you</b>.\n\n## Install\n\nUnpack it.\n"


@pytest.fixture
def collection() -> Collection:
    collection = make_collection("manual")
    put(collection, {"a.md": GUIDE})
    return collection


@pytest.fixture
def viewer(collection: Collection) -> Client:
    return make_person("viewer", collection.tenant)


def show(client: Client, document: Document, **query: str) -> Any:
    return client.get(reverse("admin:document_as_read", args=[document.pk]), query)


def make_call(collection: Collection) -> Call:
    return Call(make_principal(collection), "2026-07-28", narrowed_to=(collection.tenant.slug, collection.slug))


def test_the_page_is_what_get_doc_page_gives(viewer: Client, collection: Collection) -> None:
    answer = get_doc_page.run(make_call(collection), get_doc_page.GetDocPageParams(path="a.md"))
    shown = show(viewer, Document.objects.get()).content.decode()
    assert answer.as_markdown() in unescape(shown)
    assert "<b>you</b>" not in shown


def test_a_section_is_what_read_sections_gives(viewer: Client, collection: Collection) -> None:
    params = read_sections.ReadSectionsParams(path="a.md", section_ids=["guide/install"])
    answer = read_sections.run(make_call(collection), params)
    shown = unescape(show(viewer, Document.objects.get(), section="guide/install").content.decode())
    assert answer.as_markdown() in shown
    assert 'read_sections(path="a.md", section_ids=["guide/install"])' in shown
    assert "Hello" not in shown


def test_a_long_page_goes_on_piece_by_piece(viewer: Client, collection: Collection) -> None:
    put(collection, {"long.md": "# Long\n" + "".join(f"\n## Part {n}\n\n{'word ' * 2_000}\n" for n in range(20))})
    document = Document.objects.get(path="long.md")
    first = show(viewer, document)
    assert "Part 19" not in first.content.decode()
    second = show(viewer, document, cursor=first.context["cursor"])
    assert second.context["text"] != first.context["text"]
    assert "error" not in second.context


def test_an_agents_refusal_is_shown_as_it_is(viewer: Client, collection: Collection) -> None:
    shown = unescape(show(viewer, Document.objects.get(), section="nowhere").content.decode())
    assert "has no section 'nowhere'" in shown


def test_a_document_that_agents_do_not_read_is_not_shown(viewer: Client, collection: Collection) -> None:
    Document.objects.update(status=Document.Status.QUARANTINED)
    shown = show(viewer, Document.objects.get()).content.decode()
    assert "There is no document" in unescape(shown)
    assert "Unpack it" not in shown


def test_a_name_that_no_text_has_breaks_nothing(viewer: Client, collection: Collection) -> None:
    assert show(viewer, Document.objects.get(), section="\0").status_code == 200
    assert show(viewer, Document.objects.get(), cursor="\0").status_code == 200


def test_another_tenants_document_is_not_there(collection: Collection) -> None:
    stranger = make_person("owner", make_tenant())
    assert show(stranger, Document.objects.get()).status_code == 404


def test_a_superuser_sees_it(collection: Collection) -> None:
    assert "Unpack it" in show(make_person("superuser", make_tenant()), Document.objects.get()).content.decode()


def test_the_call_is_named_as_an_agent_would_write_it(collection: Collection) -> None:
    assert name_call(Document.objects.get(), "", "") == 'get_doc_page(path="a.md")'
