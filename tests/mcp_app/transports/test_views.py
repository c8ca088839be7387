from __future__ import annotations

import gzip
import io
import json
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from collections_app.access.principal import Principal
from collections_app.limits import admission
from mcp_app.dispatching.dispatcher import Dispatcher
from mcp_app.registry import Registry
from mcp_app.transports import views
from mcp_app.transports.views import MAX_BODY_BYTES
from tests.mcp_app.conftest import GOOD_KEY
from tests.mcp_app.fake_tools import MODERN, READER, make_message

pytestmark = pytest.mark.usefixtures("config")

PING = make_message("ping", id=41)
OWN = "http://testserver"
FOREIGN = "https://evil.example.com"


def send(message: Any = PING, path: str = "/mcp", method: str = "POST", **options: Any) -> HttpResponse:
    """One request; `headers` and `content_type` go to the client, other options become parts of the environment."""
    body = message if isinstance(message, bytes | str) else json.dumps(message)
    content_type = options.pop("content_type", "application/json")
    response: Any = Client(raise_request_exception=False).generic(method, path, body, content_type, **options)
    return response  # type: ignore[no-any-return]


def send_stream(stream: Any, **environ: Any) -> tuple[int, dict[str, Any]]:
    """The status and the JSON body for a request whose body is read from this stream."""
    environ = {"CONTENT_LENGTH": "", "wsgi.input": stream} | environ
    request = RequestFactory().post("/mcp", b"replaced", "application/json", **environ)
    response: Any = views.McpView.as_view()(request)
    return response.status_code, json.loads(response.content)


def read_error(response: HttpResponse) -> tuple[int, int, Any]:
    """HTTP status, code, id."""
    assert response["Content-Type"] == "application/json"
    answer = json.loads(response.content)
    assert answer["jsonrpc"] == "2.0"
    return response.status_code, answer["error"]["code"], answer.get("id")


class TestMessages:
    @pytest.mark.requirement("http.one-endpoint")
    @pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/acme/guide", "/mcp/acme/guide/"])
    def test_both_spellings_of_each_address_answer_without_a_redirect(self, path: str) -> None:
        response = send(path=path)
        assert (response.status_code, response["Content-Type"]) == (200, "application/json")
        assert json.loads(response.content) == {"jsonrpc": "2.0", "id": 41, "result": {}}

    @pytest.mark.parametrize(("path", "narrowed_to"), [("/mcp", None), ("/mcp/acme/guide", ["acme", "guide"])])
    def test_the_address_of_a_collection_narrows_the_call_to_it(self, path: str, narrowed_to: list[str] | None) -> None:
        arguments = {"query": "a", "format": "json"}
        answer = json.loads(
            send(make_message("tools/call", {"name": "echo_query", "arguments": arguments}), path).content
        )
        assert answer["result"]["structuredContent"]["narrowed_to"] == narrowed_to

    @pytest.mark.requirement("http.notification")
    def test_a_notification_is_accepted_with_an_empty_body(self) -> None:
        response = send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert (response.status_code, response.content) == (202, b"")
        assert "Content-Type" not in response

    @pytest.mark.requirement("http.no-session")
    def test_no_session_is_opened_and_an_old_one_is_ignored(self) -> None:
        response = send(
            make_message("initialize", {"protocolVersion": "2025-11-25"}), headers={"Mcp-Session-Id": "old"}
        )
        assert response.status_code == 200
        assert "Mcp-Session-Id" not in response

    @pytest.mark.parametrize(
        "accept", [None, "", "*/*", "application/json", "text/event-stream", "text/html", "nonsense", "image/png;q=0"]
    )
    def test_any_accept_is_served(self, accept: str | None) -> None:
        assert send(headers={} if accept is None else {"Accept": accept}).status_code == 200

    def test_the_routing_headers_reach_the_gate(self) -> None:
        message = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a"}}, modern=True)
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "echo_query"}
        assert send(message, headers=headers).status_code == 200
        assert send(message, headers=headers | {"Mcp-Name": " echo_query\t"}).status_code == 200
        for name in headers:
            assert read_error(send(message, headers=headers | {name: "other"})) == (400, -32020, 1)

    @pytest.mark.requirement("http.unknown-method")
    def test_an_unknown_method_is_a_404_in_the_modern_era_only(self) -> None:
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "ping"}
        assert read_error(send(make_message("ping", modern=True), headers=headers)) == (404, -32601, 1)
        assert read_error(send(make_message("nope"))) == (200, -32601, 1)

    @pytest.mark.requirement("message.no-batch")
    def test_bad_json_is_a_bad_request(self) -> None:
        assert read_error(send("{")) == (400, -32700, None)
        assert read_error(send([PING])) == (400, -32600, None)


