"""What is said of an address that names a section behind its `#` which the page does not have."""

from __future__ import annotations

from typing import Any

from collections_app.documents import Fragment
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.jsonrpc import dump_json
from mcp_app.rendering import NAME_TOKENS, format_call, name_section, shorten_name

# What part of a budget the name may have, and all that is said of it.
NAME_SHARE = 20
SHARE = 5


def describe_missing(fragment: Fragment, max_tokens: int, path: str = "") -> str:
    """With the closest, and the call that lists all of those at the path, as far as there is room."""
    missing = f"there is no section {dump_json(shorten_missing(fragment, max_tokens))} here"
    close = ", ".join(name_section(each, max_tokens) for each in fragment.close)
    facts = [
        f"the closest: {close}" if close else "",
        f"{format_call('table_of_contents', path=path)} lists those there are" if path else "",
    ]
    kept = [fact for fact in facts if fact]
    while kept and estimate_tokens("; ".join([missing, *kept])) > max_tokens // SHARE:
        kept.pop(0)
    return f"[{'; '.join([missing, *kept])}]"


def make_missing_data(fragment: Fragment, max_tokens: int) -> dict[str, Any]:
    close = [name_section(each, max_tokens) for each in fragment.close]
    return {"missing_section": shorten_missing(fragment, max_tokens), "close_sections": close}


def shorten_missing(fragment: Fragment, max_tokens: int) -> str:
    return shorten_name(fragment.name, min(NAME_TOKENS, max_tokens // NAME_SHARE))
