from __future__ import annotations

import base64
from typing import Any

import pytest

from mcp_app.protocol import legacy
from mcp_app.protocol.identity import SERVER_INFO, get_instructions
from mcp_app.protocol.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    DecodeError,
    JsonRpcError,
    Message,
    Notification,
    Request,
    Response,
)
from mcp_app.protocol.revisions import (
    CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    HEADER_MISMATCH,
    SERVER_INFO_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    VERSION_KEY,
    EnvelopeError,
    Era,
    RoutingHeaders,
    decode_header_value,
    dress_result,
    get_http_status,
    read_envelope,
)
from mcp_app.tools import TOOLS
from tests.mcp_app.fake_tools import LEGACY, META, MODERN


def make_request(method: str = "tools/list", meta: Any = META, **params: Any) -> Request:
    return Request(1, method, params if meta is None else params | {"_meta": meta})


def make_headers(
    version: str | None = MODERN, method: str | None = "tools/list", name: str | None = None
) -> RoutingHeaders:
    return RoutingHeaders(version, method, name)


def refuse(message: Message, headers: RoutingHeaders | None) -> EnvelopeError:
    with pytest.raises(EnvelopeError) as caught:
        read_envelope(message, headers)
    return caught.value


def encode_base64(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


class TestEra:
    @pytest.mark.parametrize("version", LEGACY)
    def test_a_legacy_header_means_legacy(self, version: str) -> None:
        envelope = read_envelope(make_request(meta=None), make_headers(version, None))
        assert (envelope.era, envelope.protocol_version) == (Era.LEGACY, version)

    @pytest.mark.requirement("lifecycle.assumed-version")
    @pytest.mark.parametrize("headers", [None, RoutingHeaders()])
    def test_without_header_and_meta_the_revision_of_march_2025_is_assumed(
        self, headers: RoutingHeaders | None
    ) -> None:
        envelope = read_envelope(make_request(meta=None), headers)
        assert (envelope.era, envelope.protocol_version) == (Era.LEGACY, "2025-03-26")

    def test_a_meta_without_a_version_does_not_make_a_request_modern(self) -> None:
        assert read_envelope(make_request(meta={"progressToken": 1}), RoutingHeaders()).era is Era.LEGACY

    @pytest.mark.requirement("version.two-eras")
    def test_header_and_meta_together_mean_modern(self) -> None:
        envelope = read_envelope(make_request(), make_headers())
        assert (envelope.era, envelope.protocol_version, envelope.client_name) == (Era.MODERN, MODERN, "test-client")

    def test_a_transport_without_headers_goes_by_meta_alone(self) -> None:
        assert read_envelope(make_request(), None).era is Era.MODERN

    @pytest.mark.requirement("version.two-eras")
    @pytest.mark.parametrize("version", [None, "2025-11-25", MODERN, "2031-01-01", ""])
    def test_initialize_is_a_handshake_whatever_the_header_says(self, version: str | None) -> None:
        assert read_envelope(make_request("initialize", None), make_headers(version, None)).era is Era.LEGACY

    @pytest.mark.parametrize("message", [Notification("notifications/initialized", {}), Response()])
    def test_legacy_notifications_and_responses_pass(self, message: Message) -> None:
        assert read_envelope(message, make_headers("2025-06-18", None)).era is Era.LEGACY


class TestHandshake:
    @pytest.mark.parametrize("requested", LEGACY)
    def test_a_version_of_ours_is_agreed_to(self, requested: str) -> None:
        assert legacy.get_version(make_request("initialize", None, protocolVersion=requested), None) == requested

    @pytest.mark.parametrize("requested", [MODERN, "2031-01-01", "", None, 5, ["2025-11-25"]])
    def test_any_other_gets_our_newest_as_a_counter_offer(self, requested: Any) -> None:
        assert legacy.get_version(make_request("initialize", None, protocolVersion=requested), None) == "2025-11-25"

    def test_the_client_says_its_name(self) -> None:
        assert read_envelope(make_request("initialize", None, clientInfo={"name": "c"}), None).client_name == "c"


class TestGate:
    @pytest.mark.requirement("meta.required")
    @pytest.mark.parametrize(
        "meta",
        [
            None,
            {},
            [],
            "meta",
            {VERSION_KEY: MODERN},
            {VERSION_KEY: MODERN, CAPABILITIES_KEY: None},
            {VERSION_KEY: MODERN, CAPABILITIES_KEY: []},
            {VERSION_KEY: 20260728, CAPABILITIES_KEY: {}},
            {VERSION_KEY: None, CAPABILITIES_KEY: {}},
            {CAPABILITIES_KEY: {}},
        ],
    )
    def test_it_refuses_an_incomplete_meta(self, meta: Any) -> None:
        assert refuse(make_request(meta=meta), make_headers()).code == INVALID_PARAMS

    @pytest.mark.requirement("meta.client-info-optional")
    def test_it_does_not_ask_for_client_info(self) -> None:
        assert (
            read_envelope(make_request(meta={VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}), make_headers()).client_name
            is None
        )

    @pytest.mark.parametrize("info", [None, "c", {}, {"name": 5}, []])
    def test_it_ignores_client_info_of_another_shape(self, info: Any) -> None:
        assert read_envelope(make_request(meta=META | {CLIENT_INFO_KEY: info}), make_headers()).client_name is None

    @pytest.mark.requirement("http.version-header", "http.method-header")
    @pytest.mark.parametrize(
        "headers",
        [
            RoutingHeaders(),
            make_headers(version=None),
            make_headers(version="2025-11-25"),
            make_headers(version="2031-01-01"),
            make_headers(method=None),
            make_headers(method="prompts/list"),
            make_headers(method="TOOLS/LIST"),
        ],
    )
    def test_it_refuses_headers_that_disagree_with_the_body(self, headers: RoutingHeaders) -> None:
        assert refuse(make_request(), headers).code == HEADER_MISMATCH

    @pytest.mark.requirement("http.name-header", "http.encoded-header")
    @pytest.mark.parametrize(
        ("method", "key"), [("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri")]
    )
    def test_it_compares_the_name_header_where_there_is_a_name(self, method: str, key: str) -> None:
        request = make_request(method, **{key: "café"})
        assert read_envelope(request, make_headers(method=method, name=encode_base64("café"))).era is Era.MODERN
        for wrong in (None, "", "cafe", "caf\u00c3\u00a9", encode_base64("cafe"), "=?base64?!?="):
            assert refuse(request, make_headers(method=method, name=wrong)).code == HEADER_MISMATCH

    @pytest.mark.parametrize("params", [{}, {"name": 5}, {"name": None}])
    def test_it_leaves_a_name_that_is_no_text_to_the_method(self, params: dict[str, Any]) -> None:
        assert read_envelope(make_request("tools/call", **params), make_headers(method="tools/call")).era is Era.MODERN

    @pytest.mark.requirement("version.unsupported")
    def test_it_names_the_versions_that_are_served(self) -> None:
        error = refuse(make_request(meta=META | {VERSION_KEY: "2031-01-01"}), make_headers("2031-01-01"))
        assert error.code == UNSUPPORTED_PROTOCOL_VERSION
        assert error.data == {"supported": [MODERN], "requested": "2031-01-01"}

    def test_an_unknown_version_in_the_header_alone_is_told_as_such(self) -> None:
        assert refuse(make_request(meta=None), make_headers("2031-01-01")).code == UNSUPPORTED_PROTOCOL_VERSION
        notification = Notification("notifications/cancelled", {})
        assert refuse(notification, make_headers("2031-01-01")).code == UNSUPPORTED_PROTOCOL_VERSION

    def test_meta_is_checked_before_headers(self) -> None:
        assert refuse(make_request(meta={VERSION_KEY: MODERN}), make_headers(method="wrong")).code == INVALID_PARAMS

    @pytest.mark.parametrize("headers", [make_headers(), make_headers("2031-01-01", "wrong")])
    def test_headers_are_checked_before_the_version(self, headers: RoutingHeaders) -> None:
        assert refuse(make_request(meta=META | {VERSION_KEY: "2031-01-01"}), headers).code == HEADER_MISMATCH

    def test_a_modern_notification_needs_no_headers_but_a_served_version(self) -> None:
        assert read_envelope(Notification("notifications/cancelled", {}), make_headers(MODERN, None)).era is Era.MODERN
        assert read_envelope(Notification("notifications/cancelled", {"_meta": META}), None).era is Era.MODERN

    def test_it_refuses_a_posted_response_in_the_modern_era(self) -> None:
        assert refuse(Response(), make_headers()).code == INVALID_REQUEST


class TestHeaderValues:
    @pytest.mark.parametrize("text", ["", "search_docs", "café", "日本", " a ", "=?base64?x?=", "a\nb"])
    def test_what_a_client_encodes_is_read_back(self, text: str) -> None:
        assert decode_header_value(encode_base64(text)) == text

    @pytest.mark.parametrize("value", ["", "search_docs", "docs://a/b%20c", "=?base64?x", "=?utf-8?x?="])
    def test_a_plain_value_stands_for_itself(self, value: str) -> None:
        assert decode_header_value(value) == value

    @pytest.mark.parametrize("payload", ["!", "YQ", "YR==", "YQ==\n", "/w==", "Y Q==", "_w==", "é"])
    def test_it_refuses_base64_that_is_not_canonical_or_not_text(self, payload: str) -> None:
        assert decode_header_value(f"=?base64?{payload}?=") is None


class TestStatus:
    @pytest.mark.parametrize("era", list(Era))
    def test_bad_envelopes_are_bad_requests(self, era: Era) -> None:
        assert get_http_status(era, DecodeError(-32700, "")) == 400
        assert get_http_status(era, EnvelopeError(INVALID_PARAMS, "")) == 400

    @pytest.mark.parametrize(("era", "status"), [(Era.LEGACY, 200), (Era.MODERN, 404)])
    def test_an_unknown_method_is_not_found_in_the_modern_era_only(self, era: Era, status: int) -> None:
        assert get_http_status(era, JsonRpcError(METHOD_NOT_FOUND, "")) == status

    @pytest.mark.parametrize("era", list(Era))
    @pytest.mark.parametrize("error", [None, JsonRpcError(INVALID_PARAMS, ""), JsonRpcError(-32603, "")])
    def test_what_a_method_answers_travels_with_200(self, era: Era, error: JsonRpcError | None) -> None:
        assert get_http_status(era, error) == 200


class TestResults:
    def test_legacy_results_stay_bare(self) -> None:
        assert dress_result(Era.LEGACY, "tools/list", {"tools": []}) == {"tools": []}

    def test_modern_results_say_type_server_and_privacy(self) -> None:
        dressed = dress_result(Era.MODERN, "tools/list", {"tools": [], "_meta": {"own": 1}})
        assert dressed["resultType"] == "complete"
        assert dressed["cacheScope"] == "private"
        assert dressed["ttlMs"] > 0
        assert dressed["_meta"] == {"own": 1, SERVER_INFO_KEY: SERVER_INFO}

    def test_a_tool_result_is_not_to_be_cached(self) -> None:
        assert not {"ttlMs", "cacheScope"} & set(dress_result(Era.MODERN, "tools/call", {"content": []}))

    def test_a_result_may_name_its_own_type(self) -> None:
        assert (
            dress_result(Era.MODERN, "tools/call", {"resultType": "input_required"})["resultType"] == "input_required"
        )


def test_the_instructions_survive_the_hosts_that_cut_them() -> None:
    instructions = get_instructions(TOOLS)
    assert len(instructions.encode()) <= 2048
    order = [instructions.index(name) for name in ("search_docs", "table_of_contents", "read_sections")]
    assert order == sorted(order)
    assert order[-1] < 600
