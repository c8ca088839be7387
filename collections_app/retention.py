"""What is forgotten, and when."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from collections_app.models import SearchEvent


def forget_search_events() -> int:
    """Delete search events older than SEARCH_EVENT_RETENTION_DAYS; how many were."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.search_event_retention_days)
    return SearchEvent.objects.filter(created__lt=oldest).delete()[0]
