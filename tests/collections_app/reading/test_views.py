"""The pages as a visitor sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import pytest
from django.templatetags.static import static
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from collections_app.access.principal import Scope
from collections_app.documents import find_sections
from collections_app.jobs.moves import keep_moves
from collections_app.models import ApiKey, Collection, Document, SearchEvent, Section
from tests.collections_app.reading.conftest import Visitor
from tests.factories import make_collection, put

pytestmark = pytest.mark.django_db

PRIVATE_PATHS = (
    "/docs/secret/plans/",
    "/docs/secret/plans/plan",
    "/docs/secret/plans/plan.md",
    "/docs/secret/plans/-/search?q=classified",
    "/docs/secret/plans/-/search?q=classified&part=results",
    "/docs/secret/plans/-/connect",
    "/docs/secret/plans/llms.txt",
    "/docs/secret/plans/llms-full.txt",
)


def make_absent(path: str) -> str:
    return path.replace("/plans/", "/nothing/")


def test_the_collections_that_everybody_may_read_are_listed(
    visitor: Visitor, docs: Collection, private: Collection
) -> None:
    page = visitor.read("/docs/")
    assert 'href="/docs/acme/docs/"' in page
    assert "2 pages" in page
    assert "secret" not in page


def test_contents_are_by_category(visitor: Visitor, docs: Collection) -> None:
    page = visitor.read("/docs/acme/docs/")
    assert (
        page.index(">ref</h2>")
        < page.index("/docs/acme/docs/ref/api")
        < page.index(">Start</h2>")
        < page.index("How to begin")
    )


def test_long_contents_have_pages(visitor: Visitor, docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.reading.navigation.CONTENTS_DOCUMENTS", 1)
    assert "ref/api" in visitor.read("/docs/acme/docs/")
    assert "/docs/acme/docs/guide" in visitor.read("/docs/acme/docs/?page=2")
    assert visitor.get("/docs/acme/docs/?page=3").status_code == 404
    assert visitor.get("/docs/acme/docs/?page=x").status_code == 404


def test_a_page_says_where_it_stands(visitor: Visitor, docs: Collection) -> None:
    put(docs, {"more.md": "---\ncategory: Start\n---\n# More\n"})
    page = visitor.read("/docs/acme/docs/guide")
    assert '<h1 id="guide">Guide</h1>' in page
    assert '<h2 id="guide/install" tabindex="-1">Install</h2>' in page
    assert '<h2 id="guide/install-2"' in page
    assert 'href="#guide/install/on-linux"' in page
    assert 'rel="next" href="/docs/acme/docs/more"' in page
    assert 'rel="prev" href="/docs/acme/docs/guide"' in visitor.read("/docs/acme/docs/more")
    assert "indexed <time" in page
    assert "How to begin" in page
    assert "<li>Start</li>" in page


def test_the_link_for_agents_has_the_path_and_the_id(visitor: Visitor, docs: Collection) -> None:
    page = visitor.read("/docs/acme/docs/guide")
    assert escape('read_sections(path="acme/docs:guide.md", section_ids=["guide/install/on-linux"])') in page
    assert escape('read_sections(path="acme/docs:guide.md", section_ids=["guide"])') in page


def test_the_source_is_linked_where_it_is_on_the_web(visitor: Visitor, docs: Collection) -> None:
    Document.objects.filter(path="guide.md").update(source_url="https://docs.example/guide")
    assert 'href="https://docs.example/guide"' in visitor.read("/docs/acme/docs/guide")
    Document.objects.filter(path="guide.md").update(source_url="javascript:alert(1)")
    assert "javascript:" not in visitor.read("/docs/acme/docs/guide", **{"cache-control": "no-cache"})


@pytest.mark.parametrize("path", ["guide.md", "guide"])
def test_markdown_is_given_to_who_asks_for_it(visitor: Visitor, docs: Collection, path: str) -> None:
    response = visitor.get(f"/docs/acme/docs/{path}", accept="text/markdown")
    assert response["content-type"] == "text/markdown; charset=utf-8"
    assert response.content.decode() == Document.objects.get(path="guide.md").content
    assert 'rel="canonical"' in response["link"]


def test_markdown_of_what_is_no_markdown_file_has_a_suffix(visitor: Visitor, docs: Collection) -> None:
    put(docs, {"page.html": "<title>Page</title><h1>Page</h1><p>Some <b>words</b> of text."})
    assert "Some" in visitor.read("/docs/acme/docs/page.html")
    assert "Some **words**" in visitor.read("/docs/acme/docs/page.html.md")


@pytest.mark.parametrize(
    "path",
    [
        "guide/",
        "nothing",
        "guide.html",
        "%00",
        "a%00b",
        "guide%0a",
        "../docs/guide",
        "guide?page=2",
        "guide?page=-1",
        "-/nothing",
    ],
)
def test_what_does_not_exist_is_a_404(visitor: Visitor, docs: Collection, path: str) -> None:
    assert visitor.get(f"/docs/acme/docs/{path}").status_code == 404


def test_a_path_that_a_page_had_before_leads_to_it(visitor: Visitor, docs: Collection) -> None:
    source = docs.sources.create(tenant=docs.tenant, kind="directory", location="/docs")
    keep_moves(source, {"old/C#/start.md": "guide.md"})
    for path, new in (("old/C%23/start", "guide"), ("old/C%23/start.md", "guide.md")):
        answer = visitor.get(f"/docs/acme/docs/{path}")
        assert (answer.status_code, answer["Location"]) == (302, f"/docs/acme/docs/{new}")
    Collection.objects.filter(pk=docs.pk).update(is_public=False)
    assert visitor.get("/docs/acme/docs/old/C%23/start").status_code == 404


@pytest.mark.parametrize("status", ["pending", "failed", "quarantined"])
def test_documents_that_cannot_be_read_have_no_page(visitor: Visitor, docs: Collection, status: str) -> None:
    Document.objects.filter(path="guide.md").update(status=status)
    for path in ("guide", "guide.md"):
        assert visitor.get(f"/docs/acme/docs/{path}").status_code == 404
    for path in ("", "llms.txt", "llms-full.txt", "sitemap.xml"):
        text = visitor.read(f"/docs/acme/docs/{path}")
        assert "docs/guide" not in text
        assert "Unpack" not in text


def test_a_section_is_found_by_any_of_its_names(visitor: Visitor, docs: Collection) -> None:
    for name in ("guide/install/on-linux", "on-linux", "On Linux"):
        response = visitor.get(f"/docs/acme/docs/guide?at={name}")
        assert response["location"] == "/docs/acme/docs/guide#guide/install/on-linux"
    for name in ("nowhere", "%00"):
        assert visitor.get(f"/docs/acme/docs/guide?at={name}")["location"] == "/docs/acme/docs/guide"


def test_a_section_of_a_long_document_is_found_on_its_page(visitor: Visitor, docs: Collection) -> None:
    put(docs, {"long.md": "# Long\n\n" + "".join(f"## S{n}\n\n{'word ' * 10_000}\n\n" for n in range(10))})
    assert visitor.get("/docs/acme/docs/long?at=s9")["location"] == "/docs/acme/docs/long?page=10#long/s9"
    page = visitor.read("/docs/acme/docs/long?page=10")
    assert 'id="long/s9"' in page
    assert "This is page 10" in page


def test_a_section_of_a_document_that_is_replaced_meanwhile_leads_to_the_document(
    visitor: Visitor, docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_and_replace(document: Document, wanted: Sequence[str]) -> list[Section]:
        found = find_sections(document, wanted)
        put(docs, {"guide.md": "# Another guide"})
        return found

    monkeypatch.setattr("collections_app.reading.views.find_sections", find_and_replace)
    assert visitor.get("/docs/acme/docs/guide?at=on-linux")["location"] == "/docs/acme/docs/guide"


def test_a_link_within_a_long_document_leads_to_the_page_of_its_section(visitor: Visitor, docs: Collection) -> None:
    links = "[near](#long/s0) [far](#long/s9) [odd](#no?where)"
    put(docs, {"long.md": f"# Long\n\n{links}\n\n" + "".join(f"## S{n}\n\n{'word ' * 10_000}\n\n" for n in range(10))})
    page = visitor.read("/docs/acme/docs/long")
    for address in ("#long/s0", "?at=long/s9", "#no?where"):
        assert f'href="{address}"' in page
    assert visitor.get("/docs/acme/docs/long?at=long/s9")["location"] == "/docs/acme/docs/long?page=10#long/s9"


def test_a_link_by_an_anchor_of_the_source_leads_to_the_page_of_its_section(visitor: Visitor, docs: Collection) -> None:
    links = '<p><a href="#first">The first</a> and <a href="#last">the last</a> of all.</p>'
    lengths = {"first": 1, "then": 20_000, "last": 1}
    sections = "".join(f'<h2 id="{name}">On {name}</h2><p>{"word " * length}</p>' for name, length in lengths.items())
    put(docs, {"long.html": f"<title>Long</title><h1>Long</h1>{links}{sections}"})
    page = visitor.read("/docs/acme/docs/long.html")
    assert 'href="#first"' in page
    assert 'href="?at=last"' in page
    assert visitor.get("/docs/acme/docs/long.html?at=last")["location"].endswith("#long/on-last")


def test_an_address_without_its_last_slash_leads_to_the_contents(visitor: Visitor, docs: Collection) -> None:
    assert visitor.get("/docs/acme/docs")["location"] == "/docs/acme/docs/"
    assert visitor.get("/docs")["location"] == "/docs/"


@pytest.mark.parametrize("rest", ["/", "/guide?page=1", "/guide.md", "/llms.txt", "/-/search?q=Docs", "/-/connect"])
def test_slugs_in_another_case_lead_to_those_in_lower_case(visitor: Visitor, docs: Collection, rest: str) -> None:
    for slugs in ("Acme/Docs", "acme/DOCS"):
        response = visitor.get(f"/docs/{slugs}{rest}")
        assert (response.status_code, response["location"]) == (302, f"/docs/acme/docs{rest}")


def test_a_path_in_another_case_leads_nowhere(visitor: Visitor, docs: Collection) -> None:
    assert visitor.get("/docs/acme/docs/GUIDE").status_code == 404


# ── Who may ──


@pytest.mark.parametrize("path", PRIVATE_PATHS)
def test_private_collections_look_like_none_to_strangers(
    visitor: Visitor, docs: Collection, private: Collection, path: str
) -> None:
    hidden, absent = visitor.get(path), visitor.get(make_absent(path))
    assert hidden.status_code == absent.status_code == 404
    assert hidden.content == absent.content
    assert b"Sign in" in hidden.content


@pytest.mark.parametrize("path", PRIVATE_PATHS)
def test_private_collections_look_like_none_to_other_tenants(
    docs: Collection,
    private: Collection,
    make_member: Callable[[Collection], Visitor],
    make_key: Callable[..., Visitor],
    path: str,
) -> None:
    for visitor in (make_member(docs), make_key(docs)):
        hidden, absent = visitor.get(path), visitor.get(make_absent(path))
        assert hidden.status_code == absent.status_code == 404
        assert hidden.content == absent.content


@pytest.mark.parametrize("path", PRIVATE_PATHS)
def test_members_and_keys_read_what_is_theirs(
    private: Collection, make_member: Callable[[Collection], Visitor], make_key: Callable[..., Visitor], path: str
) -> None:
    for visitor in (make_member(private), make_key(private)):
        response = visitor.get(path)
        assert response.status_code == 200
        assert "private" in response["cache-control"]


def test_members_also_read_what_everybody_may(
    docs: Collection, private: Collection, make_member: Callable[[Collection], Visitor]
) -> None:
    member = make_member(private)
    page = member.read("/docs/")
    assert "/docs/acme/docs/" in page
    assert "/docs/secret/plans/" in page
    assert member.get("/docs/acme/docs/guide").status_code == 200


def test_a_key_reads_what_it_was_granted_and_no_more(
    docs: Collection, private: Collection, make_key: Callable[..., Visitor]
) -> None:
    other = make_collection("other", tenant=private.tenant)
    key = make_key(private, [other])
    assert key.get("/docs/secret/other/").status_code == 200
    assert key.get("/docs/secret/plans/").status_code == 404
    assert key.get("/docs/acme/docs/").status_code == 404


def test_a_key_without_the_scope_reads_nothing(private: Collection, make_key: Callable[..., Visitor]) -> None:
    assert make_key(private, scopes=[Scope.WRITE]).get("/docs/secret/plans/").status_code == 404


def test_a_bad_key_is_told_so(visitor: Visitor, docs: Collection) -> None:
    response = visitor.get("/docs/acme/docs/", authorization="Bearer dmcp_00000000_wrong")
    assert response.status_code == 401
    assert response["www-authenticate"].startswith("Bearer")


def test_without_anonymous_callers_nothing_is_public(visitor: Visitor, docs: Collection, settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
    assert visitor.get("/docs/acme/docs/guide").status_code == 404
    assert "Sign in" in visitor.read("/docs/")
    assert "Disallow: /\n" in visitor.read("/robots.txt")


def test_visitors_are_counted_with_the_other_callers(docs: Collection, make_key: Callable[..., Visitor]) -> None:
    key = make_key(docs)
    ApiKey.objects.update(rate_limit=2)
    first = key.get("/docs/acme/docs/")
    assert (first.status_code, first["ratelimit-limit"], first["ratelimit-remaining"]) == (200, "2", "1")
    assert key.get("/docs/acme/docs/llms.txt").status_code == 200
    refused = key.get("/docs/acme/docs/guide")
    assert refused.status_code == 429
    assert int(refused["retry-after"]) > 0
    assert key.client.get("/api/collections", headers={"authorization": f"Bearer {key.key}"}).status_code == 429


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_are_only_read(visitor: Visitor, docs: Collection, method: str) -> None:
    assert getattr(visitor.client, method)("/docs/acme/docs/guide").status_code == 405


# ── Sent once ──


@pytest.mark.parametrize("path", ["", "guide", "guide.md", "llms.txt", "llms-full.txt", "sitemap.xml"])
def test_what_is_unchanged_is_not_sent_again(visitor: Visitor, docs: Collection, path: str) -> None:
    first = visitor.get(f"/docs/acme/docs/{path}")
    assert first["last-modified"]
    again = visitor.get(f"/docs/acme/docs/{path}", **{"if-none-match": first["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    put(docs, {"guide.md": "# Guide\n\nChanged.\n"})
    assert visitor.get(f"/docs/acme/docs/{path}", **{"if-none-match": first["etag"]}).status_code == 200


def test_each_form_of_a_page_has_a_tag_of_its_own(visitor: Visitor, docs: Collection) -> None:
    page = visitor.get("/docs/acme/docs/guide")
    markdown = visitor.get("/docs/acme/docs/guide", accept="text/markdown")
    assert page["etag"] != markdown["etag"]
    assert "Accept" in page["vary"]
    assert "Cookie" in page["vary"]


def test_a_page_for_a_member_is_not_the_page_for_all(
    visitor: Visitor, docs: Collection, make_member: Callable[[Collection], Visitor]
) -> None:
    assert make_member(docs).get("/docs/acme/docs/guide")["etag"] != visitor.get("/docs/acme/docs/guide")["etag"]


@pytest.mark.parametrize("address", ["e%CC%81", "e%CC%81.md"])
def test_an_address_may_be_decomposed_as_macos_has_it(visitor: Visitor, docs: Collection, address: str) -> None:
    put(docs, {"é.md": "# Its heading\n"})
    assert "Its heading" in visitor.read(f"/docs/acme/docs/{address}")


# ── Search ──


def test_search_leads_to_sections(visitor: Visitor, docs: Collection) -> None:
    page = visitor.read("/docs/acme/docs/-/search?q=unpack archive")
    assert 'href="/docs/acme/docs/guide#guide/install/on-linux"' in page
    assert "<mark>Unpack</mark>" in page


def test_while_typing_only_the_list_is_sent_and_nothing_is_noted(visitor: Visitor, docs: Collection) -> None:
    part = visitor.read("/docs/acme/docs/-/search?q=unpack&part=results")
    assert "<html" not in part
    assert 'role="option"' in part
    assert not SearchEvent.objects.exists()
    visitor.read("/docs/acme/docs/-/search?q=unpack")
    assert [event.query for event in SearchEvent.objects.all()] == ["unpack"]


def test_a_mistake_is_told_in_the_list_while_typing_and_by_the_status_on_a_page(
    visitor: Visitor, docs: Collection
) -> None:
    address = f"/docs/acme/docs/-/search?q={'x' * 1001}"
    assert visitor.get(address).status_code == 400
    part = visitor.get(f"{address}&part=results")
    assert part.status_code == 200
    assert '<p class="note">' in part.content.decode()


def test_a_section_whose_heading_has_no_text_is_found_by_its_pages_title(visitor: Visitor, docs: Collection) -> None:
    put(docs, {"logo.md": "#\n\n![Logo](logo.png) Sprockets.\n"})
    page = visitor.read("/docs/acme/docs/-/search?q=sprockets&part=results")
    assert "<strong>logo</strong>" in page


def test_search_stays_in_its_collection(visitor: Visitor, docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant, is_public=True)
    put(other, {"other.md": "# Unpack\n\nUnpack the archive.\n"})
    assert "/docs/acme/other/" not in visitor.read("/docs/acme/docs/-/search?q=unpack")


@pytest.mark.parametrize(
    "query", ["", "   ", "zzzqqq", "<script>alert(1)</script>", '"><img src=x>', "%00", "a" * 1_000]
)
def test_any_question_gets_a_page(visitor: Visitor, docs: Collection, query: str) -> None:
    response = visitor.client.get("/docs/acme/docs/-/search", {"q": query})
    assert response.status_code == 200
    assert b"<script>alert" not in response.content
    assert b"<img" not in response.content


def test_too_long_a_question_is_explained(visitor: Visitor, docs: Collection) -> None:
    response = visitor.client.get("/docs/acme/docs/-/search", {"q": "word " * 300})
    assert response.status_code == 400
    assert b"at most 1,000" in response.content


# ── What it costs ──


@pytest.mark.parametrize(
    ("path", "queries", "again"),
    [
        # The limit, the collection or collections, then the page's own.
        ("/docs/", 3, 3),
        ("/docs/acme/docs/", 4, 4),
        ("/docs/acme/docs/guide", 11, 6),
        ("/docs/acme/docs/guide.md", 4, 4),
        ("/docs/acme/docs/llms.txt", 3, 3),
        ("/docs/acme/docs/llms-full.txt", 5, 5),
        ("/docs/acme/docs/sitemap.xml", 3, 3),
        ("/sitemap.xml", 3, 3),
        ("/docs/acme/docs/-/connect", 4, 4),
        ("/", 3, 3),
    ],
)
def test_a_page_takes_so_many_queries(
    visitor: Visitor,
    docs: Collection,
    django_assert_num_queries: DjangoAssertNumQueries,
    path: str,
    queries: int,
    again: int,
) -> None:
    put(docs, {f"more/{number}.md": f"# Page {number}\n\n## Section\n\n[x](../guide.md)\n" for number in range(15)})
    with django_assert_num_queries(queries):
        visitor.read(path)
    with django_assert_num_queries(again):
        visitor.read(path)


def test_an_unchanged_page_takes_three_queries(
    visitor: Visitor, docs: Collection, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    etag = visitor.get("/docs/acme/docs/guide")["etag"]
    with django_assert_num_queries(3):
        visitor.get("/docs/acme/docs/guide", **{"if-none-match": etag})


# ── What a browser may do with it ──


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/docs/",
        "/docs/acme/docs/",
        "/docs/acme/docs/guide",
        "/docs/acme/docs/-/search?q=x",
        "/docs/acme/docs/-/connect",
        "/nothing",
    ],
)
def test_nothing_inline_runs_on_our_pages(visitor: Visitor, docs: Collection, path: str) -> None:
    response = visitor.get(path)
    policy = response["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert response["x-content-type-options"] == "nosniff"
    assert response["referrer-policy"] == "same-origin"
    page = response.content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick=" not in page
    assert page.count("<script") == page.count(f'<script src="{static("docsmcp/")}')


def test_our_files_are_served(visitor: Visitor, docs: Collection) -> None:
    for name in ("reading.css", "reading.js", "theme.js", "icon.svg"):
        assert visitor.client.get(static(f"docsmcp/{name}")).getvalue()
