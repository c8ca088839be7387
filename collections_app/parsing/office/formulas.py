"""Formulas (Office Math) as a line of text: `x^2`, `(a + b)/2`, `sqrt(x)`. Their formatting is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from collections_app.parsing.office.names import MATH


def iter_formulas(part: Element) -> Iterator[tuple[Element, int]]:
    """The formulas, each as the element that contains it and its index among that element's children."""
    for parent in [element for element in part.iter() if not element.tag.startswith(MATH)]:
        for index, child in enumerate(parent):
            if child.tag in (f"{MATH}oMath", f"{MATH}oMathPara"):
                yield parent, index


def write_formula(element: Element) -> str:
    """Raises RecursionError."""
    name = element.tag.removeprefix(MATH)
    match name:
        case "t":
            return element.text or ""
        case "f":
            return f"{_group(element, 'num')}/{_group(element, 'den')}"
        case "sSup" | "sSub" | "sSubSup" | "sPre":
            return _write_part(element, "e") + _write_scripts(element)
        case "nary":
            return f"{_get_sign(element, 'chr', '∫')}{_write_scripts(element)} {_write_part(element, 'e')}"
        case "rad":
            degree = _write_part(element, "deg")
            return f"{f'root {degree} of ' if degree else 'sqrt'}({_write_part(element, 'e')})"
        case "func":
            return f"{_write_part(element, 'fName')} {_write_part(element, 'e')}"
        case "d":
            inner = _get_sign(element, "sepChr", "|").join(_write_all(element.findall(f"{MATH}e")))
            return f"{_get_sign(element, 'begChr', '(')}{inner}{_get_sign(element, 'endChr', ')')}"
        case "eqArr" | "m":
            return "; ".join(filter(None, _write_all(element)))
        case "mr":
            return ", ".join(_write_all(element))
    return "".join(_write_all(element))


def _write_all(elements: Iterable[Element]) -> list[str]:
    return [write_formula(each) for each in elements]


def _write_part(element: Element, name: str) -> str:
    part = element.find(f"{MATH}{name}")
    return "" if part is None else write_formula(part)


def _write_scripts(element: Element) -> str:
    below, above = _group(element, "sub"), _group(element, "sup")
    return (f"_{below}" if below else "") + (f"^{above}" if above else "")


def _group(element: Element, name: str) -> str:
    text = _write_part(element, name).strip()
    return text if not text or text.isalnum() else f"({text})"


def _get_sign(element: Element, name: str, usual: str) -> str:
    found = element.find(f"{MATH}{element.tag.removeprefix(MATH)}Pr/{MATH}{name}")
    return usual if found is None else found.get(f"{MATH}val", "")
