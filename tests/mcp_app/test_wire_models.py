"""Every answer is what the official wire models of each revision take."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION, UnsupportedProtocolVersionErrorData
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse
from mcp_types.methods import SERVER_RESULTS, serialize_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from mcp_app.dispatching.method_table import METHODS
from mcp_app.protocol import legacy, revisions
from mcp_app.protocol.revisions import Era, RoutingHeaders
from tests.mcp_app.fake_tools import LEGACY, MODERN, WRITER, ask, ask_modern, make_message

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "echo_query", "arguments": {"query": "a"}}),
    ("tools/call", {"name": "echo_query", "arguments": {"query": "a", "format": "json"}}),
    ("tools/call", {"name": "echo_query", "arguments": {}}),
    ("tools/call", {"name": "find_nothing", "arguments": {"path": "a"}}),
    ("tools/call", {"name": "wait_for_nobody"}),
    ("tools/call", {"name": "break_down"}),
]


def check(method: str, version: str, answer: dict[str, Any]) -> None:
    """The answer is a response, and nothing in its result is unknown to the revision's model."""
    result = JSONRPCResponse.model_validate(answer).result
    known = serialize_server_result(method, version, result)
    assert known == result


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize(("method", "params"), [("initialize", {}), ("ping", {}), *CALLS])
def test_legacy_results_fit_their_models(version: str, method: str, params: dict[str, Any]) -> None:
    sent = {"protocolVersion": version} if method == "initialize" else params
    check(method, version, ask(make_message(method, sent), WRITER, headers=RoutingHeaders(version))[1])


@pytest.mark.parametrize(("method", "params"), [("server/discover", {}), *CALLS])
def test_modern_results_fit_their_models(method: str, params: dict[str, Any]) -> None:
    check(method, MODERN, ask_modern(method, params, WRITER)[1])


@pytest.mark.parametrize("message", [b"{", [], {"id": 1}, make_message("nope"), make_message("tools/call")])
def test_errors_fit_their_model(message: Any) -> None:
    answer = ask(message)[1]
    assert JSONRPCError.model_validate({"id": None} | answer).error.message


@pytest.mark.requirement("version.offer-is-discovered")
def test_an_unsupported_version_carries_the_data_that_clients_negotiate_with() -> None:
    error = ask(make_message("tools/list"), headers=RoutingHeaders("2031-01-01"))[1]["error"]
    assert error["code"] == UNSUPPORTED_PROTOCOL_VERSION
    data = UnsupportedProtocolVersionErrorData.model_validate(error["data"])
    assert set(data.supported) <= set(ask_modern("server/discover")[1]["result"]["supportedVersions"])


def test_revisions_and_codes_are_the_official_ones() -> None:
    assert legacy.REVISIONS == HANDSHAKE_PROTOCOL_VERSIONS == LEGACY
    assert revisions.MODERN_REVISIONS == MODERN_PROTOCOL_VERSIONS == (MODERN,)
    assert revisions.HEADER_MISMATCH == HEADER_MISMATCH


def test_every_method_belongs_to_the_era_that_serves_it() -> None:
    for era, versions in ((Era.LEGACY, LEGACY), (Era.MODERN, (MODERN,))):
        for method in METHODS[era]:
            assert all((method, version) in SERVER_RESULTS for version in versions)
