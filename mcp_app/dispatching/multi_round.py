"""Calls of several rounds (multi round-trip requests): instead of an answer, the client gets a request for input, and calls again with it.

The state that the client carries from one round to the next is signed: only the same caller can send it, for the same method and
arguments, within ten minutes. The client can read it, so it contains nothing secret.

None of docsmcp's own tools asks back yet; the fixtures of the conformance suite do (docs/protocol.md).
https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from django.core import signing

from collections_app.access.principal import Principal
from mcp_app.entries import Call
from mcp_app.protocol.answers import InputRequired
from mcp_app.protocol.jsonrpc import INVALID_PARAMS, JsonRpcError, Params, Request
from mcp_app.protocol.revisions import require_client_capability

MULTI_ROUND_METHODS = {"tools/call", "prompts/get", "resources/read"}
# The capability that a client must have declared before it may be asked, by method.
ASKED_CAPABILITIES = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}

MAX_AGE_SECONDS = 600
# Parameters that differ between the rounds of one call.
_PER_ROUND = {"_meta", "inputResponses", "requestState"}


def take_round(call: Call, request: Request) -> Call:
    """The call with what the client brings from the round before. Raises JsonRpcError for a state that was not made for this call."""
    answers, sealed = request.params.get("inputResponses"), request.params.get("requestState")
    if answers is not None and not isinstance(answers, dict):
        raise JsonRpcError(INVALID_PARAMS, "params.inputResponses must be an object")
    state = None if sealed is None else open_state(sealed, call.principal, request.method, request.params)
    return replace(call, input_responses=answers, request_state=state)


def ask_client(call: Call, request: Request, asked: InputRequired) -> dict[str, Any]:
    """The result that makes the client answer and call again. Raises JsonRpcError if the client lacks the capability."""
    if call.is_legacy:
        raise JsonRpcError(INVALID_PARAMS, "This call has to ask back, which needs a client of revision 2026-07-28")
    for question in asked.requests.values():
        require_client_capability(call.client_capabilities, ASKED_CAPABILITIES[question["method"]])
    result: dict[str, Any] = {"resultType": "input_required"}
    if asked.requests:
        result["inputRequests"] = dict(asked.requests)
    if asked.state is not None:
        result["requestState"] = seal_state(asked.state, call.principal, request.method, request.params)
    return result


def seal_state(state: Any, principal: Principal, method: str, params: Params) -> str:
    return signing.dumps(state, salt=_make_salt(principal, method, params))


def open_state(sealed: Any, principal: Principal, method: str, params: Params) -> Any:
    """The state. Raises JsonRpcError if it was changed, is too old, or belongs to another call or caller."""
    try:
        return signing.loads(str(sealed), salt=_make_salt(principal, method, params), max_age=MAX_AGE_SECONDS)
    except signing.BadSignature:
        message = "params.requestState is not what this call was given, or too old: call again without it"
        raise JsonRpcError(INVALID_PARAMS, message) from None


def _make_salt(principal: Principal, method: str, params: Params) -> str:
    subject = {name: value for name, value in params.items() if name not in _PER_ROUND}
    caller = [principal.api_key_id, principal.user_id, principal.address if principal.is_anonymous else ""]
    told = json.dumps([caller, method, subject], sort_keys=True)
    return f"docsmcp.request_state.{hashlib.sha256(told.encode()).hexdigest()}"
