"""Writes formulas (MathML) without TeX source as a line of text: `x^2`, `(a + b)/2`, `sqrt(x)`. Their appearance is left out."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from collections_app.parsing.html.tree import Element
from collections_app.parsing.html.visibility import is_unread

_UNSEEN = frozenset({"annotation", "annotation-xml", "mphantom"})
_SCRIPTS = {"msup": "^", "msub": "_", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^"}


def write_formula(formula: Element) -> str:
    """The formula as a reader sees it. It may have any depth: the walk is a loop."""
    pieces: list[list[str]] = [[]]
    walk = etree.iterwalk(formula, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            parts = pieces.pop()
            pieces[-1].append(_write(element.tag, parts))
        elif element.tag in _UNSEEN or is_unread(element):
            pieces.append([])
            walk.skip_subtree()
        else:
            pieces.append(list(filter(None, [" ".join((element.text or "").split())])))
    return "".join(pieces[0])


def _write(tag: str, parts: Sequence[str]) -> str:
    if tag in _SCRIPTS and len(parts) == 1 + len(_SCRIPTS[tag]):
        scripts = zip(_SCRIPTS[tag], parts[1:], strict=True)
        return parts[0] + "".join(f"{sign}{_group(part)}" for sign, part in scripts if part)
    if tag == "mfrac" and len(parts) == 2:
        return f"{_group(parts[0])}/{_group(parts[1])}"
    if tag == "mroot" and len(parts) == 2:
        return f"root {parts[1]} of ({parts[0]})"
    if tag in ("mtable", "mtr"):
        return ("; " if tag == "mtable" else ", ").join(filter(None, parts))
    text = "".join(parts)
    return f"sqrt({text})" if tag == "msqrt" else text


def _group(text: str) -> str:
    return text if text.isalnum() else f"({text})"
