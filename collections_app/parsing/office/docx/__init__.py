"""Word documents: mammoth turns them into HTML by their styles, and the HTML converter turns that into Markdown. Pictures are left out.

Documents are untrusted: their parts are measured, checked for entities and stripped of hidden text before mammoth sees them. Whatever
mammoth does not support is first rewritten in terms it does: custom styles (styles.py), formulas, tables without a header.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Container, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from xml.etree.ElementTree import Element, SubElement, tostring
from xml.parsers.expat import ExpatError

import mammoth

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import parse_tree
from collections_app.parsing.office.docx.bold_headings import mark_bold_headings
from collections_app.parsing.office.docx.checkboxes import write_checkboxes
from collections_app.parsing.office.docx.monospaced import CODE_STYLE, mark_monospaced
from collections_app.parsing.office.docx.names import WORD, find_value, is_on
from collections_app.parsing.office.docx.numbering import number_items, number_paragraphs
from collections_app.parsing.office.docx.package import DOCUMENT, STYLES, drop_dead_links, read_parts, refuse
from collections_app.parsing.office.docx.styles import find_hidden_styles, name_paragraphs
from collections_app.parsing.office.docx.tables import mark_headers
from collections_app.parsing.office.docx.wrappers import unwrap_text
from collections_app.parsing.office.formulas import iter_formulas, write_formula
from collections_app.parsing.office.hidden_text import make_findings
from collections_app.parsing.office.names import MATH
from collections_app.parsing.office.notes import place_notes
from collections_app.parsing.office.package import CORE
from collections_app.parsing.office.properties import read_properties

_MAX_OPEN_FIELDS = 500
_MAX_COVER_LINES = 20
_MAX_COVER_CHARACTERS = 200  # of a line that may be the title
_ALIKE = 0.8  # of the words in title and line, as the properties may have an earlier wording
_WORD = re.compile(r"\w+")
_FIELD_SIGNS = {"begin": 1, "end": -1}

_FOREIGN_PARTS = "It holds parts in other formats (altChunk), which are left out; open it in Word and save it again to have them read."

_STYLES = f"""
p.{CODE_STYLE} => pre:separator('\\n')
r.{CODE_STYLE} => code
p[style-name='Title'] => h1:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='Code Block'] => pre:separator('\\n')
p[style-name='Source Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='toc 1'] => !
p[style-name='toc 2'] => !
p[style-name='toc 3'] => !
p[style-name='toc 4'] => !
p[style-name='toc 5'] => !
p[style-name='toc 6'] => !
p[style-name='toc 7'] => !
p[style-name='toc 8'] => !
p[style-name='toc 9'] => !
p[style-name='table of figures'] => !
r[style-name='HTML Code'] => code
r[style-name='Source Text'] => code
r[style-name='Verbatim Char'] => code
"""


def parse_docx(raw: RawDocument) -> NormalisedText:
    """The document's text, with headings by its styles.

    Raises ParseError for a file that is encrypted, broken, not a Word document, or larger than the limits.
    """
    parts = read_parts(raw.content)
    _check_fields(parts)
    facts = read_properties(parts.pop(CORE, None))
    drop_dead_links(parts)
    mark_bold_headings(parts)
    mark_monospaced(parts)
    write_checkboxes(parts)
    for part in parts.values():
        unwrap_text(part)
    hidden = _drop_hidden_text(parts)
    title = _prepare(parts)
    root, _ = parse_tree(_convert_to_html(parts), "text/html; charset=utf-8")
    number_items(root)
    place_notes(root)
    converted = convert_to_markdown([root], LinkResolver(""))
    lines = converted.writer.lines
    return NormalisedText(
        format="docx",
        content="\n".join([*lines, ""]) if lines else "",
        title=title or _find_cover_title(facts.title, lines) or clean_heading(converted.writer.title) or facts.title,
        description=facts.description,
        keywords=facts.keywords,
        metadata={"language": facts.language} if facts.language else {},
        findings=make_findings(hidden),
        warnings=(_FOREIGN_PARTS,) if next(parts[DOCUMENT].iter(f"{WORD}altChunk"), None) is not None else (),
    )


def _find_cover_title(title: str, lines: Sequence[str]) -> str:
    """The properties' title, if a line above several level-1 headings says it and little else: covers are mostly set without styles."""
    tops = [heading.line for heading in iter_headings(lines) if heading.level == 1]
    cover = lines[: min(_MAX_COVER_LINES, *tops)] if len(tops) > 1 else ()
    return title if any(_says_title(line, title) for line in cover) else ""


def _says_title(line: str, title: str) -> bool:
    """Whether the line has the title's words in the same order. A single word is only a title in scripts without blanks, or with
    accents.
    """
    if max(len(line), len(title)) > _MAX_COVER_CHARACTERS:
        return False
    words, printed = (_WORD.findall(text.casefold()) for text in (title, line))
    is_title = len(words) > 1 or not title.isascii()
    return is_title and SequenceMatcher(None, words, printed, autojunk=False).ratio() >= _ALIKE


def _check_fields(parts: Mapping[str, Element]) -> None:
    """Nested fields take quadratic time, here and in mammoth."""
    for part in parts.values():
        signs = (_FIELD_SIGNS.get(sign.get(f"{WORD}fldCharType", ""), 0) for sign in part.iter(f"{WORD}fldChar"))
        if max(accumulate(signs), default=0) > _MAX_OPEN_FIELDS:
            refuse(f"more than {_MAX_OPEN_FIELDS} fields are open in it at once")


def _drop_hidden_text(parts: Mapping[str, Element]) -> list[str]:
    """Remove hidden text, and return it by paragraph."""
    hidden_styles = find_hidden_styles(parts.get(STYLES))
    texts: list[list[str]] = [[]]
    for part in parts.values():
        is_hidden = False  # by the paragraph's style
        for element in part.iter():
            if element.tag == f"{WORD}p":
                texts.append([])
                is_hidden = find_value(element, "pPr/pStyle") in hidden_styles
            elif element.tag in (f"{WORD}r", f"{MATH}r") and _is_hidden(element, hidden_styles, is_hidden):
                texts[-1] += element.itertext()
                element.clear()
    return list(map("".join, texts))


def _is_hidden(run: Element, hidden_styles: Container[str | None], by_paragraph: bool) -> bool:
    """Whether a run is hidden: by its own property if it has one, else by its style or that of its paragraph."""
    value = find_value(run, "rPr/vanish")
    return is_on(value) if value is not None else by_paragraph or find_value(run, "rPr/rStyle") in hidden_styles


def _prepare(parts: Mapping[str, Element]) -> str:
    """Prepare the parts for mammoth, and return the document's title if a paragraph is one."""
    try:
        for part in parts.values():
            _write_formulas(part)
            mark_headers(part)
    except RecursionError:
        refuse("its formulas nest too deep")
    title = name_paragraphs(parts)
    number_paragraphs(parts)
    return title


def _write_formulas(part: Element) -> None:
    """Replace each formula with a run of text."""
    for parent, index in iter_formulas(part):
        formula = parent[index]
        run = Element(f"{WORD}r")
        SubElement(run, f"{WORD}t").text = write_formula(formula)
        run.tail = formula.tail
        parent[index] = run


def _convert_to_html(parts: Mapping[str, Element]) -> bytes:
    document = io.BytesIO()
    try:
        with zipfile.ZipFile(document, "w") as archive:
            for name, part in parts.items():
                archive.writestr(name, tostring(part, "utf-8", xml_declaration=True))
        html: str = mammoth.convert_to_html(
            document, style_map=_STYLES, include_embedded_style_map=False, convert_image=_leave_out_image
        ).value
    except RecursionError:
        refuse("its tables or text boxes nest too deep")
    except (AttributeError, ExpatError, LookupError, OSError, TypeError, ValueError):
        refuse("it is not built as Word builds documents; open it in Word and save it again")
    return html.encode("utf-8", "replace")


def _leave_out_image(image: object) -> list[object]:
    return []
