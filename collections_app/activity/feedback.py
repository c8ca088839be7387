"""What agents say of answers and pages: taken down for the people who mend the documents. Kept for FEEDBACK_RETENTION_DAYS."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.models import Collection, Document, Feedback
from collections_app.postgres.row_security import as_owner

# Said again of the same by the same key within this time, it takes the place of what was said before: models repeat themselves.
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
    """The caller must see the document and the collection. Without a tenant of its own, it speaks to the collection's or to nobody."""
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
    with as_owner():  # of a public collection anybody may say something, and read nothing of what others said
        if not Feedback.objects.filter(**about, created__gte=timezone.now() - SAME_FOR).update(**said):
            Feedback.objects.create(**about, **said)


def forget_old_feedback() -> int:
    """Delete what is past its retention; how much was."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.feedback_retention_days)
    return Feedback.objects.filter(created__lt=oldest).delete()[0]
