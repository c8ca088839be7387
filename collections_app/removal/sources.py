"""Removes a source with its documents, which can be restored for some days, and the record of its jobs, which cannot."""

from __future__ import annotations

from django.db import transaction

from collections_app.indexing import fulltext
from collections_app.ingest import remove_all
from collections_app.jobs.lifecycle import holding_source
from collections_app.jobs.starting import make_unfinished
from collections_app.models import Collection, IngestJob, Source, Tenant


def remove_source(source: Source) -> int:
    """Returns how many documents were removed with it. An interrupted removal is continued by the next call. Raises JobUnfinished while a
    job reads it."""
    with holding_source(source.pk) as is_held:
        if not is_held:
            raise make_unfinished(source.jobs.filter(state=IngestJob.State.RUNNING).first())
        count = remove_all(source.collection, source.documents.all())
        delete_row(source)
    fulltext.settle_index(source.collection, count)
    return count


@transaction.atomic
def delete_row(row: Tenant | Collection | Source) -> None:
    """Deletes a row with everything that belongs to it, even what is being written now: nothing can be added to a locked row."""
    type(row)._default_manager.select_for_update().filter(pk=row.pk).first()
    row.delete()
