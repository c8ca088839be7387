"""A Word file → the parts that hold text, under the names Word gives them. Files that are not Word documents are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.office.docx.names import WORD
from collections_app.parsing.office.names import RELATION
from collections_app.parsing.office.package import CORE, Application, Package, Part, get_relationships_name

DOCUMENT = "word/document.xml"
STYLES = "word/styles.xml"
NUMBERING = "word/numbering.xml"

_USUAL_NAMES = {
    "styles": STYLES,
    "numbering": NUMBERING,
    "footnotes": "word/footnotes.xml",
    "endnotes": "word/endnotes.xml",
}
_WORD = Application("Word", "Word document", "open it in Word and save it again", DOCUMENT, main_tag=f"{WORD}document")
refuse = _WORD.refuse


def read_parts(content: bytes) -> dict[str, Element]:
    """The document, its styles, numbering, notes and properties, and as relationships the links of those with text.

    Other parts are not unpacked. Raises ParseError.
    """
    package = Package(content, _WORD)
    document = package.get_main()
    parts = dict(_iter_with_links(document, DOCUMENT))
    for kind, usual_name in _USUAL_NAMES.items():
        part = package.find_by_kind(document, kind) or package.find_part(usual_name)
        if part is not None:
            parts |= _iter_with_links(part, usual_name)
    core = package.find_part(CORE)
    if core is not None:
        parts[CORE] = core.element
    return parts


def _iter_with_links(part: Part, usual_name: str) -> Iterator[tuple[str, Element]]:
    """A part, and the targets of its links. Other parts that it refers to have the usual names."""
    yield usual_name, part.element
    links = Element("{http://schemas.openxmlformats.org/package/2006/relationships}Relationships")
    for identifier, each in part.relationships.items():
        if each.kind == "hyperlink":
            attributes = {"Id": identifier, "Type": each.kind, "Target": each.target}
            SubElement(links, links.tag.removesuffix("s"), attributes)
    if len(links):
        yield get_relationships_name(usual_name), links


def drop_dead_links(parts: Mapping[str, Element]) -> None:
    """Remove references to missing relationships; the text of such links stays."""
    for name, part in parts.items():
        relationships = parts.get(get_relationships_name(name))
        known = set() if relationships is None else {each.get("Id") for each in relationships}
        for link in part.iter(f"{WORD}hyperlink"):
            if link.get(f"{RELATION}id") not in known:
                link.attrib.pop(f"{RELATION}id", None)
