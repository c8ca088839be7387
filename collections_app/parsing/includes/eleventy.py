"""Drops what only a build of Eleventy knows from pages of a tree that has its configuration, also of HTML without front matter: includes,
comments, named values, and values in titles and headings. A value that the page itself names (`{% assign day = "today" %}`) is written in
its place. Conditions, loops and other values of the text stay as they are written. PURE; it runs no template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import eleventy_tags
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.safety.places import replace_outside_spans

HINT = Hint(rb"\{%", rb"\{\{")

CONFIGURATIONS = (
    ".eleventy.js",
    "eleventy.config.js",
    "eleventy.config.cjs",
    "eleventy.config.mjs",
    "eleventy.config.ts",
)
_TEXT = r"(?:\"[^\"\n]*+\"|'[^'\n]*+')"
# Which is no template: `{% raw %}{{ name }}{% endraw %}`.
_RAW = r"(?P<raw>\{%-?\s*+raw\s*+-?%\}(?:(?!\{%-?\s*+raw\b).){0,5000}?\{%-?\s*+endraw\s*+-?%\})"
_HIDDEN = re.compile(
    rf"{_RAW}|"
    r"\{%-?\s*+comment\s*+-?%\}(?:(?!\{%-?\s*+comment).){0,5000}?\{%-?\s*+endcomment\s*+-?%\}|\{#(?:(?![{#]).){0,1000}#\}"
    r"|\{%-?\s*+capture\s++\w++\s*+-?%\}(?:(?!\{%-?\s*+capture).){0,5000}?\{%-?\s*+endcapture\s*+-?%\}"
    r"|\{%-?\s*+(?:#|(?:assign|include|render|layout|extends|import|from|set\s++\w++\s*+=)\s)(?:[^%{}]|%(?!\})){0,1000}%\}",
    re.DOTALL,
)
# Code that Nunjucks sets and colours: `{% set code %}…{% endset %}{{ code | highlight("js") | safe }}`.
_SET_CODE = re.compile(
    r"\{%-?[ \t]*+set[ \t]++(?P<set>\w++)[ \t]*+-?%\}\n(?P<code>(?:(?!\{%-?[ \t]*+(?:end)?set\b).){0,5000}?)\n?"
    r"\{%-?[ \t]*+endset[ \t]*+-?%\}\s*+\{\{-?[ \t]*+(?P=set)[ \t]*\|[ \t]*highlight\([\"'](?P<language>[\w+#-]*)[\"'][^{}\n]*\}\}",
    re.DOTALL,
)
_OWN_CODE = re.compile(eleventy_tags.CODE, re.MULTILINE)
_OWN_TAG = re.compile(rf"{_RAW}|{eleventy_tags.TAG}", re.DOTALL)
_ASSIGNED = re.compile(rf"\{{%-?\s*+assign\s++(?P<name>\w++)\s*+=\s*+(?P<text>{_TEXT})\s*+-?%\}}")
_CAPTURED = re.compile(r"\{%-?\s*+capture\s++(\w++)")
_VALUE = re.compile(rf"{_RAW}|\{{\{{-?\s*+(?P<name>\w++)\s*+-?\}}\}}", re.DOTALL)
_ANY_VALUE = re.compile(rf"{_RAW}|[ \t]?\{{\{{[^{{}}\n]{{0,200}}\}}\}}", re.DOTALL)
_HEADED = re.compile(
    r"<(?P<tag>title|h[1-6])(?=[\s>])[^<>]*+>(?:(?!</?(?:title|h[1-6])\b).){0,2000}?</(?P=tag)>|^ {0,3}#{1,6}[ \t][^\n]*+",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_HTML_CODE = re.compile(
    r"<(?P<tag>pre|code|script|style)(?=[\s>])(?:(?!<(?P=tag)[\s>]).){0,20000}?</(?P=tag)>", re.DOTALL | re.IGNORECASE
)
_WORD = re.compile(r"\w")
_TAG = re.compile(r"<[^<>]*>")


def write_html(text: str) -> str:
    """The HTML without what only a build knows; no line moves."""
    pieces, position = list[str](), 0
    for code in _HTML_CODE.finditer(text):
        pieces += [text[position : code.start()], code[0]]
        position = code.end()
    pieces.append(text[position:])
    values = _read_values(text)
    return "".join(_write(piece, values) if number % 2 == 0 else piece for number, piece in enumerate(pieces))


def write_markdown(
    text: str, replace_outside_code: Callable[[re.Pattern[str], Callable[[re.Match[str]], str], str], str]
) -> str:
    """The Markdown without what only a build knows; no line moves."""
    values = _read_values(text)
    text = replace_outside_code(_SET_CODE, _fence, text) if "endset" in text else text
    text = replace_outside_code(_HIDDEN, _keep_lines, text)
    if "{%" in text:
        text = replace_outside_code(_OWN_CODE, eleventy_tags.write_code, text)
        text = replace_outside_code(_OWN_TAG, partial(_write_tag, eleventy_tags.find_names(text)), text)
    text = replace_outside_code(_VALUE, partial(_write_value, values), text)
    return replace_outside_code(_HEADED, _write_headed, text)


def _read_values(text: str) -> dict[str, str]:
    """The texts that the page names once, and names for nothing else."""
    values: dict[str, str] = {}
    for found in _ASSIGNED.finditer(text):
        values[found["name"]] = "" if found["name"] in values else found["text"][1:-1]
    captured = set(_CAPTURED.findall(text))
    return {name: value for name, value in values.items() if value and name not in captured}


def _write(html: str, values: Mapping[str, str]) -> str:
    html = _HIDDEN.sub(_keep_lines, html)
    html = _VALUE.sub(partial(_write_value, values), html)
    return _HEADED.sub(_write_headed, html)


def _fence(code: re.Match[str]) -> str:
    return fence_code(code["code"].strip("\n"), code["language"])


def _write_tag(ended: frozenset[str], tag: re.Match[str]) -> str:
    written = None if tag["raw"] else eleventy_tags.write_tag(tag, ended)
    return tag[0] if written is None else f"{written}{_keep_lines(tag)}"


def _keep_lines(tag: re.Match[str]) -> str:
    return tag[0] if tag["raw"] else "\n" * tag[0].count("\n")


def _write_value(values: Mapping[str, str], value: re.Match[str]) -> str:
    return value[0] if value["raw"] else values.get(value["name"], value[0])


def _write_headed(headed: re.Match[str]) -> str:
    """A title without values outside of code; as it is, if nothing else is in it."""
    written = replace_outside_spans(_ANY_VALUE, lambda value: value["raw"] or "", headed[0])
    return written if _WORD.search(_TAG.sub("", written)) else headed[0]
