"""Recognises pages that only say where their text has moved. They are not indexed, since the text is found at its new place. English only.

Such a page has, below its title, one short paragraph with a single link to another page of its source, and every sentence says that the
page has moved, or asks to follow the link. A page that leads out of its source is indexed, since nothing else in the source has its text.
"""

from __future__ import annotations

import re

from collections_app.text.markdown.heading_lines import is_heading_line

_MAX_CHARACTERS = 2_000
_MAX_TEXT_CHARACTERS = 400
_MAX_SENTENCES = 4

_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]*)+")
_BOX = re.compile(r"\[!\w+\]|\*\*\w+:?\*\*:?")
_OTHER_BLOCK = re.compile(r"[ \t]*(?:[-*+|]\s|\||\d+[.)]\s|`{3}|~{3}|:{3}|!\[|<[a-zA-Z/!])")
_LINK = re.compile(r"(?<!!)\[(?P<words>[^\[\]]*)\]\((?P<target>[^()\s]*)\)")
# Targets that are no page of the source: an address elsewhere, a part of the page itself, a file that is no page.
_NO_PAGE = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|\?|$"
    r"|(?!.*\.(?:adoc|asciidoc|html?|ipynb|markdown|md|mdx|php|rst|txt)(?:[?#]|$))[^?#]*\.(?!\d)\w{2,5}(?:[?#]|$)"
)
_URL = re.compile(r"https?://", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_BEFORE_WORDS = re.compile(r"^[^\w\0]+")

_PAGE = (
    r"(?:the|this|these)\b[^.]{0,80}\b(?:article|chapter|contents?|docs?|documents?|documentation|guides?|information|page|section|topic|tutorial)"
    r"\b[^.]{0,80}"
)
_HAS_MOVED = re.compile(
    rf"{_PAGE}\b(?:has|have)(?:\s(?:now|been|since|recently|permanently))*\s(?:been renamed|moved|migrated|relocated)\b[^.]{{0,120}}"
    rf"|{_PAGE}\b(?:now lives?|(?:is|are) now (?:located|found|at|in|part of|under))\b[^.]{{0,40}}\0[^.]{{0,40}}"
    r"|(?:has )?moved(?: to)?:?\s(?:the )?\0[^.]{0,40}"
    r"|(?:this page )?redirect(?:s|ed|ing)?(?: you)?(?: to)?:?\s(?:the )?\0[^.]{0,40}",
    re.IGNORECASE,
)
_IS_ELSEWHERE = re.compile(
    r"(?:you can now find\b[^.]{1,150}|[^.]{1,150}\bcan now be found)\s(?:at|here|in|on|under):?\s(?:the )?\0(?:\s\w+)?",
    re.IGNORECASE,
)
_FOLLOW_IT = re.compile(
    r"(?:please )?(?:check|consult|find|follow|go to|read|refer to|see|use|visit)\b[^.]{0,120}\0[^.]{0,60}"
    r"|(?:the|its|their) new (?:address|home|location|page|place)\b[^.]{0,60}\0[^.]{0,40}"
    r"|(?:please )?update (?:all|any|the|your)\b[^.]{0,120}",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"Redirects to \0\.")
_NO_TARGET = re.compile(r"[\s()<>\[\]\\\"*]")


def make_redirect_text(target: str) -> str:
    """The text for a page that redirects automatically."""
    target = _NO_TARGET.sub(lambda sign: f"%{ord(sign[0]):02X}", target)
    return f"Redirects to [{target}]({target}).\n"


def make_link_text(target: str) -> str:
    """The text for a page that leads out of its source automatically. It is found, since nothing else in the source has its title."""
    return make_redirect_text(target).replace("Redirects to", "Leads to", 1)


def is_moved_page(content: str) -> bool:
    """Whether a document (Markdown) only says where its text has moved."""
    text = _find_paragraph(content) if len(content) <= _MAX_CHARACTERS else ""
    links = list(_LINK.finditer(text))
    if len(links) != 1:
        return False
    link = links[0]
    text = text.replace(link[0], "\0").replace("*", "").replace("\0", " \0", 1).replace("  ", " ")
    if _REDIRECT.fullmatch(text) and link["words"] == link["target"]:
        return True
    if len(text) > _MAX_TEXT_CHARACTERS or _NO_PAGE.match(link["target"]) or _URL.search(text):
        return False
    sentences = [_BEFORE_WORDS.sub("", each).rstrip(" .!") for each in _SENTENCE_END.split(text)]
    if len(sentences) == 1 and _IS_ELSEWHERE.fullmatch(sentences[0]):
        return True
    moved = [_HAS_MOVED.fullmatch(each) is not None for each in sentences]
    follows = all(has_moved or _FOLLOW_IT.fullmatch(each) for each, has_moved in zip(sentences, moved, strict=True))
    return any(moved) and follows and len(sentences) <= _MAX_SENTENCES


def _find_paragraph(content: str) -> str:
    """The paragraph below the title, which may be in a box, on one line; empty if there is anything else."""
    lines = content.split("\n")
    if sum(map(is_heading_line, lines)) > 1:
        return ""
    own = [_QUOTE.sub("", line).strip() for line in lines if not is_heading_line(line)]
    own = [line for line in own if line and not _BOX.fullmatch(line)]
    return "" if any(map(_OTHER_BLOCK.match, own)) else " ".join(own)
