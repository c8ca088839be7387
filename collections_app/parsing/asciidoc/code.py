"""Listings: their language, callout numbers and substitutions. Apart from that, their text is kept as written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.asciidoc.attribute_lists import AttributeList
from collections_app.parsing.asciidoc.attributes import Attributes, read_number
from collections_app.parsing.asciidoc.inline.reader import InlineReader, get_lines
from collections_app.parsing.asciidoc.signs import unprotect
from collections_app.parsing.html.elements import add
from collections_app.parsing.html.tree import Element

# https://docs.asciidoctor.org/asciidoc/latest/subs/
_QUOTES = frozenset({"quotes", "q"})
_MACROS = frozenset({"macros", "m", "normal", "n"})
_ATTRIBUTES = frozenset({"attributes", "a", "normal", "n"})

_CALLOUT = re.compile(r"<(?P<comment>!--)?(?P<number>\d{1,3}|\.)(?(comment)--)>$")
_MAX_CALLOUT_CHARACTERS = 12
_MAX_CALLOUTS = 50  # on one line
_DIAGRAMS = frozenset(
    {
        "plantuml",
        "mermaid",
        "graphviz",
        "ditaa",
        "blockdiag",
        "seqdiag",
        "svgbob",
        "vega",
        "vegalite",
        "wavedrom",
        "d2",
        "dot",
    }
)

# From https://docs.asciidoctor.org/asciidoc/latest/blocks/: a second value of these styles is not a language.
# fmt: off
_STYLES_OF_TEXT = frozenset([
    "abstract", "asciimath", "caution", "comment", "example", "important", "latexmath", "listing", "literal", "normal", "note", "open",
    "partintro", "pass", "quote", "sidebar", "stem", "synopsis", "tip", "verse", "warning",
])
# fmt: on
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,30}")


def write_code(parent: Element, lines: Sequence[str], language: str = "") -> None:
    """A block of code; nothing if it is blank."""
    text = unprotect("\n".join(lines)).strip("\n")
    if text.strip():
        add(add(parent, "pre"), "code", [text], class_=f"language-{language}" if language else "")


def find_language(attributes: AttributeList, document: Attributes) -> str:
    """The language of a listing: a diagram's kind, the language named, or for source code the document's default. In an extension's block
    it follows the style.
    """
    if attributes.style in _DIAGRAMS:
        return attributes.style
    if attributes.style.lower() in _STYLES_OF_TEXT:
        return ""
    if attributes.style not in ("", "source"):
        named = attributes.get(1, "language")
        return named if _LANGUAGE.fullmatch(named) else ""
    language = attributes.get(1, "language", "lang")
    return language or (document.get("source-language") or "" if attributes.style == "source" else "")


def is_diagram(style: str) -> bool:
    return style in _DIAGRAMS


def read_substitutions(attributes: AttributeList) -> frozenset[str]:
    """The substitutions of a listing besides callouts: `subs="+quotes,attributes"`."""
    return frozenset(
        each.strip().strip("+")
        for each in attributes.named.get("subs", "").split(",")
        if not each.strip().startswith("-")
    )


def replaces_attributes(substitutions: frozenset[str]) -> bool:
    return not substitutions.isdisjoint(_ATTRIBUTES)


def drop_markup(lines: list[str], substitutions: frozenset[str], inline: InlineReader) -> list[str]:
    """The lines without the markup in them, if the block's substitutions include it."""
    text = "\n".join(lines)
    if not substitutions.isdisjoint(_MACROS):
        return get_lines(inline.read(text))
    return lines if substitutions.isdisjoint(_QUOTES) else get_lines(inline.read_quotes(text))


def reset_indent(lines: Sequence[str], indent: str) -> list[str]:
    """The lines reindented so that the least indented has `indent` spaces; unchanged if that is not a number."""
    if not indent.isdecimal():
        return list(lines)
    widths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    width = min(widths, default=0)
    blanks = " " * min(read_number(indent), 100)
    return [blanks + line[width:] if line.strip() else "" for line in lines]


def write_callouts(lines: Sequence[str]) -> list[str]:
    """Write `<1>` at the end of a line as `(1)`, as pages show it; an automatic callout (`<.>`) gets its number."""
    counted = 0
    written = []
    for line in lines:
        rest, numbers = line.rstrip(), list[str]()
        while len(numbers) < _MAX_CALLOUTS and (callout := _CALLOUT.search(rest[-_MAX_CALLOUT_CHARACTERS:])):
            rest = rest[: len(rest) - len(callout[0])]
            if rest.endswith("\\"):
                rest, escaped = rest[:-1].rstrip(), f"{callout[0]}"
                numbers.append(escaped)
                break
            numbers.append(f"<!--({callout['number']})-->" if callout["comment"] else f"({callout['number']})")
            rest = rest.rstrip()
        numbers.reverse()
        for place, number in enumerate(numbers):
            if "(.)" in number:
                counted += 1
                numbers[place] = number.replace("(.)", f"({counted})")
        written.append(" ".join([rest, *numbers] if rest else numbers) if numbers else line)
    return written
