"""What a reader of the page does not see: hidden elements and comments, and which of them an editor should hear of.

It knows attributes and inline styles; it reads no style sheet, because tabs and menus are hidden there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.html.tree import Attributes, Element, get_text
from collections_app.parsing.html.vocabulary import DROPPED_TAGS, ClassFacts, read_class
from collections_app.parsing.tokens import count_unspaced_characters

MAX_FINDINGS = 100

_MIN_WORDS = 6
_MIN_COMMENT_WORDS = 25  # authors leave each other shorter notes on every other page
_EXCERPT_CHARACTERS = 200
_JUDGED_CHARACTERS = 10_000

_HIDING_ATTRIBUTES = frozenset({"aria-hidden", "hidden", "style"})
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:^|[;\s])opacity\s*:\s*0?\.?0*(?:%|\s*(?:;|!|$))"
    r"|font-size\s*:\s*0*\.?0*(?:px|p[tc]|r?em|%|v[wh])?\s*(?:;|!|$)|(?:text-indent|left|top)\s*:\s*-\d{3,}"
    r"|clip\s*:\s*rect\(\s*0|(?:^|[;\s])color\s*:\s*transparent",
    re.IGNORECASE,
)
_WHITE = r"(?:#fff(?:fff)?\b|white\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))"
_WHITE_TEXT = re.compile(rf"(?:^|[;\s])color\s*:\s*{_WHITE}", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")
_ADDRESSED_TO_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instruction|previous|above|prior)|\b(?:ai|llm|gpt|chatbot|claude|gemini|copilot)\b"
    r"|\b(?:language model|assistant|agent|system prompt|you (?:must|should|are now|will))\b",
    re.IGNORECASE | re.DOTALL,
)
_ORDINARY_COMMENT = re.compile(
    r"\s*(?:\[if\b|<!\[endif|/?\*|#|(?:start|begin|end|generated|created|converted|mirrored|last (?:modified|updated))\b)|"
    r".*?\b(?:copyright|licen[cs]ed?|spdx|all rights reserved|permission is (?:hereby )?granted)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_hidden(attributes: Attributes, facts: ClassFacts) -> bool:
    """Whether the element itself says that readers do not see it. The closed panels of tabs are seen: a click opens them."""
    if _HIDING_ATTRIBUTES.isdisjoint(attributes):
        return facts.is_unseen and not facts.is_tab_panel
    if facts.is_tab_panel or attributes.get("role") == "tabpanel":
        return False
    if attributes.get("hidden", "until-found") != "until-found" or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return facts.is_unseen or (style is not None and _is_hiding(style))


def _is_hiding(style: str) -> bool:
    if _HIDING_STYLE.search(style):
        return True
    if not _WHITE_TEXT.search(style):
        return False
    background = _BACKGROUND.search(style)
    return background is None or re.match(_WHITE, background[1].strip(), re.IGNORECASE) is not None


def get_visible_text(element: Element) -> str:
    """The text that a reader sees in `element`, on one line, without permalink signs and buttons."""
    return " ".join("".join(_iter_visible(element) if len(element) else [element.text or ""]).split())


def _iter_visible(root: Element) -> Iterator[str]:
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        if event != "start":
            yield "" if element is root else element.tail or ""
        elif element is not root and is_unread(element):
            walk.skip_subtree()
        else:
            yield " " if element.tag == "br" else element.text or ""


def is_unread(element: Element) -> bool:
    """Whether an element is no part of the text around it: dropped, hidden, or a sign of the page's frame."""
    facts = read_class(element.get("class", ""))
    return element.tag in DROPPED_TAGS or facts.is_chrome or is_hidden(element.attrib, facts)


def find_hidden_text(element: Element) -> Finding | None:
    """What to tell of a hidden element that is left out; None where it holds a sign or a few words."""
    text = get_text(element)
    return _make_finding(FindingKind.HIDDEN_TEXT, text) if _is_prose(text) else None


def iter_comments(root: Element) -> Iterator[Finding]:
    """The page's comments that hold a text or address a model; not notes, licences, or markup that was commented out."""
    for comment in root.iter(etree.Comment):
        text = (comment.text or "")[:_JUDGED_CHARACTERS]
        least = 0 if _ADDRESSED_TO_MODEL.search(text) else _MIN_COMMENT_WORDS
        if _is_prose(text, max(_MIN_WORDS, least)) and not _MARKUP.search(text) and not _ORDINARY_COMMENT.match(text):
            yield _make_finding(FindingKind.COMMENT, " ".join(text.split()))


def _is_prose(text: str, least_words: int = _MIN_WORDS) -> bool:
    text = text[:_JUDGED_CHARACTERS]
    words = sum(1 for _ in _WORD.finditer(text))
    return words + count_unspaced_characters(text) // 2 >= least_words


def _make_finding(kind: FindingKind, text: str) -> Finding:
    return Finding(kind, line=-1, excerpt=text[:_EXCERPT_CHARACTERS], removed=True)
