"""PowerPoint presentations: each slide becomes HTML, which the HTML converter turns into a section of Markdown. Pictures are left out.

The parts are read directly: python-pptx, the usual library, supports no sections, no bullets by level, no SmartArt and no hidden
slides, and would add dependencies on a library for pictures and one for spreadsheets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.hidden_text import make_findings
from collections_app.parsing.office.html import add
from collections_app.parsing.office.names import RELATION, is_on
from collections_app.parsing.office.package import CORE, Application, Package, Part
from collections_app.parsing.office.pptx.names import PRESENTATION
from collections_app.parsing.office.pptx.sections import read_sections
from collections_app.parsing.office.pptx.shapes import iter_shapes, read_size
from collections_app.parsing.office.pptx.slides import Slide, SlideReader
from collections_app.parsing.office.properties import read_properties

_POWERPOINT = Application(
    "PowerPoint",
    "PowerPoint presentation",
    "open it in PowerPoint and save it again",
    "ppt/presentation.xml",
    main_tag=f"{PRESENTATION}presentation",
)
_EMPTY_TITLE = re.compile(
    r"power\s?point[ -]pr[eä]sentation|pr[eé]sentation powerpoint|presentaci[oó]n de powerpoint|presentazione standard di powerpoint"
    r"|(?:presentation|slide|folie|diapositive ?)\s?\d*|untitled.*|no slide title|office theme|.*\.(?:pptx?|potx?|ppsx?|pdf|key|odp)",
    re.IGNORECASE,
)
_MAX_TOLD_SLIDES = 20
_COVER_SLIDES = 2
_WORD = re.compile(r"\w{2,}")
_MIN_WORDS = 2
_ALIKE = 0.5  # of the words of the shorter title


def parse_pptx(raw: RawDocument) -> NormalisedText:
    """A section for each slide, below the author's sections if there are any.

    Raises ParseError for a file that is encrypted, broken, not a presentation, or larger than the limits.
    """
    package = Package(raw.content, _POWERPOINT)
    try:
        written = _write_slides(package)
    except RecursionError:
        _POWERPOINT.refuse("its formulas nest too deep")
    core = package.find_part(CORE)
    properties = read_properties(core.element if core else None)
    own_title = "" if _EMPTY_TITLE.fullmatch(properties.title) else properties.title
    if written.cover_title and not _is_shown(own_title, written):
        own_title = ""  # that of a template, or of the presentation from which this one was made
    return NormalisedText(
        format="pptx",
        content="\n".join([*written.lines, ""]) if written.lines else "",
        title=written.title or own_title or written.first_title,
        description=properties.description,
        keywords=properties.keywords,
        metadata={"language": properties.language} if properties.language else {},
        page_lines=written.page_lines,
        findings=make_findings(written.hidden_texts),
        warnings=_tell_hidden_slides(written.hidden_slides),
    )


@dataclass(slots=True)
class _Written:
    """`title` is that of the first slide with a title, if its layout is for a presentation's title; `first_title` is the same in any
    layout; `cover_title` is the title of slide 1.
    """

    lines: list[str] = field(default_factory=list)
    page_lines: list[int] = field(default_factory=list)
    title: str = ""
    cover_title: str = ""
    first_title: str = ""
    section: str = ""
    hidden_texts: list[str] = field(default_factory=list)
    hidden_slides: list[int] = field(default_factory=list)

    def write(self, body: Element) -> None:
        lines = convert_to_markdown([body], LinkResolver("")).writer.lines
        if lines:
            self.lines += [""] * bool(self.lines) + lines


def _write_slides(package: Package) -> _Written:
    """Write the slides. They are numbered from 1, including hidden ones."""
    written = _Written()
    presentation = package.get_main()
    sections = read_sections(presentation.element)
    reader = SlideReader(package, read_size(presentation.element))
    for number, (identifier, slide) in enumerate(_find_slides(package, presentation), 1):
        written.page_lines.append(len(written.lines) + bool(written.lines))
        if slide is None:
            continue
        if not is_on(slide.element.get("show", "1")):
            written.hidden_slides.append(number)
            written.hidden_texts.append(reader.read_text(slide))
            continue
        read = reader.read(slide)
        written.hidden_texts += read.hidden
        if not read.title and not len(read.body):
            continue
        _write_slide(written, read, number, sections.get(identifier, ""), 2 if sections else 1)
        if number == 1:
            written.cover_title = read.title
        if read.title and not written.first_title:
            written.first_title = read.title
            written.title = read.title if _shows_title(slide) else ""
    return written


def _is_shown(title: str, written: _Written) -> bool:
    """Whether the first slides say the title, or the first slide's title has much in common with it or too few words to compare."""
    words, shown = (set(_WORD.findall(text.lower())) for text in (title, written.cover_title))
    if len(shown) < _MIN_WORDS or len(words & shown) >= _ALIKE * min(len(words), len(shown)):
        return True
    end = written.page_lines[_COVER_SLIDES] if len(written.page_lines) > _COVER_SLIDES else None
    return _fold(title) in _fold("".join(written.lines[:end]))


def _fold(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _find_slides(package: Package, presentation: Part) -> Sequence[tuple[str, Part | None]]:
    """The slides with their ids, in order. A slide that is listed twice comes once."""
    listed = presentation.element.findall(f"{PRESENTATION}sldIdLst/{PRESENTATION}sldId")
    found: dict[str, tuple[str, Part | None]] = {}
    for number, each in enumerate(listed):
        slide = package.find_related(presentation, each.get(f"{RELATION}id"))
        found.setdefault(slide.name if slide else f"/{number}", (each.get("id", ""), slide))
    return list(found.values())


def _write_slide(written: _Written, slide: Slide, number: int, section: str, level: int) -> None:
    if section and section != written.section:
        heading = etree.Element("body")
        add(heading, "h1", section)
        written.write(heading)
        written.section = section
    heading = etree.Element(f"h{level}")
    heading.text = slide.title or f"Slide {number}"
    slide.body.insert(0, heading)
    written.write(slide.body)


def _shows_title(slide: Part) -> bool:
    """Whether its layout is for a presentation's title, which is in the middle."""
    shapes = (shape.placeholder for shape in iter_shapes(slide.element))
    return any(placeholder is not None and placeholder.get("type") == "ctrTitle" for placeholder in shapes)


def _tell_hidden_slides(numbers: Sequence[int]) -> tuple[str, ...]:
    if not numbers:
        return ()
    told = ", ".join(map(str, numbers[:_MAX_TOLD_SLIDES])) + (" …" if len(numbers) > _MAX_TOLD_SLIDES else "")
    return (f"hidden slides were left out: {told}",)
