"""`python -m tests.chaos.soak [MINUTES]`: mixed traffic with ingest running, for 15 minutes. Nothing may grow that should not.

It fails when the memory of a process grew by more than 5% between the first and the last fifth of what follows the warm-up, when there
are more connections to a database at the end than after the warm-up, or when a call was not answered rightly.
"""

# ruff: noqa: T201

from __future__ import annotations

import http.client
import itertools
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from threading import Event, Thread

import psycopg

from benchmarks.processes import read_memory
from docsmcp_site.processes.stop_signals import listening_to_signals
from tests.chaos.traffic import HEAD, RIGHT, count, describe
from tests.chaos.whole import Whole, keep_logs, make_place

MINUTES = 15.0
# Of the time: modules are loaded, caches fill, connections open.
WARM_UP = 0.25
SAMPLE_SECONDS = 5
GROWTH = 0.05
# What a page of the allocator more or less makes of a small process is no growth.
SLACK_MB = 1.0
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"


@dataclass(frozen=True, slots=True)
class Sample:
    memory: dict[tuple[str, int], float]
    """Resident megabytes, by the name of the command and the process's number. What is shared is in it: a page that is not shared any
    more is no growth."""
    connections: dict[str, int]


def take_sample(whole: Whole) -> Sample:
    return Sample(
        dict(iter_memory(whole)),
        {database.name: int(database.ask(CONNECTIONS)) for database in (whole.primary, whole.replica)},
    )


def iter_memory(whole: Whole) -> Iterator[tuple[tuple[str, int], float]]:
    for kept in [*whole.webs, *whole.queues]:
        for pid in [kept.process.pid, *kept.find_children()]:
            with suppress(OSError, KeyError):  # it has ended
                yield (kept.name, pid), read_memory(pid)[0]


class Visitor:
    """Asks for what agents do not: pages for people, lists, figures."""

    PATHS = (
        "/docs/default/chaos/",
        "/docs/default/chaos/page-1.md",
        "/docs/default/chaos/llms.txt",
        "/api/collections",
        "/api/search?q=server",
        "/api/jobs",
        "/metrics",
        "/readyz",
        "/admin/login/",
    )

    def __init__(self, ports: Sequence[int], key: str) -> None:
        self.ports, self.headers, self.ends = ports, {"Authorization": f"Bearer {key}"}, Event()
        self.statuses = Counter[tuple[str, int]]()
        self.thread = Thread(target=self.visit)

    def visit(self) -> None:
        turns = zip(itertools.cycle(self.PATHS), itertools.cycle(self.ports), strict=False)
        for path, port in turns:
            if self.ends.wait(0.2):
                return
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", path, headers=self.headers)
            response = connection.getresponse()
            response.read()
            connection.close()
            self.statuses[path, response.status] += 1


def judge_memory(samples: Sequence[Sample]) -> list[str]:
    """Of processes that were there from the first sample to the last."""
    failures = []
    part = max(1, len(samples) // 5)
    lasting = set.intersection(*(set(sample.memory) for sample in samples))
    for process in sorted(lasting):
        first, last = (
            statistics.median(sample.memory[process] for sample in some) for some in (samples[:part], samples[-part:])
        )
        growth = last / first - 1
        print(f"{process[0]:10} {process[1]:8} {first:8.1f} MB {last:8.1f} MB {growth:+8.1%}")
        if growth > GROWTH and last - first > SLACK_MB:
            failures.append(f"{process[0]} ({process[1]}) grew by {growth:.1%}")
    return failures


def judge_connections(samples: Sequence[Sample]) -> list[str]:
    failures = []
    half = len(samples) // 2
    for database in samples[0].connections:
        before, after = (max(s.connections[database] for s in some) for some in (samples[:half], samples[half:]))
        print(f"{database:10} at most {before} connections in the first half, {after} in the second")
        if after > before + 1:
            failures.append(f"{database} has {after} connections instead of {before}")
    return failures


def run(whole: Whole, minutes: float) -> list[str]:
    began = time.monotonic()
    samples: list[tuple[float, Sample]] = []
    visitor = Visitor([web.port for web in whole.webs], whole.key)
    with whole.traffic:
        visitor.thread.start()
        try:
            while (now := time.monotonic()) < began + minutes * 60:
                with suppress(psycopg.OperationalError):
                    samples.append((now, take_sample(whole)))
                time.sleep(SAMPLE_SECONDS)
        finally:
            visitor.ends.set()
            visitor.thread.join()
    warm = [sample for at, sample in samples if at > began + minutes * 60 * WARM_UP]
    outcomes = whole.traffic.journal.outcomes
    print(f"{minutes:g} minutes, {len(outcomes) / minutes / 60:.0f} calls a second\n{HEAD}\n{describe(outcomes)}")
    print(
        f"{sum(visitor.statuses.values())} other requests: {dict(Counter(s for _, s in visitor.statuses.elements()))}"
    )
    failures = [f"{o.kind}: {o.what}" for o in outcomes if o.kind != RIGHT]
    failures += [f"{path}: {status}" for path, status in visitor.statuses if status >= 500]
    lost = whole.traffic.find_lost(90)
    print(f"{len(whole.traffic.journal.accepted)} uploads, {len(lost)} lost; {dict(count(outcomes))}")
    return [*failures, *judge_memory(warm), *judge_connections(warm), *lost]


def main(minutes: float) -> int:
    with listening_to_signals(), make_place() as directory, ExitStack() as stack:
        whole = Whole(directory, stack)
        failures = run(whole, minutes)
        if failures:
            keep_logs(whole)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES))
