"""Text exempt from other markup: `+…+`, `++…++`, `+++…+++`, `$$…$$`, `pass:[…]`, formulas, and code in documents in the old mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from collections_app.parsing.asciidoc.inline.partners import Partners
from collections_app.parsing.asciidoc.raw_html import read_raw_html
from collections_app.parsing.asciidoc.signs import KEPT, protect, unprotect
from collections_app.parsing.html.elements import Node, make_element

_PASSTHROUGH = re.compile(
    r"(?P<escape>\\{0,2})(?:(?P<marks>\+\+\+|\$\$|\+\+)|(?<![\w`\\])(?P<code>`\+)(?=\S)|(?<![\w;:\\])(?P<single>\+)(?=[^\s+])"
    r"|(?<!\w)(?P<name>pass|stem|latexmath|asciimath):(?P<subs>[a-z,+-]{0,40})\[)"
)
_OLD_PASSTHROUGH = re.compile(
    r"(?P<escape>\\{0,2})(?:(?P<marks>\+\+\+|\$\$|\+\+)|(?<![\w`\\])(?P<old>`)(?=[^\s`])"
    r"|(?<!\w)(?P<name>pass|stem|latexmath|asciimath):(?P<subs>[a-z,+-]{0,40})\[)"
)
# Every passthrough has one of these.
_SIGNS = ("+", "$$", "pass:", "stem:", "math:")
_OLD_SIGNS = (*_SIGNS, "`")
_OLD_CODE_END = re.compile(r"(?<=[^\s`])`(?!\w)")
_SINGLE_END = re.compile(r"(?<=\S)\+(?!\w)")
_CODE_END = re.compile(r"(?<=\S)\+`(?!\w)")
MACRO_END = re.compile(r"(?<!\\)\]")
_OLD_QUOTES = re.compile(r"``([^`'\n]{1,500})''")
_READ_AGAIN = frozenset({"q", "quotes", "n", "normal", "a", "attributes", "m", "macros"})
_SHOWN = frozenset({"c", "specialchars", "v", "verbatim"})


class Passthroughs:
    """The passthroughs of one text. `read` returns the nodes of marked-up text; `is_old` makes code in backticks a passthrough."""

    def __init__(self, text: str, read: Callable[[str], Sequence[Node]], *, is_old: bool) -> None:
        self.kept: list[Sequence[Node]] = []
        self._read_again = read
        self._pattern = _OLD_PASSTHROUGH if is_old else _PASSTHROUGH
        self._signs = _OLD_SIGNS if is_old else _SIGNS
        self._text = _OLD_QUOTES.sub(r'"\1"', text) if is_old and "``" in text else text
        self._partners = Partners(self._text)

    def take(self) -> str:
        """The text with numbers of `kept` in place of passthroughs, or with their signs protected."""
        if not any(map(self._text.__contains__, self._signs)):
            return self._text
        pieces, position = [], 0
        while mark := self._pattern.search(self._text, position):
            pieces.append(self._text[position : mark.start()])
            found = self._read(mark)
            if found is None:
                pieces.append(mark[0])
                position = mark.end()
            elif mark["escape"]:
                pieces.append(mark[0][1:] if mark["name"] else protect(mark[0].lstrip("\\")))
                position = mark.end()
            else:
                pieces.append(found[0])
                position = found[1]
        return "".join([*pieces, self._text[position:]])

    def _read(self, mark: re.Match[str]) -> tuple[str, int] | None:
        """What replaces a passthrough, and where the text continues."""
        found = mark.groupdict()
        if marks := found["marks"]:
            text, end = self._take_to(mark, marks, marks, 1)
            return None if end < 0 else (self._keep_html(text) if marks == "+++" else protect(text), end + len(marks))
        if found.get("single"):
            text, end = self._take_to(mark, "+", _SINGLE_END)
            return None if end < 0 else (protect(text), end + 1)
        if found.get("code") or found.get("old"):
            sign, pattern = ("`+", _CODE_END) if found.get("code") else ("`", _OLD_CODE_END)
            text, end = self._take_to(mark, sign, pattern)
            return None if end < 0 else (self._keep([make_element("code", [unprotect(text)])]), end + len(sign))
        text, end = self._take_to(mark, "]", MACRO_END)
        return None if end < 0 else (self._read_macro(mark, text.replace("\\]", "]")), end + 1)

    def _take_to(
        self, mark: re.Match[str], kind: str, pattern: re.Pattern[str] | str, least: int = 0
    ) -> tuple[str, int]:
        end = self._partners.find(kind, pattern, mark.end() + least)
        return self._text[mark.end() : end], end

    def _read_macro(self, mark: re.Match[str], text: str) -> str:
        if mark["name"] != "pass":
            return self._keep([make_element("math", alttext=unprotect(text))])
        substitutions = set(mark["subs"].split(","))
        if substitutions & _READ_AGAIN:
            return self._keep(self._read_again(text))
        return protect(text) if substitutions & _SHOWN else self._keep_html(text)

    def _keep_html(self, text: str) -> str:
        return self._keep(read_raw_html(text)) if "<" in text or "&" in text else protect(text)

    def _keep(self, nodes: Sequence[Node]) -> str:
        self.kept.append(nodes)
        return f"{KEPT}{len(self.kept) - 1}{KEPT}"
