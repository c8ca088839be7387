"""What the queue calls. Thin: each task is one call of the door it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from collections_app import data_requests, jobs
from collections_app.access import connected_apps
from collections_app.activity import feedback, history, usage
from collections_app.indexing import embedding, languages
from collections_app.limits import quotas
from collections_app.postgres import cache
from collections_app.removal.documents import remove_many
from collections_app.request_ids import working_for


def run_job(job_id: int, request_id: str = "") -> None:
    """Do a queued job, for the request that started it."""
    with working_for(request_id):
        jobs.run_job(job_id)


def embed_sections() -> int:
    """Embed what no job embedded; how many collections there were."""
    return embedding.embed_waiting()


def rebuild_indexes() -> int:
    """Index collections anew whose language was changed; how many there were."""
    return languages.rebuild_due()


def sweep_jobs() -> int:
    """Take up the jobs whose worker died or whose task was lost; how many there were."""
    return jobs.sweep_jobs()


def refresh_sources() -> int:
    """Queue a job for each source whose refresh interval has passed; how many were queued."""
    return jobs.refresh_due_sources()


def forget_old_events() -> int:
    """Drop searches, feedback and daily counts past their retention; how many were."""
    return history.forget_old_searches() + feedback.forget_old_feedback() + usage.forget_old_usage()


def forget_connected_apps() -> int:
    """Drop apps that were never connected or ended long ago, and the keys they had; how many there were."""
    return connected_apps.forget_old_apps()


def forget_removed_documents() -> int:
    """Drop removed documents that can no longer be brought back; how many were."""
    return jobs.forget_removed()


def recount_documents() -> int:
    """Mend the counts of collections' documents, which quotas are held against; how many were wrong."""
    return quotas.recount_all()


def sweep_upload_store() -> int:
    """Drop what no upload needs any more from the object store, where there is one; how much there was."""
    return jobs.sweep_store()


def remove_documents(collection_id: int, document_ids: Sequence[int]) -> int:
    """Take out documents that somebody chose in the admin; how many there were."""
    return remove_many(collection_id, document_ids)


def sweep_cache() -> int:
    """Drop what has expired in the cache in PostgreSQL; how many entries there were. Redis does it by itself."""
    return cache.delete_expired()


def run_data_request(request_id: int) -> None:
    """Export or delete what an owner asked for."""
    data_requests.run(request_id)


def sweep_data_requests() -> int:
    """Take up what nobody works on, drop old exports; how many there were."""
    return data_requests.sweep()
