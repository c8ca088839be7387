"""Makes tasks of what is committed already, where the queue may be away."""

from __future__ import annotations

from typing import Any

import structlog
from django_q.tasks import async_task

from collections_app.exceptions import summarise

logger = structlog.get_logger(__name__)


def make_task(function: str, *arguments: Any, group: str, mend: str, **about: int) -> bool:
    """Whether the queue took it; else one line of the log says so: `about` is what was lost, `mend` how that is made up for."""
    try:
        async_task(function, *arguments, group=group)
    except Exception as error:  # whatever Redis raises
        logger.warning("queue_away", **about, reason=summarise(error), mend=mend)
        return False
    return True
