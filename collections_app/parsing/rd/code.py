"""Usages and examples as R code. What only tests run (`\\dontshow`) is left out, as R leaves it out of its pages."""

from __future__ import annotations

import re
from textwrap import dedent

from collections_app.parsing.rd.shown import get_words, iter_shown
from collections_app.parsing.rd.syntax import Macro, Pieces

_CALLED = re.compile(r"^([ \t]+)(## (?:S3 method|S4 method|Default S3) [^\n]*\n)", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+(?=\n)")
_SYNTACTIC = re.compile(r"[A-Za-z.][\w.]*(?:<-)?")
_METHODS = frozenset({"S3method", "S4method", "method"})
_RUN_IN_PART = frozenset({"dontdiff", "dontrun", "donttest"})


def write_code(pieces: Pieces) -> str:
    """The code, without blank lines around it, and no more than one within it."""
    indented = _CALLED.sub(r"\1\2\1", _write(pieces))
    return tidy_code(_BLANK_LINES.sub("\n", indented))


def tidy_code(code: str) -> str:
    """The code without blank lines around it, and without what all lines are indented by."""
    return dedent(code).strip("\n").rstrip()


def _write(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else _write_macro(piece) for piece in iter_shown(pieces))


def _write_macro(macro: Macro) -> str:
    if macro.name in _METHODS:
        return _write_method(macro)
    inner = _write(macro.get(1 if macro.name == "href" else 0))
    return inner.strip("\n") if macro.name in _RUN_IN_PART else inner


def _write_method(macro: Macro) -> str:
    r"""`\method{print}{boat}` as R's help has it: a comment with the class, and the function, which is called as such."""
    name, of = (" ".join(get_words(macro.get(number)).split()) for number in (0, 1))
    called = name if _SYNTACTIC.fullmatch(name) else f"`{name}`"
    if macro.name == "S4method":
        return f"## S4 method for signature '{of}'\n{called}"
    told = "## Default S3 method:" if of == "default" else f"## S3 method for class '{of}'"
    return f"{told}\n{called}"
