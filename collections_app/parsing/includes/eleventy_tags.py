"""Tags that a site of Eleventy defines itself (`{% aside 'caution' %}…{% endaside %}`, `{% image "a.png", "A boat" %}`): what they are told
in words, as Markdown. The text between two stays. PURE; it runs no template.

https://www.11ty.dev/docs/shortcodes/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent, indent

from collections_app.parsing.dialects.shown_tags import BOXES, write_kind
from collections_app.parsing.dialects.template_tags.meanings import CODE_WORDS, KNOWN
from collections_app.parsing.dialects.template_tags.writer import is_code
from collections_app.parsing.html.escaping import make_code_span, make_link
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.safety.places import is_alone

TAG = r"\{%-?\s*+(?P<tag>[A-Za-z]\w*+)(?P<arguments>(?=[\s%\"'(-])(?:[^%{]|\{(?!%)|%(?!\})){0,2000}+)%\}"
# Without other tags between the two.
CODE = (
    r"^(?P<indent>[ \t]*+)\{%-?[ \t]*+(?P<named>[A-Za-z]\w*+)(?:[^%{\n]|%(?!\})){0,500}+%\}\n"
    r"(?P<body>(?:(?!\{%)[^`]){1,5000}?)\n[ \t]*+\{%-?[ \t]*+end(?P=named)[ \t]*+-?%\}"
)
_ENDS = re.compile(r"\{%-?\s*+end(\w++)")
# Of Liquid and Nunjucks.
_OF_LANGUAGES = frozenset({
    "assign", "asyncAll", "asyncEach", "block", "break", "call", "capture", "case", "continue", "cycle", "decrement", "echo", "else",
    "elseif", "elsif", "extends", "filter", "for", "from", "if", "ifAsync", "ifchanged", "import", "include", "increment", "layout",
    "liquid", "macro", "paginate", "raw", "render", "section", "set", "super", "switch", "tablerow", "unless", "verbatim", "when",
})  # fmt: skip
_ARGUMENT = re.compile(
    r"(?:(?P<key>\w++)[ \t]*[=:][ \t]*)?(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote))[^\n]){0,1000})(?P=quote)"
)
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+")
_TITLES = frozenset({"alt", "caption", "description", "heading", "label", "summary", "text", "title"})
_PICTURE = re.compile(r"\S+\.(?:avif|gif|jpe?g|png|svg|webp)", re.IGNORECASE)
_CALL = re.compile(r"[\w.$-]+\([^()]*\)")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.-]*")
# What no reader reads: one small word, the path of a file, a number or a mark of something.
_NO_WORDS = re.compile(r"[a-z0-9_-]*|\S*/\S*|\S+\.[a-z]{2,4}|(?=\S*\d)[\w-]+")


def find_names(text: str) -> frozenset[str]:
    """The names of tags that have an end in the text."""
    return frozenset(_ENDS.findall(text))


def write_code(code: re.Match[str]) -> str:
    """Code between two tags that are named after it (`{% codeExample %}`) in a fence; others as they are."""
    words = map(str.lower, _NAME_WORD.findall(code["named"]))
    if code["named"] in KNOWN or CODE_WORDS.isdisjoint(words) or not is_code(code["body"]):
        return code[0]
    return indent(fence_code(dedent(code["body"])), code["indent"])


def write_tag(tag: re.Match[str], ended: frozenset[str]) -> str | None:
    """What readers see in place of a tag; None if it stays."""
    name, arguments = tag["tag"], tag["arguments"]
    opening = name.removeprefix("end")
    if opening in _OF_LANGUAGES or opening in KNOWN or opening.lower() in BOXES:
        return None
    if opening != name:
        return "" if opening in ended else None
    if name in ended:
        kinds = [found["text"] for found in _ARGUMENT.finditer(arguments) if found["text"] in BOXES]
        told = ", ".join(_iter_words(arguments))
        return f"**{told}** " if told else write_kind(kinds[0] if kinds else "")
    shown = _show(arguments)
    return shown if shown or is_alone(tag.string, *tag.span()) else None


def _show(arguments: str) -> str:
    """A picture with what it shows, a link with words, or the words alone."""
    texts = [found["text"] for found in _ARGUMENT.finditer(arguments)]
    words = [*_iter_words(arguments)]
    picture = next(filter(_PICTURE.fullmatch, texts), "")
    if picture:
        return f"!{make_link(words[0] if words else '', picture)}"
    address = next((text for text in texts if text.startswith(("https://", "http://")) and " " not in text), "")
    return make_link(words[0], address) if address and words else ", ".join(words)


def _iter_words(arguments: str) -> Iterator[str]:
    for found in _ARGUMENT.finditer(arguments):
        text = found["text"].strip()
        if found["key"] and found["key"].lower() not in _TITLES:
            continue
        if _CALL.fullmatch(text):
            yield make_code_span(text)
        elif _VERSION.fullmatch(text) or not _NO_WORDS.fullmatch(text):
            yield text
