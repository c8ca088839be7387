"""Texts that Liquid includes with arguments: `{% include sail.md size="big" %}`, `{% render 'sail.md', size: 'big' %}`. It runs no
template. PURE.
"""

from __future__ import annotations

import re

from collections_app.text.spans import replace_spans

_ARGUMENT = re.compile(
    r"(?<![\w.-])(?P<name>[\w-]++)\s*+[:=]\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<number>[\d.]++)(?!\w)|(?P<other>[^\s,\"']++))"
)
_NAME = re.compile(r"\{\{-?\s*+(?P<given>include\.)?(?P<name>[\w-]++)(?P<more>[^{}]*+)\}\}")
_RUN = re.compile(
    r"\{%-?\s*+(?:assign|capture|case|cycle|decrement|else|elsif|for|if|increment|tablerow|unless|when)\b"
)
_MAX_PLACES = 1_000


def write_arguments(text: str, arguments: str) -> str | None:
    """The text with its arguments in place of their names; None if what it says depends on more than texts that it is given, or has too
    many such names.
    """
    if _RUN.search(text):
        return None
    values = _read_arguments(arguments)
    changes = list[tuple[int, int, str]]()
    for name in _NAME.finditer(text):
        if not name["given"] and name["name"] not in values:
            continue  # of the site
        value = values.get(name["name"], "")
        if value is None or name["more"].strip(" \t-") or len(changes) >= _MAX_PLACES:
            return None
        changes.append((name.start(), name.end(), value))
    return replace_spans(text, changes)


def _read_arguments(arguments: str) -> dict[str, str | None]:
    """The arguments; None for one that is a name for something else, but none that keeps its name (`site: site`)."""
    found = {}
    for argument in _ARGUMENT.finditer(arguments):
        if argument["other"] != argument["name"]:
            found[argument["name"]] = None if argument["other"] else argument[argument.lastgroup or "name"]
    return found
