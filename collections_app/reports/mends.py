"""What to do about a file that was not read, depending on its outcome, its kind of source, and who asks.

Agents cannot retry a job. Changes nothing.
"""

from __future__ import annotations

from django.db.models import BooleanField, Case, Value, When

from collections_app.clients.http import NOT_LET_IN
from collections_app.exceptions import FetchError, FileTooLarge, PathTaken, QuotaExceeded, UnusablePath
from collections_app.models import Document, FileOutcome, IngestJob, Source

Outcome, Kind = FileOutcome.Outcome, Source.Kind

# For any kind of source, and whoever asks.
MENDS = {
    Outcome.QUARANTINED: "An editor looks at its findings and releases it, or removes it.",
    Outcome.UNSUPPORTED: "Do what the reason says; convert a file whose format is not read, such as to Markdown, HTML, PDF or DOCX.",
}
UNDONE = (Outcome.NOT_REACHED, Outcome.CANCELLED)
# The reasons of these errors already say what to do, and the file itself needs no mending.
NOT_OF_THE_FILE = (QuotaExceeded.code, PathTaken.code, FileTooLarge.code)
MENDED = (Outcome.FAILED, *MENDS, *UNDONE)


def get_mend(
    outcome: str, kind: str = Kind.UPLOAD, code: str = "", *, is_refused: bool = False, may_retry: bool = True
) -> str:
    """What to do about an outcome; empty if nothing is to be done. `kind` is the source's; `is_refused` is the result of is_refusal()."""
    found = Outcome(outcome)
    if found == Outcome.FAILED:
        return mend_failure(kind, code, is_refused=is_refused, may_retry=may_retry)
    return mend_undone(found, kind, may_retry=may_retry) if found in UNDONE else MENDS.get(found, "")


def mend_failure(kind: str, code: str, *, is_refused: bool, may_retry: bool) -> str:
    if is_refused:
        how = "upload its text" if may_retry else "send its text with ingest_document"
        return f"The site refuses this server: {how}" + (", or leave the page out." if kind == Kind.SITE else ".")
    if kind == Kind.UPLOAD and code == UnusablePath.code:
        return "Do what the reason says, then send the file again."
    if kind == Kind.UPLOAD:
        again = "send the document again or retry the job" if may_retry else "send it again with ingest_document"
        return f"Mend what the reason says, then {again}."
    run = "the next run, or a retry of the job," if may_retry else "the next run"
    if code in NOT_OF_THE_FILE:
        return f"Do what the reason says: {run} reads it again."
    if kind != Kind.SITE:
        return f"Whoever keeps the files mends what the reason says: {run} reads them."
    if code == FetchError.code:
        return f"{run[0].upper()}{run[1:]} asks the site for it again."
    return f"Whoever keeps the site mends what the reason says: {run} reads it again."


def mend_removed(file: FileOutcome) -> str:
    """What an agent can do about a file whose document was removed, by this job or since."""
    if file.code == FileOutcome.MOVED:
        return "Read it at its new path."
    if file.job.source.is_upload:
        return "To have it again, send it again with ingest_document."
    return "The next run that finds it there reads it again."


def mend_undone(outcome: FileOutcome.Outcome, kind: str, *, may_retry: bool) -> str:
    if kind != Kind.UPLOAD:
        other = "retry the job" if may_retry else "an editor retries the job"
        return f"The next run reads it; or {other}, which does only what is left."
    if not may_retry:
        return "Send it again with ingest_document; or an editor retries the job, which does only what is left."
    if outcome == Outcome.NOT_REACHED:
        return "Retry the job, which does only what is left."
    return "Send the document again, or retry the job, which does only what is left."


def is_refusal(reason: str) -> bool:
    """Whether a site denied this server access (401, 403), which another run would not change."""
    return reason.startswith(NOT_LET_IN)


def mend_file(file: FileOutcome, *, may_retry: bool = True) -> str:
    """get_mend() for an outcome that has its job and source at hand."""
    kind = file.job.source.kind
    return get_mend(file.outcome, kind, file.code, is_refused=is_refusal(file.reason), may_retry=may_retry)


def mend_document(document: Document) -> str:
    """get_mend() for a document that exists and could not be read."""
    if document.status not in Outcome.values:
        return ""
    kind = document.source.kind if document.source else Kind.UPLOAD
    return get_mend(document.status, kind, document.error_code, is_refused=is_refusal(document.error_message))


def list_mends(job: IngestJob) -> list[tuple[str, str]]:
    """What an agent can do about the files of a job: the outcome and the mend, each pair once."""
    refused = Case(When(reason__startswith=NOT_LET_IN, then=True), default=Value(False), output_field=BooleanField())
    files = FileOutcome.objects.of_job(job).filter(outcome__in=MENDED).order_by()
    rows = files.annotate(is_refused=refused).values_list("outcome", "code", "is_refused").distinct()
    mends = {
        (outcome, get_mend(outcome, job.source.kind, code, is_refused=is_refused, may_retry=False))
        for outcome, code, is_refused in rows
    }
    return sorted(mends, key=lambda mend: (MENDED.index(Outcome(mend[0])), mend[1]))
