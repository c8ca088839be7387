"""JSON-RPC 2.0, one message at a time: bytes to a message and back, and the error codes. PURE.

It refuses anything that is not one complete message: bytes that are not UTF-8 or not JSON (`NaN` and `Infinity` are not),
batches, anything without `"jsonrpc": "2.0"`, an id that is neither a string nor a whole number, `params` that are not an
object (null counts as absent), text with half a surrogate pair, and nesting deeper than any caller needs.
Of two equal keys the last one counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

MAX_DEPTH = 64
PEEK_BYTES = 64 * 1024

TOO_DEEP = f"The message is nested too deep: at most {MAX_DEPTH} levels"
LONE_SURROGATE = "Text holds half of a surrogate pair (\\ud800 to \\udfff), which is no Unicode text"

RequestId = int | str
Params = dict[str, Any]
Result = dict[str, Any]

# One lexeme of JSON text; an incomplete one (a cut-off string) does not match, which ends the scan.
_LEXEME = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+)', re.DOTALL)
_WHOLE_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,99})")


class JsonRpcError(Exception):
    """The content of an `error` object. `request_id` is None if it cannot be known; then no id is sent."""

    def __init__(self, code: int, message: str, data: Any = None, *, request_id: RequestId | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.request_id = request_id


class DecodeError(JsonRpcError):
    """The bytes are not one message."""


@dataclass(frozen=True, slots=True)
class Request:
    id: RequestId
    method: str
    params: Params


@dataclass(frozen=True, slots=True)
class Notification:
    method: str
    params: Params


@dataclass(frozen=True, slots=True)
class Response:
    """A client's answer to something that this server never asks; only its arrival matters."""


Message = Request | Notification | Response


def decode(body: bytes) -> Message:
    """Raises DecodeError, with the id of the request if it can be read."""
    try:
        envelope = load_json(body.decode("utf-8-sig"))
    except RecursionError:
        raise DecodeError(INVALID_REQUEST, TOO_DEEP, request_id=peek_id(body)) from None
    except ValueError as error:
        raise DecodeError(PARSE_ERROR, f"Parse error: the body is not JSON in UTF-8 ({_describe(error)})") from None
    if isinstance(envelope, list):
        raise DecodeError(INVALID_REQUEST, "Batches are not supported: send one message per request")
    if not isinstance(envelope, dict):
        raise DecodeError(INVALID_REQUEST, "The body must be one JSON-RPC object")
    return _read_envelope(envelope, None if _is_plain(body) else find_flaw(envelope))


def load_json(text: str) -> Any:
    """Strict JSON. Raises ValueError, or RecursionError if the nesting exhausts the parser."""
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_read_float)


def find_flaw(value: Any) -> str | None:
    """Why no answer could be built from a decoded value: it nests too deep, or has text that UTF-8 cannot encode."""
    level = [value]
    for _ in range(MAX_DEPTH):
        if any(isinstance(item, str) and not _is_unicode(item) for item in level):
            return LONE_SURROGATE
        level = [child for item in level for child in _iter_children(item)]
        if not level:
            return None
    return TOO_DEEP


def peek_id(body: bytes) -> RequestId | None:
    """The request's id, from a body that may be cut off or is not worth decoding. Looks at its first 64 KiB."""
    depth, key, previous = 0, "", ""
    text = body[:PEEK_BYTES].decode("utf-8-sig", "replace")
    position = 0
    while match := _LEXEME.match(text, position):
        lexeme, position = match[1], match.end()
        if not depth and lexeme != "{":
            return None
        if depth == 1 and key == '"id"' and previous == ":":
            return _read_id(lexeme, complete=position < len(text))
        depth += (lexeme in "{[") - (lexeme in "}]")
        if lexeme == ":":
            key = previous
        previous = lexeme
    return None


def build_result(request_id: RequestId, result: Result) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def build_error(error: JsonRpcError) -> dict[str, Any]:
    """Without an id if it is not known: the schemas since 2025-11-25 do not allow a null id."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "error": {"code": error.code, "message": error.message}}
    if error.data is not None:
        message["error"]["data"] = error.data
    return message if error.request_id is None else message | {"id": error.request_id}


def dump_json(value: Any) -> str:
    """Compact JSON. Raises ValueError for NaN and Infinity."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(message: dict[str, Any]) -> bytes:
    """Raises ValueError or TypeError for values that JSON in UTF-8 cannot express."""
    return dump_json(message).encode()


def _is_plain(body: bytes) -> bool:
    """A quick check that decoded JSON has no flaw: it has few brackets, and no escape that could be half a surrogate pair."""
    return body.count(b"{") + body.count(b"[") < MAX_DEPTH and b"\\ud" not in body and b"\\uD" not in body


def _read_envelope(envelope: dict[str, Any], flaw: str | None) -> Message:
    request_id = envelope.get("id")
    if not _is_id(request_id):
        request_id = None

    def refuse(why: str) -> NoReturn:
        raise DecodeError(INVALID_REQUEST, why, request_id=request_id)

    if flaw:
        refuse(flaw)
    if envelope.get("jsonrpc") != "2.0":
        refuse('The message must say "jsonrpc": "2.0"')
    if "id" in envelope and request_id is None:
        refuse("The id must be a string or a whole number")
    if "method" not in envelope and ("result" in envelope or "error" in envelope):
        return Response()
    method, params = envelope.get("method"), envelope.get("params")
    if not isinstance(method, str):
        refuse("The method must be a string")
    if params is not None and not isinstance(params, dict):
        refuse("The params must be an object")
    if request_id is None:
        return Notification(method, params or {})
    return Request(request_id, method, params or {})


def _is_id(value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and _is_unicode(value))


def _read_id(lexeme: str, *, complete: bool) -> RequestId | None:
    if not lexeme.startswith('"'):
        return int(lexeme) if complete and _WHOLE_NUMBER.fullmatch(lexeme) else None
    try:
        value: str = json.loads(lexeme)
    except ValueError:
        return None
    return value if _is_unicode(value) else None


def _iter_children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _read_float(digits: str) -> float:
    if (number := float(digits)) in (float("inf"), float("-inf")):
        raise ValueError("a number is out of range")
    return number


def _describe(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}"
    return "a number is out of range" if "digits" in str(error) else str(error)
