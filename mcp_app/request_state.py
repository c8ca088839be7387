"""What a multi round-trip call hands to its client to bring back: signed, so that only the same call can bring it.

Good for the same caller, method and arguments, for ten minutes. Readable by the client: nothing secret goes into it.
https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.core import signing

from collections_app.principal import Principal
from mcp_app.jsonrpc import INVALID_PARAMS, JsonRpcError, Params

MAX_AGE_SECONDS = 600
# What differs between the rounds of one call.
_PER_ROUND = {"_meta", "inputResponses", "requestState"}


def seal_state(state: Any, principal: Principal, method: str, params: Params) -> str:
    return signing.dumps(state, salt=_make_salt(principal, method, params))


def open_state(sealed: Any, principal: Principal, method: str, params: Params) -> Any:
    """Raises JsonRpcError for one that is changed, too old, or of another call or caller."""
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