class TestEventStreams:
    MESSAGE = make_message("tools/call", {"name": "report_progress", "_meta": {"progressToken": 5}})

    @pytest.mark.parametrize("accept", [None, "*/*", "text/event-stream", "application/json, text/event-stream"])
    def test_a_call_that_reports_is_answered_with_events(self, accept: str | None) -> None:
        response: Any = send(self.MESSAGE, headers={"Accept": accept} if accept else {})
        assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream")
        assert response["Cache-Control"] == "no-cache, no-transform"
        assert response["X-Accel-Buffering"] == "no"
        events = b"".join(response.streaming_content).decode().split("\n\n")[:-1]
        messages = [json.loads(event.removeprefix("event: message\ndata: ")) for event in events]
        assert [message.get("method") for message in messages] == ["notifications/progress"] * 3 + [None]
        assert messages[-1]["id"] == 1

    @pytest.mark.parametrize("accept", ["application/json", "text/html"])
    def test_who_accepts_none_gets_the_answer_alone(self, accept: str) -> None:
        response = send(self.MESSAGE, headers={"Accept": accept})
        assert (response.status_code, response["Content-Type"]) == (200, "application/json")

    def test_without_a_token_there_are_none(self) -> None:
        response = send(make_message("tools/call", {"name": "report_progress"}))
        assert response["Content-Type"] == "application/json"

    def test_events_may_be_read_by_an_allowed_origin(self) -> None:
        assert send(self.MESSAGE, headers={"Origin": OWN})["Access-Control-Allow-Origin"] == OWN


class TestCredentials:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Authorization": f"Bearer {GOOD_KEY}"},
            {"Authorization": f"bearer   {GOOD_KEY} "},
            {"Authorization": f"BEARER {GOOD_KEY}", "X-Api-Key": "bad"},
            {"X-Api-Key": GOOD_KEY},
            {"Authorization": GOOD_KEY},
            {"Authorization": f"Token {GOOD_KEY}"},
            {"Authorization": "Basic abc", "X-Api-Key": GOOD_KEY},
        ],
    )
    def test_a_key_comes_as_bearer_or_as_x_api_key(self, headers: dict[str, str]) -> None:
        answer = json.loads(send(make_message("tools/call", {"name": "take_note"}), headers=headers).content)
        assert "result" in answer

    def test_without_one_the_caller_is_anonymous(self) -> None:
        answer = json.loads(send(make_message("tools/call", {"name": "take_note"})).content)
        assert "Unknown tool" in answer["error"]["message"]

    @pytest.mark.requirement("http.challenge")
    @pytest.mark.parametrize(
        "headers",
        [
            {"Authorization": "Bearer wrong"},
            {"Authorization": "Bearer"},
            {"Authorization": "Bearer "},
            {"X-Api-Key": "wrong"},
            {"X-Api-Key": ""},
        ],
    )
    def test_a_bad_key_is_turned_away_with_the_id_and_a_challenge(self, headers: dict[str, str]) -> None:
        response = send(headers=headers)
        assert read_error(response) == (401, -31401, 41)
        assert response["WWW-Authenticate"] == 'Bearer realm="mcp", error="invalid_token"'

    def test_where_a_key_is_required_the_anonymous_are_turned_away(self, config: SimpleNamespace) -> None:
        config.mcp_auth_required = True
        response = send()
        assert read_error(response) == (401, -31401, 41)
        assert response["WWW-Authenticate"] == 'Bearer realm="mcp"'
        assert send(headers={"X-Api-Key": GOOD_KEY}).status_code == 200

    def test_the_address_of_the_caller_is_told_to_authentication(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[Any] = []

        def authenticate(*args: Any) -> Principal:
            seen.extend(args)
            return READER

        monkeypatch.setattr(admission, "authenticate", authenticate)
        send(REMOTE_ADDR="192.0.2.7")
        assert seen == [None, "192.0.2.7"]

    def test_what_fails_before_the_message_is_told_as_an_error_without_its_text(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any) -> None:
            raise RuntimeError("secret detail")

        monkeypatch.setattr(admission, "authenticate", fail)
        response = send()
        assert read_error(response) == (500, -32603, 41)
        assert b"secret" not in response.content


class TestMethods:
    @pytest.mark.requirement("http.only-post")
    @pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "TRACE", "STRANGE"])
    @pytest.mark.parametrize("accept", ["text/event-stream", "text/html", "application/json"])
    def test_only_post_is_allowed_whatever_is_accepted(self, method: str, accept: str) -> None:
        response = send("", method=method, headers={"Accept": accept})
        assert response.status_code == 405
        assert response["Allow"] == "POST, OPTIONS"
        if method != "HEAD":
            assert read_error(response) == (405, -31405, None)

    def test_who_may_not_ask_at_all_is_told_that_first(self, config: SimpleNamespace) -> None:
        config.mcp_auth_required = True
        assert send("", method="GET").status_code == 401
        assert send("", method="GET", headers={"X-Api-Key": GOOD_KEY}).status_code == 405

    @pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
    @pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/acme/guide"])
    def test_a_disabled_endpoint_is_a_json_404(self, config: SimpleNamespace, method: str, path: str) -> None:
        config.mcp_enabled = False
        assert read_error(send("", path, method)) == (404, -31404, None)
        assert read_error(send(path=path, method=method)) == (404, -31404, 41)


