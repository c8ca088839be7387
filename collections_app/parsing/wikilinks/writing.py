"""A page's text with its wikilinks as Markdown links; lines keep their positions."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from collections_app.naming.slugs import make_slug
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.escaping import escape_line_start
from collections_app.parsing.safety.places import Places
from collections_app.parsing.wikilinks.files import FileNames
from collections_app.parsing.wikilinks.links import WIKILINK, Wikilink, read_wikilink
from collections_app.parsing.wikilinks.marks import drop_marks
from collections_app.text.spans import is_in_span, replace_spans

_MATH = re.compile(r"(?<![\\$\w])\$(?=[^\s$])[^$\n]*+(?<=[^\s\\])\$(?![\w$])")
_MATH_BLOCK = re.compile(r"(?<![\\$])\$\$(?!\$)")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]{1,200})\]:", re.MULTILINE)
_IN_ADDRESS = re.compile(r"[\s%#?()<>\"\\|\[\]]")
_BEFORE_TEXT = re.compile(r"[ \t>]*$")
_BEHIND_TEXT = re.compile(r"[ \t\r]*+(?:\n|\Z)")


def write_wikilinks(text: str, names: FileNames | None = None, path: str = "", *, is_vault: bool = False) -> str:
    """The text of the page at `path`, without its front matter. A link to no file becomes its words if `is_vault`, or if the page shows
    that it has such links; else it stays as it is written.
    """
    page = _Page(text, names or FileNames(), path)
    is_vault = is_vault or page.has_wikilinks
    written = ((found.start, found.end, page.write(found, is_vault=is_vault)) for found in page.found)
    changes = ((start, end, link) for start, end, link in written if link is not None)
    return drop_marks(replace_spans(text, changes), is_vault=is_vault)


def make_address(file: str, page: str, fragment: str = "") -> str:
    """The address of a file, in a link of the page at this path."""
    sign = f"#{fragment}" if fragment else ""
    return sign if sign and file == page else f"{_quote(posixpath.relpath(file, posixpath.dirname(page) or '.'))}{sign}"


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    link: Wikilink
    address: str
    """The target; empty if it is not known."""
    words: str
    is_doubtful: bool
    """Whether it may well be something else: a number, or a single word whose file only matches without regard to case."""


class _Page:
    def __init__(self, text: str, names: FileNames, path: str) -> None:
        self._text = text
        self._names = names
        self._path = path
        self._places = Places(text, has_markup=True)
        self._files: dict[str, str | None] = {}
        self.found = list(self._iter_found())

    @property
    def has_wikilinks(self) -> bool:
        return any(found.link.is_sure or (found.address and not found.is_doubtful) for found in self.found)

    def write(self, found: _Found, *, is_vault: bool) -> str | None:
        """What replaces the link; None if it stays."""
        link = found.link
        if found.is_doubtful and not is_vault:
            return None
        if link.is_embedding and link.is_picture:
            return f"![{link.description}]({found.address or _quote(link.target)})"
        if link.is_embedding and link.is_note and self._is_alone(found):
            return None  # the text of another file, which is not at hand
        if found.address:
            return f"[{found.words}]({found.address})"
        if not is_vault or link.is_foreign or link.target.casefold() in self._labels:
            return None
        return escape_line_start(found.words) if self._begins_line(found) else found.words

    def _iter_found(self) -> Iterator[_Found]:
        for match in WIKILINK.finditer(self._text) if "[[" in self._text else ():
            if self._is_text(*match.span()):
                link = read_wikilink(match[2], is_embedding=bool(match[1]))
                address, words = self._find_address(link)
                is_doubtful = link.is_number or (link.names_word and not _is_named_so(address, link))
                yield _Found(match.start(), match.end(), link, address, words, is_doubtful)

    def _is_text(self, start: int, end: int) -> bool:
        if self._places.is_html(start) or self._places.is_code(start, end):
            return False
        return not is_in_span(self._math, start, end)

    @cached_property
    def _math(self) -> Sequence[tuple[int, int]]:
        """Formulas within lines, and between two `$$`."""
        if "$" not in self._text:
            return ()
        signs = [sign.end() for sign in _MATH_BLOCK.finditer(self._text) if not self._places.is_code(*sign.span())]
        blocks = list(zip(signs[::2], signs[1::2], strict=False))
        within = (math.span() for math in _MATH.finditer(self._text))
        return sorted([*blocks, *(span for span in within if not self._places.is_code_at(span[0]))])

    @cached_property
    def _headings(self) -> frozenset[str]:
        return frozenset(make_slug(clean_heading(heading.text)) for heading in iter_headings(self._places.lines))

    @cached_property
    def _labels(self) -> frozenset[str]:
        """Labels of definitions, which stand in brackets for readers of this page."""
        return frozenset(label.casefold() for label in _DEFINITION.findall(self._text))

    def _find_address(self, link: Wikilink) -> tuple[str, str]:
        """The address of the link, and its words."""
        if link.address:
            return _quote_web(link.address), link.target if link.words else link.address
        if not link.target:
            return self._find_heading(link), link.shown
        if address := self._find_file(link):
            return address, link.shown
        # The wikis of GitHub and GitLab put the words first.
        swapped = read_wikilink(link.words) if link.words and not link.is_embedding else None
        address = self._find_file(swapped) if swapped and swapped.target else ""
        return (address, link.target) if address else ("", link.shown)

    def _find_file(self, link: Wikilink) -> str:
        if link.target not in self._files:
            self._files[link.target] = self._names.find(link.target, self._path)
        found = self._files[link.target]
        if found is None:
            return ""
        if found == self._path and link.heading:
            return self._find_heading(link)
        return make_address(found, self._path, make_slug(link.heading) if link.heading and link.is_note else "")

    def _find_heading(self, link: Wikilink) -> str:
        slug = make_slug(link.heading) if link.heading else ""
        return f"#{slug}" if slug in self._headings else ""

    def _is_alone(self, found: _Found) -> bool:
        return self._begins_line(found) and _BEHIND_TEXT.match(self._text, found.end) is not None

    def _begins_line(self, found: _Found) -> bool:
        return _BEFORE_TEXT.match(self._places.get_text_before(found.start)) is not None


def _is_named_so(address: str, link: Wikilink) -> bool:
    """Whether the file's name has the same letters in the same case: JavaScript's `[[Call]]` is not call.md."""
    file = posixpath.basename(unquote(address))
    return file.startswith(link.target) or bool(link.words and file.startswith(link.words))


def _quote(path: str) -> str:
    quoted = _IN_ADDRESS.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), path)
    return f"./{quoted}" if ":" in quoted.partition("/")[0] else quoted


def _quote_web(address: str) -> str:
    return re.sub(r"[()\s<>]", lambda sign: f"%{ord(sign[0]):02X}", address)
