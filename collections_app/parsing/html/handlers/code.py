"""Code on a page: its exact text and its language. Line numbers, copy buttons and hidden lines are left out; the signs of added and
removed lines are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.tree import Element, get_raw_text
from collections_app.parsing.html.visibility import HIDING_ATTRIBUTES, is_unread
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, CODE_TAGS, make_set

_LINE_TAGS = make_set("br button div li p script style tr")

_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "language", "data-enlighter-language")
_LANGUAGE_CLASS = re.compile(
    r"(?:language-|lang-|lang:|highlight-source-|highlight-|brush:)([\w+#.-]+)$", re.IGNORECASE
)
_CONFLUENCE_LANGUAGE = re.compile(r"brush:\s*+(?!java;)([\w+#.-]++);")  # it says Java if the author chose nothing
_NO_LANGUAGES = frozenset(
    ["c_code", "code", "default", "generic", "none", "notranslate", "plaintext", "plain", "text", "txt", "wrapper"]
)
# Names that rustdoc, highlight.js, Rouge and diagrams use without a prefix, alone or behind another word.
_CLASS_LANGUAGES = make_set(
    "bash c clojure console cpp csharp css diff dockerfile elixir erlang go graphql groovy haskell html http ini java javascript js "
    "json julia kotlin lua makefile matlab mermaid nim objectivec ocaml perl php powershell python r ruby rust scala sh shell sql "
    "swift toml ts typescript xml yaml yml"
)
_BESIDE_LANGUAGES = make_set("code highlight makeup sourceCode")
_MAX_ANCESTORS = 4
_TABLE_TAGS = make_set("table tbody tr td")  # around code with line numbers
_FENCE_WORD = re.compile(r"[\w+#.-]{1,40}$")


def get_code_text(element: Element) -> str:
    """The code as its author wrote it, without a first line end (WHATWG HTML, section 13.1.2.5) and without blank lines at its end."""
    text = "".join(_iter_code(element) if _is_more_than_text(element) else [get_raw_text(element)])
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n")
    return text.rstrip("\n") if not text.isspace() else ""


def find_code_language(element: Element) -> str:
    """The language named by the code block, by the `code` in it or by a wrapper around it; empty if none names one."""
    inner = islice(element.iter("code"), 1)
    outer = islice((each for each in element.iterancestors() if each.tag not in _TABLE_TAGS), _MAX_ANCESTORS)
    for each in (element, *inner, *outer):
        if language := _find_named_language(each):
            return language
    return ""


def _find_named_language(element: Element) -> str:
    named = next(filter(None, map(element.get, _LANGUAGE_ATTRIBUTES)), None)
    for word in [named] if named else _iter_languages(element):
        language = word.lower()
        if language not in _NO_LANGUAGES and _FENCE_WORD.match(language):
            return language
    return ""


def _iter_languages(element: Element) -> Iterator[str]:
    if found := _CONFLUENCE_LANGUAGE.match(element.get("data-syntaxhighlighter-params", "")):
        yield found[1]
    tokens = element.get("class", "").replace("brush: ", "brush:").split()
    for token in tokens:
        if found := _LANGUAGE_CLASS.match(token.rstrip(";")):
            yield found[1]
    if tokens and tokens[0] == "sourceCode" and len(tokens) > 1:  # pandoc
        yield tokens[1]
    if element.tag in CODE_TAGS:
        first = 1 if tokens and tokens[0] in _BESIDE_LANGUAGES else 0
        yield from (token for token in tokens[first : first + 1] if token.lower() in _CLASS_LANGUAGES)


def _is_more_than_text(element: Element) -> bool:
    """Whether lines, numbers or hidden parts need care; most code blocks are just spans of text."""
    return len(element.findall("code")) > 1 or any(
        each.tag in _LINE_TAGS
        or _says_more(read_class(each.get("class", "")))
        or not HIDING_ATTRIBUTES.isdisjoint(each.keys())
        for each in element.iterdescendants("*")
    )


def _says_more(facts: ClassFacts) -> bool:
    return facts.is_gutter or facts.is_chrome or bool(facts.line_sign)


def _iter_code(element: Element) -> Iterator[str]:
    """The pieces of text. A block within the code begins and ends a line."""
    at_line_start, sign = True, ""
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, each in walk:
        piece = ""
        if event == "start":
            if each is not element and _is_no_code(each):
                walk.skip_subtree()
                continue
            sign = read_class(each.get("class", "")).line_sign or sign
            piece = "\n" if each.tag == "br" else each.text or ""
            if piece.strip("\n"):
                piece, sign = f"{sign}{piece}", ""
            if not at_line_start and (each.tag in BLOCK_TAGS or _is_variant(each)):
                piece = f"\n{piece}"
        elif each is not element:
            piece = each.tail or ""
            if event == "end" and each.tag in BLOCK_TAGS and not at_line_start:
                piece = f"\n{piece}"
        if piece:
            yield piece
            at_line_start = piece.endswith("\n")


def _is_variant(element: Element) -> bool:
    """Whether it is the same code in another language, of which the page shows one at a time. If anything is between two `code` elements,
    they are parts of one line.
    """
    before = element.getprevious()
    return element.tag == "code" and before is not None and before.tag == "code" and not before.tail


def _is_no_code(element: Element) -> bool:
    is_gutter = element.tag != "code" and read_class(element.get("class", "")).is_gutter
    return is_gutter or is_unread(element)
