"""Summaries of API operations: the line below a heading with a method and a path that says what the operation does. PURE."""

from __future__ import annotations

import re

_METHODS = "(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY)"
# `DELETE /users/{id}`, and `Callback paid: POST {$request.body#/url}`, as written by parsing/openapi/ and in most handwritten references; a
# webhook has a name instead of the path.
_CALL = re.compile(rf"(?:Callback [^:]+: )?{_METHODS} (?:[^\s/{{$]*[/{{$]\S*|(?P<name>\S+))")
# A paragraph of one line with at least two words, mostly in bold. A line with code is a name and not a sentence, and one that ends with a
# colon is a label; lists, quotations, tags and links are not summaries either.
_WORDS = r"(?=\w)[^*`|#\n\s]++(?:[ \t]++[^*`|#\n\s]++)++(?<!:)"
_BOLD = re.compile(rf"(?:#[^\n]*\n)?\s*+\*\*(?P<words>{_WORDS})\*\*[ \t]*+(?=\n[ \t]*+\n|\s*+\Z)")
_PLAIN = re.compile(rf"(?:#[^\n]*\n)?\s*+(?!\d+[.)])(?P<words>{_WORDS})[ \t]*+(?=\n[ \t]*+\n|\s*+\Z)")
_MAX_CHARACTERS = 120


def find_summary(heading: str, text: str) -> str:
    """The summary of the operation that a section (Markdown) describes; empty if it describes something else, or has no short summary."""
    call = _CALL.fullmatch(heading)
    if not call:
        return ""
    found = _BOLD.match(text) or (None if call["name"] else _PLAIN.match(text))
    return found["words"] if found and len(found["words"]) <= _MAX_CHARACTERS else ""
