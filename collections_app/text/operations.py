"""What an operation of an API is called beside its method and path: what the line below its heading says that it does. PURE."""

from __future__ import annotations

import re

_METHODS = "(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY)"
# `DELETE /users/{id}`, and `Callback paid: POST {$request.body#/url}`, as parsing/openapi/ and most references that are written by hand
# have it; a webhook has a name in the place of the path.
_CALL = re.compile(rf"(?:Callback [^:]+: )?{_METHODS} (?:[^\s/{{$]*[/{{$]\S*|(?P<name>\S+))")
# A paragraph of one line, of two words at least, mostly in bold. One with code tells names, and is no sentence; what ends with a colon is
# a label, and a list, a quotation, a tag or a link is none either.
_WORDS = r"(?=\w)[^*`|#\n\s]++(?:[ \t]++[^*`|#\n\s]++)++(?<!:)"
_BOLD = re.compile(rf"(?:#[^\n]*\n)?\s*+\*\*(?P<words>{_WORDS})\*\*[ \t]*+(?=\n[ \t]*+\n|\s*+\Z)")
_PLAIN = re.compile(rf"(?:#[^\n]*\n)?\s*+(?!\d+[.)])(?P<words>{_WORDS})[ \t]*+(?=\n[ \t]*+\n|\s*+\Z)")
_MAX_CHARACTERS = 120


def find_summary(heading: str, text: str) -> str:
    """Of the operation that a section is about, by its Markdown; empty where it is about something else or says nothing short."""
    call = _CALL.fullmatch(heading)
    if not call:
        return ""
    found = _BOLD.match(text) or (None if call["name"] else _PLAIN.match(text))
    return found["words"] if found and len(found["words"]) <= _MAX_CHARACTERS else ""
