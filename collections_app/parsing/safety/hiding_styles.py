"""Which inline styles hide an element from readers. It knows the `style` attribute and no style sheet."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)  # CSS Syntax 3, section 4.3.7
_JSX_PROPERTY = re.compile(r"(?<![\w-])([\w-]++)['\"]?\s*+:\s*+(?:'([^']*+)'|\"([^\"]*+)\"|([^,}'\"]*+))")
_CAPITAL = re.compile("[A-Z]")

_ZERO = r"(?:0+(?:\.0\d*)?|\.0\d*)"  # zero as far as the eye can see
_LENGTH = r"(?:[a-z]+|%)?"
_OUTSIDE = re.compile(r"-\d{3}|9{4}|\d{5}")
_HIDING: Mapping[str, re.Pattern[str]] = {
    "display": re.compile(r"none\b"),
    "visibility": re.compile(r"(?:hidden|collapse)\b"),
    "content-visibility": re.compile(r"hidden\b"),
    "opacity": re.compile(rf"(?:{_ZERO}|\d(?:\.\d*)?%|-.+)$"),
    "filter": re.compile(rf"opacity\( ?{_ZERO}%? ?\)"),
    "font-size": re.compile(rf"(?:{_ZERO}{_LENGTH}|[01](?:\.\d+)?(?:p[xt])?|\d(?:\.\d+)?%)$"),
    "font": re.compile(rf"{_ZERO}{_LENGTH}[ /]"),
    **dict.fromkeys(("text-indent", "left", "top", "right", "bottom", "margin-left", "margin-top"), _OUTSIDE),
    "clip": re.compile(r"rect\( ?[01](?:px)?[ ,)]"),
    "clip-path": re.compile(
        r"inset\( ?(?:[5-9]\d|\d{3,})[\d.]*%|inset\([^()]*\b100%|circle\( ?0|polygon\( ?(?:0(?:px|%)?[ ,]*+)++\)"
    ),
    "translate": re.compile(r"[^()]{0,60}-\d{4}"),
    "scale": re.compile(rf"{_ZERO}%?(?: |$)"),
    "transform": re.compile(
        rf"(?:.{{0,100}} )?(?:scale\w{{0,2}}\( ?(?:[\d.]+ ?, ?)?{_ZERO}%? ?[,)]|translate\w{{0,2}}\([^()]{{0,60}}-\d{{4}})"
    ),
}
_NOTHING = re.compile(rf"(?:{_ZERO}{_LENGTH}|1(?:px)?)$")
_SIZES = frozenset({"height", "max-height", "width", "max-width"})
_OVERFLOWS = frozenset({"overflow", "overflow-x", "overflow-y"})
_WIDE = re.compile(r"\d\d")
_TEXT_COLOURS = frozenset({"color", "text-fill-color"})
_CLEAR = re.compile(
    rf"transparent|(?:rgb|hsl)a?\((?:(?:[^(),/]*+,){{3}}|[^()/]*+/) ?{_ZERO}%? ?\)|#(?:[0-9a-f]{{3}}|[0-9a-f]{{6}}0)0(?![0-9a-f])"
)
_WHITE = re.compile(r"#(?:fff|ffff|ffffff|ffffffff)(?![0-9a-f])|white\b|rgb\( ?255 ?,? ?255 ?,? ?255 ?\)")
_BACKGROUNDS = frozenset({"background", "background-color"})


_REMOVING = frozenset({"content-visibility", "display", "visibility"})


def is_removing_style(style: str) -> bool:
    """Whether the style takes the element off the page, and not only makes it invisible for now, as on pages that fade in."""
    return any(name in _REMOVING and _HIDING[name].match(value) for name, value in _iter_declarations(style))


def is_hiding_style(style: str) -> bool:
    """Whether the style, in CSS as in HTML (`font-size: 0`) or as in JSX (`{{fontSize: 0}}`), hides the element. White text is hidden
    unless it has a background colour. Takes linear time.
    """
    declarations = list(_iter_declarations(style))
    return (
        any(name in _HIDING and _HIDING[name].match(value) for name, value in declarations)
        or _has_no_room(declarations)
        or _has_no_colour(declarations)
    )


def _iter_declarations(style: str) -> Iterator[tuple[str, str]]:
    """Names and values in lower case, with single blanks, as a browser reads them: without comments, escapes and `!important`."""
    if style.lstrip().startswith("{"):
        for name, single, double, bare in _JSX_PROPERTY.findall(style):
            yield _normalise_name(_CAPITAL.sub(r"-\g<0>", name)), _normalise_value(single or double or bare)
        return
    for declaration in _ESCAPE.sub(_read_escape, _COMMENT.sub(" ", style)).split(";"):
        name, _, value = declaration.partition(":")
        yield _normalise_name(name), _normalise_value(value)


def _read_escape(match: re.Match[str]) -> str:
    code = int(match[1] or "0", 16)
    return match[2] or (chr(code) if code <= sys.maxunicode else "")


def _normalise_name(name: str) -> str:
    return name.strip().lower().removeprefix("-webkit-")


def _normalise_value(value: str) -> str:
    return " ".join(value.partition("!")[0].lower().split())


def _has_no_room(declarations: Sequence[tuple[str, str]]) -> bool:
    """Whether it is a box without size that cuts off its content. Padding gives it size: pages keep the proportions of videos like this."""
    return (
        any(name in _SIZES and _NOTHING.match(value) for name, value in declarations)
        and any(name in _OVERFLOWS and value.startswith(("hidden", "clip")) for name, value in declarations)
        and not any(name.startswith("padding") and _WIDE.search(value) for name, value in declarations)
    )


def _has_no_colour(declarations: Sequence[tuple[str, str]]) -> bool:
    colours = [value for name, value in declarations if name in _TEXT_COLOURS]
    if any(map(_CLEAR.match, colours)):
        return ("background-clip", "text") not in declarations  # the background fills the letters
    if not any(map(_WHITE.match, colours)):
        return False
    background = next((value for name, value in declarations if name in _BACKGROUNDS), "")
    return not background or _WHITE.match(background) is not None
