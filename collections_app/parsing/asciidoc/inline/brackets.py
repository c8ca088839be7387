"""Finds where the brackets of macros and links end in a text, without parsing their contents.

Asciidoctor reads images and spans with a role before the links around them, so their closing brackets do not end a link. Otherwise the
first closing bracket ends it, unless a backslash precedes it.
"""

from __future__ import annotations

import re

from collections_app.parsing.asciidoc.inline.macros import MACROS

_PIECE = re.compile(r"[^\s\[\]]++|\s++|\[|\]")
_ROLE = re.compile(r"\[[^\[\]\n]{1,200}\](?=[*_`#])")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_BEFORE_MACRO = re.compile(rf"(?<!\w)(?:{'|'.join(MACROS)}):|xref:|://|{{\w[\w-]{{0,100}}}}")
_MAX_TARGET_CHARACTERS = 1000


class Brackets:
    def __init__(self, text: str) -> None:
        self._text = text
        self._macros: dict[int, int] | None = None
        self._all: dict[int, int] | None = None

    def find_end(self, opening: int) -> int:
        """Where the macro or link with this opening bracket ends; -1 if it does not."""
        if self._macros is None:
            self._macros = self._match_macros()
        return self._macros.get(opening, -1)

    def find_closing(self, opening: int) -> int:
        """Like find_end(), but all brackets inside count, as for footnotes, which may contain links; -1 if none closes it."""
        if self._all is None:
            self._all = {}
            opened: list[int] = []
            for piece in _BRACKET.finditer(self._text):
                if piece[0] == "[":
                    opened.append(piece.start())
                elif opened:
                    self._all[opened.pop()] = piece.start()
        return self._all.get(opening, -1)

    def _match_macros(self) -> dict[int, int]:
        ends: dict[int, int] = {}
        opened: list[int] = []
        before, role_end = "", 0
        for piece in _PIECE.finditer(self._text):
            sign = piece[0]
            if sign in "[]" and not before.endswith("\\") and piece.start() >= role_end:
                if sign == "]":
                    ends.update({opened.pop(): piece.start()} if opened else {})
                elif role := _ROLE.match(self._text, piece.start()):
                    role_end = role.end()
                elif _BEFORE_MACRO.search(before[-_MAX_TARGET_CHARACTERS:]):
                    opened.append(piece.start())
            before = sign
        return ends
