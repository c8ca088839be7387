"""The one exception tree: everything that a caller can be told, and how it is told.

    DocsError                      code, message, details; `message` stands alone and says what to do
    ├── NotFound
    │   ├── CollectionNotFound     COLLECTION_NOT_FOUND
    │   ├── DocumentNotFound       DOCUMENT_NOT_FOUND
    │   ├── SectionNotFound        SECTION_NOT_FOUND
    │   └── JobNotFound            JOB_NOT_FOUND
    ├── InvalidParameter           INVALID_PARAMETER
    │   ├── InvalidQuery           INVALID_QUERY
    │   ├── InvalidSectionId       INVALID_SECTION_ID
    │   ├── PathRefused            INVALID_PARAMETER, of a path on this machine
    │   ├── JobUnfinished          INVALID_PARAMETER, with `job_id` in its details
    │   ├── JobEnded               INVALID_PARAMETER, with `job_id` and `state`
    │   └── CollectionClosed       INVALID_PARAMETER
    ├── PermissionDenied           PERMISSION_DENIED    server-side paths outside the allowed roots, nothing else
    ├── IngestError                one file's failure; kept as its outcome
    │   ├── FileTooLarge           FILE_TOO_LARGE
    │   ├── UnsupportedFormat      UNSUPPORTED_FORMAT
    │   ├── UnusablePath           INVALID_PARAMETER, of a file that a source names as no document may be called
    │   ├── ParseError             PARSE_ERROR
    │   ├── FetchError             FETCH_ERROR
    │   ├── PathTaken              PATH_TAKEN
    │   ├── UploadRemoved          UPLOAD_REMOVED
    │   └── QuotaExceeded          QUOTA_EXCEEDED
    └── TransientError             the caller may try again: `retryable`, `retry_after` in seconds
        ├── RateLimited            RATE_LIMITED
        ├── UpstreamUnavailable    UPSTREAM_UNAVAILABLE; clients/ and answering/ have kinds of their own
        └── InternalError          INTERNAL_ERROR
            ├── DocumentReplaced   INTERNAL_ERROR, but retryable: read again (documents/versions.py)
            ├── SearchTooSlow      the same: ask otherwise, or later (search/time_limit.py)
            └── DatabaseUnavailable  the same: the database is away (postgres/outages.py)

Messages reach clients as they are: they name no path of the machine, no other tenant's thing, no Python type and no call of one surface:
what else would help is among the `offers`, and who has a call for one names it (mcp_app/next_calls.py). Commands say the `sentence`
instead, for their operator's eyes only.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from collections_app.text.control_characters import make_tellable


class Remedy(Enum):
    """What a caller might ask for next."""

    COLLECTIONS = auto()
    PATHS = auto()
    PAGES_BY_WORDS = auto()
    FRAGMENT = auto()
    WORDS = auto()
    SECTIONS = auto()
    OTHER_PAGE = auto()
    INGESTION = auto()
    OTHER_STATUSES = auto()


class Offer(NamedTuple):
    """A remedy, with the path that it is about and the words to look for there."""

    remedy: Remedy
    path: str = ""
    words: str = ""


class DocsError(Exception):
    """`message` for the reader, `details` for programs (JSON values only), `offers` in the order in which they are told."""

    code: ClassVar[str]
    offers: Sequence[Offer] = ()

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = self.sentence = make_tellable(message)
        self.details = details

    def offer(self, *offers: Offer) -> Self:
        self.offers = offers
        return self


class NotFound(DocsError):
    pass


class CollectionNotFound(NotFound):
    code = "COLLECTION_NOT_FOUND"


class DocumentNotFound(NotFound):
    code = "DOCUMENT_NOT_FOUND"


class SectionNotFound(NotFound):
    code = "SECTION_NOT_FOUND"


class JobNotFound(NotFound):
    code = "JOB_NOT_FOUND"


class InvalidParameter(DocsError):
    code = "INVALID_PARAMETER"


class InvalidQuery(InvalidParameter):
    code = "INVALID_QUERY"


class InvalidSectionId(InvalidParameter):
    code = "INVALID_SECTION_ID"


class PathRefused(InvalidParameter):
    """`template` has a place for the path: `message` names its last part, `sentence` all of it from the root, where a wrong parent is to
    be seen, and of a relative path where it was looked for."""

    def __init__(self, template: str, path: Path) -> None:
        super().__init__(template.format(path.name or path))
        self.sentence = make_tellable(template.format(path.absolute()))


class JobUnfinished(InvalidParameter):
    """The source is being ingested already, or is about to be; `job_id` is by which job."""


class JobEnded(InvalidParameter):
    """The job `job_id` cannot be cancelled any more; `state` is how it ended."""


class CollectionClosed(InvalidParameter):
    """The collection is being deleted, and takes nothing in any more."""


class PermissionDenied(DocsError):
    code = "PERMISSION_DENIED"


class IngestError(DocsError):
    pass


class FileTooLarge(IngestError):
    code = "FILE_TOO_LARGE"


class UnsupportedFormat(IngestError):
    code = "UNSUPPORTED_FORMAT"


class UnusablePath(IngestError):
    """Its path leads out of the collection, names no file, is too long or cannot be written down: no document may be called so."""

    code = "INVALID_PARAMETER"


class ParseError(IngestError):
    code = "PARSE_ERROR"


class FetchError(IngestError):
    code = "FETCH_ERROR"


class PathTaken(IngestError):
    """Another source of the collection has a document there, and would write it again."""

    code = "PATH_TAKEN"


class UploadRemoved(IngestError):
    """Somebody removed the document while a job was to read its upload."""

    code = "UPLOAD_REMOVED"

    def __init__(self) -> None:
        super().__init__("It was removed while this job ran. Send it again if it is to be here.")


class QuotaExceeded(IngestError):
    """The tenant has stored as much as it may (quotas.py)."""

    code = "QUOTA_EXCEEDED"


class TransientError(DocsError):
    """`details` always carry `retryable`, and `retry_after` (seconds) where it is known."""

    retryable = True

    def __init__(self, message: str, *, retry_after: int | None = None, **details: Any) -> None:
        if retry_after is not None:
            details["retry_after"] = retry_after
        super().__init__(message, retryable=self.retryable, **details)


class RateLimited(TransientError):
    code = "RATE_LIMITED"


class UpstreamUnavailable(TransientError):
    code = "UPSTREAM_UNAVAILABLE"


class InternalError(TransientError):
    code = "INTERNAL_ERROR"
    retryable = False


def summarise(error: BaseException | None) -> str:
    """Of an error of others, for the log: its type and the first line of what it says."""
    return f"{type(error).__name__}: {get_first_line(error)}"


def get_first_line(error: BaseException | None) -> str:
    """Of what an error of others says, where its type says nothing more; further lines are for who wrote the statement or the file."""
    return str(error).partition("\n")[0]
