"""Drops what only a build of Eleventy knows from pages of a tree that has its configuration, also of HTML without front matter: includes,
comments, named values, and values in titles and headings. A value that the page itself names (`{% assign day = "today" %}`) is written in
its place. Of conditions that only a build decides every branch stays, without the tags; of loops, what does not write their values. Other
values of the text stay as they are written. PURE; it runs no template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import eleventy_tags
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.safety.places import replace_outside_spans
from collections_app.text.spans import replace_spans

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
# Code that Nunjucks sets, and colours or gives an include: `{% set code %}…{% endset %}{{ code | highlight("js") | safe }}`.
_SET_CODE = re.compile(
    r"\{%-?[ \t]*+set[ \t]++(?P<set>\w++)[ \t]*+-?%\}[ \t]*+(?:\{%-?[ \t]*+raw[ \t]*+-?%\}[ \t]*+)?\n?"
    r"(?P<code>(?:(?!\{%-?[ \t]*+(?:(?:end)?set|endraw)\b).){0,5000}+)"
    r"(?:\{%-?[ \t]*+endraw[ \t]*+-?%\}\s*+)?\{%-?[ \t]*+endset[ \t]*+-?%\}"
    r"(?P<shown>\s*+\{\{-?[ \t]*+(?P=set)[ \t]*\|[ \t]*highlight\([\"'](?P<language>[\w+#-]*)[\"'][^{}\n]*\}\})?",
    re.DOTALL,
)
# What decides or repeats; Nunjucks' `call` and `block` are around a text.
_FLOW = re.compile(
    rf"{_RAW}|\{{%-?\s*+(?P<word>if|ifAsync|unless|elsif|elif|elseif|else|endif|endunless|case|when|endcase|for|endfor|asyncEach|endeach"
    r"|asyncAll|endall|call|endcall|block|endblock)\b(?P<told>(?:[^%{}]|%(?!\})|\{(?!%)){0,500}+)%\}",
    re.DOTALL,
)
_ENDS = {
    "for": "endfor", "asyncEach": "endeach", "asyncAll": "endall", "if": "endif", "ifAsync": "endif", "unless": "endunless",
    "case": "endcase", "call": "endcall", "block": "endblock",
}  # fmt: skip
_LOOPS = frozenset({"for", "asyncEach", "asyncAll"})
_ADDRESS = re.compile(r"\s*+page\.url\s*+(?P<sign>[!=]==?)\s*+(?P<quote>[\"'])(?P<address>/[^\"'\n]*)(?P=quote)\s*+-?")
_INDEX = re.compile(r"(?:(?:^|/)index)?\.\w+$")
_LOOP_NAME = re.compile(r"\s*+(?P<name>\w++)(?:\s*+,\s*+(?P<other>\w++))?\s++in\s")
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
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+")
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
    text: str, path: str, replace_outside_code: Callable[[re.Pattern[str], Callable[[re.Match[str]], str], str], str]
) -> str:
    """The Markdown of the page at `path` without what only a build knows; no line moves."""
    values = _read_values(text)
    text = replace_outside_code(_SET_CODE, _fence, text) if "endset" in text else text
    text = replace_outside_code(_HIDDEN, _keep_lines, text)
    if "{%" in text:
        flow = list[re.Match[str]]()

        def note(tag: re.Match[str]) -> str:
            flow.append(tag)
            return tag[0]

        replace_outside_code(_FLOW, note, text)
        text = _write_flow(text, flow, path)
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
    """The code in a fence; one that nothing colours is code by its name."""
    words = {word.lower() for word in _NAME_WORD.findall(code["set"])}
    if not code["shown"] and "code" not in words:
        return code[0]
    return fence_code(code["code"].strip("\n").rstrip(), code["language"] or "")


def _write_flow(text: str, tags: Iterable[re.Match[str]], path: str) -> str:
    """The text without the tags, and without branches that are not this page's and loops that write values which only a build knows."""
    opened = list[list[re.Match[str]]]()
    changes = list[tuple[int, int, int, str]]()
    for tag in tags:
        if tag["raw"]:
            continue
        changes.append((tag.start(), -tag.end(), 1, _keep_lines(tag)))
        if tag["word"] in _ENDS:
            opened.append([tag])
        elif opened:
            opened[-1].append(tag)
            if tag["word"] == _ENDS[opened[-1][0]["word"]]:
                found = _iter_decided(text, opened.pop(), path)
                changes += ((start, -end, 0, told + "\n" * text.count("\n", start, end)) for start, end, told in found)
    return replace_spans(text, list(_iter_outermost(changes)))


def _iter_outermost(changes: list[tuple[int, int, int, str]]) -> Iterator[tuple[int, int, str]]:
    position = 0
    for start, end, _, told in sorted(changes):
        if start >= position:
            position = -end
            yield start, position, told


def _iter_decided(text: str, tags: Sequence[re.Match[str]], path: str) -> Iterator[tuple[int, int, str]]:
    """What to leave out of a loop or a condition; ` / ` between branches in one line that nobody can decide."""
    first, second, last = tags[0], tags[1], tags[-1]
    if first["word"] in _LOOPS:
        if _writes_values(first, text[first.end() : last.start()]):
            yield first.start(), last.end(), ""
        return
    asked = _ADDRESS.fullmatch(first["told"])
    if asked is None or first["word"] not in ("if", "unless"):
        between = text[first.end() : last.start()]
        is_one_line = (
            second["word"] == "else" and "\n" not in between and between[: second.start() - first.end()].strip()
        )
        yield from ((*tag.span(), " / ") for tag in tags[1:-1] if is_one_line)
        return
    is_own = f"/{_INDEX.sub('', path)}/".endswith(f"{asked['address'].rstrip('/')}/") and asked["address"] != "/"
    if (is_own is asked["sign"].startswith("=")) is (first["word"] == "if"):
        yield second.start(), last.end(), ""
    else:
        yield first.start(), second.end(), ""


def _writes_values(loop: re.Match[str], body: str) -> bool:
    named = _LOOP_NAME.match(loop["told"])
    names = "|".join(filter(None, named.groups())) if named else ""
    return bool(names) and re.search(rf"\{{\{{-?\s*+(?:{names})\b", body) is not None


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
