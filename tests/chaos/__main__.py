"""`python -m tests.chaos [SCENARIO…]`: two web servers and three queues under load, while parts of it are killed and taken away.

It takes about seven minutes. It fails when an answer was wrong, an accepted upload is lost, an error comes without advice when to come
back, or something does not recover. What it prints is kept in docs/scaling.md. Needs Debian's PostgreSQL 15, PgBouncer and Redis, which
root installs. nginx has tests of its own: tests/end_to_end/test_nginx.py, test_slow_clients.py.
"""

# ruff: noqa: T201

from __future__ import annotations

import http.client
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg

from benchmarks.processes import find_descendants
from docsmcp_site.processes.stop_signals import listening_to_signals
from tests.chaos.databases import Daemon
from tests.chaos.installation import Kept, make_environment
from tests.chaos.traffic import (
    BROKEN,
    HEAD,
    RIGHT,
    UNADVISED,
    WRONG,
    count,
    describe,
)
from tests.chaos.whole import Whole, keep_logs, make_place

CALM_SECONDS = 8
AWAY_SECONDS = 30
SILENT_SECONDS = 40
RECOVERY_SECONDS = 60
# A task that a killed queue had in hand is made again within two minutes, and a half for the queue's own schedule.
LOST_SECONDS = 150
IDLE_CONNECTIONS = 2_000


class Chaos(Whole):
    def __init__(self, directory: Path, stack: ExitStack) -> None:
        super().__init__(directory, stack)
        self.failures = list[str]()

    def judge(self, name: str, began: float, ended: float, *, allowed: Sequence[str]) -> None:
        """Print what became of the calls since `began`, after things were well again from `ended` on."""
        recovery = self.wait_until_well(ended)
        outcomes = self.traffic.journal.since(began)
        print(f"{name:38} {describe(outcomes)}   {'-' if recovery is None else f'{recovery:5.1f} s'}", flush=True)
        for outcome in outcomes:
            if outcome.kind not in (RIGHT, *allowed):
                self.failures.append(f"{name}: {outcome.kind}: {outcome.what}")
        if recovery is None:
            self.failures.append(f"{name}: not well again within {RECOVERY_SECONDS} s")

    def wait_until_well(self, ended: float) -> float | None:
        """How long after `ended` the last call failed, when for CALM_SECONDS / 2 none has."""
        while time.monotonic() < ended + RECOVERY_SECONDS:
            time.sleep(0.5)
            bad = [outcome.at for outcome in self.traffic.journal.since(ended) if outcome.kind != RIGHT]
            last = max(bad, default=ended)
            if time.monotonic() - last > CALM_SECONDS / 2:
                return last - ended
        return None


def stay_calm(chaos: Chaos) -> None:
    began = time.monotonic()
    time.sleep(CALM_SECONDS)
    chaos.judge("nothing happens", began, time.monotonic(), allowed=())


def kill_workers(chaos: Chaos) -> None:
    """One process of each web server and each queue: who stands above starts another."""
    began = time.monotonic()
    for kept in [*chaos.webs, *chaos.queues]:
        victims = [pid for pid in kept.find_children() if pid not in find_masters(kept)]
        with suppress(ProcessLookupError):
            os.kill(random.choice(victims or [kept.process.pid]), signal.SIGKILL)
        time.sleep(2)
    chaos.judge("kill -9 of one process of each", began, time.monotonic(), allowed=(BROKEN,))


def find_masters(kept: Kept) -> list[int]:
    return [pid for pid in kept.find_children() if find_descendants(pid)]


def kill_servers(chaos: Chaos) -> None:
    """A whole web server, then a whole queue, with all processes; both are started again a second later."""
    began = time.monotonic()
    for kept in (chaos.webs[0], chaos.queues[0]):
        os.killpg(kept.process.pid, signal.SIGKILL)
        time.sleep(1)
    chaos.judge("kill -9 of a web server and a queue", began, time.monotonic(), allowed=(BROKEN,))


def kill_database(chaos: Chaos) -> None:
    began = time.monotonic()
    chaos.primary.stop(signal.SIGKILL)
    time.sleep(1)
    chaos.primary.start()
    chaos.judge("kill -9 of the database", began, time.monotonic(), allowed=("advised",))


def take_database_away(chaos: Chaos) -> None:
    began = time.monotonic()
    chaos.primary.stop()
    time.sleep(AWAY_SECONDS)
    chaos.primary.start()
    chaos.judge(f"the database is away for {AWAY_SECONDS} s", began, time.monotonic(), allowed=("advised",))


def silence_database(chaos: Chaos) -> None:
    silence(chaos, chaos.primary, "the database", allowed=("advised",))


def silence_replica(chaos: Chaos) -> None:
    silence(chaos, chaos.replica, "the replica", allowed=())


def silence_redis(chaos: Chaos) -> None:
    silence(chaos, chaos.redis, "Redis", allowed=())


def silence(chaos: Chaos, daemon: Daemon, name: str, allowed: Sequence[str]) -> None:
    began = time.monotonic()
    daemon.freeze()
    time.sleep(SILENT_SECONDS)
    daemon.thaw()
    chaos.judge(f"{name} says nothing for {SILENT_SECONDS} s", began, time.monotonic(), allowed=allowed)
    longest = max((outcome.seconds for outcome in chaos.traffic.journal.since(began)), default=0.0)
    print(f"  the longest call took {longest:.1f} s", flush=True)


