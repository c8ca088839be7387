"""The only entry point to ingestion: a job reads a source, one job per source at a time, and records the outcome of each file.

A job and its task are queued in one transaction, so neither exists without the other. While a job runs it holds an advisory lock on its
database connection and writes a heartbeat each second. So it is known whether a job in state `running` really runs: when its process dies,
the lock is released, and `sweep_jobs` queues the job again. docs/ingestion.md describes the life of a job.
"""

from collections_app.ingest import forget_removed, release_document, restore_removed
from collections_app.jobs.dry_run import foresee
from collections_app.jobs.running import Cancelled, request_stop, run_job, run_source
from collections_app.jobs.source_rows import (
    change_source,
    check_interval,
    choose_max_file_bytes,
    ensure_directory_source,
    ensure_git_source,
    ensure_site_source,
    ensure_upload_source,
    find_directory_source,
    get_choice,
    get_max_file_bytes,
    get_repository_url,
    make_columns,
    renew_webhook_secret,
)
from collections_app.jobs.starting import cancel_job, retry_job, start_job, wait_for_job
from collections_app.jobs.summary import FAILURES, NOT_PRUNED, REMOVALS_HELD, Summary
from collections_app.jobs.upkeep import find_next_refreshes, refresh_due_sources, sweep_jobs
from collections_app.jobs.upload_bytes import sweep_store
from collections_app.jobs.uploads import NewUpload, accept_uploads
from collections_app.sources.directory import check_directory

__all__ = [
    "FAILURES",
    "NOT_PRUNED",
    "REMOVALS_HELD",
    "Cancelled",
    "NewUpload",
    "Summary",
    "accept_uploads",
    "cancel_job",
    "change_source",
    "check_directory",
    "check_interval",
    "choose_max_file_bytes",
    "ensure_directory_source",
    "ensure_git_source",
    "ensure_site_source",
    "ensure_upload_source",
    "find_directory_source",
    "find_next_refreshes",
    "foresee",
    "forget_removed",
    "get_choice",
    "get_max_file_bytes",
    "get_repository_url",
    "make_columns",
    "refresh_due_sources",
    "release_document",
    "renew_webhook_secret",
    "request_stop",
    "restore_removed",
    "retry_job",
    "run_job",
    "run_source",
    "start_job",
    "sweep_jobs",
    "sweep_store",
    "wait_for_job",
]
