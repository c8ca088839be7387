"""A file on its way from its source to its row: the raw file, the document known at its path, the parsed text, the outcome. No rows
here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from collections_app.exceptions import FetchError, IngestError, PathTaken, UnsupportedFormat, UploadRemoved
from collections_app.indexing.vector_texts import VectorText
from collections_app.ingest.outcomes import IngestedFile, Outcome
from collections_app.models import Document, FileOutcome
from collections_app.parsing.documents import ParsedDocument, RawDocument

Status = Document.Status

_QUARANTINED = "It has text that people do not see or that speaks to a model. See its findings, and release it if it is to be served."
_TAKEN = (
    "{} has a document at this path, and would write it again. "
    "Leave the file out of one of the two, or give one of them a collection of its own."
)
_NOT_HERE = "Its source says that it did not change, but it is not here any more. Run the job again."


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the database has at a path."""

    pk: int
    content_hash: str
    recipe: str
    status: str
    category: str
    category_given: bool
    error_code: str
    released_hash: str
    fetch_state: dict[str, object]
    source_id: int | None
    size_bytes: int
    warnings: Sequence[str]

    @property
    def is_read(self) -> bool:
        return self.status in (Status.SUCCESS, Status.QUARANTINED)


KNOWN_FIELDS = tuple(each.name for each in fields(KnownDocument))


@dataclass(slots=True)
class Item:
    """One file in a batch: the raw file, the document known at its path, and the parsed text or the error."""

    path: str
    raw: RawDocument | None = None
    content_hash: str = ""
    recipe: str = ""
    source_url: str = ""
    fetch_state: Mapping[str, Any] = field(default_factory=dict)
    is_said_unchanged: bool = False
    category: str = ""
    known: KnownDocument | None = None
    parsed: ParsedDocument | None = None
    vector_texts: Sequence[VectorText] = ()
    error: IngestError | None = None

    @property
    def size_bytes(self) -> int:
        return len(self.raw.content) if self.raw else 0

    @property
    def known_bytes(self) -> int | None:
        """The size of the document that is at its path; None if there is none."""
        return self.known.size_bytes if self.known else None

    @property
    def is_unchanged(self) -> bool:
        known = self.known
        if known is None or not known.is_read or self.error:
            return False
        return self.is_said_unchanged or (known.content_hash, known.recipe) == (self.content_hash, self.recipe)

    @property
    def is_quarantined(self) -> bool:
        """Whether the document is to be kept from readers: the parser says so, and nobody has released this exact content.

        A release does not apply if the uploader gives metadata, since that may be different each time.
        """
        if self.is_unchanged:
            return self.known is not None and self.known.status == Status.QUARANTINED
        if not self.parsed or not self.parsed.is_quarantined:
            return False
        is_given = self.raw is not None and bool(self.raw.metadata)
        return is_given or self.known is None or self.known.released_hash != self.content_hash

    @property
    def is_moved(self) -> bool:
        """Whether an unchanged document is in another category than before.

        Only known if the source sent the file: a source that merely says that it is unchanged has read no navigation.
        """
        known = self.known
        if known is None or self.raw is None or not self.is_unchanged:
            return False
        return not known.category_given and known.category != self.category

    def take_known(self, known: KnownDocument | None, keepers: Mapping[int, str], category: str) -> None:
        """Take note of the document at the item's path.

        `keepers`: id → name of the sources whose documents must not be taken over. `category`: for a document that names none itself.
        """
        self.category = category
        if known and known.source_id and (keeper := keepers.get(known.source_id)):
            self.leave_to(keeper)
            return
        self.known = known
        if self.is_said_unchanged and not (known and known.is_read):
            self.error = FetchError(_NOT_HERE)

    def leave_to(self, keeper: str) -> None:
        """Refuse the file because the path belongs to another source, with this name."""
        self.refuse(PathTaken(_TAKEN.format(keeper)))

    def refuse(self, error: IngestError) -> None:
        """Write nothing of it, whatever is at its path."""
        self.known, self.parsed, self.error = None, None, error

    def make_outcome(self, *, is_duplicate: bool = False, document_id: int | None = None) -> IngestedFile:
        outcome = Outcome.DUPLICATE if is_duplicate else self.foresee_outcome()
        code, reason = (self.error.code, self.error.message) if self.error else ("", self.join_warnings())
        if outcome == Outcome.QUARANTINED:
            reason = _QUARANTINED
        document_id = document_id or (self.known.pk if self.known else None)
        return IngestedFile(self.path, outcome, self.size_bytes, code, reason, document_id, self.source_url)

    def join_warnings(self) -> str:
        """The warnings about a document that was read; for an unchanged document, those from when it was read."""
        if self.known and self.is_unchanged:
            return "; ".join(self.known.warnings)
        return "; ".join(self.parsed.warnings) if self.parsed else ""

    def foresee_outcome(self) -> FileOutcome.Outcome:
        match self.error:
            case UnsupportedFormat():
                return Outcome.UNSUPPORTED
            case UploadRemoved():
                return Outcome.REMOVED
            case IngestError():
                return Outcome.FAILED
        if self.is_quarantined:
            return Outcome.QUARANTINED
        return Outcome.UNCHANGED if self.is_unchanged else Outcome.INDEXED
