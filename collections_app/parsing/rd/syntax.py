"""The syntax of R documentation: text → macros with their arguments.

What a sign means depends on the macro around it. In text, braces are no signs, and macros are what begins with a backslash. In code, braces
count, but not in strings, which have no macros but `\\link` and `\\var`. In what is written as it is there are no macros at all. A comment
begins with `%`, and a backslash stands before a brace, a `%` or a backslash that means itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from collections_app.exceptions import ParseError

MAX_DEPTH = 40
"""Macros in each other; manuals have ten."""


class Mode(Enum):
    TEXT = auto()
    CODE = auto()
    VERBATIM = auto()


@dataclass(slots=True)
class Macro:
    r"""`\name[option]{argument}{argument}`."""

    name: str
    option: str = ""
    arguments: list[Pieces] = field(default_factory=list)

    def get(self, number: int) -> Pieces:
        """An argument, counted from 0; empty if it is not there."""
        return self.arguments[number] if number < len(self.arguments) else []


Piece: TypeAlias = "str | Macro"
Pieces: TypeAlias = "list[Piece]"

_TEXT, _CODE, _VERBATIM = (Mode.TEXT,), (Mode.CODE,), (Mode.VERBATIM,)
# fmt: off
_ARGUMENTS: Mapping[str, tuple[Mode, ...]] = {
    **dict.fromkeys(("R", "cr", "dots", "ldots", "sspace", "tab"), ()),
    **dict.fromkeys(("code", "donttest", "dontshow", "testonly", "dontdiff", "examples", "usage", "Sexpr"), _CODE),
    **dict.fromkeys((
        "Rdversion", "alias", "command", "dontrun", "env", "kbd", "name", "option", "out", "preformatted", "samp", "special", "synopsis",
        "url", "verb",
    ), _VERBATIM),
    **dict.fromkeys(("deqn", "eqn", "figure", "newcommand", "renewcommand"), _VERBATIM * 2),
    **dict.fromkeys(("enc", "if", "item", "method", "section", "subsection", "S3method", "S4method", "tabular"), _TEXT * 2),
    "href": (Mode.VERBATIM, Mode.TEXT),
    "ifelse": _TEXT * 3,
}
_IN_CODE = frozenset({
    *_ARGUMENTS, "CRANpkg", "bold", "cite", "dQuote", "doi", "email", "emph", "file", "link", "linkS4class", "pkg", "sQuote", "strong",
    "var",
})
# fmt: on
_WITH_OPTION = frozenset({"Sexpr", "link"})
_WITHOUT_SPACE = frozenset(
    {"deqn", "eqn", "figure"}
)  # a second argument, which they need not have, stands right behind the first
_WITH_ITEMS = frozenset({"itemize", "enumerate"})  # their items have no arguments
_WITH_TERMS = frozenset({"arguments", "describe", "value"})

_TEXT_SIGN, _CODE_SIGN = re.compile(r"[\\{}%]"), re.compile(r"[\\{}%\"'`#\n]")
_MACRO = re.compile(r"\\([A-Za-z][A-Za-z0-9]*)(?:\[([^\[\]{}\n]{0,300})\])?")
_ARGUMENT, _NEXT_ARGUMENT = re.compile(r"[ \t]*\{"), re.compile(r"\s*\{")
_FOR_PLATFORM = re.compile(r"^#(?:ifn?def[ \t]+\w+|endif\b)[^\n]*\n?", re.MULTILINE)
_ESCAPED = frozenset("\\%{}")


def read_rd(text: str) -> Pieces:
    """The macros of a file and the text between them. What is only for one platform is read like all else.

    Raises ParseError for macros that are nested too deeply. What is not closed ends with the file.
    """
    text = _FOR_PLATFORM.sub("", text)
    try:
        pieces, is_whole = _Reader(text).read()
    except ParseError:
        pieces, is_whole = [], False
    if is_whole:
        return pieces
    # A quote that is no string's, as in `it's`, hides the end of code.
    again, is_whole_again = _Reader(text, has_strings=False).read()
    return again if is_whole_again or not pieces else pieces


@dataclass(slots=True)
class _Open:
    """An argument that is not closed. `braces` are open within it; `quote` is the sign of the string, or `#` in a comment of R."""

    macro: Macro
    mode: Mode
    further: tuple[Mode, ...]
    pieces: Pieces = field(default_factory=list)
    braces: int = 0
    quote: str = ""

    @property
    def is_in_string(self) -> bool:
        return self.quote not in ("", "#")


class _Reader:
    def __init__(self, text: str, *, has_strings: bool = True) -> None:
        self._text = text
        self._has_strings = has_strings
        self._open = [_Open(Macro(""), Mode.TEXT, ())]

    def read(self) -> tuple[Pieces, bool]:
        """All of the file, and whether all that it opens is closed."""
        position = 0
        while found := (_CODE_SIGN if self._top.mode is Mode.CODE else _TEXT_SIGN).search(self._text, position):
            self._add(self._text[position : found.start()])
            position = self._take(found[0], found.start())
        self._add(self._text[position:])
        is_whole = len(self._open) == 1
        while len(self._open) > 1:
            self._close()
        return self._top.pieces, is_whole

    @property
    def _top(self) -> _Open:
        return self._open[-1]

    def _add(self, text: str) -> None:
        if text:
            self._top.pieces.append(text)

    def _take(self, sign: str, start: int) -> int:
        """Read what begins with a sign; returns where it ends."""
        if sign == "\\":
            return self._take_backslash(start)
        if sign == "%":
            return self._skip_comment(start)
        if sign in "{}" and not self._top.is_in_string:
            return self._take_brace(sign, start)
        if sign not in "{}":
            self._take_quote(sign)
        self._top.pieces.append(sign)
        return start + 1

    def _take_backslash(self, start: int) -> int:
        top = self._top
        following = self._text[start + 1 : start + 2]
        if following in _ESCAPED:
            top.pieces.append(following)
            end = start + 2
            # The backslash that R reads stands before a quote, or before another one.
            if top.is_in_string and following == "\\" and self._text.startswith((top.quote, "\\\\"), end):
                top.pieces.append(self._text[end])
                end += 1 if self._text[end] == top.quote else 2
            return end
        macro = _MACRO.match(self._text, start)
        if macro and self._is_macro(macro[1]):
            return self._begin(macro)
        is_quoted = top.is_in_string and following == top.quote
        top.pieces.append(f"\\{following}" if is_quoted else "\\")
        return start + 2 if is_quoted else start + 1

    def _is_macro(self, name: str) -> bool:
        match self._top.mode:
            case Mode.TEXT:
                return True
            case Mode.CODE:
                return name in _IN_CODE and (not self._top.is_in_string or name[0] in "lv")
        return False

    def _begin(self, found: re.Match[str]) -> int:
        end = found.end() if found[1] in _WITH_OPTION else found.end(1)
        macro = Macro(found[1], found[2] or "" if found[1] in _WITH_OPTION else "")
        self._top.pieces.append(macro)
        modes = self._find_modes(macro.name)
        argument = _ARGUMENT.match(self._text, end) if modes else None
        if argument is None or (argument[0] != "{" and macro.name != "item"):
            return end
        self._push(macro, modes)
        return argument.end()

    def _find_modes(self, name: str) -> tuple[Mode, ...]:
        around = (each.macro.name for each in reversed(self._open))
        if name == "item" and next((each for each in around if each in _WITH_ITEMS | _WITH_TERMS), "") in _WITH_ITEMS:
            return ()
        return _ARGUMENTS.get(name, _TEXT)

    def _push(self, macro: Macro, modes: tuple[Mode, ...]) -> None:
        if len(self._open) > MAX_DEPTH:
            raise ParseError("The text is nested too deeply; take a few levels of lists or macros out.")
        self._open.append(_Open(macro, modes[0], modes[1:]))

    def _take_brace(self, sign: str, start: int) -> int:
        top = self._top
        if sign == "}" and not top.braces:
            return self._end(start + 1)
        top.braces += 1 if sign == "{" else -1
        if top.mode is not Mode.TEXT:
            top.pieces.append(sign)
        return start + 1

    def _end(self, position: int) -> int:
        """Close the argument; the next one may follow."""
        if len(self._open) == 1:
            return position
        ended = self._close()
        space = _ARGUMENT if ended.macro.name in _WITHOUT_SPACE else _NEXT_ARGUMENT
        following = space.match(self._text, position) if ended.further else None
        if following is None or (space is _ARGUMENT and following[0] != "{"):
            return position
        self._push(ended.macro, ended.further)
        return following.end()

    def _close(self) -> _Open:
        ended = self._open.pop()
        ended.macro.arguments.append(ended.pieces)
        return ended

    def _take_quote(self, sign: str) -> None:
        top = self._top
        if sign == "\n":
            if top.quote == "#" or top.macro.name == "code":
                top.quote = ""
        elif not top.quote:
            top.quote = sign if sign == "#" or self._has_strings else ""
        elif top.quote == sign != "#":
            top.quote = ""

    def _skip_comment(self, start: int) -> int:
        """A line that is only a comment goes as a whole: it would part paragraphs."""
        end = self._text.find("\n", start)
        if end < 0:
            return len(self._text)
        is_alone = not self._text[self._text.rfind("\n", 0, start) + 1 : start].strip()
        return end + 1 if is_alone else end
