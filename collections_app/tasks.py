"""What the queue calls. Thin: each task is one call of the door it belongs to."""

from __future__ import annotations

from collections_app import database_cache, embedding, history, jobs


def run_job(job_id: int) -> None:
    """Do a queued job."""
    jobs.run_job(job_id)


def embed_sections() -> int:
    """Embed what no job embedded; how many collections there were."""
    return embedding.embed_waiting()


def sweep_jobs() -> int:
    """Take up the jobs whose worker died or whose task was lost; how many there were."""
    return jobs.sweep_jobs()


def refresh_sources() -> int:
    """Queue a job for each source whose refresh interval has passed; how many were queued."""
    return jobs.refresh_due_sources()


def forget_old_events() -> int:
    """Drop search events past their retention; how many were."""
    return history.forget_old_searches()


def forget_removed_documents() -> int:
    """Drop removed documents that can no longer be brought back; how many were."""
    return jobs.forget_removed()


def sweep_cache() -> int:
    """Drop what has expired in the cache in PostgreSQL; how many entries there were. Redis does it by itself."""
    return database_cache.delete_expired()
