"""The same for programs: https://llmstxt.org"""

from __future__ import annotations

import re
import tracemalloc
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.models import Collection, Document
from collections_app.reading import programs
from tests.collections_app.reading.conftest import Visitor
from tests.factories import put

pytestmark = pytest.mark.django_db

BASE = "http://testserver/docs/acme/docs/"
NAMESPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def test_llms_txt_has_a_title_a_summary_and_links_by_category(visitor: Visitor, docs: Collection) -> None:
    Collection.objects.update(name="Acme Docs", description="All about\nAcme.")
    lines = visitor.read("/docs/acme/docs/llms.txt").splitlines()
    assert lines[:3] == ["# Acme Docs", "", "> All about Acme."]
    assert lines[lines.index("## Start") + 2] == f"- [Guide]({BASE}guide.md): How to begin"
    assert lines[lines.index("## ref") + 2] == f"- [API]({BASE}ref/api.md)"


def test_every_link_of_llms_txt_gives_markdown(visitor: Visitor, docs: Collection) -> None:
    put(docs, {"a (b) [c].md": "# A [link](x) in it\n", "page.html": "<h1>Page</h1><p>Text</p>"})
    links = re.findall(r"\]\((http[^ ]*)\)(?:: |$)", visitor.read("/docs/acme/docs/llms.txt"), re.MULTILINE)
    assert len(links) == 4
    for link in links:
        assert visitor.get(link.removeprefix("http://testserver"))["content-type"].startswith("text/markdown")


def test_a_long_list_says_where_it_goes_on(visitor: Visitor, docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "LISTED_DOCUMENTS", 1)
    first = visitor.read("/docs/acme/docs/llms.txt")
    assert "ref/api.md" in first
    assert "guide.md" not in first
    assert f"{BASE}llms.txt?start=1" in first
    rest = visitor.read("/docs/acme/docs/llms.txt?start=1")
    assert "guide.md" in rest
    assert "start=2" not in rest


@pytest.mark.parametrize("name", ["llms.txt", "llms-full.txt"])
def test_agents_are_sent_to_the_endpoint_unless_it_is_off(
    visitor: Visitor, docs: Collection, settings: Any, name: str
) -> None:
    before = visitor.get(f"/docs/acme/docs/{name}")
    assert b"at http://testserver/mcp/acme/docs\n" in before.getvalue()
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_enabled": False})
    text = visitor.read(f"/docs/acme/docs/{name}", if_none_match=before["ETag"])
    assert "/mcp" not in text
    assert "guide" in text


def test_llms_full_has_every_document(visitor: Visitor, docs: Collection) -> None:
    text = visitor.read("/docs/acme/docs/llms-full.txt")
    assert "Unpack the archive." in text
    assert f"Source: {BASE}ref/api" in text
    assert "cut here" not in text


def test_a_long_file_is_cut_between_documents_and_says_where_it_goes_on(
    visitor: Visitor, docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "FULL_CHARACTERS", 50)
    first = visitor.read("/docs/acme/docs/llms-full.txt")
    assert "Unpack" in first
    assert "Back to" not in first
    assert first.rstrip().endswith(f"It goes on at {BASE}llms-full.txt?start=1")
    assert "Back to" in visitor.read("/docs/acme/docs/llms-full.txt?start=1")


@pytest.mark.parametrize("start", [0, 7, 20, 46, 60])
def test_a_file_of_many_documents_has_each_once_and_never_counts_past_those_it_gave(
    visitor: Visitor, docs: Collection, start: int
) -> None:
    put(docs, {f"more/{n:02}.md": f"---\ncategory: c{n % 3}\n---\n# Page {n}\n" for n in range(45)})
    with CaptureQueriesContext(connection) as captured:
        text = visitor.read(f"/docs/acme/docs/llms-full.txt?start={start}")
    expected = ["guide", *(f"more/{n:02}" for n in range(45)), "ref/api"]
    assert re.findall(rf"^Source: {BASE}(.*)$", text, re.MULTILINE) == expected[start:]
    statements = [query["sql"] for query in captured if "LENGTH(" in query["sql"]]
    assert len(statements) > len(expected[start:]) // programs.CONTENTS_AT_A_TIME
    assert all('"path" > ' in sql and "OFFSET" not in sql for sql in statements[1:])


def test_large_documents_are_in_memory_one_at_a_time(docs: Collection) -> None:
    Document.objects.update(content="x" * 3_000_000)
    put(docs, {f"more/{n:02}.md": f"# Page {n}\n" for n in range(10)})
    Document.objects.filter(path__startswith="more/").update(content="x" * 3_000_000)
    tracemalloc.start()
    lengths = [len(content) for _, _, content in programs.iter_contents(docs.documents.all(), 0)]
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert lengths == [3_000_000] * 12


def test_a_long_file_counts_as_several_requests(
    visitor: Visitor, docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "COUNTED_CHARACTERS", 30_000)
    Document.objects.filter(path="guide.md").update(content="x" * 100_000)

    def get_left(name: str) -> int:
        response = visitor.get(f"/docs/acme/docs/{name}")
        response.getvalue()
        return int(response["RateLimit-Remaining"])

    before = get_left("llms.txt")
    assert get_left("llms-full.txt") == before - 1
    assert get_left("llms.txt") == before - 1 - 3 - 1


@pytest.mark.parametrize("start", ["x", "-1", "1e3", "9" * 10, ""])
def test_a_start_that_is_no_number_is_a_404(visitor: Visitor, docs: Collection, start: str) -> None:
    assert visitor.get(f"/docs/acme/docs/llms.txt?start={start}").status_code == 404


def test_sitemaps_lead_to_public_pages(visitor: Visitor, docs: Collection, private: Collection) -> None:
    index = ElementTree.fromstring(visitor.read("/sitemap.xml"))  # noqa: S314  our own
    maps = [each.text or "" for each in index.iterfind("s:sitemap/s:loc", NAMESPACE)]
    assert maps == [f"{BASE}sitemap.xml"]
    sitemap = ElementTree.fromstring(visitor.read(maps[0].removeprefix("http://testserver")))  # noqa: S314
    pages = [each.text or "" for each in sitemap.iterfind("s:url/s:loc", NAMESPACE)]
    assert pages == [f"{BASE}guide", f"{BASE}ref/api"]
    for page in pages:
        assert visitor.get(page.removeprefix("http://testserver")).status_code == 200


def test_what_is_private_has_no_sitemap_even_for_members(
    private: Collection, make_member: object, make_key: object
) -> None:
    member = make_member(private)  # type: ignore[operator]
    assert member.get("/docs/secret/plans/sitemap.xml").status_code == 404
    assert "secret" not in member.read("/sitemap.xml")
    assert member.get("/docs/secret/plans/plan")["x-robots-tag"] == "noindex"


def test_robots_are_told_where_to_look(visitor: Visitor) -> None:
    rules = visitor.read("/robots.txt")
    assert "Disallow: /admin/" in rules
    assert "Sitemap: http://testserver/sitemap.xml" in rules
