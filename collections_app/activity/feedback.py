"""Records what agents say about answers and pages, for the people who mend the documents. Kept for FEEDBACK_RETENTION_DAYS."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.models import Collection, Document, Feedback
from collections_app.postgres.row_security import as_owner

# Feedback by the same key on the same subject within this time replaces the earlier one, because models repeat themselves.
SAME_FOR = timedelta(days=1)


def record_feedback(
    principal: Principal,
    *,
    helpful: bool,
    question: str = "",
    document: Document | None = None,
    collection: Collection | None = None,
    comment: str = "",
) -> None:
    """The caller must be allowed to see document and collection. Without a tenant, the feedback goes to the collection's, or nobody."""
    collection = document.collection if document else collection
    tenant_id = principal.tenant_id or (collection and collection.tenant_id)
    if tenant_id is None or principal.is_trial:
        return
    about = {
        "tenant_id": tenant_id,
        "api_key_id": principal.api_key_id,
        "collection": collection,
        "question": question,
        "path": document.path if document else "",
    }
    said = {"helpful": helpful, "comment": comment}
    with as_owner():  # anybody may give feedback on a public collection, but not read others'
        if not Feedback.objects.filter(**about, created__gte=timezone.now() - SAME_FOR).update(**said):
            Feedback.objects.create(**about, **said)


def forget_old_feedback() -> int:
    """Deletes feedback past its retention; returns how much."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.feedback_retention_days)
    return Feedback.objects.filter(created__lt=oldest).delete()[0]
