"""Word documents: mammoth makes HTML of them by their styles, and the HTML converter Markdown of that. Pictures are left out.

A document comes from anybody: its parts are measured, checked for entities and freed of hidden text before mammoth sees them. What
mammoth does not know is put into its words first: styles of one's own (styles.py), formulas, tables without a header.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import NoReturn
from xml.etree.ElementTree import Element, tostring
from xml.etree.ElementTree import ParseError as XmlError
from xml.parsers.expat import ExpatError

import mammoth
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.docx.formulas import write_formulas
from collections_app.parsing.docx.names import MATH, WORD
from collections_app.parsing.docx.styles import name_paragraphs
from collections_app.parsing.docx.tables import mark_headers
from collections_app.parsing.heading_text import clean_heading
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import parse_tree
from collections_app.parsing.safety.prose import is_prose, make_excerpt

MAX_PARTS = 5_000
MAX_XML_BYTES = 20 * 1024 * 1024
"""Unpacked, of all parts that hold text; mammoth takes some 40 times as much memory, and up to two seconds for each MiB."""

_OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # Office keeps encrypted documents, and those from before 2007, in OLE files
_MAX_DEPTH = 500
_MAX_OPEN_FIELDS = 500
_FIELD_SIGNS = {"begin": 1, "end": -1}
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1  # general purpose bit 0 of a zip entry (APPNOTE 4.4.4)
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_OFF = frozenset({"0", "false", "off", "none"})

_STYLES = """
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
r[style-name='HTML Code'] => code
r[style-name='Source Text'] => code
r[style-name='Verbatim Char'] => code
"""


@dataclass(frozen=True, slots=True)
class _Facts:
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""


def parse_docx(raw: RawDocument) -> NormalisedText:
    """The document's text, its headings by their styles.

    Raises ParseError for what is encrypted, broken, no Word document, or larger than the limits.
    """
    parts = _read_parts(raw.content)
    _check_nesting(parts)
    hidden = _drop_hidden_text(parts)
    facts = _read_facts(parts.get("docProps/core.xml"))
    title = _prepare(parts)
    root, _ = parse_tree(_convert_to_html(parts), "text/html; charset=utf-8")
    converted = convert_to_markdown([root], LinkResolver(""))
    lines = converted.writer.lines
    return NormalisedText(
        format="docx",
        content="\n".join([*lines, ""]) if lines else "",
        title=title or clean_heading(converted.writer.title) or facts.title,
        description=facts.description,
        keywords=facts.keywords,
        metadata={"language": facts.language} if facts.language else {},
        findings=tuple(Finding(FindingKind.HIDDEN_TEXT, -1, make_excerpt(text), removed=True) for text in hidden),
    )


def _read_parts(content: bytes) -> dict[str, Element]:
    """The parts that are XML, by name. Pictures and other files are not unpacked."""
    if content.startswith(_OLE_MAGIC):
        _refuse("it is encrypted, or in the format of Word before 2007; save it as .docx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = _check_entries(archive.infolist())
            return {entry.filename: fromstring(archive.read(entry), forbid_dtd=True) for entry in entries}
    except DefusedXmlException:
        _refuse("it declares entities, which Word never does")
    except (zipfile.BadZipFile, zlib.error, XmlError, EOFError, LookupError, NotImplementedError, OSError, ValueError):
        _refuse("the file is damaged; open it in Word and save it again")


def _check_entries(entries: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The entries to read. Their sizes are true: of what is deflated, zipfile unpacks no more than an entry's directory says."""
    if len(entries) > MAX_PARTS:
        _refuse(f"it has more than {MAX_PARTS:,} parts")
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        _refuse("it is encrypted; save it without a password")
    if any(entry.compress_type not in _METHODS for entry in entries):
        _refuse("it is packed in a way that Word does not use; open it in Word and save it again")
    texts = [entry for entry in entries if entry.filename.lower().endswith((".xml", ".rels"))]
    if sum(entry.file_size for entry in texts) > MAX_XML_BYTES:
        _refuse(f"its text is larger than {MAX_XML_BYTES // 1024**2} MiB unpacked; split it into several documents")
    if "word/document.xml" not in {entry.filename for entry in texts}:
        _refuse("it is a zip file, but no Word document")
    return texts


def _check_nesting(parts: Mapping[str, Element]) -> None:
    """What nests takes quadratic time, here and in mammoth."""
    for part in parts.values():
        level: list[Element] = [part]
        for _ in range(_MAX_DEPTH):
            level = [child for element in level for child in element]
        if level:
            _refuse("its tables, text boxes or formulas nest too deep")
        signs = (_FIELD_SIGNS.get(sign.get(f"{WORD}fldCharType", ""), 0) for sign in part.iter(f"{WORD}fldChar"))
        if max(accumulate(signs), default=0) > _MAX_OPEN_FIELDS:
            _refuse(f"more than {_MAX_OPEN_FIELDS} fields are open in it at once")


def _drop_hidden_text(parts: Mapping[str, Element]) -> list[str]:
    """Take out what is formatted as hidden; the texts among it that say something, by paragraph."""
    texts: list[list[str]] = [[]]
    for name, part in parts.items():
        for element in part.iter() if name.startswith("word/") else ():
            if element.tag == f"{WORD}p":
                texts.append([])
            elif element.tag in (f"{WORD}r", f"{MATH}r") and _is_hidden(element):
                texts[-1] += element.itertext()
                element.clear()
    return list(filter(is_prose, map("".join, texts)))


def _is_hidden(run: Element) -> bool:
    vanish = run.find(f"{WORD}rPr/{WORD}vanish")
    return vanish is not None and vanish.get(f"{WORD}val", "true") not in _OFF


def _prepare(parts: Mapping[str, Element]) -> str:
    """In place; the document's title, if a paragraph is one."""
    try:
        for name, part in parts.items():
            if name.startswith("word/"):
                write_formulas(part)
                mark_headers(part)
    except RecursionError:
        _refuse("its formulas nest too deep")
    return name_paragraphs(parts)


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
        _refuse("its tables or text boxes nest too deep")
    except (AttributeError, ExpatError, LookupError, OSError, TypeError, ValueError):
        _refuse("it is not built as Word builds documents; open it in Word and save it again")
    return html.encode("utf-8", "replace")


def _leave_out_image(image: object) -> list[object]:
    return []


def _read_facts(core: Element | None) -> _Facts:
    """What the document's properties say; empty for what they do not."""
    if core is None:
        return _Facts()
    texts = {child.tag: " ".join((child.text or "").split()) for child in core}
    keywords = texts.get(f"{_CORE}keywords", "").replace(";", ",").split(",")
    return _Facts(
        title=texts.get(f"{_DUBLIN_CORE}title", ""),
        description=texts.get(f"{_DUBLIN_CORE}description", ""),
        keywords=tuple(dict.fromkeys(filter(None, map(str.strip, keywords)))),
        language=texts.get(f"{_DUBLIN_CORE}language", ""),
    )


def _refuse(reason: str) -> NoReturn:
    raise ParseError(f"The Word document cannot be read: {reason}.")
