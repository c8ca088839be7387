"""Removes pictures and files embedded in a text (`data:image/png;base64,…`), and programs in the addresses of playgrounds
(`https://play.example/#eNp9kU1…`): nobody can read them, and a single one may be longer than its page.

A picture's description stays. In code and elsewhere the address stays, without its data. No line moves. PURE.

RFC 2397
"""

from __future__ import annotations

import re
from html import unescape

from collections_app.parsing.safety.hiding_styles import is_hiding_style
from collections_app.parsing.safety.places import BEFORE_BLOCK, replace_outside_code

# Shorter ones are examples. It begins with the colon, so that the rest of a text is skipped quickly.
_DATA = re.compile(
    r"(?P<kind>:(?<=\bdata:)[\w.+-]{1,100}/[\w.+-]{1,100}(?:;[\w.+-]{1,100}=[\w.+-]{1,100}){0,5}+;base64,)[\w+/=%-]{100,}+",
    re.IGNORECASE | re.ASCII,
)
# The fragment of an address. A name is shorter, but for one in letters that addresses have as escapes (`%D0%BD`); of a program, only signs
# have.
_PROGRAM = re.compile(r"#(?<=[\w/?&=!]#)(?:[\w+/=.:,~&*-]|%[23][0-9A-F]){200,}+(?!%)", re.ASCII | re.IGNORECASE)
_ADDRESS = r"<?data:[^()<>\s]*+(?:\([^()\s]*+\)[^()<>\s]*+)*+>?(?:[ \t]+(?:\"[^\"\n]*+\"|'[^'\n]*+'))?"
_MAY_HAVE = re.compile(":(?<=data:)", re.IGNORECASE)
_MARKUP = re.compile(
    rf"(?<!\\)!?\[(?P<words>[^\[\]\n]*+)\]\([ \t]*{_ADDRESS}[ \t]*\)"
    rf"|(?P<definition>^ {{0,3}}\[(?P<label>[^\[\]\n]++)\]:[ \t]*{_ADDRESS}[ \t]*$)"
    r"|(?P<picture><img(?=[\s/])[^<>]*+>)"
    r"|(?P<recording><(?P<name>audio|video)(?=[\s>])[^<>]*+>(?:[^<]|<(?!/?(?:audio|video)(?=[\s>]))[^<>]*+>)*+</(?P=name)>)",
    re.IGNORECASE | re.MULTILINE,
)
# What it cannot match without, which is found faster: data as a link's address, or as the value of an attribute.
_IN_LINK = re.compile(r"\][(:][ \t]*<?data:", re.IGNORECASE)
_IN_TAG = re.compile(r"=\s*[\"']?data:", re.IGNORECASE)
_LABELLED = re.compile(r"!\[([^\[\]\n]*+)\]\[([^\[\]\n]*+)\]")
_SOURCE = re.compile(r"\ssrc\s*=\s*[\"']?data:", re.IGNORECASE)
_HIDDEN = re.compile(r"\s(?:hidden|aria-hidden)(?=[\s=/>])", re.IGNORECASE)
_STYLE = re.compile(r"\sstyle\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_DESCRIPTION = re.compile(r"\salt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_SIGNS = re.compile(r"[\[\]\\`*~|{}$]+")
# What would begin a block.
_FIRST_SIGNS = re.compile(r"\A(?:(?:[#<>+=~:|\s-]|`{3}|[*_](?=\s))+|\d+(?=[.)](?:\s|$)))")


def drop_data_uris(content: str, *, has_markup: bool) -> str:
    """The text with pictures and links that hold data replaced by their words, and without data and programs everywhere else. Plain text,
    of which `has_markup` is false, has neither pictures nor links."""
    content = _PROGRAM.sub("#…", content)
    if not _MAY_HAVE.search(content):
        return content
    shortened = _DATA.sub(r"\g<kind>…", content)
    may_be_markup = has_markup and (_IN_LINK.search(shortened) or _IN_TAG.search(shortened))
    return _write_markup(shortened) if may_be_markup else shortened


def _write_markup(content: str) -> str:
    labels = set[str]()

    def write(found: re.Match[str]) -> str:
        if found["definition"]:
            labels.add(found["label"].casefold())
            return ""
        written = _write_words(found)
        return written + "\n" * (found[0].count("\n") - written.count("\n"))

    written = replace_outside_code(_MARKUP, write, content)
    if not labels:
        return written
    return replace_outside_code(
        _LABELLED, lambda found: found[1] if (found[2] or found[1]).casefold() in labels else found[0], written
    )


def _write_words(found: re.Match[str]) -> str:
    """What replaces a picture, a link or a recording. Of a recording, readers would see only controls."""
    if found["recording"]:
        return "" if _SOURCE.search(found[0]) else found[0]
    if not found["picture"]:
        return _write_text(found, found["words"])
    style = _STYLE.search(found[0])
    is_hidden = _HIDDEN.search(found[0]) or (style and is_hiding_style(unescape(style[1] or style[2] or "")))
    if is_hidden or not _SOURCE.search(found[0]):
        return found[0]
    described = _DESCRIPTION.search(found[0])
    return _write_text(found, _SIGNS.sub(" ", described[1] or described[2] or "") if described else "")


def _write_text(found: re.Match[str], words: str) -> str:
    """The words, without signs that would begin a block at the beginning of a line."""
    line = found.string.rfind("\n", 0, found.start()) + 1
    text = " ".join(words.split())
    return _FIRST_SIGNS.sub("", text) if BEFORE_BLOCK.fullmatch(found.string, line, found.start()) else text
