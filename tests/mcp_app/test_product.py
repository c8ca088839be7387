"""What the product serves beside tools: resources, prompts, completion, the narrowed endpoint. Each obeys the key's grants."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from mcp_types.methods import serialize_server_result

from collections_app.access.principal import Principal, Scope
from collections_app.documents import DocumentReplaced
from collections_app.models import ApiKey, Collection, Document
from collections_app.text.tokens import estimate_tokens
from mcp_app import resources
from mcp_app.compat import PROFILES
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import READ_TOKENS
from mcp_app.resources import PAGE_TEMPLATE
from mcp_app.tools import TOOLS
from tests.factories import make_collection, make_principal, make_tenant, put
from tests.mcp_app.fake_tools import LEGACY, MODERN, make_headers, make_message

GOLDEN = Path(__file__).parent / "golden" / "tools_list.json"
EVERYTHING = Principal(scopes=frozenset(Scope))


def ask(
    method: str, params: dict[str, Any] | None, principal: Principal, *, modern: bool = False, **options: Any
) -> Any:
    message = make_message(method, params, modern=modern)
    headers = make_headers(message) if modern else None
    reply = get_dispatcher().handle(json.dumps(message).encode(), principal, headers=headers, **options)
    assert reply.body
    answer = json.loads(reply.body)
    if "result" in answer:
        version = MODERN if modern else LEGACY[-1]
        assert serialize_server_result(method, version, answer["result"]) == answer["result"]
    return answer | {"status": reply.http_status}


def list_uris(principal: Principal, **options: Any) -> list[str]:
    resources = ask("resources/list", {}, principal, **options)["result"]["resources"]
    return [resource["uri"] for resource in resources]


def read(uri: str, principal: Principal, **options: Any) -> str:
    [contents] = ask("resources/read", {"uri": uri}, principal, **options)["result"]["contents"]
    assert contents["uri"] == uri
    return str(contents["text"])


def is_missing(uri: str, principal: Principal, **options: Any) -> bool:
    legacy = ask("resources/read", {"uri": uri}, principal, **options)["error"]
    modern = ask("resources/read", {"uri": uri}, principal, modern=True, **options)["error"]
    codes = (legacy["code"], modern["code"])
    return codes == (-32002, -32602) and legacy["data"] == modern["data"] == {"uri": uri}


def get_prompt(name: str, principal: Principal, **arguments: str) -> Any:
    return ask("prompts/get", {"name": name, "arguments": arguments}, principal)


def complete(ref: dict[str, str], name: str, value: str, principal: Principal, **context: str) -> list[str]:
    params = {"ref": ref, "argument": {"name": name, "value": value}, "context": {"arguments": context}}
    values: list[str] = ask("completion/complete", params, principal)["result"]["completion"]["values"]
    return values


PAGE = {"type": "ref/resource", "uri": PAGE_TEMPLATE}


@pytest.fixture
def manual(db: None) -> Collection:
    manual = make_collection("manual")
    manual.description = "How to  run\nthe machine."
    manual.version = "2.1"
    manual.save()
    put(
        manual,
        {
            "start/guide.md": "---\ntitle: Guide [new]\ndescription: How to begin\n---\n# Guide\n\nHello.\n\n## Install\n\nRun it.\n",
            "faq.md": "# FAQ\n\nAsk.\n",
            "with space & é.md": "# Odd\n\nOdd name.\n",
        },
    )
    return manual


@pytest.fixture
def reader(manual: Collection) -> Principal:
    return make_principal(manual)


@pytest.fixture
def stranger(manual: Collection) -> Principal:
    """A key of another tenant, which has a page of the same name."""
    other = make_collection("plans")
    put(other, {"secret.md": "# Secret\n\nPlans.\n"})
    return make_principal(other)


class TestResources:
    def test_the_list_has_what_the_key_can_see(self, reader: Principal, stranger: Principal) -> None:
        assert list_uris(reader) == ["docs://context", "docs://search-history", "docs://manual"]
        assert list_uris(stranger) == ["docs://context", "docs://search-history", "docs://plans"]
        assert list_uris(Principal()) == ["docs://context", "docs://search-history"]

    def test_a_collection_is_named_and_described(self, reader: Principal) -> None:
        entry = ask("resources/list", {}, reader)["result"]["resources"][-1]
        assert entry == {
            "uri": "docs://manual",
            "name": "manual",
            "title": "Manual · 2.1",
            "description": "How to run the machine.",
            "mimeType": "text/markdown",
        }

    def test_a_collection_reads_as_links_to_its_pages(self, reader: Principal) -> None:
        text = read("docs://manual", reader)
        assert text.startswith("# Manual · 2.1\n\n")
        assert "- [Guide \\[new\\]](docs://manual/start/guide.md): How to begin\n" in text
        assert "(docs://manual/with%20space%20%26%20%C3%A9.md)" in text

    def test_every_link_of_a_listing_can_be_read(self, reader: Principal) -> None:
        links = [line.partition("](")[2].partition(")")[0] for line in read("docs://manual", reader).splitlines()]
        texts = [read(link, reader) for link in links if link]
        assert [text.splitlines()[0] for text in texts] == ["# FAQ", "# Guide", "# Odd"]

    def test_a_page_is_its_whole_markdown(self, reader: Principal) -> None:
        assert read("docs://manual/start/guide.md", reader) == "# Guide\n\nHello.\n\n## Install\n\nRun it.\n"
        assert read("docs://manual/start/guide", reader) == read("docs://manual/start/guide.md", reader)

    def test_a_long_page_is_cut_within_the_budget_and_says_how_it_goes_on(
        self, manual: Collection, reader: Principal
    ) -> None:
        sections = [f"## Part {number}\n\n{'words ' * 500}end {number}\n\n" for number in range(40)]
        whole = "# Long\n\n" + "".join(sections)
        put(manual, {"long.md": whole})
        text = read("docs://manual/long.md", reader)
        assert estimate_tokens(text) <= READ_TOKENS
        page, _, ending = text.rpartition("\n\n[")
        assert whole.startswith(page)
        assert "the page was cut here" in ending
        cursor = re.search(r'cursor="([^"]+)"', ending)
        assert cursor
        arguments = {"path": "long.md", "collection": "manual", "cursor": cursor[1], "format": "json"}
        answer = ask("tools/call", {"name": "get_doc_page", "arguments": arguments}, reader)
        following = answer["result"]["structuredContent"]["content"]
        assert whole[len(page) :].lstrip().startswith(following[:200].lstrip())

    def test_it_says_after_how_many_tokens_a_page_was_cut(self, manual: Collection, reader: Principal) -> None:
        put(manual, {"long.md": "# Long\n\n" + "One paragraph.\n\n" * 5_000})
        text, _, ending = read("docs://manual/long.md", reader).partition("\n\n[the page was cut here, after ")
        assert ending.startswith(f"{estimate_tokens(text):,} tokens;")

    def test_collections_are_known_in_any_case(self, manual: Collection, reader: Principal) -> None:
        tenant = manual.tenant.slug.upper()
        for uri in ("docs://MANUAL", f"docs://{tenant}/Manual"):
            assert read(uri, reader) == read("docs://manual", reader)
        for uri in ("docs://Manual/faq.md", f"docs://{tenant}/MANUAL/faq.md"):
            assert read(uri, reader).startswith("# FAQ")

    def test_a_long_listing_says_how_it_goes_on(self, manual: Collection, reader: Principal) -> None:
        put(manual, {f"page-{number:03}-{'x' * 200}.md": "# P\n\nText.\n" for number in range(200)})
        text = read("docs://manual", reader)
        assert len(text) < 40_000
        assert 'list_doc_pages(collection="' in text.splitlines()[-1]

    def test_context_and_history_are_those_of_the_key(self, reader: Principal, stranger: Principal) -> None:
        ask("tools/call", {"name": "search_docs", "arguments": {"query": "machine"}}, reader)
        context = json.loads(read("docs://context", reader))
        assert (context["collections"], context["documents"]) == (["manual"], {"success": 3})
        assert [entry["query"] for entry in json.loads(read("docs://search-history", reader))] == ["machine"]
        assert json.loads(read("docs://search-history", stranger)) == []
        assert json.loads(read("docs://search-history", Principal())) == []

    def test_a_page_that_is_being_replaced_all_the_time_can_be_asked_for_again(
        self, reader: Principal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def replace(document: Document) -> None:
            raise DocumentReplaced(document)

        monkeypatch.setattr(resources, "iter_page", replace)
        error = ask("resources/read", {"uri": "docs://manual/faq.md"}, reader)["error"]
        assert (error["code"], error["data"]["retryable"]) == (-32603, True)
        assert "Read it again" in error["message"]

    @pytest.mark.requirement("resources.access")
    @pytest.mark.parametrize(
        "uri",
        [
            "docs://plans",
            "docs://plans/secret.md",
            "docs://nope/secret.md",
            "docs://manual/nope.md",
            "docs://manual/",
            "docs://",
            "docs://manual/..%2f..%2fetc",
            "docs://manual/%00",
            "docs://manual/\0",
            "docs://%00/a",
            "docs://manual/%ff%fe",
            "docs://manual/" + "9" * 30,
            "docs://manual/" + "x" * 5000,
            "http://example.com/",
        ],
    )
    def test_the_missing_and_the_foreign_look_alike(self, uri: str, reader: Principal, stranger: Principal) -> None:
        assert is_missing(uri, reader)

    def test_an_id_of_another_tenants_document_is_missing(self, reader: Principal, stranger: Principal) -> None:
        foreign = Collection.objects.get(slug="plans").documents.get()
        assert is_missing(f"docs://manual/{foreign.pk}", reader)
        assert is_missing(f"docs://{foreign.tenant.slug}/plans/secret.md", reader)

    def test_a_slug_of_two_tenants_needs_the_tenant(self, manual: Collection) -> None:
        twin = make_collection("manual", is_public=True)
        Collection.objects.filter(slug="manual").update(is_public=True)
        put(twin, {"faq.md": "# Twin\n\nTwin.\n"})
        everyone = Principal()
        slugs = sorted([manual.tenant.slug, twin.tenant.slug])
        assert list_uris(everyone)[2:] == [f"docs://{slug}/manual" for slug in slugs]
        assert is_missing("docs://manual/faq.md", everyone)
        assert is_missing("docs://manual", everyone)
        assert read(f"docs://{twin.tenant.slug}/manual/faq.md", everyone).startswith("# Twin")
        assert "docs://" in read(f"docs://{twin.tenant.slug}/manual", everyone)
        assert read(f"docs://{manual.tenant.slug}%2Fmanual/faq.md", everyone).startswith("# FAQ")

    def test_the_longer_form_always_works(self, manual: Collection, reader: Principal) -> None:
        tenant = manual.tenant.slug
        assert read(f"docs://{tenant}/manual/faq.md", reader).startswith("# FAQ")
        assert read(f"docs://{tenant}/manual", reader) == read("docs://manual", reader)

    def test_a_collection_may_be_called_context(self, db: None) -> None:
        collection = make_collection("context")
        put(collection, {"a.md": "# A\n\nText.\n"})
        principal = make_principal(collection)
        uri = f"docs://{collection.tenant.slug}/context"
        assert list_uris(principal)[-1] == uri
        assert "[A]" in read(uri, principal)
        assert read("docs://context/a.md", principal) == "# A\n\nText.\n"
        assert json.loads(read("docs://context", principal))["collections"] == ["context"]

    def test_many_collections_come_in_pages(self, db: None) -> None:
        tenant = make_tenant()
        Collection.objects.bulk_create(
            Collection(tenant=tenant, slug=f"c{number:03}", name="C") for number in range(60)
        )
        principal = make_principal(Collection.objects.select_related("tenant").first())
        first = ask("resources/list", {}, principal)["result"]
        second = ask("resources/list", {"cursor": first["nextCursor"]}, principal)["result"]
        assert (len(first["resources"]), len(second["resources"])) == (50, 12)
        assert "nextCursor" not in second

    def test_the_template_is_listed_once(self, reader: Principal) -> None:
        [template] = ask("resources/templates/list", {}, reader)["result"]["resourceTemplates"]
        assert template["uriTemplate"] == "docs://{collection}/{+path}"


class TestPrompts:
    def test_three_are_listed(self, reader: Principal) -> None:
        prompts = ask("prompts/list", {}, reader)["result"]["prompts"]
        assert [prompt["name"] for prompt in prompts] == ["answer_from_docs", "summarise_page", "compare_pages"]
        assert all(prompt["title"] and prompt["description"] for prompt in prompts)

    def test_each_is_a_task_that_names_the_tools(self, reader: Principal) -> None:
        [message] = get_prompt("answer_from_docs", reader, question="How to run it?")["result"]["messages"]
        assert message["role"] == "user"
        assert "How to run it?" in message["content"]["text"]
        assert "search_docs(" in message["content"]["text"]
        [message] = get_prompt("summarise_page", reader, path="faq")["result"]["messages"]
        assert 'get_doc_page(path="faq.md")' in message["content"]["text"]
        [message] = get_prompt("compare_pages", reader, first="faq.md", second="start/guide.md")["result"]["messages"]
        assert 'table_of_contents(path="start/guide.md")' in message["content"]["text"]

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("answer_from_docs", {"question": "q", "collection": "plans"}),
            ("summarise_page", {"path": "secret.md"}),
            ("compare_pages", {"first": "faq.md", "second": "secret.md"}),
        ],
    )
    def test_what_the_key_cannot_read_is_not_found(
        self, name: str, arguments: dict[str, str], reader: Principal, stranger: Principal
    ) -> None:
        error = get_prompt(name, reader, **arguments)["error"]
        assert error["code"] == -32602
        assert "There is no" in error["message"]


class TestCompletion:
    def test_collections_are_those_of_the_key(self, manual: Collection, stranger: Principal) -> None:
        make_collection("man-pages", tenant=manual.tenant)
        make_collection("old-manual", tenant=manual.tenant)
        reader = make_principal(manual)
        assert complete(PAGE, "collection", "MAN", reader) == ["man-pages", "manual", "old-manual"]
        assert complete(PAGE, "collection", "", stranger) == ["plans"]
        prompt = {"type": "ref/prompt", "name": "summarise_page"}
        assert complete(prompt, "collection", "manu", reader) == ["manual", "old-manual"]

    def test_paths_are_those_of_the_key_and_of_the_collection_that_was_named(
        self, manual: Collection, stranger: Principal
    ) -> None:
        other = make_collection("other", tenant=manual.tenant)
        put(other, {"start/other.md": "# O\n\nText.\n"})
        reader = make_principal(manual)
        assert complete(PAGE, "path", "START/", reader) == ["start/guide.md", "start/other.md"]
        assert complete(PAGE, "path", "start/", reader, collection="manual") == ["start/guide.md"]
        assert complete(PAGE, "path", "", reader, collection="plans") == []
        assert complete(PAGE, "path", "", reader, collection="x" * 5000) == []
        assert complete(PAGE, "path", "sec", reader) == []
        put(other, {"guided.md": "# G\n", "a/guides/b.md": "# B\n"})
        assert complete(PAGE, "path", "Guid", reader) == ["guided.md", "a/guides/b.md", "start/guide.md"]
        assert complete(PAGE, "path", "uid", reader) == []
        prompt = {"type": "ref/prompt", "name": "compare_pages"}
        assert complete(prompt, "second", "f", reader) == ["faq.md"]

    def test_of_more_than_a_hundred_paths_the_first_are_told_and_that_there_are_more(
        self, manual: Collection, reader: Principal
    ) -> None:
        put(manual, {f"a/{number:03}.md": "# A\n" for number in range(101)})
        params = {"ref": PAGE, "argument": {"name": "path", "value": "a/"}}
        told = ask("completion/complete", params, reader)["result"]["completion"]
        assert told == {"values": [f"a/{number:03}.md" for number in range(100)], "hasMore": True}

    def test_signs_of_patterns_mean_themselves(self, reader: Principal) -> None:
        assert complete(PAGE, "path", "%", reader) == []
        assert complete(PAGE, "path", "_", reader) == []
        assert complete(PAGE, "path", "x" * 5000, reader) == []


class TestInstructions:
    @pytest.mark.parametrize("profile", ["", "openai"])
    @pytest.mark.parametrize("narrowed", [False, True])
    @pytest.mark.parametrize(
        "scopes", [[Scope.READ], [Scope.ASK], [Scope.WRITE], [Scope.ASK, Scope.WRITE], list(Scope)]
    )
    def test_they_name_the_tools_that_the_caller_has_and_no_others(
        self, manual: Collection, scopes: list[Scope], narrowed: bool, profile: str
    ) -> None:
        Collection.objects.filter(pk=manual.pk).update(name="名" * 200, description="説明" * 2000)
        principal = make_principal(manual, scopes=scopes)
        options: dict[str, Any] = {
            "narrowed_to": (manual.tenant.slug, "manual") if narrowed else None,
            "profile": profile,
        }
        listed = {tool["name"] for tool in ask("tools/list", {}, principal, **options)["result"]["tools"]}
        every = {tool.name for tools in (TOOLS, *PROFILES.values()) for tool in tools}
        told = {ask("initialize", {}, principal, **options)["result"]["instructions"]}
        told.add(ask("server/discover", {}, principal, modern=True, **options)["result"]["instructions"])
        [instructions] = told
        assert {name for name in every if re.search(rf"(?:^|, |\d\. ){name} ", instructions, re.MULTILINE)} == listed
        assert len(instructions.encode()) <= 2048


class TestNarrowedEndpoint:
    def test_its_name_and_description_stand_in_instructions_and_tools(
        self, manual: Collection, reader: Principal
    ) -> None:
        narrow = (manual.tenant.slug, "manual")
        for method, modern in (("initialize", False), ("server/discover", True)):
            told = ask(method, {}, reader, modern=modern, narrowed_to=narrow)["result"]["instructions"]
            assert told.startswith(
                "This endpoint serves one collection only, Manual · 2.1: How to run the machine.\n\n"
            )
        tools = ask("tools/list", {}, reader, narrowed_to=narrow)["result"]["tools"]
        assert all("Collection: Manual · 2.1" in tool["description"] for tool in tools)
        assert "(How to run the machine)" in tools[0]["description"]
        asked = {name for tool in tools for name in tool["inputSchema"]["properties"]}
        assert asked.isdisjoint({"collection", "version"})

    @pytest.mark.parametrize(("name", "description"), [("N", "word "), ("名", "説明"), ('"', "\\\x01"), ("ก", "คำ")])
    @pytest.mark.parametrize("modern", [False, True])
    def test_its_list_of_tools_stays_small(self, manual: Collection, name: str, description: str, modern: bool) -> None:
        Collection.objects.filter(pk=manual.pk).update(name=name * 200, description=description * 2000)
        principal = make_principal(manual, scopes=Scope)
        narrow = (manual.tenant.slug, "manual")
        body = ask("tools/list", {}, principal, modern=modern, narrowed_to=narrow)
        answer = dump_json({name: value for name, value in body.items() if name != "status"})
        assert len(answer) <= 8000
        assert estimate_tokens(answer) < 2000

    def test_it_says_nothing_of_other_collections(self, manual: Collection) -> None:
        principal = make_principal(manual, scopes=Scope)
        narrow = (manual.tenant.slug, "manual")
        tools = {tool["name"]: tool for tool in ask("tools/list", {}, principal, narrowed_to=narrow)["result"]["tools"]}
        assert "all collections" not in tools["search_docs"]["description"]
        assert "`collection`" not in ask("initialize", {}, principal, narrowed_to=narrow)["result"]["instructions"]

    def test_it_knows_no_other_collection(self, manual: Collection) -> None:
        other = make_collection("other", tenant=manual.tenant)
        put(other, {"zebra.md": "# Zebra\n\nStripes.\n"})
        reader = make_principal(manual)
        narrow = {"narrowed_to": (manual.tenant.slug, "manual")}
        assert list_uris(reader, **narrow)[2:] == ["docs://manual"]
        assert is_missing("docs://other/zebra.md", reader, **narrow)
        assert is_missing("docs://other", reader, **narrow)
        assert json.loads(read("docs://context", reader, **narrow))["collections"] == ["manual"]

    @pytest.mark.parametrize("modern", [False, True])
    @pytest.mark.parametrize(
        ("method", "params"),
        [
            ("initialize", {}),
            ("server/discover", {}),
            ("ping", {}),
            ("tools/list", {}),
            ("resources/list", {}),
            ("resources/templates/list", {}),
            ("resources/read", {"uri": "docs://context"}),
            ("prompts/list", {}),
            ("prompts/get", {"name": "answer_from_docs", "arguments": {"question": "q"}}),
            ("completion/complete", {"ref": PAGE, "argument": {"name": "path", "value": ""}}),
            ("tools/call", {"name": "search_docs", "arguments": {"query": "secret"}}),
            ("nope", {}),
        ],
    )
    def test_a_foreign_collection_is_as_one_that_does_not_exist(
        self, method: str, params: dict[str, Any], modern: bool, reader: Principal, stranger: Principal
    ) -> None:
        tenant = Collection.objects.get(slug="plans").tenant.slug
        answers = [
            ask(method, params, reader, modern=modern, narrowed_to=(tenant, slug)) for slug in ("plans", "nopes")
        ]
        assert json.dumps(answers[0]).replace("plans", "nopes") == json.dumps(answers[1])
        if "result" in answers[0]:
            assert answers[0]["result"]["structuredContent"]["error"]["code"] == "COLLECTION_NOT_FOUND"
        elif answers[0]["error"]["code"] != -32601:
            assert (answers[0]["status"], answers[0]["error"]["code"]) == (404, -31404)


class TestGrants:
    def test_a_key_without_grants_sees_nothing(self, manual: Collection) -> None:
        key, _ = ApiKey.objects.issue(tenant=manual.tenant, name="none", collections=[])
        nobody = key.make_principal()
        assert list_uris(nobody) == ["docs://context", "docs://search-history"]
        assert is_missing("docs://manual/faq.md", nobody)
        assert complete(PAGE, "collection", "", nobody) == []
        assert complete(PAGE, "path", "", nobody) == []

    def test_a_key_that_may_not_read_sees_less(self, manual: Collection) -> None:
        asker = make_principal(manual, scopes=[Scope.ASK])
        assert list_uris(asker) == []
        assert is_missing("docs://manual/faq.md", asker)
        assert ask("prompts/list", {}, asker)["result"]["prompts"] == []


def test_the_list_of_tools_is_the_golden_one() -> None:
    """`make golden` writes it anew: every change is seen in a review."""
    tools = {"tools": [tool.describe() for tool in get_dispatcher().registry.visible_tools(EVERYTHING)]}
    text = json.dumps(tools, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()
    assert len(dump_json(tools)) < 8000


# Statements per method, without the key's look-up. Add one only with a reason.
@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize(
    ("method", "params", "count"),
    [
        ("tools/list", {}, 0),
        ("prompts/list", {}, 0),
        ("resources/templates/list", {}, 0),
        ("prompts/get", {"name": "answer_from_docs", "arguments": {"question": "q"}}, 1),
        ("prompts/get", {"name": "summarise_page", "arguments": {"path": "faq.md"}}, 2),
        ("resources/list", {}, 1),
        ("resources/read", {"uri": "docs://context"}, 2),
        ("resources/read", {"uri": "docs://search-history"}, 1),
        ("resources/read", {"uri": "docs://manual"}, 2),
        ("resources/read", {"uri": "docs://manual/faq.md"}, 3),
        ("completion/complete", {"ref": PAGE, "argument": {"name": "collection", "value": "m"}}, 1),
        ("completion/complete", {"ref": PAGE, "argument": {"name": "path", "value": "f"}}, 2),
    ],
)
def test_the_number_of_statements_is_fixed(
    method: str,
    params: dict[str, Any],
    count: int,
    modern: bool,
    reader: Principal,
    manual: Collection,
    django_assert_num_queries: Any,
) -> None:
    with django_assert_num_queries(count):
        assert "result" in ask(method, params, reader, modern=modern)
    with django_assert_num_queries(count + 1):  # whether the endpoint's collection is there
        assert "result" in ask(method, params, reader, modern=modern, narrowed_to=(manual.tenant.slug, "manual"))


@pytest.mark.parametrize(("method", "modern"), [("initialize", False), ("ping", False), ("server/discover", True)])
def test_saying_hello_costs_no_statement(
    method: str, modern: bool, reader: Principal, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert "result" in ask(method, {}, reader, modern=modern)


def test_over_http_a_list_of_tools_costs_the_look_up_of_the_key_and_one_count(
    manual: Collection, client: Client, django_assert_num_queries: Any
) -> None:
    _, secret = ApiKey.objects.issue(tenant=manual.tenant, name="http")

    def ask_over_http() -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return client.post("/mcp", make_message("tools/list"), "application/json", headers=headers).status_code

    with django_assert_num_queries(3):
        assert ask_over_http() == 200  # its first use is noted
    with django_assert_num_queries(2):
        assert ask_over_http() == 200
