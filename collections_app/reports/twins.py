"""Which other document a duplicate equals, and whether the same run found that one too: if not, the file was probably moved.

Changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from collections_app.models import Document, FileOutcome, IngestJob

# Runs with these states have seen all of the source, as far as possible.
SEEN_STATES = (IngestJob.State.SUCCEEDED, IngestJob.State.PARTIAL)


def find_twins(rows: Iterable[FileOutcome], hashes: Mapping[int | None, str] | None = None) -> dict[int, Document]:
    """For the duplicates among these outcomes of a collection: outcome id → the first other document, by path, with the same bytes, if
    there is one. `hashes`: their documents' hashes by id, if they are at hand."""
    duplicates = [row for row in rows if row.outcome == FileOutcome.Outcome.DUPLICATE]
    if not duplicates:
        return {}
    if hashes is None:
        itself = Document.objects.filter(pk__in=[row.document_id for row in duplicates])
        hashes = dict(itself.values_list("pk", "content_hash"))
    wanted = {row.pk: hashes[row.document_id] for row in duplicates if row.document_id in hashes}
    if not wanted:
        return {}
    collection = duplicates[0].collection
    same = Document.objects.in_collections([collection]).readable().filter(content_hash__in=wanted.values())
    documents = defaultdict[str, list[Document]](list)
    for document in same.only("path", "content_hash", "source_id").order_by("path"):
        documents[document.content_hash].append(document)
    found = {
        row.pk: next((each for each in documents[wanted[row.pk]] if each.pk != row.document_id), None)
        for row in duplicates
        if row.pk in wanted
    }
    return {pk: document for pk, document in found.items() if document}


def describe_twins(job: IngestJob, rows: Iterable[FileOutcome]) -> dict[int, str]:
    """For the duplicates among these outcomes: outcome id → the path of the equal document; if this run did not find that one, with what
    to do, since the file was then probably moved."""
    twins = find_twins(rows)
    unfound = find_unfound(job, twins.values()) if twins else set()
    return {
        pk: f"{twin.path}, which this run did not find: moved? A run with --prune removes it"
        if twin.pk in unfound
        else twin.path
        for pk, twin in twins.items()
    }


def find_unfound(job: IngestJob, documents: Iterable[Document]) -> set[int]:
    """The ids of those documents that belong to the job's source and that the job, a run over all of it, did not find."""
    if not is_over_all(job):
        return set()
    own = {document.path: document.pk for document in documents if document.source_id == job.source_id}
    files = FileOutcome.objects.of_job(job).filter(path__in=list(own)).order_by()
    return set(own.values()) - {own[path] for path in files.values_list("path", flat=True)}


def is_over_all(job: IngestJob) -> bool:
    """Whether the job reports on every file of its source. False for uploads, where each run is over the files that came."""
    return job.state in SEEN_STATES and not job.source.is_upload and job.only is None


def find_losing_job(document: Document) -> IngestJob | None:
    """The last complete run of the document's source, if that did not find it."""
    if document.source_id is None:
        return None
    jobs = IngestJob.objects.filter(
        tenant=document.tenant_id, source=document.source_id, only=None, state__in=SEEN_STATES
    )
    job = jobs.select_related("source").order_by("-pk").first()
    if job is None or (document.indexed and job.finished and document.indexed > job.finished):
        return None
    return job if find_unfound(job, [document]) else None
