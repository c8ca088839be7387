"""What an operation of an API is called beside its method and path: what the line below its heading says that it does. PURE."""

from __future__ import annotations

import re

# `DELETE /users/{id}`, and `Callback paid: POST {$request.body#/url}`, as parsing/openapi/ and most references that are written by hand
# have it.
_CALL = re.compile(r"(?:Callback [^:]+: )?(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY) \S+")
# A paragraph of one line, mostly in bold. One with code tells names, and is no sentence.
_SUMMARY = re.compile(r"(?:#[^\n]*\n)?\s*+(?:\*\*)?+([^*`|#\n]{3,120})(?:\*\*)?+[ \t]*+(?:\n\s*?\n|\s*+\Z)")


def find_summary(heading: str, text: str) -> str:
    """Of the operation that a section is about, by its Markdown; empty where it is about something else or says nothing short."""
    found = _CALL.fullmatch(heading) and _SUMMARY.match(text)
    return found[1].strip() if found else ""
