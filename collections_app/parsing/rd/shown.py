"""What readers see of macros, where nothing is known but text: conditions are decided, and macros that only say what their words are go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from collections_app.parsing.rd.syntax import Macro, Piece, Pieces

# fmt: off
CODE = frozenset({"code", "command", "env", "file", "kbd", "option", "samp", "verb"})
BLOCKS = frozenset({"deqn", "describe", "enumerate", "item", "itemize", "preformatted", "subsection", "tabular"})
_KEPT = CODE | BLOCKS | {
    "S3method", "S4method", "bold", "cr", "dfn", "doi", "dontdiff", "dontrun", "donttest", "email", "emph", "eqn", "href", "method",
    "strong", "tab", "url", "var",
}
_UNSEEN = frozenset({"Sexpr", "dontshow", "newcommand", "out", "renewcommand", "special", "testonly"})
# fmt: on
_SIGNS: Mapping[str, str] = {"R": "R", "dots": "...", "ldots": "...", "sspace": " "}
_AROUND: Mapping[str, tuple[str, str]] = {"PR": ("PR#", ""), "dQuote": ("“", "”"), "sQuote": ("‘", "’")}
# As roxygen2 writes blocks of code, for HTML alone: `\if{html}{\out{<div class="sourceCode r">}}\preformatted{…}`.
_LANGUAGE = re.compile(r"<div class=\"(?:sourceCode )?([a-z]+)\">\s*\Z")
_ALT = re.compile(r"""\balt=(?P<quote>["'])(?P<words>[^"']*)(?P=quote)""")
_SHOWN_FORMATS = frozenset({"TRUE", "text"})


def iter_shown(pieces: Pieces) -> Iterator[Piece]:
    """Texts, and the macros that mean more than their words. Code has its language as its option, where one is told."""
    language = ""
    for piece in pieces:
        if isinstance(piece, str):
            language = "" if piece.strip() else language
            yield piece
        elif piece.name == "preformatted":
            yield Macro(piece.name, language, piece.arguments)
        elif piece.name == "if" and not _is_shown(piece):
            found = _LANGUAGE.search(_get_raw(piece.get(1)))
            language = found[1] if found else ""
        else:
            yield from _show(piece)


def get_words(pieces: Pieces) -> str:
    """The words of all macros, on as many lines as they have."""
    shown = iter_shown(pieces)
    return "".join(
        piece if isinstance(piece, str) else get_words(piece.get(1 if piece.name == "href" else 0)) for piece in shown
    )


def _show(macro: Macro) -> Iterator[Piece]:
    name = macro.name
    if name in _KEPT:
        yield macro
    elif name in _SIGNS:
        yield _SIGNS[name]
    elif name == "figure":
        found = _ALT.search(_get_raw(macro.get(1)))
        yield found["words"] if found else ""
    elif name not in _UNSEEN:
        before, behind = _AROUND.get(name, ("", ""))
        yield before
        yield from iter_shown(macro.get(_find_text(macro)))
        yield behind


def _find_text(macro: Macro) -> int:
    """Which argument is the text."""
    match macro.name:
        case "if":
            return 1
        case "ifelse":
            return 1 if _is_shown(macro) else 2
    return 0


def _is_shown(macro: Macro) -> bool:
    return not _SHOWN_FORMATS.isdisjoint(each.strip() for each in _get_raw(macro.get(0)).split(","))


def _get_raw(pieces: Pieces) -> str:
    """All text in these, also what nobody sees."""
    return "".join(piece if isinstance(piece, str) else "".join(map(_get_raw, piece.arguments)) for piece in pieces)
