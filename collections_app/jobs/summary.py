"""What a run did, in numbers, and the state that its job gets from that. No rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.exceptions import QuotaExceeded, UnusablePath
from collections_app.ingest import IngestedFile, Outcome
from collections_app.models import FileOutcome, IngestJob, Source
from collections_app.provisioning import write_tenant_option
from collections_app.sources.left_out import LeftOut

REMOVALS_HELD = "REMOVALS_HELD"
"""The code of a job that removed none of the documents that it no longer found, because they are most of its source's."""

NOT_PRUNED = "NOT_PRUNED"
"""The code of a job that came to its end, and did not look for what is gone, since it did not see all of its source. It has no message."""

DOCUMENTS = "documents"
"""What the number of documents that a run found is called in its source's `fetch_state`."""

# So few documents may well have been removed on purpose, and are quickly restored.
FEW_REMOVALS = 10

FAILURES = (Outcome.FAILED, Outcome.UNSUPPORTED, Outcome.QUARANTINED)

Progress = Callable[[IngestedFile, int], None]
"""Hears each outcome, once it is certain, and how many files are known of."""

State = IngestJob.State


@dataclass(slots=True)
class Summary:
    """What a run did: files by outcome, bytes read, seconds taken. Removed documents are counted among the outcomes.

    - `documents`: how many of the files have a document.
    - `is_unpruned`: pruning was asked for but not done, since the run did not see all of its source.
    - `held`: how many documents were not found any more and stay until somebody confirms their removal.
    - `unfound`: paths of documents that were not found any more and stay because pruning was not asked for.
    - `to_remove`: paths of documents that a run would remove, found by a dry run.
    - `moved`: path of a document that was removed, or that a dry run would remove → that of the one that has its text now.
    - `left_out`: files that were passed over, by reason.
    - `warned`: documents that were read with warnings.
    - `over_quota`: failed files for which the tenant has no room; `unusable`: failed files whose path no document may have.
    - `language`: the language that the collection turned out to be in, if it had been indexed in another.
    - `older`: see count_outdated() in naming/version_folders.py; `translations`: see count_translations() beside it.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    is_unpruned: bool = False
    held: int = 0
    unfound: Sequence[str] = ()
    to_remove: Sequence[str] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    warned: int = 0
    over_quota: int = 0
    unusable: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)
    language: str = ""
    older: Mapping[str, int] = field(default_factory=dict)
    translations: Mapping[str, int] = field(default_factory=dict)
    size_bytes: int = 0
    seconds: float = 0.0

    @property
    def files(self) -> int:
        return sum(count for outcome, count in self.outcomes.items() if outcome != Outcome.REMOVED)

    @property
    def written(self) -> int:
        return self.outcomes[Outcome.INDEXED] + self.outcomes[Outcome.DUPLICATE]

    @property
    def failed(self) -> int:
        return sum(self.outcomes[outcome] for outcome in FAILURES)

    def add(self, file: IngestedFile) -> None:
        self.outcomes[file.outcome] += 1
        self.warned += file.outcome in FileOutcome.READ and bool(file.reason)
        self.over_quota += file.code == QuotaExceeded.code
        self.unusable += file.code == UnusablePath.code
        self.documents += file.document_id is not None
        self.size_bytes += file.size_bytes

    def count_as_indexed(self, duplicates: int) -> None:
        """So many duplicates are none any more without what is removed."""
        self.outcomes[Outcome.DUPLICATE] -= duplicates
        self.outcomes[Outcome.INDEXED] += duplicates


def has_failed_for_the_most_part(source: Source, summary: Summary) -> bool:
    """Whether so many of a site's pages failed (more than half) that the site itself must be broken."""
    broken = summary.outcomes[Outcome.FAILED] - summary.over_quota
    return source.kind == Source.Kind.SITE and broken * 2 > summary.files


def is_mass_removal(gone: int, documents: int) -> bool:
    """Whether so many of a source's documents are gone that the source is more likely broken: a login page, an empty checkout."""
    return gone > FEW_REMOVALS and gone * 2 > documents


def describe_held(source: Source, summary: Summary) -> str:
    command = f"docsmcp sync_sources{write_tenant_option(source.tenant)} --source {source.pk} --accept-removals"
    return (
        f"The source no longer has {summary.held:,} documents, which are most of it, so none was removed: it may be broken or moved. "
        f"If they are to go, read it again and accept that: `{command}`, "
        f"`accept_removals` of POST /api/sources/{source.pk}/refresh, or the button on this job's page."
    )


def choose_code(source: Source, summary: Summary, state: IngestJob.State) -> tuple[str, str]:
    """The code and the message of a job whose run came to its end; both are usually empty."""
    if summary.held:
        return REMOVALS_HELD, describe_held(source, summary)
    return NOT_PRUNED if summary.is_unpruned and state != State.FAILED else "", ""


def choose_state(source: Source, summary: Summary) -> IngestJob.State:
    """The state of a job whose run came to its end."""
    left = summary.failed + summary.outcomes[Outcome.NOT_REACHED]
    if not left:
        return State.PARTIAL if summary.held else State.SUCCEEDED
    if left == summary.files or has_failed_for_the_most_part(source, summary):
        return State.FAILED
    return State.PARTIAL
