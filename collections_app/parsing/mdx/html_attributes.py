"""Attributes of HTML tags that are expressions in MDX (`<th colSpan={2} style={{ width: 1 }}>`), changed so that the tags are plain HTML:
numbers and texts become values, everything else is removed. It runs nothing.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MAX_TAG_CHARACTERS, MAX_UNCLOSED, MdxPlaces

_TAG = re.compile(r"<[a-z][a-z0-9]*(?=\s)")
_PART = re.compile(r"(?P<attribute>(?<!\s)\s++[A-Za-z][\w:-]*+=)?(?P<brace>[{}])|\"[^\"]*\"|'[^']*'|`[^`]*`|/?>")
_VALUE = re.compile(r"\{\s*(?:(?P<number>-?\d+(?:\.\d+)?)|(?P<quote>[\"'])(?P<text>[^\"'<>{}\n]*)(?P=quote))\s*\}")


def write_html_attributes(content: str) -> str:
    """The text with such tags as plain HTML. Lines that a tag loses are added after its last line, because blank lines inside would end its
    block.
    """
    if "={" not in content:
        return content
    places = MdxPlaces(content)
    pieces, position, owed, unclosed = list[str](), 0, 0, 0
    for tag in _TAG.finditer(content):
        if tag.start() < position or places.is_code_at(tag.start()):
            continue
        written, end = _write_tag(content, tag.end())
        if end:
            before, owed = _add_lines(content[position : tag.end()], owed)
            pieces += [before, written]
            owed += content.count("\n", tag.end(), end) - written.count("\n")
            position = end
        unclosed += not end
        if unclosed > MAX_UNCLOSED:
            break
    rest, owed = _add_lines(content[position:], owed)
    return "".join([*pieces, rest, "\n" * owed])


def _add_lines(text: str, count: int) -> tuple[str, int]:
    """The text with this many lines added after its first one, and how many are left to add if it has no line end."""
    end = text.find("\n") if count else -1
    return (text, count) if end < 0 else (text[:end] + "\n" * count + text[end:], 0)


def _write_tag(content: str, start: int) -> tuple[str, int]:
    """What replaces the text after a tag's name, and where the tag ends; 0 if it never does."""
    pieces, position, depth, attribute = list[str](), start, 0, start
    for part in _PART.finditer(content, start, start + MAX_TAG_CHARACTERS):
        if part["brace"] == "{":
            attribute = part.start() if depth == 0 else attribute
            depth += 1
        elif part["brace"]:
            depth -= 1
            if depth == 0:
                pieces += [content[position:attribute], _write_attribute(content[attribute : part.end()])]
                position = part.end()
        elif part[0].endswith(">") and depth == 0:
            return "".join([*pieces, content[position : part.end()]]), part.end()
    return "", 0


def _write_attribute(attribute: str) -> str:
    """The attribute ` name={…}` as in HTML."""
    name, _, expression = attribute.partition("=")
    value = _VALUE.fullmatch(expression)
    return f' {name.strip()}="{value["number"] or value["text"] or ""}"' if value and name.strip() else ""
