"""Loops of Liquid over the data of a Jekyll site or a page's front matter (`{% for boat in site.data.boats %}`), replaced with what they
write. A loop that does more than write and test values stays as it is written. It runs no template.

https://shopify.github.io/liquid/tags/iteration/
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from collections_app.exceptions import IngestError
from collections_app.naming.slugs import make_slug
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.json_values import clean_text, read_json
from collections_app.parsing.safety.places import Places
from collections_app.parsing.yaml_files import read_yaml
from collections_app.text.spans import replace_spans

MAX_ADDED_CHARACTERS = 1024 * 1024
_STEP = 10
"""Characters that each piece counts in addition to its text."""

_MAX_OPEN = 20
_MAX_INDENT = 200
_MAY_LOOP = re.compile(r"\{%-?[ \t]*+for[ \t]++\w++[ \t]++in[ \t]++(?:site\.data|page)\.")
_TOKEN = re.compile(r"\{(?:%-?[ \t]*+(?P<code>(?:[^{}%\n]|%(?!\}))*+)%\}|\{-?[ \t]*+(?P<value>[^{}\n]*+)\}\})")
_FOR = re.compile(
    r"for[ \t]++(?P<name>\w++)[ \t]++in[ \t]++(?P<of>[\w.\[\]-]+)(?P<given>(?:[ \t]+(?:reversed|(?:limit|offset):[ \t]*\d{1,6}))*)"
)
_CONDITION = re.compile(
    r"(?P<of>[\w.\[\]-]+)(?:[ \t]*+(?P<sign>==|!=|contains\b)[ \t]*+(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'))?"
)
_JOINED = re.compile(r"[ \t]+(and|or)[ \t]+")
_ASSIGN = re.compile(r"assign[ \t]++(?P<name>\w++)[ \t]*+=(?P<told>.++)")
_PARTS = re.compile(r"\.?([\w-]+)|\[(\d{1,4})\]")
# Filters that change only how a value looks.
_SAME = frozenset({"absolute_url", "escape", "markdownify", "relative_url", "safe", "strip", "xml_escape"})
_CHANGES: Mapping[str, Callable[[str], str]] = {"downcase": str.lower, "slugify": make_slug, "upcase": str.upper}
_TEXT = re.compile(r"(?P<quote>[\"'])(.*)(?P=quote)")
_OPENING, _BRANCHES = frozenset({"for", "if", "unless"}), frozenset({"else", "elsif"})


class _Unreadable(Exception):
    pass


@dataclass(slots=True)
class _Block:
    """A tag with what is up to its end, in branches: the code of each, and its pieces."""

    start: int
    branches: list[tuple[str, list[_Piece]]]
    end: int = 0

    @property
    def kind(self) -> str:
        return self.branches[0][0].split()[0]


_Piece: TypeAlias = "str | re.Match[str] | _Block"


def write_loops(text: str, places: Places, find: Callable[[Sequence[str]], Any]) -> str:
    """The text with its loops replaced. `find` gives what `site.data.boats` or `page.boats` stands for, by its parts."""
    if not _MAY_LOOP.search(text):
        return text
    writer = _Writer(find, places)
    changes = sorted(writer.iter_changes(_read(text, places)))
    return replace_spans(text, changes)


def read_data(path: str, content: bytes) -> Any:
    """The value of a data file, with its lists; None if it is broken or too long."""
    try:
        text, _ = decode_text(content)
        if len(text) > MAX_CONFIGURATION_CHARACTERS:
            return None
        match get_extension(path):
            case ".json":
                return read_json(text)
            case ".csv":
                return list(csv.DictReader(io.StringIO(text)))
        return read_yaml(text)
    except (IngestError, csv.Error):
        return None


def _read(text: str, places: Places) -> Sequence[_Block]:
    """The outermost blocks of a text; none if their tags do not match."""
    root = _Block(0, [("root", [])])
    still_open, position, is_raw, strips = [root], 0, False, False
    for token in _TOKEN.finditer(text):
        if len(still_open) == 1 and places.is_code(*token.span()):
            continue
        words = (token["code"] or "").rstrip("- \t").split()
        word = words[0] if words else ""
        if is_raw or word == "raw":
            is_raw = word != "endraw"
            continue
        start, end = _widen(text, token)
        pieces = still_open[-1].branches[-1][1]
        piece = text[position : max(start, position)]
        piece = piece.lstrip() if strips else piece
        pieces.append(piece.rstrip() if text.startswith("-", token.start() + 2) else piece)
        strips, position = text.startswith("-", token.end() - 3), end
        if word in _OPENING and len(still_open) < _MAX_OPEN:
            still_open.append(_Block(start, [(" ".join(words), [])]))
            pieces.append(still_open[-1])
        elif word in _BRANCHES and len(still_open) > 1:
            still_open[-1].branches.append((" ".join(words), []))
        elif word.startswith("end") and word[3:] in _OPENING:
            if word[3:] != still_open[-1].kind:
                return ()
            still_open.pop().end = end
        else:
            pieces.append(token)
    return [piece for piece in root.branches[0][1] if isinstance(piece, _Block)] if len(still_open) == 1 else ()


def _widen(text: str, token: re.Match[str]) -> tuple[int, int]:
    """Where a tag begins and ends, with the whole line if it is alone there: a blank line would end a block of HTML."""
    start, end = token.span()
    first = text.rfind("\n", max(0, start - _MAX_INDENT), start) + 1
    if token["code"] is None or start - first > _MAX_INDENT or text[first:start].strip():
        return start, end
    behind = text.find("\n", end, end + _MAX_INDENT)
    return (first, behind + 1) if behind >= 0 and not text[end:behind].strip() else (start, end)


class _Writer:
    """Writes the blocks of one page, within a limit for all."""

    def __init__(self, find: Callable[[Sequence[str]], Any], places: Places) -> None:
        self._find = find
        self._places = places
        self._left = MAX_ADDED_CHARACTERS

    def iter_changes(self, blocks: Sequence[_Block]) -> Iterator[tuple[int, int, str]]:
        """The outermost loops over data that can be written, in the order of the text."""
        for block in blocks:
            if block.kind == "for":
                try:
                    yield block.start, block.end, "".join(self._iter_items(block, {}))
                    continue
                except _Unreadable:
                    pass
            inner = chain.from_iterable(pieces for _, pieces in block.branches)
            yield from self.iter_changes([piece for piece in inner if isinstance(piece, _Block)])

    def _iter_items(self, block: _Block, scope: dict[str, Any]) -> Iterator[str]:
        code, pieces = block.branches[0]
        loop = _FOR.fullmatch(code)
        if loop is None or len(block.branches) > 1:
            raise _Unreadable
        items = self._get(loop["of"], scope)
        items = list(items.items()) if isinstance(items, dict) else items
        if not isinstance(items, list):
            if scope and items is None:
                return
            raise _Unreadable
        given = dict(re.findall(r"(limit|offset):[ \t]*(\d+)", loop["given"]))
        first = int(given.get("offset", 0))
        items = items[first : first + int(given["limit"])] if "limit" in given else items[first:]
        for item in reversed(items) if "reversed" in loop["given"] else items:
            yield from self._iter_texts(pieces, {**scope, loop["name"]: item})

    def _iter_texts(self, pieces: Sequence[_Piece], scope: dict[str, Any]) -> Iterator[str]:
        for piece in pieces:
            if isinstance(piece, _Block):
                self._pay(0)
                is_loop = piece.kind == "for"
                yield from self._iter_items(piece, scope) if is_loop else self._iter_branch(piece, scope)
            else:
                written = piece if isinstance(piece, str) else self._write(piece, scope)
                self._pay(len(written))
                yield written

    def _iter_branch(self, block: _Block, scope: dict[str, Any]) -> Iterator[str]:
        for code, pieces in block.branches:
            word, _, condition = code.partition(" ")
            if word == "else" or self._is_true(condition, scope) is not (word == "unless"):
                yield from self._iter_texts(pieces, scope)
                return

    def _pay(self, characters: int) -> None:
        self._left -= characters + _STEP
        if self._left < 0:
            raise _Unreadable

    def _write(self, token: re.Match[str], scope: dict[str, Any]) -> str:
        """The value of a name of a loop; others are left to those who know them."""
        if token["value"] is None:
            return self._write_tag(token, scope)
        name, *filters = (part.strip() for part in token["value"].rstrip("- \t").split("|"))
        if name.partition(".")[0].partition("[")[0] not in scope:
            return token[0]
        value = self._filter_all(_write_value(self._get(name, scope)), filters, scope)
        return _keep(value, is_code=self._places.is_code(*token.span())) if "{" in value else value

    def _filter_all(self, value: str, filters: Sequence[str], scope: dict[str, Any]) -> str:
        for each in filters:
            value = self._filter(value, each, scope)
        return value

    def _assign(self, assigned: re.Match[str], scope: dict[str, Any]) -> None:
        """Give a name a value for the rest of what is around the tag."""
        of, *filters = (part.strip() for part in assigned["told"].rstrip("- \t").split("|"))
        text = _TEXT.fullmatch(of)
        value = text[2] if text else of if of.isdecimal() else self._get(of, scope)
        if value is None and of.partition(".")[0].partition("[")[0] not in scope:
            raise _Unreadable
        scope[assigned["name"]] = self._filter_all(_write_value(value), filters, scope) if filters else value

    def _filter(self, value: str, told: str, scope: dict[str, Any]) -> str:
        word, _, argument = (part.strip() for part in told.partition(":"))
        if word in _SAME:
            return value
        if word in _CHANGES and not argument:
            return _CHANGES[word](value)
        if word not in ("append", "prepend"):
            raise _Unreadable
        text = _TEXT.fullmatch(argument)
        more = text[2] if text else _write_value(self._get(argument, scope))
        return f"{value}{more}" if word == "append" else f"{more}{value}"

    def _write_tag(self, token: re.Match[str], scope: dict[str, Any]) -> str:
        """A tag that includes something is given values in place of names of a loop."""
        if assigned := _ASSIGN.match(token["code"]):
            self._assign(assigned, scope)
            return ""
        if not token["code"].startswith("include "):
            raise _Unreadable

        def write(found: re.Match[str]) -> str:
            value = _write_value(self._get(found["of"], scope)).replace('"', "'")
            return f'{found["sign"]}"{value}"'

        names = "|".join(map(re.escape, scope))
        return re.sub(rf"(?P<sign>=[ \t]*)(?P<of>(?:{names})\b[\w.\[\]-]*)", write, token[0])

    def _is_true(self, condition: str, scope: dict[str, Any]) -> bool:
        """As Liquid reads it, from right to left: `a and b or c` asks for `a` and one of the others."""
        *before, last = _JOINED.split(condition)
        is_true = self._is_one_true(last, scope)
        for word, each in zip(before[-1::-2], before[-2::-2], strict=True):
            other = self._is_one_true(each, scope)
            is_true = (other and is_true) if word == "and" else (other or is_true)
        return is_true

    def _is_one_true(self, condition: str, scope: dict[str, Any]) -> bool:
        asked = _CONDITION.fullmatch(condition.strip())
        if asked is None or asked["of"].partition(".")[0].partition("[")[0] not in scope:
            raise _Unreadable
        value, other = self._get(asked["of"], scope), asked["double"] or asked["single"] or ""
        match asked["sign"]:
            case None:
                return value is not None and value is not False
            case "contains":
                return other in value if isinstance(value, str | list) else False
        return (_write_value(value) == other) is (asked["sign"] == "==")

    def _get(self, name: str, scope: dict[str, Any]) -> Any:
        parts = [key or number for key, number in _PARTS.findall(name)]
        if not parts:
            raise _Unreadable
        if parts[0] not in scope:
            return self._find(parts)
        return follow(scope, parts)


def _keep(value: str, *, is_code: bool) -> str:
    """A value that has braces itself, so that nobody takes them for tags."""
    return f"{{% raw %}}{value}{{% endraw %}}" if is_code else value.replace("{", "&#123;")


def follow(value: Any, parts: Sequence[str]) -> Any:
    """What the names lead to in a value; None if they lead nowhere."""
    for part in parts:
        if isinstance(value, list | tuple):
            value = value[int(part)] if part.isdecimal() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _write_value(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return clean_text(str(value))
    raise _Unreadable