class TestOrigin:
    @pytest.mark.parametrize("origin", [OWN, "HTTP://TestServer", "https://app.example.com", "http://localhost:6274"])
    def test_the_own_and_the_listed_origins_may_read_every_answer(self, config: SimpleNamespace, origin: str) -> None:
        config.mcp_allowed_origins = ("https://app.example.com", "http://localhost:6274")
        for response in (
            send(headers={"Origin": origin}),
            send("{", headers={"Origin": origin}),
            send(headers={"Origin": origin, "X-Api-Key": "wrong"}),
            send("", method="GET", headers={"Origin": origin}),
        ):
            assert response["Access-Control-Allow-Origin"] == origin
            assert {"WWW-Authenticate", "Retry-After"} <= set(response["Access-Control-Expose-Headers"].split(", "))
            assert "Origin" in response["Vary"]
            assert "Access-Control-Allow-Credentials" not in response

    @pytest.mark.requirement("http.origin")
    @pytest.mark.parametrize(
        "origin", [FOREIGN, "null", "", "http://testserver.evil.example", "http://testserver:81", "https://testserver"]
    )
    @pytest.mark.parametrize("method", ["POST", "OPTIONS", "GET"])
    def test_any_other_is_refused(self, origin: str, method: str) -> None:
        response = send(method=method, headers={"Origin": origin})
        assert read_error(response)[:2] == (403, -31403)
        assert "Access-Control-Allow-Origin" not in response
        assert "Origin" in response["Vary"]

    def test_the_refusal_carries_the_id(self) -> None:
        assert read_error(send(headers={"Origin": FOREIGN})) == (403, -31403, 41)

    def test_a_name_that_is_not_ours_is_no_own_origin(self) -> None:
        response = send(headers={"Host": "evil.example.com", "Origin": "http://evil.example.com"})
        assert response.status_code == 400

    def test_programs_send_none(self) -> None:
        assert "Access-Control-Allow-Origin" not in send()

    def test_a_preflight_needs_no_key(self, config: SimpleNamespace) -> None:
        config.mcp_auth_required = True
        response = send("", method="OPTIONS", headers={"Origin": OWN, "Access-Control-Request-Method": "POST"})
        assert (response.status_code, response.content) == (204, b"")
        assert response["Access-Control-Allow-Origin"] == OWN
        assert response["Access-Control-Allow-Methods"] == "POST, OPTIONS"
        allowed = {name.lower() for name in response["Access-Control-Allow-Headers"].split(", ")}
        assert {
            "authorization",
            "content-type",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "x-api-key",
        } <= allowed


