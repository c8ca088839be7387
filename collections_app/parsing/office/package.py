"""The parts of an Office file, measured before anything reads them. What they mean is their format's to say."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.exceptions import ParseError

MAX_PARTS = 5_000
MAX_XML_BYTES = 20 * 1024 * 1024
"""Unpacked, of all parts that are read; mammoth takes some 40 times as much memory, and up to two seconds for each MiB."""

_OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # Office keeps encrypted documents, and those from before 2007, in OLE files
_MAX_DEPTH = 500
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1  # general purpose bit 0 of a zip entry (APPNOTE 4.4.4)


@dataclass(frozen=True, slots=True)
class Application:
    """The program that a file is from, for what is said of it: `Word`, `Word document`, `.docx`; and the part that each file has."""

    name: str
    document: str
    extension: str
    main_part: str

    def refuse(self, reason: str) -> NoReturn:
        raise ParseError(f"The {self.document} cannot be read: {reason}.")


@contextmanager
def open_package(content: bytes, application: Application) -> Iterator[zipfile.ZipFile]:
    """The file's archive, as far as its directory can be trusted; what is found wrong in it meanwhile is the file's fault.

    Raises ParseError for what is encrypted or broken, or has too many parts.
    """
    if content.startswith(_OLE_MAGIC):
        application.refuse(
            f"it is encrypted, or in the format of {application.name} before 2007; "
            f"save it as {application.extension} without a password"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_entries(archive.infolist(), application)
            yield archive
    except DefusedXmlException:
        application.refuse(f"it declares entities, which {application.name} never does")
    except (zipfile.BadZipFile, zlib.error, XmlError, EOFError, LookupError, NotImplementedError, OSError, ValueError):
        application.refuse(f"the file is damaged; open it in {application.name} and save it again")


def read_parts(content: bytes, application: Application, is_read: Callable[[str], bool]) -> dict[str, Element]:
    """The parts in XML that `is_read` names, by name. Pictures and other files are not unpacked.

    Raises ParseError for what is encrypted, broken, of another program, or larger than the limits.
    """
    with open_package(content, application) as archive:
        texts = [
            entry
            for entry in archive.infolist()
            if entry.filename.lower().endswith((".xml", ".rels")) and is_read(entry.filename)
        ]
        check_size(sum(entry.file_size for entry in texts), application)
        if application.main_part not in {entry.filename for entry in texts}:
            application.refuse(f"it is a zip file, but no {application.document}")
        return {entry.filename: fromstring(archive.read(entry), forbid_dtd=True) for entry in texts}


def _check_entries(entries: list[zipfile.ZipInfo], application: Application) -> None:
    """Their sizes are true: of what is deflated, zipfile unpacks no more than an entry's directory says."""
    if len(entries) > MAX_PARTS:
        application.refuse(f"it has more than {MAX_PARTS:,} parts")
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        application.refuse("it is encrypted; save it without a password")
    if any(entry.compress_type not in _METHODS for entry in entries):
        application.refuse(
            f"it is packed in a way that {application.name} does not use; open it in {application.name} and save it again"
        )


def check_size(xml_bytes: int, application: Application) -> None:
    """Of all that is read, unpacked."""
    if xml_bytes > MAX_XML_BYTES:
        application.refuse(
            f"its text is larger than {MAX_XML_BYTES // 1024**2} MiB unpacked; split it into several documents"
        )


def nests_too_deep(parts: Iterable[Element]) -> bool:
    """Whether what takes a step for each level around it would take quadratic time."""
    for part in parts:
        level: list[Element] = [part]
        for _ in range(_MAX_DEPTH):
            level = [child for element in level for child in element]
        if level:
            return True
    return False
