"""ingestion_status: how far a job is and what became of each file, or the state of a single document."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

from django.db.models import Q
from django.utils import timezone
from pydantic import Field

from collections_app.access.principal import Scope
from collections_app.documents import explain_missing
from collections_app.exceptions import InvalidParameter
from collections_app.models import Document, FileOutcome, IngestJob
from collections_app.reports.jobs import (
    AS_THEY_SHOULD_BE,
    PathReport,
    ReasonKey,
    SharedReason,
    count_cleaned,
    count_good,
    count_outcomes,
    count_warned,
    describe_left_out,
    describe_outcome,
    describe_shared_reason,
    describe_silence,
    get_job,
    get_stage,
    list_shared_reasons,
    measure_progress,
    rank_outcomes,
    report_document,
)
from collections_app.reports.mends import list_mends, mend_file, mend_removed
from collections_app.reports.twins import describe_twins, find_losing_job
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import READ_TOKENS, TextAnswer, count_of, fit_count, format_call, join_facts, shorten_name
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Cursor,
    OrAbsent,
    Reach,
    get_reach,
)

PAGE = 100
# Text answers name at most this many files without problems, and only count the rest.
NAMED_GOOD = 10
REASON_TOKENS = 120
MAX_FINDINGS = 10
MAX_DOCUMENTS = 10
STATUS_WORDS = {
    Document.Status.PENDING: "waits to be indexed",
    Document.Status.PROCESSING: "is being indexed",
    Document.Status.SUCCESS: "is indexed and can be read",
    Document.Status.FAILED: "could not be indexed",
    Document.Status.QUARANTINED: "is in quarantine: nobody reads it until an editor releases it",
}


class IngestionStatusParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES, "id": "job_id", "job": "job_id", "task_id": "job_id"}

    job_id: Annotated[int | None, Field(description="From ingest_document")] = None
    path: Annotated[str | None, Field(max_length=2000, description="Or a document's path"), OrAbsent] = None
    collection: CollectionName = None
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job, how many files had which outcome, the reasons that many files share, and the files of this page, worst first.

    `cleaned` is counted for the first page only, because it reads all documents of the job. `unnamed`: how many files are on no page, since
    there is nothing to say about them. `twins`: what the duplicates of this page equal, by the outcome's id.
    """

    job: IngestJob
    collection: str
    counts: dict[str, int]
    warned: int
    cleaned: int | None
    shared: Sequence[SharedReason]
    files: Sequence[FileOutcome]
    more: bool
    unnamed: int
    twins: Mapping[int, str]
    call: Call


def run(call: Call, params: IngestionStatusParams) -> TextAnswer:
    if (params.job_id is None) == (params.path is None):
        raise InvalidParameter("Give either job_id, as ingest_document answered it, or path.")
    reach = get_reach(call, params.collection)
    if params.job_id is not None:
        job_report = report_job(call, reach, params.job_id, params)
        return TextAnswer(partial(render_job, job_report), partial(make_job_data, job_report))
    reports = find_reports(reach, params.path or "")
    return TextAnswer(partial(render_paths, reports, reach), partial(make_paths_data, reports, reach))


def report_job(call: Call, reach: Reach, job_id: int, params: IngestionStatusParams) -> JobReport:
    """Raises JobNotFound."""
    job, cursor = get_job(reach.chosen, job_id), params.cursor
    files, unnamed = rank_outcomes(job), 0
    if params.format == "markdown" and (good := count_good(job)) > NAMED_GOOD:
        files, unnamed = files.exclude(outcome__in=AS_THEY_SHOULD_BE, reason=""), good
    if cursor:
        rank, path = read_cursor(f"outcomes.{job.pk}", call.principal, cursor)
        files = files.filter(Q(rank__gt=rank) | Q(rank=rank, path__gt=path))
    rows = list(files[: PAGE + 1])
    return JobReport(
        job,
        reach.name(job.collection),
        count_outcomes(job),
        count_warned(job),
        None if cursor else count_cleaned(job),
        list_shared_reasons(job),
        rows[:PAGE],
        len(rows) > PAGE,
        unnamed,
        describe_twins(job, rows[:PAGE]),
        call,
    )


def find_reports(reach: Reach, path: str) -> list[PathReport]:
    """What is known under this path, id or URL, in each collection that knows it. Raises DocumentNotFound with the closest paths."""
    reports = report_document(reach.chosen, path)
    if not reports:
        raise explain_missing(reach.chosen, path)
    return reports[:MAX_DOCUMENTS]


