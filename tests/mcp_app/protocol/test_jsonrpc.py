from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_app.protocol import jsonrpc
from mcp_app.protocol.jsonrpc import (
    INVALID_REQUEST,
    MAX_DEPTH,
    PARSE_ERROR,
    DecodeError,
    JsonRpcError,
    Notification,
    Request,
    Response,
    decode,
    peek_id,
)


def refuse(body: bytes) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        decode(body)
    return caught.value


@pytest.mark.requirement("message.id-type")
@pytest.mark.parametrize("request_id", [0, 1, -5, 10**30, "", "a", "é"])
def test_it_reads_a_request_with_any_string_or_whole_number_as_its_id(request_id: int | str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "ping", "params": {"a": 1}}).encode()
    assert decode(body) == Request(request_id, "ping", {"a": 1})


@pytest.mark.parametrize("params", ["", ', "params": {}', ', "params": null'])
def test_it_takes_absent_params_as_empty(params: str) -> None:
    assert decode(f'{{"jsonrpc": "2.0", "id": 1, "method": "ping"{params}}}'.encode()) == Request(1, "ping", {})


def test_it_tells_notifications_and_responses_from_requests() -> None:
    assert decode(b'{"jsonrpc": "2.0", "method": "notifications/x"}') == Notification("notifications/x", {})
    assert decode(b'{"jsonrpc": "2.0", "id": 1, "result": {}}') == Response()
    assert decode(b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}') == Response()


def test_it_forgives_a_byte_order_mark() -> None:
    assert decode(b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}') == Request(1, "ping", {})


@pytest.mark.requirement("message.parse-error")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping"',
        b'{"jsonrpc": "2.0", "id": 1, "method": "p\xff"}',
        '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'.encode("utf-16"),
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": -Infinity}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": 1e999}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": ' + b"9" * 5000 + b"}}",
    ],
)
def test_it_refuses_what_is_not_json_without_an_id(body: bytes) -> None:
    error = refuse(body)
    assert (error.code, error.request_id) == (PARSE_ERROR, None)


@pytest.mark.requirement("message.invalid", "message.id-type")
@pytest.mark.parametrize(
    ("message", "request_id"),
    [
        ([], None),
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], None),
        ("ping", None),
        (None, None),
        ({}, None),
        ({"id": 4, "method": "ping"}, 4),
        ({"jsonrpc": "1.0", "id": 4, "method": "ping"}, 4),
        ({"jsonrpc": 2.0, "id": 4, "method": "ping"}, 4),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.0, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": [1], "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": "x"}, "x"),
        ({"jsonrpc": "2.0", "id": "x", "method": 5}, "x"),
        ({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": []}, "x"),
        ({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": "p"}, "x"),
        ({"jsonrpc": "2.0", "id": 0, "method": "ping", "params": False}, 0),
    ],
)
def test_it_refuses_what_is_not_one_message_with_the_id_it_has(message: Any, request_id: Any) -> None:
    error = refuse(json.dumps(message).encode())
    assert (error.code, error.request_id) == (INVALID_REQUEST, request_id)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 200_000])
def test_it_refuses_deep_nesting_with_the_id(depth: int) -> None:
    body = b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": ' + b"[" * depth + b"]" * depth + b"}}"
    error = refuse(body)
    assert (error.code, error.request_id) == (INVALID_REQUEST, 9)
    assert "deep" in error.message


def test_it_takes_nesting_that_people_use() -> None:
    body = b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": ' + b"[" * 50 + b"]" * 50 + b"}}"
    assert isinstance(decode(body), Request)


@pytest.mark.parametrize("place", ['"params": {"a": "\\ud800"}', '"params": {"\\udfff": 1}', '"method": "\\ud83d"'])
def test_it_refuses_half_a_surrogate_pair_with_the_id(place: str) -> None:
    error = refuse(f'{{"jsonrpc": "2.0", "id": 3, "method": "ping", {place}}}'.encode())
    assert (error.code, error.request_id) == (INVALID_REQUEST, 3)
    assert "surrogate" in error.message


def test_it_does_not_echo_half_a_surrogate_pair_as_an_id() -> None:
    assert refuse(b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}').request_id is None


def test_it_takes_a_whole_surrogate_pair() -> None:
    assert decode(b'{"jsonrpc": "2.0", "id": "\\ud83d\\ude00", "method": "ping"}') == Request("😀", "ping", {})


@pytest.mark.parametrize(
    ("body", "request_id"),
    [
        (b'{"jsonrpc": "2.0", "id": 12, "method": "tools/ca', 12),
        (b' { "method": "x", "params": {"id": 5, "a": ["}"]}, "id" : "a\\"b", ', 'a"b'),
        (b'{"id": 12', None),
        (b'{"id": "12', None),
        (b'{"id": 1.5, "x": 1}', None),
        (b'{"id": null, "x": 1}', None),
        (b'{"id": {"id": 1}}', None),
        (b'{"params": {"id": 5}}', None),
        (b'{"params": {"a": "\\"id\\": 6,"}, ', None),
        (b'[{"id": 5}]', None),
        (b'"id"', None),
        (b"\xff\xfe", None),
        (b"", None),
    ],
)
def test_it_peeks_the_id_of_a_body_that_is_cut_off(body: bytes, request_id: Any) -> None:
    assert peek_id(body) == request_id


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
IDS = st.integers() | st.text(st.characters(codec="utf-8"))


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), JSON_VALUES, max_size=4), IDS)
def test_it_peeks_the_id_that_a_full_parse_finds(others: dict[str, Any], request_id: int | str) -> None:
    body = json.dumps(others | {"id": request_id}, ensure_ascii=False).encode("utf-8", "replace")
    assert peek_id(body) == request_id


@pytest.mark.requirement("message.id-unknown")
def test_it_leaves_an_unknown_id_out_of_an_error() -> None:
    assert jsonrpc.build_error(JsonRpcError(-32700, "no")) == {
        "jsonrpc": "2.0",
        "error": {"code": -32700, "message": "no"},
    }
    assert jsonrpc.build_error(JsonRpcError(-32600, "no", {"a": 1}, request_id=0))["id"] == 0


def test_it_sends_no_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        jsonrpc.encode({"a": float("nan")})
