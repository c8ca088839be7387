"""The sections that every peer is given, as the product's own parser cuts them. No database, no Django."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from collections_app.exceptions import IngestError
from collections_app.parsing import RawDocument, is_document_name, parse


class PeerSection(NamedTuple):
    """`line` is the first of the section in its file, as judgements count lines; `headings` are those above it and its own."""

    path: str
    line: int
    section_id: str
    title: str
    headings: str
    text: str


def read_sections(corpus: Path) -> list[PeerSection]:
    """Of all documents below a folder; a file that cannot be read has none."""
    return [section for raw in iter_files(corpus) for section in iter_sections(raw)]


def iter_files(corpus: Path) -> Iterator[RawDocument]:
    """The files below a folder that are called like documents, unparsed."""
    for file in sorted(corpus.rglob("*")):
        path = file.relative_to(corpus).as_posix()
        if file.is_file() and is_document_name(path):
            yield RawDocument(path, file.read_bytes())


def iter_sections(raw: RawDocument) -> Iterator[PeerSection]:
    try:
        document = parse(raw)
    except IngestError:
        return
    for section in document.sections:
        headings = " ".join(section.heading_path)
        yield PeerSection(raw.path, section.start_line, section.section_id, document.title, headings, section.text)
