"""The files of an EPUB (OCF 3.3), measured before they are unpacked. What they say is read elsewhere."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterable
from typing import NoReturn
from urllib.parse import unquote
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.exceptions import ParseError

MAX_FILES = 5_000
MAX_BYTES = 20 * 1024 * 1024
"""Unpacked, of all files that are read."""

_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1  # general purpose bit 0 of a zip entry (APPNOTE 4.4.4)
_DAMAGED = "the file is damaged; export or download it anew"


class Container:
    """Its files by their paths. Pictures, fonts and style sheets are not unpacked."""

    def __init__(self, content: bytes) -> None:
        """Raises ParseError, as all methods do, for what is broken or beyond a limit."""
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, LookupError, NotImplementedError, OSError, ValueError):
            refuse(_DAMAGED)
        entries = self._archive.infolist()
        if len(entries) > MAX_FILES:
            refuse(f"it has more than {MAX_FILES:,} files")
        self._entries = {entry.filename: entry for entry in entries}
        self._bytes_left = MAX_BYTES

    def find(self, path: str) -> bytes | None:
        entry = self._entries.get(path)
        if entry is None:
            return None
        if entry.flag_bits & _ENCRYPTED:
            refuse("it is encrypted; give one without a password")
        if entry.compress_type not in _METHODS:
            refuse("it is packed in a way that EPUB does not allow; export it anew")
        self._bytes_left -= entry.file_size
        if self._bytes_left < 0:
            refuse(f"its text is larger than {MAX_BYTES // 1024**2} MiB unpacked; split it into several books")
        try:
            return self._archive.read(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, LookupError, NotImplementedError, OSError, ValueError):
            refuse(_DAMAGED)

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
    """The path of a file that the file `base` names."""
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path)).lstrip("/") if path else base


def find_locked(encryption: Element | None, paths: Iterable[str]) -> bool:
    """Whether a text is encrypted. Fonts are made unreadable in EPUBs that are open otherwise (EPUB 3.3, section 4.4)."""
    if encryption is None:
        return False
    references = (each for each in encryption.iter() if each.tag.endswith("}CipherReference"))
    locked = {resolve("", each.get("URI", "")) for each in references}
    return not locked.isdisjoint(paths)


def refuse(reason: str) -> NoReturn:
    raise ParseError(f"The EPUB cannot be read: {reason}.")