class TestBody:
    @pytest.mark.parametrize(
        "content_type", ["application/json", "application/json; charset=utf-8", "Application/JSON"]
    )
    def test_json_is_taken(self, content_type: str) -> None:
        assert send(content_type=content_type).status_code == 200

    @pytest.mark.parametrize("path", ["/mcp?profile=opneai", "/mcp/default/handbook?profile=%00"])
    def test_a_profile_that_there_is_not_is_refused_and_those_that_there_are_are_named(
        self, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(views.McpView, "dispatcher", Dispatcher(Registry(profiles={"openai": ()})))
        response = send(path=path)
        assert read_error(response) == (400, -31400, 41)
        assert "?profile=openai" in json.loads(response.content)["error"]["message"]
        assert send(path="/mcp?profile=openai").status_code == send(path="/mcp?profile=").status_code == 200

    @pytest.mark.parametrize(
        "content_type",
        ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"],
    )
    def test_any_other_content_type_is_refused_with_the_id(self, content_type: str) -> None:
        assert read_error(send(content_type=content_type)) == (415, -31415, 41)

    def test_a_packed_body_is_refused_by_the_name_of_its_header(self) -> None:
        response = send(gzip.compress(json.dumps(PING).encode()), headers={"Content-Encoding": "gzip"})
        assert read_error(response) == (415, -31415, None)
        assert "Content-Encoding" in json.loads(response.content)["error"]["message"]
        assert response["Accept-Encoding"] == "identity"
        assert send(headers={"Content-Encoding": "identity"}).status_code == 200

    def test_a_body_of_just_the_limit_is_taken(self) -> None:
        body = json.dumps(PING).encode().ljust(MAX_BODY_BYTES)
        assert send(body).status_code == 200
        assert read_error(send(body + b" ")) == (413, -31413, None)

    def test_nothing_is_read_of_a_body_that_is_announced_as_too_large(self) -> None:
        stream = io.BytesIO(json.dumps(PING).encode())
        for length in (MAX_BODY_BYTES + 1, 10**30):
            status, answer = send_stream(stream, CONTENT_LENGTH=str(length))
            assert (status, answer["error"]["code"], stream.tell()) == (413, -31413, 0)

    def test_the_refusal_of_a_large_body_says_what_to_do(self) -> None:
        response = send(json.dumps(PING | {"params": {"content": "x" * 3 * MAX_BODY_BYTES}}))
        assert read_error(response) == (413, -31413, None)
        assert b"/api/" in response.content
        assert b"URL" in response.content

    def test_a_chunked_body_is_read_to_its_end(self) -> None:
        stream = io.BytesIO(json.dumps(PING).encode())
        environ = {"HTTP_TRANSFER_ENCODING": "Chunked", "wsgi.input_terminated": True}
        assert send_stream(stream, **environ) == (200, {"jsonrpc": "2.0", "id": 41, "result": {}})

    def test_a_chunked_body_has_the_same_limit(self) -> None:
        stream = io.BytesIO(json.dumps(PING).encode().ljust(100 * 1024 * 1024))
        status, answer = send_stream(stream, HTTP_TRANSFER_ENCODING="chunked", **{"wsgi.input_terminated": True})
        assert (status, answer["error"]["code"], answer["id"]) == (413, -31413, 41)
        assert stream.tell() < 2 * MAX_BODY_BYTES

    def test_a_stream_without_an_end_is_not_waited_for(self) -> None:
        reads: list[int | None] = []

        class Endless(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                reads.append(size)
                return b""

        status, answer = send_stream(Endless(), HTTP_TRANSFER_ENCODING="chunked")
        assert (status, answer["error"]["code"], reads) == (400, -32700, [])

    @pytest.mark.parametrize("error", [ConnectionResetError, TimeoutError, ValueError])
    def test_a_client_that_hangs_up_causes_no_failure(self, error: type[Exception]) -> None:
        class Broken(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                raise error

        status, answer = send_stream(Broken(), CONTENT_LENGTH="100")
        assert (status, answer["error"]["code"]) == (400, -32700)

    def test_a_body_that_ends_early_is_bad_json(self) -> None:
        status, answer = send_stream(io.BytesIO(b'{"jsonrpc": "2.0", "id": 4'), CONTENT_LENGTH="100")
        assert (status, answer["error"]["code"]) == (400, -32700)


class TestOAuthDiscovery:
    @pytest.mark.parametrize(
        "path",
        [
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/mcp/acme/guide",
            "/.well-known/openid-configuration",
            "/mcp/.well-known/openid-configuration",
            "/mcp/acme/guide/.well-known/oauth-protected-resource",
        ],
    )
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_there_is_nothing_to_discover(self, path: str, method: str) -> None:
        response = send("", path, method)
        assert (response.status_code, response["Content-Type"]) == (404, "application/json")
        assert "Bearer" in json.loads(response.content)["error"]


HEADER_TEXT = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30)
HEADER_NAMES = st.sampled_from(
    [
        "Accept",
        "Authorization",
        "Content-Type",
        "Host",
        "Last-Event-ID",
        "MCP-Protocol-Version",
        "Mcp-Method",
        "Mcp-Name",
        "Mcp-Session-Id",
        "Origin",
        "Transfer-Encoding",
        "X-Api-Key",
        "X-Http-Method-Override",
    ]
)


@examples(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(
        HEADER_NAMES, HEADER_TEXT | st.sampled_from([MODERN, "chunked", OWN, f"Bearer {GOOD_KEY}"]), max_size=5
    ),
    st.binary(max_size=60)
    | st.sampled_from([json.dumps(make_message(name)).encode() for name in ("ping", "tools/list")]),
    st.sampled_from(["POST", "POST", "GET", "OPTIONS", "DELETE", "HEAD"]),
)
def test_no_header_games_break_the_server(headers: dict[str, str], body: bytes, method: str) -> None:
    content_type = headers.pop("Content-Type", "application/json")
    response = send(body, method=method, headers=headers, content_type=content_type)
    assert response.status_code in {200, 202, 204, 400, 401, 403, 404, 405, 413, 415}
    assert HTTPStatus(response.status_code)
    if response.get("Content-Type") == "application/json" and response.content:
        assert ("result" in json.loads(response.content)) != ("error" in json.loads(response.content))
