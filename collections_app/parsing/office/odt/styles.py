"""What the styles of an OpenDocument text say about its paragraphs and the words in them; a style may be based on another."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from xml.etree.ElementTree import Element

from collections_app.parsing.office.fonts import is_monospaced
from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.odt.names import FO, STYLE, SVG, TEXT

_MAX_BASES = 20
_ESCAPE = re.compile(r"_([0-9a-f]{2,4})_")
_CODE = frozenset({"preformatted text", "source code", "code", "code block", "html preformatted"})
_CODE_WORDS = frozenset({"source text", "teletype", "source code", "html code", "verbatim char"})
_OF_ALL = frozenset({"standard", "default paragraph style", "default style", "normal"})
_WEIGHT, _SLANT = f"{FO}font-weight", f"{FO}font-style"
_FONT, _FONT_FAMILY = f"{STYLE}font-name", f"{FO}font-family"
_STRUCK, _DISPLAY, _POSITION = f"{STYLE}text-line-through-style", f"{TEXT}display", f"{STYLE}text-position"
_SAID = (_WEIGHT, _SLANT, _FONT, _FONT_FAMILY, _STRUCK, _DISPLAY, _POSITION)
_QUOTES = frozenset({"quotations", "quote", "intense quote"})


class Kind(Enum):
    """The kind of a paragraph."""

    PLAIN = auto()
    TITLE = auto()
    CODE = auto()
    QUOTE = auto()


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a style, including what it inherits. `level` is that of a heading, else 0; `is_bold` and `is_italic` are None if
    not set.
    """

    names: tuple[str, ...] = ()
    level: int = 0
    is_bold: bool | None = None
    is_italic: bool | None = None
    is_struck: bool = False
    is_hidden: bool = False
    has_fixed_font: bool = False
    position: str = ""
    is_unnumbered: bool = False

    @property
    def kind(self) -> Kind:
        if "title" in self.names:
            return Kind.TITLE
        if not _CODE.isdisjoint(self.names) or self.has_fixed_font:
            return Kind.CODE
        return Kind.QUOTE if not _QUOTES.isdisjoint(self.names) else Kind.PLAIN

    @property
    def is_code(self) -> bool:
        """Whether words with this look are code."""
        return self.has_fixed_font or not _CODE_WORDS.isdisjoint(self.names)


@dataclass(frozen=True, slots=True)
class _Style:
    """What a style itself sets. `name` is as people see it; `properties` are the few that a Look has."""

    name: str
    base: str
    level: int
    is_common: bool
    list_style: str | None
    properties: Mapping[str, str]


class Styles:
    """The styles of one document, by family (`paragraph`, `text`) and name."""

    def __init__(self, roots: Iterable[Element]) -> None:
        """Reads the styles. Of several with the same name the last counts: automatic styles of the text come last."""
        self._styles: dict[tuple[str, str], _Style] = {}
        self._fixed_fonts = set[str]()
        self._looks: dict[tuple[str, str], Look] = {}
        for root in roots:
            for face in root.iter(f"{STYLE}font-face"):
                family = face.get(f"{SVG}font-family", "")
                if face.get(f"{STYLE}font-pitch") == "fixed" or is_monospaced(family):
                    self._fixed_fonts.add(face.get(f"{STYLE}name", ""))
            for style in root.iter(f"{STYLE}style"):
                self._styles[style.get(f"{STYLE}family", ""), style.get(f"{STYLE}name", "")] = _read_style(style)

    def get(self, family: str, name: str) -> Look:
        key = family, name
        if key not in self._looks:
            self._looks[key] = self._read(list(self._iter_bases(family, name)), name)
        return self._looks[key]

    def is_bold_by_itself(self, name: str) -> bool:
        """Whether a paragraph was made bold directly, for which LibreOffice makes an automatic style, and not by its named style."""
        style = self._styles.get(("paragraph", name))
        return style is not None and not style.is_common and style.properties.get(_WEIGHT) == "bold"

    def _iter_bases(self, family: str, name: str) -> Iterator[_Style]:
        for _ in range(_MAX_BASES):
            style = self._styles.get((family, name))
            if style is None:
                return
            yield style
            name = style.base

    def _read(self, bases: Sequence[_Style], name: str) -> Look:
        """What the style sets takes precedence over the styles that it is based on. The last of these may be known only by name."""
        names = [*(each.name for each in bases), _decode(bases[-1].base if bases else name)]
        said = ChainMap({}, *(dict(each.properties) for each in bases))
        weight, slant = said.get(_WEIGHT), said.get(_SLANT)
        font, family = said.get(_FONT, ""), said.get(_FONT_FAMILY, "")
        return Look(
            names=tuple(each.lower() for each in names),
            level=next((each.level for each in bases if each.level), 0),
            is_bold=None if weight is None else weight in ("bold", "600", "700", "800", "900"),
            is_italic=None if slant is None else slant in ("italic", "oblique"),
            is_struck=said.get(_STRUCK, "none") != "none",
            is_hidden=said.get(_DISPLAY) == "none",
            has_fixed_font=font in self._fixed_fonts if font else is_monospaced(family),
            position=said.get(_POSITION, ""),
            is_unnumbered=next((each.list_style for each in bases if each.list_style is not None), None) == "",
        )


def _read_style(style: Element) -> _Style:
    properties = style.find(f"{STYLE}text-properties")
    name = _decode(style.get(f"{STYLE}display-name", style.get(f"{STYLE}name", "")))
    base = style.get(f"{STYLE}parent-style-name", "")
    said = {} if properties is None else {key: properties.attrib[key] for key in _SAID if key in properties.attrib}
    if not base and name.lower() in _OF_ALL:  # a typewriter font for everything is no sign of code
        said = {key: value for key, value in said.items() if key not in (_FONT, _FONT_FAMILY)}
    return _Style(
        name=name,
        base=base,
        level=read_number(style.get(f"{STYLE}default-outline-level"), 0, 10),
        is_common=not base or f"{STYLE}display-name" in style.attrib,
        list_style=style.get(f"{STYLE}list-style-name"),
        properties=said,
    )


def _decode(name: str) -> str:
    """The name as people see it, from an encoded one such as `Text_20_body`."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), name)