def restart_replica(chaos: Chaos) -> None:
    began = time.monotonic()
    for number in (signal.SIGINT, signal.SIGKILL):
        chaos.replica.stop(number)
        time.sleep(4)
        chaos.replica.start()
        time.sleep(6)
    chaos.judge("the replica is stopped and killed", began, time.monotonic(), allowed=())
    used = chaos.replica.ask("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
    if not used:
        chaos.failures.append("the replica was not asked again")


def hold_replica_up(chaos: Chaos) -> None:
    """It goes on answering, and replays nothing. What was killed before must have been made good: nothing else is late for it then."""
    chaos.failures += [f"lost before the replica lagged: {path}" for path in chaos.traffic.find_lost(LOST_SECONDS)]
    began = time.monotonic()
    chaos.replica.ask("SELECT pg_wal_replay_pause()::text")
    before = dict(chaos.traffic.journal.choose_accepted())
    time.sleep(10)
    if late := sorted(set(chaos.traffic.find_lost(30)) & set(before)):
        chaos.failures.append(f"behind a replica that lags these are not found: {late[:5]}")
    with suppress(psycopg.errors.SerializationFailure):  # what it replays then may end this very statement
        chaos.replica.ask("SELECT pg_wal_replay_resume()::text")
    chaos.judge("the replica lags", began, time.monotonic(), allowed=())


def take_redis_away(chaos: Chaos) -> None:
    began = time.monotonic()
    chaos.redis.stop(signal.SIGKILL)
    time.sleep(10)
    chaos.redis.start()
    chaos.judge("Redis is away for 10 s", began, time.monotonic(), allowed=())


def restart_pooler(chaos: Chaos) -> None:
    began = time.monotonic()
    chaos.pooler.stop(signal.SIGKILL)
    time.sleep(2)
    chaos.pooler.start()
    chaos.judge("kill -9 of the pooler", began, time.monotonic(), allowed=("advised",))


def fill_disk(chaos: Chaos) -> None:
    if not chaos.has_own_disk:
        print("the disk is full                       not tried: no tmpfs can be mounted here")
        return
    began = time.monotonic()
    ballast = chaos.directory / "disk" / "ballast"
    for piece_bytes in (2**20, 4096):
        with ballast.open("ab", buffering=0) as file, suppress(OSError):
            while file.write(bytes(piece_bytes)):
                pass
    time.sleep(15)
    ballast.unlink()
    assert chaos.primary.process
    with suppress(subprocess.TimeoutExpired):
        chaos.primary.process.wait(3)  # it may have given up: it cannot go on without writing its log
        chaos.primary.start()
    chaos.judge("the database's disk is full", began, time.monotonic(), allowed=("advised",))
    print(f"  an operator retries {run_script(chaos, RETRY)} jobs that say DISK_FULL", flush=True)


def open_connections(chaos: Chaos) -> None:
    """To each web server: connections that were used once and are kept, ones that say nothing, ones that stop in the middle."""
    began = time.monotonic()
    half = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
    port = chaos.webs[0].port
    with ExitStack() as stack:
        for _ in range(IDLE_CONNECTIONS):
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            stack.callback(client.close)
            client.request("GET", "/livez")
            client.getresponse().read()
        for said in [b""] * 200 + [half] * 8:
            silent = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            stack.callback(silent.close)
            silent.connect()
            silent.send(said)
        time.sleep(CALM_SECONDS)
    chaos.judge(f"{IDLE_CONNECTIONS:,} kept, 200 silent, 8 slow clients", began, time.monotonic(), allowed=())


SCENARIOS: dict[str, Callable[[Chaos], None]] = {
    "calm": stay_calm,
    "workers": kill_workers,
    "servers": kill_servers,
    "replica": restart_replica,
    "lag": hold_replica_up,
    "kill": kill_database,
    "away": take_database_away,
    "silent": silence_database,
    "silent-replica": silence_replica,
    "silent-redis": silence_redis,
    "pooler": restart_pooler,
    "redis": take_redis_away,
    "disk": fill_disk,
    "connections": open_connections,
}

RETRY = """
import django
django.setup()
from collections_app.jobs import retry_job
from collections_app.models import IngestJob
jobs = list(IngestJob.objects.filter(state="failed", error_code="DISK_FULL"))
for job in jobs:
    retry_job(job)
print(len(jobs))
"""
CHECK = """
import django
django.setup()
from collections_app.models import Collection, IngestJob
from tests.index_check import check_index, check_job
for collection in Collection.objects.all():
    check_index(collection)
finished = IngestJob.objects.exclude(state__in=IngestJob.UNFINISHED)
for job in finished:
    check_job(job)
print(f"{finished.count()} jobs, each file of which has its one outcome; the index is whole")
"""


def run_script(chaos: Chaos, script: str) -> str:
    """What it printed. That it failed is one of the failures."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=make_environment(chaos.settings),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        chaos.failures.append(f"a look at the rows failed: {done.stderr[-1500:]}")
    return done.stdout.strip()


def main(names: Sequence[str]) -> int:
    with listening_to_signals(), make_place() as directory, ExitStack() as stack:
        chaos = Chaos(directory, stack)
        print(f"{'':38} {HEAD}   well again after", flush=True)
        with chaos.traffic:
            for name in names or SCENARIOS:
                SCENARIOS[name](chaos)
            lost = chaos.traffic.find_lost(LOST_SECONDS)
        uploads = len(chaos.traffic.journal.accepted)
        print(f"{uploads} uploads were accepted, {len(lost)} are lost")
        chaos.failures += [f"lost: {path}" for path in lost]
        print(run_script(chaos, CHECK))
        total = count(chaos.traffic.journal.outcomes)
        print(f"{sum(total.values())} calls, {total[WRONG]} wrong, {total[UNADVISED]} errors without advice")
        if chaos.failures:
            keep_logs(chaos)
    print("\n".join(chaos.failures[:40]))
    return 1 if chaos.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
