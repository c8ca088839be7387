"""Generated messages against the product as it is served: whatever comes, one answer at most, with the right id, and no failure.

A few hundred in each run; FUZZ_MESSAGES=20000 asks for more.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import pytest
from django.test import RequestFactory
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from structlog.testing import capture_logs

from collections_app.access.principal import Principal, Scope
from collections_app.limits import admission
from collections_app.models import Collection
from mcp_app.compat import OLDER_TOOLS
from mcp_app.dispatching import dispatcher
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.dispatching.method_table import METHODS
from mcp_app.protocol import jsonrpc
from mcp_app.protocol.jsonrpc import INTERNAL_ERROR, PARSE_ERROR
from mcp_app.resources import PAGE_TEMPLATE
from mcp_app.transports import views
from tests.factories import make_collection, make_principal, put
from tests.mcp_app import fake_registry
from tests.mcp_app.fake_tools import LEGACY, META, MODERN, READER, make_headers, make_message

FUZZ_MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "400"))

FOREIGN_WORD = "zebrafish"

TOOLS = get_dispatcher().registry.visible_tools(Principal(scopes=frozenset(Scope)))
TOOL_NAMES = [*(tool.name for tool in TOOLS), *(older.name for older in OLDER_TOOLS), "search_manual_docs", "search"]
ARGUMENTS = sorted({name for tool in TOOLS for name in [*tool.input_schema["properties"], *tool.params.aliases]})
OLDER_ARGUMENTS = ["offset", "search_mode", "doc_type", "status_filter", "collection_id", "task_id"]
URIS = ["docs://context", "docs://search-history", "docs://manual", "docs://manual/faq.md", "docs://plans/secret.md"]
WORDS = [
    "faq.md",
    "manual",
    "faq",
    "faq/faq",
    "lever",
    "",
    "5",
    "true",
    "null",
    "\0",
    "%",
    "\ud83e",
    "a" * 3000,
    "[1]",
    "{}",
]
REFS = [
    {"type": "ref/resource", "uri": PAGE_TEMPLATE},
    {"type": "ref/prompt", "name": "compare_pages"},
    {"type": "ref/prompt", "name": "nope"},
]

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=40)  # surrogates too
    | st.sampled_from([*WORDS, *URIS, MODERN, LEGACY[-1]])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
DEEP = st.sampled_from([10, 60, 70, 400, 5000]).map(lambda depth: "[" * depth + "]" * depth)
HOSTILE = VALUES | DEEP.map(lambda text: {"deep": text})
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from([*TOOL_NAMES, "summarise_page", "answer_from_docs", "compare_pages"]) | HOSTILE,
        "arguments": st.dictionaries(
            st.sampled_from([*ARGUMENTS, *OLDER_ARGUMENTS, "question", "first", "second"]), HOSTILE, max_size=4
        )
        | HOSTILE,
        "uri": st.sampled_from(URIS) | st.text(max_size=30).map("docs://manual/".__add__) | HOSTILE,
        "ref": st.sampled_from(REFS) | HOSTILE,
        "argument": st.fixed_dictionaries({"name": st.sampled_from(["path", "collection", "first"]), "value": SCALARS})
        | HOSTILE,
        "context": st.fixed_dictionaries({"arguments": st.dictionaries(st.sampled_from(["collection"]), SCALARS)})
        | HOSTILE,
        "_meta": st.just(META) | st.fixed_dictionaries({"progressToken": HOSTILE}).map(META.__or__) | HOSTILE,
        "cursor": HOSTILE,
        "inputResponses": HOSTILE,
        "requestState": HOSTILE,
        "protocolVersion": HOSTILE,
        "level": HOSTILE,
    },
)
METHOD_NAMES = sorted({name for methods in METHODS.values() for name in methods})
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | HOSTILE, "method": st.sampled_from(METHOD_NAMES) | HOSTILE},
    optional={"id": st.integers() | st.text(max_size=5) | HOSTILE, "params": PARAMS | HOSTILE, "result": HOSTILE},
)
# Most are calls of known methods with an id and an envelope in order, to get past the gate.
CALLS = st.builds(
    lambda method, params, modern, request_id: make_message(method, params, modern=modern, id=request_id),
    st.sampled_from(METHOD_NAMES),
    PARAMS,
    st.booleans(),
    st.integers() | st.text(max_size=5),
)
BODIES = (
    CALLS.map(lambda message: json.dumps(message).encode())
    | MESSAGES.map(lambda message: json.dumps(message).encode())
    | DEEP.map(str.encode)
    | MESSAGES.map(lambda message: json.dumps(message).encode()[:-1])
    | MESSAGES.map(lambda message: json.dumps(message).encode("utf-16"))
    | st.binary(max_size=100)
)
HEADER_VALUES = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=20)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "HTTP_MCP_PROTOCOL_VERSION": st.sampled_from([*LEGACY, MODERN, "2031-01-01"]) | HEADER_VALUES,
        "HTTP_MCP_METHOD": st.sampled_from(METHOD_NAMES) | HEADER_VALUES,
        "HTTP_MCP_NAME": st.sampled_from([*TOOL_NAMES, *URIS, "=?base64?ZmFx?=", "=?base64?!?="]) | HEADER_VALUES,
        "HTTP_ACCEPT": st.sampled_from(["application/json", "text/event-stream", "*/*"]) | HEADER_VALUES,
        "HTTP_MCP_SESSION_ID": HEADER_VALUES,
        "QUERY_STRING": st.sampled_from(["profile=openai", "profile=%00", "profile=a&profile=b"]),
    },
)


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection("manual")
    put(collection, {"faq.md": "# FAQ\n\n## Lever\n\nPull the lever.\n", "guide/a.md": "# A\n\nText.\n"})
    plans = make_collection("plans")
    put(plans, {"secret.md": f"# Secret\n\n{FOREIGN_WORD}\n"})
    return collection


@pytest.fixture
def principal(collection: Collection, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Principal:
    """Who every request comes from; a failure anywhere in the server would be logged."""
    principal = replace(make_principal(collection), rate_limit=10**6)
    settings.ALLOWED_HOSTS = ["testserver"]
    monkeypatch.setattr(admission, "authenticate", lambda credential, address: principal)
    return principal


def follow(headers: dict[str, str], body: bytes) -> dict[str, str]:
    """The headers that a good modern client would send with this body, where none were drawn."""
    try:
        message = json.loads(body)
        if message["params"]["_meta"] != META:
            return headers
        name = message["params"].get("name", message["params"].get("uri"))
        known = {"HTTP_MCP_PROTOCOL_VERSION": MODERN, "HTTP_MCP_METHOD": message["method"], "HTTP_MCP_NAME": name}
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        return headers
    return {key: value for key, value in known.items() if isinstance(value, str) and value.isprintable()} | headers


def read_messages(response: Any) -> list[Any]:
    if response.streaming:
        events = b"".join(response.streaming_content).decode().split("\n\n")
        return [json.loads(event.partition("data: ")[2]) for event in events if event.startswith("event")]
    content = response.content
    return [json.loads(content)] if content else []


def read_id(body: bytes) -> Any:
    """The id that the sender of these bytes may expect back."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    request_id = message.get("id") if isinstance(message, dict) else None
    return request_id if isinstance(request_id, int | str) and not isinstance(request_id, bool) else None


