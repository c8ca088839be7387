"""What a person at a terminal sees of a long run: a bar with rate and remaining time, or a line now and then elsewhere.

All of it goes to standard error: standard output is for the result.
"""

from __future__ import annotations

import sys
from collections import Counter
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from collections_app.ingest import IngestedFile
from collections_app.jobs import FAILURES
from collections_app.models import FileOutcome

LINE_EVERY = 1000
# Files that failed for the same reason, of which each is named as it fails; the others are counted in the end.
NAMED_ALIKE = 5


class RateColumn(ProgressColumn):
    """Steps a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="progress.data.speed")


class CountProgress:
    """Shows how many of a total are done: a bar on a terminal, elsewhere a line for every thousand `things`."""

    def __init__(self, out: Any, title: str, things: str, *, is_quiet: bool = False) -> None:
        self.out = out
        self.things = things
        self.is_quiet = is_quiet
        self.thousands = 0
        self.bar: Progress | None = None
        if sys.stderr.isatty() and not is_quiet:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                RateColumn(),
                TimeRemainingColumn(),
            )
            self.bar = Progress(*columns, console=Console(stderr=True))
            self.task = self.bar.add_task(escape(title), total=None)

    def __enter__(self) -> Self:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar:
            self.bar.stop()

    def show_count(self, done: int, total: int) -> None:
        """`total` may grow while a site is being discovered."""
        if self.bar:
            self.bar.update(self.task, completed=done, total=max(total, done))
        elif done // LINE_EVERY > self.thousands and not self.is_quiet:
            self.thousands = done // LINE_EVERY
            self.out.write(f"{done:,} of {max(total, done):,} {self.things}", str)

    def say(self, line: str) -> None:
        if self.bar:
            self.bar.console.print(escape(line), highlight=False, soft_wrap=True)
        else:
            self.out.write(line)


class IngestProgress(CountProgress):
    """Shows the outcomes of files, and a line for each that failed, as long as a reason is new. `failures` are kept for a report.

    `with_warnings`: also for each that has one; of a run with a job, the job has them.
    """

    def __init__(self, out: Any, *, is_quiet: bool = False, with_warnings: bool = False) -> None:
        super().__init__(out, "Ingesting", "files", is_quiet=is_quiet)
        self.with_warnings = with_warnings
        self.failures: list[IngestedFile] = []
        self.reasons: Counter[str] = Counter()
        self.done = 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        for reason, count in self.reasons.items():
            if count > NAMED_ALIKE:
                self.say(f"{count - NAMED_ALIKE:,} more {reason}")

    def show(self, file: IngestedFile, total: int) -> None:
        self.done += 1
        if file.outcome in FAILURES:
            self.failures.append(file)
            self.say_reason(file.outcome, file.path, f"{file.code} {file.reason}")
        elif self.with_warnings and file.outcome in FileOutcome.READ and file.reason:
            self.say_reason("warning", file.path, file.reason)
        self.show_count(self.done, total)

    def say_reason(self, what: str, path: str, reason: str) -> None:
        self.reasons[alike := f"{what}: {reason}"] += 1
        if self.reasons[alike] <= NAMED_ALIKE:
            self.say(f"{what}: {path}: {reason}")
