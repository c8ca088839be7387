"""Plain words for pages: the states of jobs, outcomes of files, durations. The values are the models'."""

from __future__ import annotations

import re

from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from collections_app.jobs import REMOVALS_HELD
from collections_app.limits.quotas import Storage
from collections_app.models import FileOutcome, IngestJob

State, Outcome = IngestJob.State, FileOutcome.Outcome

CODE = re.compile(r"`([^`\n]+)`")

STAGES: dict[str, str] = {
    "": "Waiting for its turn",
    "listing": "Looking for files",
    "indexing": "Reading files",
    "removing": "Taking out what is gone",
    "embedding": "Making embeddings",
    "settling": "Putting the index in order",
}
STATES: dict[str, str] = {
    State.QUEUED: "Waiting for its turn",
    State.RUNNING: "Running",
    State.SUCCEEDED: "Done",
    State.PARTIAL: "Done, but some files were not taken",
    State.FAILED: "Failed",
    State.CANCELLED: "Cancelled",
}
HELD = "Done, but removals are held"
FILES_IN_WORDS: dict[str, str] = {
    Outcome.FAILED: "Failed",
    Outcome.QUARANTINED: "In quarantine",
    Outcome.UNSUPPORTED: "Format not read",
    Outcome.NOT_REACHED: "Not reached",
    Outcome.CANCELLED: "Cancelled",
    Outcome.REMOVED: "Removed",
    Outcome.DUPLICATE: "Same text as another file",
    Outcome.INDEXED: "Indexed",
    Outcome.UNCHANGED: "Unchanged",
}


def describe_state(job: IngestJob) -> str:
    """What the job is doing, or how it ended."""
    return STAGES.get(job.stage, "Running") if job.state == State.RUNNING else name_state(job.state, job.error_code)


def name_state(state: str, error_code: str) -> str:
    """Held removals take precedence over files that were not taken: agents are still given what is gone."""
    return HELD if state == State.PARTIAL and error_code == REMOVALS_HELD else STATES[state]


def describe_duration(seconds: int) -> str:
    """In the largest unit that gives a whole number: "5 min"."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def describe_storage(storage: Storage) -> str:
    """How much of the allowance is used: `1,204 of 2,000 documents, 9.5 MB of 10.0 MB: nearly full`."""
    documents = (
        f"{storage.documents:,} of {storage.max_documents:,}" if storage.max_documents else f"{storage.documents:,}"
    )
    size = filesizeformat(storage.size_bytes)
    size = f"{size} of {filesizeformat(storage.max_bytes)}" if storage.max_bytes else size
    warning = ": nearly full" if storage.is_nearly_full else ""
    return f"{documents} documents, {size}{warning}"


def mark_code(text: str) -> SafeString:
    """Shows code in backticks as code."""
    parts = enumerate(CODE.split(text))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in parts)
    )
