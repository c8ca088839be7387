"""The files in an EPUB (OCF 3.3). What they contain is parsed elsewhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from urllib.parse import unquote
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.parsing.office.archive import Archive, Kind

_EPUB = Kind("EPUB", "EPUB", "export or download it anew")
refuse = _EPUB.refuse


class Container(Archive):
    """The files by path. Pictures, fonts and style sheets are not unpacked."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, _EPUB)

    def find_xml(self, path: str) -> Element | None:
        content = self.find(path)
        if content is None:
            return None
        try:
            root: Element = fromstring(content)
        except DefusedXmlException:
            refuse(f"`{path}` declares entities; export it without them")
        except (XmlError, LookupError, ValueError):
            refuse(f"`{path}` is no XML; export or download it anew")
        return root


def resolve(base: str, href: str) -> str:
    """The path of a file that the file `base` refers to."""
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path)).lstrip("/") if path else base


def find_locked(encryption: Element | None, paths: Iterable[str]) -> bool:
    """Whether a text is encrypted. Fonts may be obfuscated in EPUBs that are otherwise readable (EPUB 3.3, section 4.4)."""
    if encryption is None:
        return False
    references = (each for each in encryption.iter() if each.tag.endswith("}CipherReference"))
    locked = {resolve("", each.get("URI", "")) for each in references}
    return not locked.isdisjoint(paths)
