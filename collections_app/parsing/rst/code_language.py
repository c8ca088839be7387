"""The language of code for which a page names none. Sphinx takes it for Python unless its configuration says otherwise, and shows it as
plain text where it is not; so it counts as Python only where it shows that.

https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-highlight_language
"""

from __future__ import annotations

import ast
import re

SPHINX_DEFAULT = "default"
"""What Sphinx calls the language of code that may be Python."""

MAX_CHARACTERS = 20_000
"""Of code that is parsed."""

_PYTHON = frozenset({SPHINX_DEFAULT, "py", "py3", "python", "python3"})
_ESCAPE = re.compile(r"\\[^\n]")  # within texts; those that Python does not know would be warned of
# What lists of settings, words and paths do not have, which Python reads as well.
_SIGNS = (
    ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Call,
    ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.Raise, ast.Return,
)  # fmt: skip


def read_site_language(told: str) -> str:
    """The language that a site's configuration gives code without one. Python is Sphinx's default, whether or not it is written out."""
    return SPHINX_DEFAULT if told.lower() in _PYTHON else told


def find_language(code: str, told: str) -> str:
    """The language of code under what holds for it: a language, `none`, SPHINX_DEFAULT, or empty where nothing does."""
    if told == "none":
        return ""
    if told not in ("", SPHINX_DEFAULT):
        return told
    if code.startswith(">>> "):
        return "pycon"
    return "python" if told and _shows_python(code) else ""


def _shows_python(code: str) -> bool:
    if len(code) > MAX_CHARACTERS:
        return False
    try:
        tree = ast.parse(_ESCAPE.sub("__", code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, _SIGNS) for node in ast.walk(tree))
