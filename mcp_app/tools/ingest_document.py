"""ingest_document: adds a text, a web page or a file of the server to a collection, in the background."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from time import monotonic
from typing import Annotated, Any, ClassVar

from django.utils import timezone
from pydantic import AfterValidator, Field

from collections_app.access.principal import Scope
from collections_app.catalog.names import choose_several
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import InvalidParameter
from collections_app.intake import Admission, make_server_file_upload, make_text_upload, make_url_upload
from collections_app.jobs import NewUpload, accept_uploads, wait_for_job
from collections_app.limits.waiting_slots import get_slots
from collections_app.models import Collection, Document, FileOutcome, IngestJob
from collections_app.reports.jobs import describe_outcome, describe_silence, get_stage, select_files
from collections_app.reports.mends import mend_file
from collections_app.reports.twins import find_twins
from mcp_app.entries import DEADLINE_SECONDS, Call, Tool, ToolParams
from mcp_app.protocol.answers import Notice, Progress
from mcp_app.rendering import READ_TOKENS, TextAnswer, format_call, name_path, shorten_name
from mcp_app.tools.parameters import COLLECTION_ALIASES, OrAbsent, Reach

MAX_WAIT_SECONDS = 25
# The answer has to be on its way before the call's deadline.
LONGEST_WAIT_SECONDS = DEADLINE_SECONDS - 1
# How long a job may take to end after its last file has been read, for example to embed it.
ENDING_SECONDS = 2
REASON_TOKENS = 200
NO_SLOT = "This call did not wait: as many as there may be are waiting already. ingestion_status tells the outcome."
READABLE = {FileOutcome.Outcome.INDEXED, FileOutcome.Outcome.UNCHANGED, FileOutcome.Outcome.DUPLICATE}


class IngestDocumentParams(ToolParams):
    aliases: ClassVar = {
        **COLLECTION_ALIASES,
        **dict.fromkeys(("filename", "file", "document_id", "doc_id", "id"), "path"),
        "text": "content",
        "raw_text": "content",
        "markdown": "content",
        "source_url": "url",
        "timeout": "wait",
    }

    collection: Annotated[
        str | None, Field(max_length=200, description="Slug; optional if there is only one"), OrAbsent
    ] = None
    path: Annotated[
        str | None, Field(max_length=2000, description="Its path; an existing document is replaced"), OrAbsent
    ] = None
    content: Annotated[str | None, Field(description="Its text; Markdown unless the path ends otherwise")] = None
    url: Annotated[str | None, Field(max_length=2000, description="Or a page to fetch"), OrAbsent] = None
    file_path: Annotated[
        str | None, Field(max_length=4000, description="Or a file of the server, where allowed"), OrAbsent
    ] = None
    metadata: Annotated[dict[str, Any], Field(description="title, description, keywords, category, others")] = {}  # noqa: RUF012
    wait: Annotated[
        float, Field(ge=0, le=MAX_WAIT_SECONDS, description="Seconds to wait for the outcome"), AfterValidator(ceil)
    ] = 0


@dataclass(frozen=True, slots=True)
class Ingestion:
    """An accepted document and its progress; `outcome` is None until there is one. `notice`: why nobody waited for it.

    `may_read`: the caller has tools to read it with.
    """

    job: IngestJob
    collection: str
    path: str
    outcome: FileOutcome | None = None
    notice: str = ""
    may_read: bool = True


def run(call: Call, params: IngestDocumentParams) -> TextAnswer | Generator[Notice | None, None, TextAnswer]:
    visible = get_visible_collections(call.principal, call.narrowed_to)
    reach = Reach(choose_several(visible, params.collection, to_change=True), visible)
    collection = choose_one(reach)
    upload = make_upload(params)
    Admission(collection).check(upload)
    job = accept_uploads(collection, [upload], requested_by=call.principal.label)
    accepted = Ingestion(job, reach.name(collection), upload.path, may_read=call.principal.may(Scope.READ))
    return follow(accepted, params.wait) if params.wait else answer(accepted)


def choose_one(reach: Reach) -> Collection:
    if len(reach.chosen) == 1:
        return reach.chosen[0]
    names = [reach.name(collection) for collection in reach.chosen]
    raise InvalidParameter(
        f"Name the collection that it is for: one of {', '.join(names[:20]) or 'none: this key may fill no collection yet'}.",
        collections=names,
    )


def make_upload(params: IngestDocumentParams) -> NewUpload:
    """Raises InvalidParameter, FileTooLarge, UnsupportedFormat, ParseError, FetchError, PermissionDenied."""
    ways = [name for name in ("content", "url", "file_path") if getattr(params, name) is not None]
    if len(ways) != 1:
        raise InvalidParameter("Give one of content (with path), url and file_path.", given=ways)
    if params.url is not None:
        return make_url_upload(params.url, params.path, params.metadata)
    if params.file_path is not None:
        return make_server_file_upload(params.file_path, params.path, params.metadata)
    if params.path is None:
        raise InvalidParameter(
            "path is required with content: what the document is to be called, such as guide/install.md."
        )
    return make_text_upload(params.path, params.content or "", params.metadata)


def follow(accepted: Ingestion, wait_seconds: float) -> Generator[Notice | None, None, TextAnswer]:
    """Reports while the job goes on, until there is an outcome or the time is over. If no slot is free, answers at once."""
    slots = get_slots()
    if not slots.acquire(blocking=False):
        return answer(replace(accepted, notice=NO_SLOT))
    try:
        yield from report(accepted, min(wait_seconds, LONGEST_WAIT_SECONDS))
    finally:
        slots.release()
    return answer(replace(accepted, outcome=find_outcome(accepted)))


def report(accepted: Ingestion, wait_seconds: float) -> Generator[Notice | None, None, None]:
    """Yields progress; after each step `accepted.job` is up to date.

    The document's outcome may exist long before the job ends. If the job has no other file left to do, it is given a moment to end, so that
    the job's state fits the outcome.
    """
    done, job, deadline = -1, accepted.job, monotonic() + wait_seconds
    for _ in wait_for_job(job, wait_seconds):
        outcome = find_outcome(accepted) if job.done > 0 else None
        message = outcome.outcome if outcome else get_stage(job)
        yield Progress(job.done, job.total, message) if job.done > done else None
        done = max(done, job.done)
        if outcome:
            break
    if job.is_unfinished and job.done == job.total:
        yield from (None for _ in wait_for_job(job, min(ENDING_SECONDS, deadline - monotonic())))


def find_outcome(accepted: Ingestion) -> FileOutcome | None:
    job = accepted.job
    return select_files(job).filter(path=accepted.path).first()


def answer(ingestion: Ingestion) -> TextAnswer:
    return TextAnswer(partial(render, ingestion), partial(make_data, ingestion))


def render(ingestion: Ingestion) -> str:
    mend = mend_file(ingestion.outcome, may_retry=False) if ingestion.outcome else ""
    told = (
        f"{shorten_name(ingestion.path)} in {ingestion.collection}: {shorten_name(describe(ingestion), REASON_TOKENS)}"
    )
    lines = (told, mend, tell_cleaned(ingestion), ingestion.notice, format_next_call(ingestion))
    return "\n".join(line for line in lines if line)


def describe(ingestion: Ingestion) -> str:
    """The document's outcome, or the job's if there is none under this path, as for an archive."""
    job = ingestion.job
    if twin := name_twin(ingestion):
        return (
            f"duplicate of {twin}, which has the same text: both can be read, and search shows them once (job {job.pk})"
        )
    if ingestion.outcome:
        return f"{describe_outcome(ingestion.outcome)} (job {job.pk})"
    if job.is_unfinished:
        return f"{job.state} as job {job.pk}. {describe_silence(job, timezone.now())}".rstrip()
    return f"job {job.pk} has ended as {job.state}. {job.error_code} {job.error_message}".rstrip()


def name_twin(ingestion: Ingestion) -> str:
    """The document that a duplicate equals; empty if this is no duplicate, or the other document is gone."""
    outcome = ingestion.outcome
    twin = find_twins([outcome]).get(outcome.pk) if outcome else None
    return name_path(twin.path, twin.pk, READ_TOKENS) if twin else ""


def is_cleaned(outcome: FileOutcome) -> bool:
    """Whether the content policy took text out of the document."""
    document = outcome.document_id
    return document is not None and Document.objects.filter(pk=document).cleaned().exists()


def tell_cleaned(ingestion: Ingestion) -> str:
    if not ingestion.outcome or ingestion.outcome.outcome not in READABLE or not is_cleaned(ingestion.outcome):
        return ""
    return f"Some of its text was taken out: {format_status_call(ingestion)} says what."


def format_status_call(ingestion: Ingestion) -> str:
    return format_call("ingestion_status", path=ingestion.path, collection=ingestion.collection)


def format_next_call(ingestion: Ingestion) -> str:
    """The call that reads the document, or looks again if it is not there yet; otherwise nothing is left to say."""
    outcome = ingestion.outcome
    if outcome and outcome.outcome in READABLE:
        reading = format_call("table_of_contents", path=ingestion.path, collection=ingestion.collection)
        return f"Next: {reading}" if ingestion.may_read else ""
    if outcome and outcome.outcome == FileOutcome.Outcome.QUARANTINED:
        return f"Its findings: {format_status_call(ingestion)}"
    return "" if outcome else f"Next: {format_call('ingestion_status', job_id=ingestion.job.pk)}"


def make_data(ingestion: Ingestion) -> dict[str, Any]:
    job, outcome = ingestion.job, ingestion.outcome
    data: dict[str, Any] = {
        "job_id": job.pk,
        "state": job.state,
        "collection": ingestion.collection,
        "path": ingestion.path,
        "outcome": outcome and outcome.outcome,
        "code": outcome.code if outcome else job.error_code,
        "reason": shorten_name(outcome.reason if outcome else job.error_message, REASON_TOKENS),
    }
    if twin := name_twin(ingestion):
        data["duplicate_of"] = twin
    if outcome and outcome.outcome in READABLE:
        data["cleaned"] = is_cleaned(outcome)
    return data | ({"notice": ingestion.notice} if ingestion.notice else {})


INGEST_DOCUMENT = Tool(
    name="ingest_document",
    title="Ingest a document",
    description="Put a document into a collection: its text, or a URL to fetch. Runs in the background: follow it with ingestion_status.",
    params=IngestDocumentParams,
    run=run,
    scope=Scope.WRITE,
    read_only=False,
)
