"""Takes a source away, with its documents, which can be brought back for some days, and the record of its jobs, which cannot."""

from __future__ import annotations

from django.db import transaction

from collections_app.indexing import fulltext
from collections_app.ingest import remove_all
from collections_app.jobs.lifecycle import holding_source
from collections_app.jobs.starting import make_unfinished
from collections_app.models import Collection, IngestJob, Source, Tenant


def remove_source(source: Source) -> int:
    """How many documents left with it. One that broke off is gone on with by the next call. Raises JobUnfinished while a job reads it."""
    with holding_source(source.pk) as is_held:
        if not is_held:
            raise make_unfinished(source.jobs.filter(state=IngestJob.State.RUNNING).first())
        count = remove_all(source.collection, source.documents.all())
        delete_row(source)
    fulltext.settle_index(source.collection, count)
    return count


@transaction.atomic
def delete_row(row: Tenant | Collection | Source) -> None:
    """Delete a row with all that belongs to it, also what is just being written: nothing can come to a row that is locked."""
    type(row)._default_manager.select_for_update().filter(pk=row.pk).first()
    row.delete()
