"""Refuses pages that would cost a parser far more than their size, before it sees them. It parses nothing itself.

libxml2 and lxml take quadratic time in the number of an element's attributes (20,000 attributes take a second, a million half an hour), and
a few hundred bytes of memory per tag, however short it is.
"""

from __future__ import annotations

import re

from collections_app.exceptions import ParseError

MAX_TAGS = 500_000
MAX_ATTRIBUTES = 1000

_HARMLESS_BYTES = 64 * 1024  # as many attributes as fit into this are parsed within a second

# Finds tags like the HTML standard's tokenizer (section 13.2.5); every alternative takes linear time.
_ATTRIBUTE = rb"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+))?+)"""
_FEW_ATTRIBUTES = rb"%b{0,%d}+(?!%b)" % (_ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE)
_RAW_TEXT_TAGS = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
_PIECES = (
    rb"[^<]++",
    rb"<!--(?:(?!--!?>).)*+",
    *(rb"<%b(?=[\s/>])%b(?:(?!</%b[\s/>]).)*+" % (tag, _FEW_ATTRIBUTES, tag) for tag in _RAW_TEXT_TAGS),
    rb"</?[a-z][^\s/>]*+" + _FEW_ATTRIBUTES,
    rb"<(?!/?[a-z]|!--)",
)
_SAFE_PIECES = re.compile(rb"(?:%b)*+" % b"|".join(_PIECES), re.DOTALL | re.IGNORECASE)


def refuse_bombs(content: bytes) -> None:
    """Raises ParseError for more than MAX_TAGS tags, or for more than MAX_ATTRIBUTES attributes in one of them."""
    if content.count(b"<") > MAX_TAGS:
        raise ParseError(f"The page has more than {MAX_TAGS:,} tags; split it into several pages.")
    if len(content) > _HARMLESS_BYTES:
        safe = _SAFE_PIECES.match(content)
        if safe is None or safe.end() < len(content):
            raise ParseError(f"An element of the page has more than {MAX_ATTRIBUTES:,} attributes.")
