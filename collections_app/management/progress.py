"""What a person at a terminal sees of an ingest: a bar with rate and remaining time, and a line for each file that failed."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from collections_app.ingest import IngestedFile
from collections_app.jobs import FAILURES

LINE_EVERY_FILES = 1000


class RateColumn(ProgressColumn):
    """Files a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="progress.data.speed")


class IngestProgress:
    """Shows outcomes on standard error: a bar on a terminal, a line every thousand files elsewhere. `failures` are kept for a report."""

    def __init__(self, out: Any, *, is_quiet: bool = False) -> None:
        self.out = out
        self.is_quiet = is_quiet
        self.failures: list[IngestedFile] = []
        self.done = 0
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
            self.task = self.bar.add_task("Ingesting", total=None)

    def __enter__(self) -> Self:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar:
            self.bar.stop()

    def show(self, file: IngestedFile, total: int) -> None:
        self.done += 1
        if file.outcome in FAILURES:
            self.failures.append(file)
            self.say(f"{file.outcome}: {file.path}: {file.code} {file.reason}")
        if self.bar:
            self.bar.update(self.task, completed=self.done, total=max(total, self.done))
        elif self.done % LINE_EVERY_FILES == 0 and not self.is_quiet:
            self.out.write(f"{self.done:,} of {total:,} files")

    def say(self, line: str) -> None:
        if self.bar:
            self.bar.console.print(escape(line), highlight=False, soft_wrap=True)
        else:
            self.out.write(line)