def render_job(report: JobReport) -> str:
    told = {shared.key for shared in report.shared}
    lines = [render_file(file, told, report.twins.get(file.pk, "")) for file in report.files]
    others = f'- {"and " if lines else ""}{report.unnamed:,} indexed or unchanged (format="json" names them)'

    def build(shown: int) -> str:
        text = [render_head(report), *([""] if lines or report.unnamed else []), *lines[:shown]]
        if cursor := make_next_cursor(report, shown):
            text.append(f"… and more; next: {format_call('ingestion_status', job_id=report.job.pk, cursor=cursor)}")
        elif report.unnamed:
            text.append(others)
        return "\n".join(text)

    return build(fit_count(len(lines), build, READ_TOKENS))


def render_head(report: JobReport) -> str:
    job = report.job
    total = "? files" if job.total is None else count_of(job.total, "file")
    facts = [
        f"Job {job.pk} over {job.source.kind} of {report.collection}: {job.state}",
        job.stage if job.is_unfinished else "",
        f"{job.done} of {total} ({measure_progress(job):.0%})",
        describe_heartbeat(job),
        ", ".join(f"{count} {outcome}" for outcome, count in report.counts.items()),
        f"{report.warned} with warnings" if report.warned else "",
        f"{report.cleaned} with text taken out (path=… says what)" if report.cleaned else "",
    ]
    notice = describe_silence(job, timezone.now())
    mends = [f"{outcome}: {mend}" for outcome, mend in list_mends(job)]
    often = [describe_shared_reason(shared, shorten_in_list) for shared in report.shared]
    return "\n".join(
        line for line in (join_facts(facts), notice, describe_error(job), *often, *mends, tell_left_out(job)) if line
    )


def tell_left_out(job: IngestJob) -> str:
    lines = describe_left_out(job.left_out)
    return shorten_name(f"Left out: {'; '.join(lines)}", REASON_TOKENS) if lines else ""


def describe_heartbeat(job: IngestJob) -> str:
    if job.state != IngestJob.State.RUNNING or job.heartbeat is None:
        return ""
    return f"last sign of life {int((timezone.now() - job.heartbeat).total_seconds())} s ago"


def render_file(file: FileOutcome, told: Container[ReasonKey], twin: str) -> str:
    return f"- {shorten_in_list(file.path)}: {shorten_in_list(describe_outcome(file, told, twin))}"


def shorten_in_list(text: str) -> str:
    return shorten_name(text, REASON_TOKENS)


def make_next_cursor(report: JobReport, shown: int) -> str | None:
    if shown == len(report.files) and not report.more:
        return None
    last: Any = report.files[shown - 1]
    return make_cursor(f"outcomes.{report.job.pk}", report.call.principal, [last.rank, last.path])


def make_job_data(report: JobReport) -> dict[str, Any]:
    job = report.job
    files = [make_file_data(file, report.twins.get(file.pk, "")) for file in report.files]
    head = {
        "job_id": job.pk,
        "collection": report.collection,
        "source": job.source.kind,
        "state": job.state,
        "stage": get_stage(job),
        "progress": round(measure_progress(job), 3),
        "done": job.done,
        "total": job.total,
        "error": describe_error(job),
        "heartbeat": job.heartbeat.isoformat() if job.heartbeat else None,
        "notice": describe_silence(job, timezone.now()),
        "outcomes": report.counts,
        "shared_reasons": [make_shared_data(shared) for shared in report.shared],
        "warned": report.warned,
        "cleaned": report.cleaned,
        "left_out": job.left_out,
    }

    def build(shown: int) -> dict[str, Any]:
        return head | {"files": files[:shown], "next_cursor": make_next_cursor(report, shown) if files else None}

    return build(fit_count(len(files), lambda shown: dump_json(build(shown)), READ_TOKENS))


def make_shared_data(shared: SharedReason) -> dict[str, Any]:
    return {
        "outcome": shared.outcome,
        "code": shared.code,
        "reason": shorten_in_list(shared.reason),
        "count": shared.count,
        "paths": [shorten_in_list(path) for path in shared.paths],
    }


def make_file_data(file: FileOutcome, twin: str = "") -> dict[str, Any]:
    return {
        "path": shorten_name(file.path, REASON_TOKENS),
        "outcome": file.outcome,
        "code": file.code,
        "reason": shorten_name(file.reason, REASON_TOKENS),
        "mend": mend_file(file, may_retry=False),
        **({"duplicate_of": shorten_in_list(twin)} if twin else {}),
    }


