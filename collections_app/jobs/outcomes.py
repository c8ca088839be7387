"""The rows that record the outcome of each file, and how far the job is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import connection

from collections_app.ingest import MAX_PATH_CHARACTERS, IngestedFile, Outcome
from collections_app.models import FileOutcome, IngestJob
from collections_app.text.control_characters import make_tellable

OUTCOMES_AT_ONCE = 1000
# A removed document is no file of the source; files with the other outcomes were not processed.
NOT_COUNTED = (Outcome.REMOVED, Outcome.CANCELLED, Outcome.NOT_REACHED)

# A job's files are those that it has listed or, if it ended before that, those that it was given (for a site these would be URLs).
FILL = """
INSERT INTO collections_app_fileoutcome (tenant_id, collection_id, job_id, path, source_url, outcome, code, reason)
SELECT DISTINCT job.tenant_id, job.collection_id, job.id, left(listed.path, %(characters)s), '', %(outcome)s, '', ''
FROM collections_app_ingestjob AS job
JOIN collections_app_source AS source ON source.id = job.source_id
CROSS JOIN unnest(coalesce(job.listed, CASE WHEN job.total IS NULL AND source.kind <> 'site' THEN job.only END)) AS listed (path)
WHERE job.id = %(job)s
ON CONFLICT (tenant_id, job_id, path) DO NOTHING
"""


def save_outcomes(job: IngestJob, files: Sequence[IngestedFile]) -> None:
    """Save these outcomes of the job; a later outcome of a path replaces an earlier one. Runs in the caller's transaction."""
    rows = {
        file.path: FileOutcome(
            tenant_id=job.tenant_id,
            collection_id=job.collection_id,
            job=job,
            path=file.path,
            source_url=file.source_url[:2000],
            outcome=file.outcome,
            code=file.code,
            reason=make_tellable(file.reason),
            document_id=file.document_id,
        )
        for file in files
    }
    FileOutcome.objects.bulk_create(
        [rows[path] for path in sorted(rows)],
        batch_size=OUTCOMES_AT_ONCE,
        update_conflicts=True,
        unique_fields=["tenant", "job", "path"],
        update_fields=["source_url", "outcome", "code", "reason", "document"],
    )


def save_listed(job: IngestJob, listed: Collection[str]) -> None:
    """Save which files the run has found, so that those it never gets to are known whatever happens."""
    job.listed, job.total = list(listed), len(listed)
    job.save(update_fields=["listed", "total"])


def fill_outcomes(job: IngestJob, outcome: FileOutcome.Outcome) -> int:
    """Give this outcome to those of the job's files (see FILL) that have none; returns how many there were.

    The list of files is dropped, since it is not needed any more.
    """
    with connection.cursor() as cursor:
        cursor.execute(FILL, {"job": job.pk, "outcome": outcome, "characters": MAX_PATH_CHARACTERS})
        count: int = cursor.rowcount
    job.listed = None
    if job.total is None and count:
        job.total = count
    job.save(update_fields=["listed", "total"])
    return count


def count_done(job: IngestJob) -> int:
    return job.outcomes.exclude(outcome__in=NOT_COUNTED).count()
