"""Small PDF files for tests, written by hand (ISO 32000-1): text at given positions, an outline, information. Nothing is compressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.pdf import parse_pdf

TEXT, BOLD, CODE, DRAWN, HEBREW, EVEN, HAN, FRAMES = "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"
"""DRAWN has letters of 10 points at size 1, like bitmap fonts of TeX; HEBREW has alef to tav as `a` to `{`; EVEN is monospaced, which only
the widths of its letters show; HAN, which declares itself monospaced, has the letters of HAN_LETTERS as `a` to `p`; FRAMES is called like
LaTeX's font of rounded corners.
"""

HAN_LETTERS = "灯塔看守人每小时记录天气和船只。"

_FONTS = {TEXT: "Times-Roman", BOLD: "Times-Bold", CODE: "Courier", FRAMES: "ABCDEF+LCIRCLE10"}
_HEBREW_LETTERS = "".join(map(chr, range(0x05D0, 0x05EB)))
_LEADING = 12
_EVEN_FONT = (  # the last sign is wider, as one that a subset does not have: else PDFium itself would tell
    "<< /Type /Font /Subtype /Type1 /BaseFont /Plain /Encoding /WinAnsiEncoding "
    f"/FirstChar 32 /LastChar 126 /Widths [{' '.join(['550'] * 94)} 900] >>"
)


PROSE = """\
A lighthouse keeper writes down the weather every hour and the ships that pass in clear view, and at
the end of each month the log goes to the harbour office where somebody else copies it into a book."""
LINES = PROSE.splitlines()


@dataclass(frozen=True)
class Bookmark:
    """`page` counts from 0; `y` is the height that it points to, None for the top of the page."""

    title: str
    page: int
    y: float | None = None
    children: tuple[Bookmark, ...] = ()


def read(content: bytes) -> NormalisedText:
    return parse_pdf(RawDocument("manual.pdf", content))


def place(text: str, x: float, y: float, *, size: float = 10, font: str = TEXT, before: str = "") -> str:
    """A line of text whose baseline begins at (x, y); `before` are operators that determine how it is painted."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q {before} BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n"


def place_lines(lines: Sequence[str], x: float, y: float, *, size: float = 10, font: str = TEXT) -> str:
    """Lines below each other, from `y` downwards; an empty one leaves a gap."""
    placed = [place(line, x, y - _LEADING * number, size=size, font=font) for number, line in enumerate(lines) if line]
    return "".join(placed)


