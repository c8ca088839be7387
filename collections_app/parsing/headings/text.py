"""What a heading says. It reads one heading and nothing else of the document.

So a section id depends on headings alone: a link by reference (`[text][label]`) stays as written, because whether it is a
link is decided by a definition in some body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_HEADING_CHARACTERS = 500
"""Longer headings and titles are cut: up to six of them make an id, and nobody reads further."""

_MAX_SOURCE_CHARACTERS = 2000  # including markup; the inline parser takes quadratic time on hostile input
_MAX_SIGNS = (
    100  # of links and emphasis; a heading with more is taken as it is written, as each sign costs ten microseconds
)

# `{#id}` as in many flavours, `{ #id .class }` and `{ id="id" }` as in Python-Markdown, `{: #id}` as in kramdown, `{-}` as in Pandoc.
# Anything else stays: `/users/{id}`, `{:.2f}`, `${#names}`, `{{ .Title }}`.
_QUOTED_PAIR = r"[\w:-]+=(?:\"[^\"{}]*\"|'[^'{}]*')"
_MARK = rf"#[^\s{{}}\"'=]+|\.-?[a-zA-Z_][\w:-]*|{_QUOTED_PAIR}|(?:class|id)=[^\s{{}}\"'=]+"
ATTRIBUTE_LIST = rf"\{{:?[ \t]*+(?:{_MARK}|-)(?:[ \t]*+(?:{_MARK}|[\w:-]+=[^\s{{}}\"'=]+))*+[ \t]*+\}}"
ATTRIBUTES = re.compile(rf"(?:^[ \t]*+|(?<=\S)[ \t]++|(?<=[^\s\\$#{{])){ATTRIBUTE_LIST}$")
_MAY_HAVE_MARKUP = re.compile(r"[*`\\]|<[a-zA-Z/!?]|\]\(|&#?\w+;|\b_|_\b")
_SIGN = re.compile(r"[\[*_]")
# Other tags may be what a page is about: `<Suspense>`, `<em>: emphasis`.
_LOOKS = re.compile(r"<(b|code|em|i|kbd|mark|s|small|strong|sub|sup|u)>([^<>]*+)</\1>", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});")
_inline_parser = MarkdownIt("commonmark")


def clean_heading(source: str) -> str:
    """The words of a heading: without `{#id}` and other attributes, inline markup, HTML tags, escapes and entities, on one line."""
    return _clean(source[:_MAX_SOURCE_CHARACTERS])


def clean_title(source: str) -> str:
    """The words of a title in front matter, which is HTML for some generators and plain text for others: without pairs of tags that only
    change how words look, and with character references decoded.
    """
    text = source[:_MAX_SOURCE_CHARACTERS]
    while (plain := _LOOKS.sub(r"\2", text)) != text:
        text = plain
    return shorten_heading(_REFERENCE.sub(lambda found: unescape(found[0]), text))


@lru_cache(maxsize=4096)
def _clean(source: str) -> str:
    text = ATTRIBUTES.sub("", source.rstrip(" \t"))
    if _MAY_HAVE_MARKUP.search(text) and len(_SIGN.findall(text)) <= _MAX_SIGNS:
        text = get_words(_inline_parser.parseInline(text))
    return shorten_heading(text)


def shorten_heading(text: str) -> str:
    """`text` on one line, at most MAX_HEADING_CHARACTERS long."""
    return " ".join(text.split())[:MAX_HEADING_CHARACTERS].rstrip()


def get_words(tokens: Iterable[Token]) -> str:
    """The text of parsed inline Markdown, that of links and images included, without HTML tags."""
    return "".join(_iter_words(tokens))


def _iter_words(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.children is not None:
            yield from _iter_words(token.children)
        elif token.type in {"text", "code_inline", "text_special"}:
            yield token.content