def name_collection(reach: Reach, report: PathReport) -> str:
    return reach.name(next(collection for collection in reach.chosen if collection.pk == report.collection_id))


def render_paths(reports: Sequence[PathReport], reach: Reach) -> str:
    return "\n\n".join(render_path(report, name_collection(reach, report)) for report in reports)


def render_path(report: PathReport, collection: str) -> str:
    document, last, awaited = report.document, report.last, report.awaited
    is_told = bool(document and last and (document.error_code, document.error_message) == (last.code, last.reason))
    lines = [
        f"{shorten_name(report.path, REASON_TOKENS)} in {collection} {describe_status(report)}",
        f"Indexed {document.indexed.isoformat(timespec='seconds')}" if document and document.indexed else "",
        describe_error(document) if document and not is_told else "",
        describe_loss(document) if document and not awaited else "",
        f"Job {awaited.pk} ({awaited.state}) is about to read it. {describe_silence(awaited, timezone.now())}".rstrip()
        if awaited
        else "",
        describe_last(last) if last else "",
        mend_last(report, last) if last else "",
        *(f"- {finding}" for finding in list_findings(document)),
    ]
    return "\n".join(line for line in lines if line)


def describe_status(report: PathReport) -> str:
    if report.is_gone:
        return "is no document any more: it was removed"
    return STATUS_WORDS[Document.Status(report.status)] if report.status else "is not a document yet"


def mend_last(report: PathReport, last: FileOutcome) -> str:
    return mend_removed(last) if report.is_gone else mend_file(last, may_retry=False)


def describe_last(last: FileOutcome) -> str:
    twin = describe_twins(last.job, [last]).get(last.pk, "")
    return shorten_name(f"Job {last.job_id} ({last.job.state}): {describe_outcome(last, twin=twin)}", REASON_TOKENS)


def describe_loss(document: Document) -> str:
    """Says that the document's source no longer has it; empty while it does."""
    job = find_losing_job(document)
    return f"Job {job.pk} did not find it: moved or deleted? A run with --prune removes it." if job else ""


def describe_error(row: Document | IngestJob) -> str:
    """Empty if there is a code without a message: that is no error."""
    return shorten_name(f"{row.error_code} {row.error_message}", REASON_TOKENS) if row.error_message else ""


def list_findings(document: Document | None) -> list[str]:
    """The hidden text or instructions that were found in the document, the first ones quoted."""
    findings = document.findings if document else []
    shown = [shorten_name(describe_finding(finding), REASON_TOKENS) for finding in findings[:MAX_FINDINGS]]
    return shown + ([f"and {len(findings) - MAX_FINDINGS} more findings"] if len(findings) > MAX_FINDINGS else [])


def describe_finding(finding: dict[str, Any]) -> str:
    done = "removed" if finding["removed"] else "left in"
    return f"{finding['kind']} ({done}): {dump_json(finding['excerpt'])}"


def make_paths_data(reports: Sequence[PathReport], reach: Reach) -> dict[str, Any]:
    return {"documents": [make_path_data(report, name_collection(reach, report)) for report in reports]}


def make_path_data(report: PathReport, collection: str) -> dict[str, Any]:
    document, last, awaited = report.document, report.last, report.awaited
    return {
        "collection": collection,
        "path": shorten_name(report.path, REASON_TOKENS),
        "status": report.status or ("removed" if report.is_gone else None),
        "error": describe_error(document) if document else "",
        "indexed": document.indexed.isoformat() if document and document.indexed else None,
        "findings": list_findings(document),
        "notice": describe_loss(document) if document and not awaited else "",
        "awaited_job": awaited.pk if awaited else None,
        "last": make_last_data(report, last) if last else None,
    }


def make_last_data(report: PathReport, last: FileOutcome) -> dict[str, Any]:
    head = {"job_id": last.job_id, "state": last.job.state}
    return head | make_file_data(last) | {"mend": mend_last(report, last)}


INGESTION_STATUS = Tool(
    name="ingestion_status",
    title="See how ingestion goes",
    description="Report an ingest job's progress and each file's outcome, failures first, with reasons; or the state of one document.",
    params=IngestionStatusParams,
    run=run,
    scope=Scope.WRITE,
)
