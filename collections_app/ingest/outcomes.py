"""The outcome of a file, passed from the writer to whoever stores or shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collections_app.models import FileOutcome

Outcome = FileOutcome.Outcome


@dataclass(frozen=True, slots=True)
class IngestedFile:
    """What became of one file. `code` and `reason` say why if something is wrong with it."""

    path: str
    outcome: FileOutcome.Outcome
    size_bytes: int = 0
    code: str = ""
    reason: str = ""
    document_id: int | None = None
    source_url: str = ""


Record = Callable[[Sequence[IngestedFile]], None]
