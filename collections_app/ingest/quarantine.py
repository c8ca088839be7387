"""Releases a document from quarantine: an editor has read it, and this exact content is served from now on."""

from __future__ import annotations

import structlog
from django.db import transaction
from django.utils import timezone

from collections_app.exceptions import InvalidParameter
from collections_app.indexing import fulltext
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Document

logger = structlog.get_logger(__name__)

Status = Document.Status


@transaction.atomic
def release_document(document: Document, by: str) -> Document:
    """Serve a document that is in quarantine, as long as its content does not change. `by` is for the log.

    Raises InvalidParameter if it is not in quarantine.
    """
    document = Document.objects.select_for_update(of=("self",)).select_related("collection").get(pk=document.pk)
    if document.status != Status.QUARANTINED:
        raise InvalidParameter(f"“{document.path}” is not in quarantine: its status is {document.status}.")
    fulltext.index_stored(document.collection, [document])
    document.status, document.released_hash = Status.SUCCESS, document.content_hash
    document.indexed = timezone.now()
    document.save(update_fields=["status", "released_hash", "indexed"])
    bump_index_version(document.collection)
    logger.info("document_released", document=document.pk, by=by)
    return document
