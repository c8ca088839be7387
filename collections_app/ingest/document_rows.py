"""Makes the rows of documents, for files that were read, that could not be read, and that did not change. It writes nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from collections_app.exceptions import IngestError
from collections_app.ingest.items import Item, Status
from collections_app.models import Collection, Document, Source
from collections_app.parsing.documents import MAX_TITLE_CHARACTERS, ContentPolicy, Finding, ParsedDocument
from collections_app.parsing.safety.facts import clean_fact
from collections_app.sources.site.urls import MAX_URL_LENGTH

MAX_CATEGORY_CHARACTERS = 200

WRITTEN_FIELDS = [
    "source", "title", "description", "keywords", "category", "category_given", "metadata", "format", "content", "content_hash",
    "recipe", "size_bytes", "source_url", "page_count", "status", "error_code", "error_message", "warnings", "findings", "fetch_state",
    "indexed",
]  # fmt: skip
CONFIRMED_FIELDS = ["source", "error_code", "error_message", "fetch_state"]


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """Makes rows for the documents of one source in one collection."""

    collection: Collection
    source: Source | None

    def make_document(self, item: Item, parsed: ParsedDocument) -> Document:
        return self._make_row(
            item,
            title=parsed.title[:MAX_TITLE_CHARACTERS],
            description=parsed.description,
            keywords=list(parsed.keywords),
            category=parsed.category[:MAX_CATEGORY_CHARACTERS] or item.category,
            category_given=bool(parsed.category),
            metadata=dict(parsed.metadata),
            format=parsed.format,
            content=parsed.content,
            recipe=item.recipe,
            page_count=parsed.page_count,
            status=Status.QUARANTINED if item.is_quarantined else Status.SUCCESS,
            warnings=list(parsed.warnings),
            findings=list(map(_make_finding, parsed.findings)),
            fetch_state=dict(item.fetch_state),
            indexed=timezone.now(),
        )

    def make_failed(self, item: Item, error: IngestError) -> Document:
        return self._make_row(
            item,
            title=item.path.rpartition("/")[2][:MAX_TITLE_CHARACTERS],
            category=item.category,
            status=Status.FAILED,
            error_code=error.code,
            error_message=error.message,
        )

    def make_confirmed(self, item: Item) -> Document | None:
        """An unchanged document with new values for its CONFIRMED_FIELDS; None if none of them has changed."""
        known = item.known
        if known is None:
            return None
        source_id = self.source.pk if self.source else known.source_id
        fetch_state = dict(item.raw.fetch_state) if item.raw else known.fetch_state
        if (source_id, fetch_state, "") == (known.source_id, known.fetch_state, known.error_code):
            return None
        return Document(pk=known.pk, path=item.path, source_id=source_id, fetch_state=fetch_state)

    def _make_row(self, item: Item, **columns: Any) -> Document:
        """A row with the columns that are known whether a file can be read or not, and these further ones."""
        return Document(
            tenant_id=self.collection.tenant_id,
            collection=self.collection,
            source=self.source,
            path=item.path,
            content_hash=item.content_hash,
            size_bytes=item.size_bytes,
            # Cut short, an address would lead elsewhere.
            source_url=item.source_url if len(item.source_url) <= MAX_URL_LENGTH else "",
            **columns,
        )


def choose_category(path: str, group: str, policy: str) -> str:
    """The category of a document that names none itself: its group in the navigation, else its first folder (without the
    underscore of one of Jekyll's collections).

    Text that addresses a model is not used, unless the policy is only to flag such text: a category never quarantines a document.
    """
    folder, slash, _ = path.partition("/")
    category = group or (folder.lstrip("_") or folder if slash else "")
    cleaned = category if policy == ContentPolicy.FLAG else clean_fact(category, ContentPolicy.STRIP)
    return cleaned[:MAX_CATEGORY_CHARACTERS]


def _make_finding(finding: Finding) -> dict[str, Any]:
    """The finding as it is stored; without `line` if it is not in the text."""
    stored = asdict(finding)
    if finding.line < 0:
        del stored["line"]
    return stored