@dataclass(frozen=True)
class Field:
    """A text field of a form on the first page, with its value."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Tag:
    """An element of the structure (ISO 32000-1, section 14.7): the marked content of `page` with these numbers, or other elements."""

    kind: str
    numbers: tuple[int, ...] = ()
    children: tuple[Tag, ...] = ()
    page: int = 0
    spans: str = ""


def mark(number: int, content: str) -> str:
    """Content that an element can refer to by this number."""
    return f"/P << /MCID {number} >> BDC\n{content}EMC\n"


def make_pdf(
    pages: Sequence[str],
    *,
    outline: Sequence[Bookmark] = (),
    information: Mapping[str, str] | None = None,
    trailer: str = "",
    forms: Sequence[str] = (),
    fields: Sequence[Field] = (),
    tags: Sequence[Tag] = (),
) -> bytes:
    """A file with these content streams as its pages, of 600 by 800 points.

    `forms` are streams that pages draw with `/X0 Do`, `/X1 Do`.
    """
    objects = _Objects()
    catalog, tree = objects.reserve(), objects.reserve()
    fonts = " ".join(
        f"/{name} {objects.add(f'<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>')} 0 R"
        for name, base in _FONTS.items()
    )
    fonts += f" /{EVEN} {objects.add(_EVEN_FONT)} 0 R"
    fonts += f" /{DRAWN} {_add_drawn_font(objects)} 0 R /{HEBREW} {_add_named_font(objects, 'Helvetica', _HEBREW_LETTERS)} 0 R"
    fonts += f" /{HAN} {_add_named_font(objects, 'Courier', HAN_LETTERS)} 0 R"
    drawn = " ".join(f"/X{number} {_add_form(objects, form, fonts)} 0 R" for number, form in enumerate(forms))
    widgets = [f"{_add_field(objects, field, fonts)} 0 R" for field in fields]
    more = [f"/StructParents {number}" for number in range(len(pages))]
    more[0] += f" /Annots [{' '.join(widgets)}]"
    kids = [_add_page(objects, page, tree, fonts, drawn, annots) for page, annots in zip(pages, more, strict=True)]
    objects.set(tree, f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>")
    outlines = objects.reserve()
    first, last = _add_bookmarks(objects, outline, outlines, kids)
    objects.set(outlines, f"<< /Type /Outlines {_make_ends(first, last)} >>")
    acro_form = f"/AcroForm << /Fields [{' '.join(widgets)}] >>" if widgets else ""
    structure = (
        f"/MarkInfo << /Marked true >> /StructTreeRoot {_add_structure(objects, tags, kids)} 0 R" if tags else ""
    )
    objects.set(catalog, f"<< /Type /Catalog /Pages {tree} 0 R /Outlines {outlines} 0 R {acro_form} {structure} >>")
    entries = " ".join(f"/{key} ({value})" for key, value in (information or {}).items())
    return objects.make_file(f"/Root {catalog} 0 R /Info {objects.add(f'<< {entries} >>')} 0 R {trailer}")


class _Objects:
    def __init__(self) -> None:
        self._bodies: list[str] = []

    def reserve(self) -> int:
        """The number of an object for set() to fill."""
        self._bodies.append("null")
        return len(self._bodies)

    def set(self, number: int, body: str) -> None:
        self._bodies[number - 1] = body

    def add(self, body: str) -> int:
        number = self.reserve()
        self.set(number, body)
        return number

    def make_file(self, trailer: str) -> bytes:
        file = b"%PDF-1.4\n"
        offsets = []
        for number, body in enumerate(self._bodies, 1):
            offsets.append(len(file))
            file += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
        entries = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
        size = len(self._bodies) + 1
        table = f"xref\n0 {size}\n0000000000 65535 f \n{entries}trailer\n<< /Size {size} {trailer} >>\n"
        return file + f"{table}startxref\n{len(file)}\n%%EOF\n".encode("cp1252")


def _add_page(objects: _Objects, content: str, tree: int, fonts: str, forms: str, more: str) -> int:
    stream = _add_stream(objects, content)
    resources = f"<< /Font << {fonts} >> /XObject << {forms} >> >>"
    return objects.add(
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 600 800] /Contents {stream} 0 R /Resources {resources} {more} >>"
    )


def _add_stream(objects: _Objects, content: str, dictionary: str = "") -> int:
    length = len(content.encode("cp1252"))
    return objects.add(f"<< /Length {length} {dictionary} >>\nstream\n{content}\nendstream")


def _add_form(objects: _Objects, content: str, fonts: str) -> int:
    form = f"/Type /XObject /Subtype /Form /BBox [0 0 600 3000] /Resources << /Font << {fonts} >> >>"
    return _add_stream(objects, content, form)


def _add_field(objects: _Objects, field: Field, fonts: str) -> int:
    form = f"/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << {fonts} >> >>"
    shown = _add_stream(objects, place(field.text, 2, 4), form)
    rectangle = f"[{field.x} {field.y} {field.x + 300} {field.y + 20}]"
    return objects.add(
        f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V ({field.text}) /F 4 /Rect {rectangle} /AP << /N {shown} 0 R >> >>"
    )


def _add_structure(objects: _Objects, tags: Sequence[Tag], pages: Sequence[int]) -> int:
    root = objects.reserve()
    marked: dict[int, dict[int, int]] = {number: {} for number in range(len(pages))}  # page → number → element
    children = _add_tags(objects, tags, root, pages, marked)
    parents = " ".join(f"{page} [{_list_parents(elements)}]" for page, elements in marked.items())
    objects.set(root, f"<< /Type /StructTreeRoot /K [{children}] /ParentTree << /Nums [{parents}] >> >>")
    return root


def _list_parents(elements: Mapping[int, int]) -> str:
    last = max(elements, default=-1)
    return " ".join(f"{elements[number]} 0 R" if number in elements else "null" for number in range(last + 1))


def _add_tags(
    objects: _Objects, tags: Sequence[Tag], parent: int, pages: Sequence[int], marked: dict[int, dict[int, int]]
) -> str:
    """Returns references to the elements."""
    references = []
    for tag in tags:
        element = objects.reserve()
        marked[tag.page].update(dict.fromkeys(tag.numbers, element))
        content = " ".join(map(str, tag.numbers)) + " " + _add_tags(objects, tag.children, element, pages, marked)
        spans = f"/A << /O /Table {tag.spans} >>" if tag.spans else ""
        objects.set(
            element,
            f"<< /Type /StructElem /S /{tag.kind} /P {parent} 0 R /Pg {pages[tag.page]} 0 R {spans} /K [{content}] >>",
        )
        references.append(f"{element} 0 R")
    return " ".join(references)


def _add_drawn_font(objects: _Objects) -> int:
    heights = {chr(code): 4.4 if chr(code) in "acemnorsuvwxz" else 6.9 for code in range(ord("A"), ord("z") + 1)}
    glyphs = [_add_stream(objects, f"5 0 0 0 5 {height} d1 0 0 4 {height} re f") for height in heights.values()]
    procedures = " ".join(f"/g{number} {glyph} 0 R" for number, glyph in enumerate(glyphs))
    names = " ".join(f"/g{number}" for number in range(len(glyphs)))
    return objects.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 5 7] /FontMatrix [1 0 0 1 0 0] "
        f"/CharProcs << {procedures} >> /Encoding << /Differences [65 {names}] >> "
        f"/FirstChar 65 /LastChar 122 /Widths [{'5 ' * len(glyphs)}] >>"
    )


def _add_named_font(objects: _Objects, base: str, letters: str) -> int:
    """A font with these characters as `a` and the following letters."""
    names = " ".join(f"/uni{ord(letter):04X}" for letter in letters)
    return objects.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} "
        f"/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 {names}] >> >>"
    )


def _add_bookmarks(
    objects: _Objects, bookmarks: Sequence[Bookmark], parent: int, pages: Sequence[int]
) -> tuple[int, int]:
    """The numbers of the first and the last bookmark, 0 if there are none."""
    numbers = [objects.reserve() for _ in bookmarks]
    for position, (number, bookmark) in enumerate(zip(numbers, bookmarks, strict=True)):
        first, last = _add_bookmarks(objects, bookmark.children, number, pages)
        following = f"/Next {numbers[position + 1]} 0 R" if position + 1 < len(numbers) else ""
        top = "null" if bookmark.y is None else bookmark.y
        objects.set(
            number,
            f"<< /Title ({bookmark.title}) /Parent {parent} 0 R {following} {_make_ends(first, last)} "
            f"/Dest [{pages[bookmark.page]} 0 R /XYZ 0 {top} null] >>",
        )
    return (numbers[0], numbers[-1]) if numbers else (0, 0)


def _make_ends(first: int, last: int) -> str:
    return f"/First {first} 0 R /Last {last} 0 R" if first else ""
