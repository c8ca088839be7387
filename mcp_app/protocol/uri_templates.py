"""The part of RFC 6570 that resource templates need: `{name}`, whose value has no slash, and `{+name}`, whose value may. PURE."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

_VARIABLE = re.compile(r"\{(\+?)(\w+)\}")


def get_variables(template: str) -> list[str]:
    return [match[2] for match in _VARIABLE.finditer(template)]


def match_uri(template: str, uri: str) -> dict[str, str] | None:
    """The decoded values of the template's variables; None for a URI that the template cannot produce."""
    found = _compile(template).fullmatch(uri)
    return {name: unquote(value) for name, value in found.groupdict().items()} if found else None


@cache
def _compile(template: str) -> re.Pattern[str]:
    pattern, position = "", 0
    for match in _VARIABLE.finditer(template):
        value = ".+" if match[1] else "[^/]+"
        pattern += re.escape(template[position : match.start()]) + f"(?P<{match[2]}>{value})"
        position = match.end()
    return re.compile(pattern + re.escape(template[position:]), re.DOTALL)
