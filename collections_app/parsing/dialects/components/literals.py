"""Reads what JavaScript writes out (texts, numbers, arrays, objects, markup), as components are given it. PURE. It runs nothing: what is
not written out, such as a call, is None.
"""

from __future__ import annotations

import html
import re
from typing import TypeAlias

Literal: TypeAlias = "str | list[Literal] | dict[str, Literal] | None"

_MOST_DEPTH = 8
_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*[^*]*+\*/)*+")
_TEXT = re.compile(
    r"(?:[a-z]\w*+)?(?:\"((?:\\.|[^\"\\\n])*+)\"|'((?:\\.|[^'\\\n])*+)'|`((?:\\.|[^`\\$]|\$(?!\{))*+)`)", re.DOTALL
)
_WORD = re.compile(r"(?:true|false|-?\d[\w.]*+)(?=\s*+[,}\]])")
_KEY = re.compile(r"(?:([\w$]++)|\"([^\"\\\n]*+)\"|'([^'\\\n]*+)')\s*+:")
_WORD_OR_SIGN = re.compile(r"\w++|[^\w\s]")
_MARKUP = re.compile(r"\(\s*+(?=<)|(?=<)")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[\w.]*+)(?P<attributes>(?:\"[^\"]*+\"|'[^'\n]*+'|=>|[^<>\"'])*+)>")
_TARGET = re.compile(r"(?<![\w-])(?:href|to)=\{?[\"']([^\"'\s()<>]++)[\"']")
_TEXT_IN_BRACES = re.compile(r"\{\s*+[\"'`]([^\"'`{}]*+)[\"'`]\s*+\}")
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_QUOTES = frozenset("\"'`")
_OPENS, _CLOSES = frozenset("[({"), frozenset("])}")
_ENDS = _CLOSES | {","}
_ESCAPES = {"n": "\n", "t": " ", "\n": ""}


class Markup(str):
    """A text that was written as markup, as Markdown."""

    __slots__ = ()


def read_literal(code: str, position: int) -> tuple[Literal, int]:
    """What is written out from `position` on, and where it ends. Takes linear time."""
    return _read(code, position, 0)


def _skip_space(code: str, position: int) -> int:
    """Where the next sign is that is neither blank nor in a comment."""
    found = _SPACE.match(code, position)
    return found.end() if found else position


def _read(code: str, position: int, depth: int) -> tuple[Literal, int]:
    position = _skip_space(code, position)
    if depth < _MOST_DEPTH and code.startswith("[", position):
        return _read_array(code, position + 1, depth + 1)
    if depth < _MOST_DEPTH and code.startswith("{", position):
        return _read_object(code, position + 1, depth + 1)
    value: Literal = None
    if text := _TEXT.match(code, position):
        value, end = _ESCAPED.sub(_unescape, text[1] or text[2] or text[3] or ""), text.end()
    elif word := _WORD.match(code, position):
        value, end = word[0], word.end()
    elif markup := _MARKUP.match(code, position):
        value, end = _read_markup(code, markup.end())
        closing = _skip_space(code, end)
        end = closing + 1 if markup[0] and code.startswith(")", closing) else end
    else:
        end = position
    behind = _skip(code, end)
    return (value if behind == _skip_space(code, end) else None), behind


def _read_array(code: str, position: int, depth: int) -> tuple[Literal, int]:
    values: list[Literal] = []
    while (position := _skip_space(code, position)) < len(code) and code[position] != "]":
        value, end = _read(code, position, depth)
        values.append(value)
        end = _skip_space(code, end)
        position = end + 1 if code.startswith(",", end) else end if code.startswith("]", end) else len(code)
    return values, position + 1


def _read_object(code: str, position: int, depth: int) -> tuple[Literal, int]:
    fields: dict[str, Literal] = {}
    while (position := _skip_space(code, position)) < len(code) and code[position] != "}":
        if key := _KEY.match(code, position):
            fields[key[1] or key[2] or key[3] or ""], end = _read(code, key.end(), depth)
        else:  # a method, a name that stands for its value, or the fields of another object
            end = _skip(code, position)
        end = _skip_space(code, end)
        position = end + 1 if code.startswith(",", end) else end if code.startswith("}", end) else len(code)
    return fields, position + 1


def _skip(code: str, position: int) -> int:
    """Where the expression around `position` ends: before a comma or the bracket that closes what it is in; at the end of the code if a
    quotation is never closed.
    """
    depth = 0
    while (position := _skip_space(code, position)) < len(code):
        part = _TEXT.match(code, position) or _WORD_OR_SIGN.match(code, position)
        if not part or part[0] in _QUOTES:
            return len(code)
        if part[0] in _ENDS and depth == 0:
            break
        depth += 1 if part[0] in _OPENS else -1 if part[0] in _CLOSES else 0
        position = part.end()
    return position


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _ESCAPES.get(found[2], found[2])


def _read_markup(code: str, position: int) -> tuple[Literal, int]:
    """The element that begins here as a line of Markdown; None without its end."""
    depth, start, ended = 0, position, list[str]()
    pieces = list[str]()
    while tag := _TAG.match(code, max(position, code.find("<", position))):
        pieces.append(_write_text(code[position : tag.start()]) if depth else "")
        position = tag.end()
        if tag["end"]:
            depth -= 1
            pieces.append(ended.pop() if ended else "")
        else:
            before, after = _write_tag(tag["name"], tag["attributes"])
            pieces.append(before)
            if not tag["attributes"].endswith("/"):
                depth += 1
                ended.append(after)
        if depth <= 0:
            return Markup(" ".join("".join(pieces).split()).replace("[ ", "[").replace(" ](", "](")), position
    return None, start


def _write_tag(name: str, attributes: str) -> tuple[str, str]:
    """What stands before and behind the text of an element."""
    if name.lower() in ("code", "kbd"):
        return "`", "`"
    if name.lower() in ("b", "strong"):
        return "**", "**"
    target = _TARGET.search(attributes) if name.lower() in ("a", "link") else None
    return ("[", f"]({target[1]})") if target else ("", "") if not attributes.endswith("/") else (" ", "")


def _write_text(text: str) -> str:
    return html.unescape(_TEXT_IN_BRACES.sub(r"\1", text)) if "{" in text or "&" in text else text
