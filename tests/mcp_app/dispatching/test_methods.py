"""Resources, prompts, completion and paging, over a registry without a database."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types.methods import serialize_server_result

from collections_app.access.principal import Principal, Scope
from mcp_app import product
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.entries import Prompt, ResourceTemplate
from mcp_app.protocol.uri_templates import get_variables, match_uri
from mcp_app.registry import InvalidEntry, Registry
from tests.mcp_app.fake_registry import REGISTRY, SHELF, ask, ask_modern, complete_path
from tests.mcp_app.fake_tools import LEGACY, MODERN, READER, TOOLS, WRITER

ASKER = Principal(scopes=frozenset({Scope.ASK}))
PATH = {"ref": {"type": "ref/resource", "uri": SHELF}}
FIRST = {"ref": {"type": "ref/prompt", "name": "compare"}}

WIRE: list[tuple[str, dict[str, Any]]] = [
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "test://text"}),
    ("resources/read", {"uri": "test://bytes"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "compare", "arguments": {"first": "a"}}),
    ("completion/complete", PATH | {"argument": {"name": "path", "value": "item"}}),
    ("tools/call", {"name": "show"}),
    ("tools/list", {}),
]


@pytest.mark.parametrize(("method", "params"), WIRE)
def test_every_answer_fits_the_official_models(method: str, params: dict[str, Any]) -> None:
    result = ask_modern(method, params)["result"]
    assert serialize_server_result(method, MODERN, result) == result
    result = ask(method, params)["result"]
    assert serialize_server_result(method, LEGACY[-1], result) == result


@pytest.mark.requirement("resources.capability", "prompts.capability", "completion.capability", "logging.capability")
@pytest.mark.parametrize("version", LEGACY)
def test_capabilities_are_what_the_registry_has(version: str) -> None:
    declared = ask("initialize", {"protocolVersion": version})["result"]["capabilities"]
    assert declared.pop("completions", None) == (None if version == "2024-11-05" else {})
    assert declared == {"tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}}
    modern = ask_modern("server/discover")["result"]["capabilities"]
    assert modern == {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
    assert Registry(TOOLS).capabilities == {"tools": {}}


def test_the_registry_that_is_served_is_a_setting(settings: Any) -> None:
    settings.MCP_REGISTRY = "tests.mcp_app.fake_registry.REGISTRY"
    get_dispatcher.cache_clear()
    try:
        assert get_dispatcher().registry is REGISTRY
    finally:
        del settings.MCP_REGISTRY
        get_dispatcher.cache_clear()
    assert get_dispatcher().registry is product.REGISTRY


class TestLegacyAcknowledgements:
    @pytest.mark.requirement("resources.subscribe")
    @pytest.mark.parametrize(
        ("method", "params"),
        [
            ("logging/setLevel", {"level": "info"}),
            ("resources/subscribe", {"uri": "test://text"}),
            ("resources/unsubscribe", {"uri": "test://text"}),
        ],
    )
    def test_what_is_declared_is_acknowledged_in_the_legacy_era_only(self, method: str, params: dict[str, Any]) -> None:
        assert ask(method, params)["result"] == {}
        assert ask(method, {})["error"]["code"] == -32602
        assert ask_modern(method, params)["error"]["code"] == -32601


class TestPaging:
    @pytest.mark.requirement("pagination.end")
    def test_pages_follow_each_other_and_end_without_a_cursor(self) -> None:
        uris: list[str] = []
        params: dict[str, Any] = {}
        for expected in (50, 50, 23):
            result = ask_modern("resources/list", params, WRITER)["result"]
            assert len(result["resources"]) == expected
            uris += [resource["uri"] for resource in result["resources"]]
            params = {"cursor": result.get("nextCursor")}
        assert params == {"cursor": None}
        assert len(set(uris)) == 123

    @pytest.mark.requirement("pagination.bad-cursor")
    @pytest.mark.parametrize("method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
    @pytest.mark.parametrize("cursor", ["", "abc", "WzFd:1:2", 5, [], {}])
    def test_a_cursor_that_is_not_ours_is_refused(self, method: str, cursor: Any) -> None:
        assert ask_modern(method, {"cursor": cursor})["error"]["code"] == -32602

    @pytest.mark.requirement("pagination.opaque")
    def test_a_cursor_is_of_one_list_and_one_caller(self) -> None:
        cursor = ask("resources/list", {}, WRITER)["result"]["nextCursor"]
        assert ask("resources/list", {"cursor": cursor}, READER)["error"]["code"] == -32602
        assert ask("prompts/list", {"cursor": cursor}, WRITER)["error"]["code"] == -32602
        narrow = ask("resources/list", {"cursor": cursor}, WRITER, narrowed_to=("a", "b"))
        assert narrow["error"]["code"] == -32602


class TestResources:
    @pytest.mark.requirement("resources.order")
    def test_the_list_depends_on_the_caller_and_has_a_fixed_order(self) -> None:
        uris = [resource["uri"] for resource in ask("resources/list")["result"]["resources"]]
        assert uris == ["test://text", "test://bytes", "test://gone"]
        assert ask("resources/list") == ask("resources/list")

    @pytest.mark.requirement("resources.entry")
    def test_an_entry_says_what_there_is_to_say(self) -> None:
        first, second, *_ = ask("resources/list")["result"]["resources"]
        assert first == {
            "uri": "test://text",
            "name": "text",
            "title": "A text",
            "description": "What it is about",
            "mimeType": "text/markdown",
            "size": 6,
        }
        assert second == {"uri": "test://bytes", "name": "bytes", "mimeType": "image/png"}

    @pytest.mark.requirement("resources.read", "resources.binary")
    def test_text_and_bytes_are_read(self) -> None:
        read = ask("resources/read", {"uri": "test://text"})["result"]
        assert read == {"contents": [{"uri": "test://text", "mimeType": "text/markdown", "text": "# Text"}]}
        [contents] = ask("resources/read", {"uri": "test://bytes"})["result"]["contents"]
        assert contents == {"uri": "test://bytes", "mimeType": "image/png", "blob": "AP8="}

    @pytest.mark.requirement("resources.template")
    def test_a_template_reads_what_it_matches(self) -> None:
        [contents] = ask("resources/read", {"uri": "test://a%20b/c/d%C3%A9"})["result"]["contents"]
        assert contents["text"] == '{"shelf": "a b", "path": "c/d\\u00e9"}'

    def test_what_a_provider_lists_can_be_read_by_the_same_caller_only(self) -> None:
        assert "result" in ask("resources/read", {"uri": "numbered:007"}, WRITER)
        assert ask("resources/read", {"uri": "numbered:007"}, READER)["error"]["code"] == -32002

    @pytest.mark.requirement("resources.not-found", "resources.not-found-before")
    @pytest.mark.parametrize(
        "uri", ["test://gone", "test://shelf/missing", "other://a/b", "", "test://\n", "test://a/" + "b" * 8000]
    )
    def test_what_is_missing_is_an_error_with_the_uri(self, uri: str) -> None:
        error = ask("resources/read", {"uri": uri})["error"]
        assert (error["code"], error["data"]) == (-32002, {"uri": uri})
        error = ask_modern("resources/read", {"uri": uri})["error"]
        assert (error["code"], error["data"]) == (-32602, {"uri": uri})

    @pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 5}])
    def test_a_uri_must_be_a_text(self, params: dict[str, Any]) -> None:
        assert ask("resources/read", params)["error"]["code"] == -32602

    def test_caching_is_private(self) -> None:
        for method in ("resources/list", "resources/templates/list", "prompts/list", "tools/list"):
            result = ask_modern(method)["result"]
            assert (result["cacheScope"], result["ttlMs"] > 0) == ("private", True)
        assert ask_modern("resources/read", {"uri": "test://text"})["result"]["ttlMs"] == 60_000

    def test_without_the_read_scope_nothing_is_there(self) -> None:
        assert ask("resources/list", {}, ASKER)["result"] == {"resources": []}
        assert ask("resources/templates/list", {}, ASKER)["result"] == {"resourceTemplates": []}
        assert ask("prompts/list", {}, ASKER)["result"] == {"prompts": []}
        assert ask("resources/read", {"uri": "test://text"}, ASKER)["error"]["code"] == -32002
        assert ask("prompts/get", {"name": "plain"}, ASKER)["error"]["code"] == -32602
        complete = PATH | {"argument": {"name": "path", "value": ""}}
        assert ask("completion/complete", complete, ASKER)["error"]["code"] == -32602


class TestPrompts:
    @pytest.mark.requirement("prompts.entry")
    def test_an_entry_lists_its_arguments(self) -> None:
        plain, compare, _ = ask("prompts/list")["result"]["prompts"]
        assert plain == {"name": "plain", "description": "Says hello.", "arguments": []}
        assert compare["arguments"] == [
            {"name": "first", "description": "One", "required": True},
            {"name": "second", "description": "The other", "required": False},
        ]

    @pytest.mark.requirement("prompts.message")
    def test_a_text_is_one_message_of_the_user(self) -> None:
        assert ask("prompts/get", {"name": "plain"})["result"] == {
            "description": "Says hello.",
            "messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}],
        }

    @pytest.mark.requirement("prompts.unknown", "prompts.arguments")
    @pytest.mark.parametrize(
        "params",
        [
            {},
            {"name": "nope"},
            {"name": 5},
            {"name": "compare"},
            {"name": "compare", "arguments": []},
            {"name": "compare", "arguments": {"first": None}},
            {"name": "compare", "arguments": {"first": ""}},
            {"name": "compare", "arguments": {"first": 5}},
            {"name": "compare", "arguments": {"first": "\0"}},
            {"name": "compare", "arguments": {"first": "a" * 8001}},
            {"name": "compare", "arguments": {"first": "a", "third": "b"}},
            {"name": "compare", "arguments": {"first": "missing"}},
        ],
    )
    def test_what_is_wrong_or_missing_is_a_protocol_error(self, params: dict[str, Any]) -> None:
        assert ask("prompts/get", params)["error"]["code"] == -32602

    @pytest.mark.parametrize("prompts", [[("a b", "d")], [("a", " ")], [("a", "d"), ("a", "d")]])
    def test_bad_prompts_are_refused_at_start(self, prompts: list[tuple[str, str]]) -> None:
        with pytest.raises(InvalidEntry):
            Registry(prompts=[Prompt(name, text, lambda call, arguments: "") for name, text in prompts])


class TestCompletion:
    def test_a_template_completes_its_own_variables_only(self) -> None:
        with pytest.raises(InvalidEntry, match="completes"):
            Registry(
                templates=[
                    ResourceTemplate("a://{id}", "a", lambda call, values: "", completers={"path": complete_path})
                ]
            )

    @pytest.mark.requirement("completion.total")
    def test_values_begin_with_what_was_typed(self) -> None:
        completion = ask("completion/complete", PATH | {"argument": {"name": "path", "value": "item-14"}})["result"]
        values = ["item-14", *(f"item-14{digit}" for digit in range(10))]
        assert completion == {"completion": {"values": values, "total": 11, "hasMore": False}}

    @pytest.mark.requirement("completion.limit", "completion.total")
    def test_there_are_at_most_100(self) -> None:
        completion = ask("completion/complete", FIRST | {"argument": {"name": "first", "value": ""}})["result"]
        assert len(completion["completion"]["values"]) == 100
        assert completion["completion"]["hasMore"] is True

    @pytest.mark.requirement("completion.context")
    def test_the_other_arguments_are_known(self) -> None:
        context = {"context": {"arguments": {"shelf": "a/", "bad": 5}}}
        argument = {"argument": {"name": "path", "value": "a/item-149"}}
        completion = ask("completion/complete", PATH | argument | context)["result"]["completion"]
        assert completion["values"] == ["a/item-149"]

    @pytest.mark.parametrize("name", ["second", "nope"])
    def test_an_argument_without_completion_has_no_values(self, name: str) -> None:
        completion = ask("completion/complete", FIRST | {"argument": {"name": name, "value": "a"}})["result"]
        assert completion == {"completion": {"values": [], "total": 0, "hasMore": False}}

    @pytest.mark.parametrize("value", ["\0", "a\0b"])
    def test_nul_completes_to_nothing(self, value: str) -> None:
        completion = ask("completion/complete", PATH | {"argument": {"name": "path", "value": value}})["result"]
        assert completion["completion"]["values"] == []

    @pytest.mark.requirement("completion.reference")
    @pytest.mark.parametrize(
        "params",
        [
            {},
            PATH,
            PATH | {"argument": {"name": "path"}},
            PATH | {"argument": {"name": 5, "value": ""}},
            {"ref": "compare", "argument": {"name": "a", "value": ""}},
            {"ref": {"type": "ref/prompt", "name": "compar"}, "argument": {"name": "a", "value": ""}},
            {"ref": {"type": "ref/resource", "uri": "test://text"}, "argument": {"name": "a", "value": ""}},
            {"ref": {"type": "ref/nothing", "name": ["compare"]}, "argument": {"name": "a", "value": ""}},
        ],
    )
    def test_what_refers_to_nothing_is_refused(self, params: dict[str, Any]) -> None:
        assert ask("completion/complete", params)["error"]["code"] == -32602


class TestContent:
    @pytest.mark.requirement("tools.content")
    def test_every_kind_of_block_is_passed_on(self) -> None:
        result = ask("tools/call", {"name": "show"}, WRITER)["result"]
        # Without a version header the client speaks 2025-03-26, which has no resource links.
        assert [block["type"] for block in result["content"]] == ["text", "image", "audio", "resource", "text"]
        assert result["content"][-1]["text"] == "The other: test://b"
        assert result["structuredContent"] == {"kinds": 5}
        result = ask_modern("tools/call", {"name": "show"})["result"]
        kinds = ["text", "image", "audio", "resource", "resource_link"]
        assert [block["type"] for block in result["content"]] == kinds

    def test_a_schema_of_its_own_is_listed_as_it_is(self) -> None:
        tools = ask("tools/list")["result"]["tools"]
        assert next(tool for tool in tools if tool["name"] == "greet")["inputSchema"] == {"type": "object", "$defs": {}}


class TestUriTemplates:
    @pytest.mark.parametrize(
        ("uri", "values"),
        [
            ("test://a/b", {"shelf": "a", "path": "b"}),
            ("test://a/b/c.md", {"shelf": "a", "path": "b/c.md"}),
            ("test://a/b%2Fc%20d", {"shelf": "a", "path": "b/c d"}),
            ("test://a/", None),
            ("test:///b", None),
            ("TEST://a/b", None),
        ],
    )
    def test_only_a_reserved_variable_holds_slashes(self, uri: str, values: dict[str, str] | None) -> None:
        assert match_uri(SHELF, uri) == values

    def test_what_stands_between_variables_is_taken_literally(self) -> None:
        assert match_uri("test://a.b/{id}/data", "test://a.b/5/data") == {"id": "5"}
        assert match_uri("test://a.b/{id}/data", "test://axb/5/data") is None

    def test_variables_are_named_in_order(self) -> None:
        assert get_variables(SHELF) == ["shelf", "path"]
