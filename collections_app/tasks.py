"""What the queue calls. Thin: each task is one call of the door it belongs to."""

from __future__ import annotations

from collections_app import history, jobs


def refresh_sources() -> int:
    """Read every source again whose refresh interval has passed; how many were."""
    return jobs.refresh_due_sources()


def forget_old_events() -> int:
    """Drop search events past their retention; how many were."""
    return history.forget_old_searches()
