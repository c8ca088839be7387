"""The format of an exported collection: the names of the zip file's entries, and the content of their JSON. Reads no rows.

    documents/guide/start.html.json    a StoredDocument: its fields and sections, without text
    content/guide/start.html.md        its text, as normalised Markdown
    manifest.json                      the last entry: a Manifest, with the SHA-256 of all others

A section's text is a slice of its document's, so sections only have their length. Data of one installation is left out:
keys, sources with their tokens, jobs, searches, what a crawler remembers of a page.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from collections_app.models import Collection, Document, Section
from collections_app.parsing.documents import ParsedDocument, ParsedSection

FORMAT: Final = "docsmcp collection"
VERSION: Final = 1
MANIFEST = "manifest.json"


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StoredCollection(_Stored):
    slug: str
    name: str = Field(max_length=200)
    description: str
    version: str = Field(max_length=50)
    library: str = Field("", max_length=63)
    language: str
    is_public: bool
    content_policy: Collection.ContentPolicy


class StoredSynonym(_Stored):
    term: str = Field(max_length=100)
    synonym: str = Field(max_length=100)
    is_mutual: bool


class StoredPin(_Stored):
    question: str = Field(max_length=200)
    path: str = Field(max_length=1000)
    section_id: str
    position: int


class StoredMove(_Stored):
    """A former address of a page, see MovedPage."""

    address: str = Field(min_length=1, max_length=500)
    target: str = Field(max_length=1000)
    is_told: bool


class EntryHashes(_Stored):
    """SHA-256, in hexadecimal, of a document's two entries."""

    document: str
    content: str


class ManifestHeader(BaseModel):
    """What every version of the format has."""

    format: Literal["docsmcp collection"]
    version: int


class Manifest(_Stored):
    """`documents` are by path."""

    format: Literal["docsmcp collection"] = FORMAT
    version: Literal[1] = VERSION
    exported: datetime
    collection: StoredCollection
    synonyms: tuple[StoredSynonym, ...] = ()
    pins: tuple[StoredPin, ...] = ()
    moved_pages: tuple[StoredMove, ...] = ()
    documents: dict[str, EntryHashes]


class StoredSection(_Stored):
    """`characters` is the length of the section's own text, as in ParsedSection.text."""

    position: int
    end_position: int
    section_id: str
    heading: str
    level: int
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int
    page_number: int | None
    anchor: str
    characters: int = Field(ge=0)
    character_count: int
    token_count: int

    @classmethod
    def from_row(cls, section: Section) -> Self:
        return cls(**_get_fields(section, cls, "characters"), characters=len(section.content))

    def make_parsed(self, text: str) -> ParsedSection:
        return ParsedSection(text=text, **self.model_dump(exclude={"characters"}))


class StoredDocument(_Stored):
    path: str = Field(min_length=1, max_length=1000)
    title: str = Field(max_length=1000)
    description: str
    keywords: list[str]
    category: str = Field(max_length=200)
    category_given: bool
    metadata: dict[str, Any]
    format: str = Field(max_length=30)
    content_hash: str = Field(max_length=64)
    size_bytes: int = Field(ge=0)
    source_url: str = Field(max_length=2000)
    page_count: int | None
    status: Document.Status
    error_code: str = Field(max_length=30)
    error_message: str
    warnings: list[str]
    findings: list[dict[str, Any]]
    released_hash: str = Field(max_length=64)
    recipe: str = Field(max_length=16)
    indexed: datetime | None
    sections: list[StoredSection]

    @classmethod
    def from_rows(cls, document: Document, sections: list[Section]) -> Self:
        return cls(**_get_fields(document, cls, "sections"), sections=[StoredSection.from_row(row) for row in sections])

    @model_validator(mode="after")
    def _check_sections(self) -> Self:
        positions = [section.position for section in self.sections]
        if positions != list(range(len(positions))):
            raise ValueError("the sections are not in the order of their positions")
        return self

    def make_row(self, collection: Collection, content: str) -> Document:
        fields = self.model_dump(exclude={"sections"})
        return Document(tenant_id=collection.tenant_id, collection=collection, content=content, **fields)

    def make_parsed(self, content: str) -> ParsedDocument:
        """Raises ValueError if the sections do not match this text."""
        if self.sections and sum(section.characters for section in self.sections) != len(content):
            raise ValueError("the sections are not those of the text")
        sections, start = [], 0
        for section in self.sections:
            sections.append(section.make_parsed(content[start : start + section.characters]))
            start += section.characters
        return ParsedDocument(
            title=self.title,
            format=self.format,
            content=content,
            sections=tuple(sections),
            description=self.description,
            keywords=tuple(self.keywords),
        )


def get_document_entry(path: str) -> str:
    return f"documents/{path}.json"


def get_content_entry(path: str) -> str:
    return f"content/{path}.md"


def _get_fields(row: Any, stored: type[_Stored], left_out: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in stored.model_fields if name != left_out}