@examples(max_examples=FUZZ_MESSAGES, suppress_health_check=list(HealthCheck))
@given(BODIES, HEADERS, st.sampled_from(["/mcp", "/mcp/T/manual", "/mcp/T/plans"]))
def test_whatever_comes_gets_one_answer_with_the_right_id(
    principal: Principal, collection: Collection, body: bytes, headers: dict[str, str], path: str
) -> None:
    environ: dict[str, Any] = {"CONTENT_TYPE": "application/json", **follow(headers, body)}
    request = RequestFactory().generic("POST", "/mcp", body, **environ)
    where = {} if path == "/mcp" else {"tenant": collection.tenant.slug, "collection": path.rpartition("/")[2]}
    with capture_logs() as logs:
        response: Any = views.McpView.as_view()(request, **where)
        messages = read_messages(response)
    assert response.status_code in {200, 202, 400, 404}
    assert not [entry for entry in logs if entry.get("exc_info") or entry["log_level"] == "error"]
    assert [message for message in messages if "method" not in message] == messages[-1:]
    if not messages:
        assert response.status_code == 202
        return
    answer = messages[-1]
    assert ("result" in answer) != ("error" in answer)
    # An endpoint that there is not is refused before the message is read as a whole.
    is_refused = "There is no such profile" in answer.get("error", {}).get("message", "")
    expected = jsonrpc.peek_id(body) if is_refused else read_id(body)
    assert (answer.get("id"), type(answer.get("id"))) in [(None, type(None)), (expected, type(expected))]
    if response.status_code == 200:
        assert "id" in answer
    told = json.dumps(answer)
    assert "INTERNAL_ERROR" not in told
    assert "Traceback" not in told
    assert FOREIGN_WORD not in told
    assert answer.get("error", {}).get("code") != -32603


RICH_NAMES = [tool.name for tool in fake_registry.REGISTRY.visible_tools(READER)]


@examples(max_examples=max(100, FUZZ_MESSAGES // 4))
@given(
    st.builds(
        lambda method, name, params: make_message(method, {**params, "name": name}, modern=True),
        st.sampled_from(["tools/call", "prompts/get"]),
        st.sampled_from([*RICH_NAMES, "plain", "compare", "ask_first"]),
        PARAMS,
    ),
    st.booleans(),
)
def test_calls_that_stream_or_ask_back_end_with_one_answer(message: dict[str, Any], may_stream: bool) -> None:
    body = json.dumps(message).encode()
    reply = fake_registry.DISPATCHER.handle(body, READER, headers=make_headers(message), may_stream=may_stream)
    messages = [json.loads(each) for each in reply.iter_messages() if each]
    assert [each for each in messages if "method" not in each] == messages[-1:]
    code = messages[-1].get("error", {}).get("code")
    assert messages[-1].get("id") == (None if code == PARSE_ERROR else 1)
    assert code != INTERNAL_ERROR


def test_a_failure_would_be_seen(principal: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "get_outcome", lambda result: 1 / 0)
    body = json.dumps(make_message("ping")).encode()
    with capture_logs() as logs:
        views.McpView.as_view()(RequestFactory().post("/mcp", body, "application/json"))
    assert [entry["log_level"] for entry in logs if entry.get("exc_info")] == ["error"]
