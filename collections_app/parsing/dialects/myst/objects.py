"""Descriptions of objects in MyST (`{py:function}`, `{confval}`, `{config:option}`): their heading, and what their options say. PURE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.sphinx.markup import CONFIG_OPTION
from collections_app.parsing.sphinx.objects import complete_signature, is_told

_HIGHEST_LEVEL, _DEEPEST_LEVEL = 2, 6
_SENTENCE = "shortdesc"
_WORDS = {"defaultdesc": "Default"}


def write_heading(directive: str, signature: str, above: int) -> str:
    """The heading of an object, below one of the level `above`; in bold if that is negative, which is where no headings are."""
    name = signature.split()[0] if directive == CONFIG_OPTION and signature else signature
    words = make_code_span(complete_signature(directive, name, {})) if name else ""
    if above < 0:
        return f"**{words}**" if words else ""
    return f"{'#' * min(max(above + 1, _HIGHEST_LEVEL), _DEEPEST_LEVEL)} {words}" if words else ""


def describe_options(options: Mapping[str, str]) -> str:
    """What the options say to readers, in a line: a short description, then facts (`**Type:** int, **Default:** 3`)."""
    told = {name: _unquote(value) for name, value in options.items()}
    return " ".join(filter(None, [_end(told.pop(_SENTENCE, "")), ", ".join(_iter_facts(told))]))


def _iter_facts(told: Mapping[str, str]) -> Iterator[str]:
    for name, value in told.items():
        if not is_told(name):
            continue
        label = _WORDS.get(name) or name.replace("-", " ").capitalize()
        yield f"**{label}:** {value}" if value else f"**{label}**"


def _unquote(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _end(sentence: str) -> str:
    return f"{sentence}." if sentence[-1:].isalnum() or sentence.endswith((")", "`")) else sentence
