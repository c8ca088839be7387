"""The queue's processes: a django-q2 cluster that ends when it is told to, and does not stay when it cannot work.

Works around six faults of django-q2 1.11:

- its signal handler may wait for a lock that the interrupted code holds (issue 346);
- an idle process that is killed takes along the lock of a queue, so that no task is worked on, or no result read, any more (issue 23);
- the sentinel, which watches the workers, waits for ever for the lock of a timer whose worker was killed while holding it;
- the sentinel waits for its processes for as long as a task may take;
- the process that keeps its status logs twice a second that the cache is away;
- the process that fetches tasks sleeps for ten seconds while the broker is away, and cannot be told to end meanwhile.

Running jobs are told when it stops; what they then do is up to them.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.sharedctypes import RawValue
from threading import Thread
from typing import Any

import structlog
from django_q import cluster as django_q_cluster
from django_q.signing import BadSignature, SignedPackage

from collections_app import jobs
from collections_app.exceptions import summarise
from collections_app.postgres.outages import is_outage
from docsmcp_site.processes.outages import Outage
from docsmcp_site.processes.stop_signals import take_signals

POLL_SECONDS = 0.1
IDLE = -1  # the value of an idle worker's timer
# Jobs are put back within two seconds. A process that has not ended after this waits for something that does not come.
STOP_SECONDS = 10
# The pause between two tries of a broker that is away.
AWAY_SECONDS = 1
# How long a status stays valid.
STATUS_SECONDS = 3
# The sentinel makes two rounds a second. A database that is away or silent delays it by less than this.
SILENT_SECONDS = 300

logger = structlog.get_logger(__name__)


class PatientBroker:
    """The broker for the process that fetches tasks; survives that the broker is away."""

    def __init__(self, broker: Any) -> None:
        self.broker, self.list_key = broker, broker.list_key
        self.outage = Outage("broker")

    def dequeue(self) -> Any:
        try:
            tasks = self.broker.dequeue()
        except Exception as error:  # whatever the database or Redis raises
            self.outage.go_on(error)
            time.sleep(AWAY_SECONDS)
            return None
        self.outage.end()
        return [task for task in tasks if self.may_be_read(*task)] if tasks else tasks

    def may_be_read(self, task_id: Any, package: str) -> bool:
        """Whether the task was signed with our SECRET_KEY. If not, it is dropped; a sweep makes a job's task again (jobs/upkeep.py)."""
        try:
            SignedPackage.loads(package)
        except BadSignature:
            logger.error("task_of_another_secret_key", mend="set the same SECRET_KEY for every web server and queue")
            self.broker.fail(task_id)
            return False
        return True

    def fail(self, task_id: Any) -> None:
        self.broker.fail(task_id)


class Stat(django_q_cluster.Stat):  # type: ignore[misc]  # django-q2 has no types
    """The status that the sentinel stores in the cache in each round."""

    outage = Outage("queue_status")

    def save(self) -> None:
        try:
            self.broker.set_stat(self.key, SignedPackage.dumps(self, True), STATUS_SECONDS)
        except Exception as error:  # whatever the cache raises
            self.outage.go_on(error)
        else:
            self.outage.end()


class Sentinel(django_q_cluster.Sentinel):  # type: ignore[misc]  # django-q2 has no types
    """Watches the workers, in a process of its own. They inherit its signal handlers.

    `beats` counts its rounds, and is shared with the process that watches the sentinel.
    """

    def __init__(self, beats: Any, *args: Any, **options: Any) -> None:
        self.beats = beats
        signal.signal(signal.SIGUSR1, lambda *_: jobs.request_stop())
        signal.signal(signal.SIGUSR2, lambda *_: self.give_up())
        super().__init__(*args, **options)

    def status(self) -> str:
        """Called in each round."""
        self.beats.value += 1
        status: str = super().status()
        return status

    def spawn_pusher(self) -> Any:
        return self.spawn_process(django_q_cluster.pusher, self.task_queue, self.event_out, PatientBroker(self.broker))

    def stop(self) -> None:
        """Does not wait for jobs to end, which may take hours: they are put back, and go on after the next start."""
        for worker in self.pool:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGUSR1)
        super().stop()

    def give_up(self) -> None:
        """Ends its processes at once, whatever it waits for. Their jobs are taken up like those of any worker that died."""
        for process in (*self.pool, self.pusher, self.monitor):
            if process is not None:
                process.kill()
        os._exit(0)

    def reincarnate(self, process: Any) -> None:
        if process in self.pool and process.timer.value == IDLE:
            raise SystemExit("An idle worker of the queue was killed: the queue has to be started anew.")
        if process is self.monitor and process.exitcode is not None and process.exitcode < 0:
            raise SystemExit("The reader of results was killed: the queue has to be started anew.")
        super().reincarnate(process)


class Stopper:
    """Remembers that a signal came, so that it is acted on outside of the handler."""

    def __init__(self) -> None:
        self.is_asked = False
        take_signals(self.ask)

    def ask(self, *_: object) -> None:
        self.is_asked = True


class Watch:
    """Looks at the sentinel's beats. Counts its own looks instead of time, so time for which everything was frozen does not count."""

    def __init__(self, beats: Any) -> None:
        self.beats, self.seen, self.idle_looks = beats, 0, 0

    def is_silent(self) -> bool:
        if self.beats.value != self.seen:
            self.seen, self.idle_looks = self.beats.value, 0
        self.idle_looks += 1
        return self.idle_looks * POLL_SECONDS > SILENT_SECONDS


def run(on_running: Callable[[], object]) -> bool:
    """Works on tasks until SIGTERM, SIGINT or SIGHUP; running jobs are then put back. False if the cluster ended by itself, or hung."""
    quieten()
    beats = RawValue("Q", 0)
    django_q_cluster.Sentinel, django_q_cluster.Stat = partial(Sentinel, beats), Stat  # Cluster takes them from there.
    watch = Watch(beats)
    cluster = django_q_cluster.Cluster()
    stopper = Stopper()  # after Cluster, which installs its own handler
    cluster.start()
    on_running()
    while cluster.sentinel.is_alive():
        if stopper.is_asked:
            stop(cluster)
            return True
        if watch.is_silent():
            logger.error("queue_silent", reason=f"its sentinel did nothing for {SILENT_SECONDS} s")
            stop(cluster)
            return False
        time.sleep(POLL_SECONDS)
    return False


def stop(cluster: Any) -> None:
    """Stops within STOP_SECONDS, or a little more if the cluster has to be killed."""
    Thread(target=cluster.stop_event.set, daemon=True).start()  # it waits until somebody hears of it
    cluster.sentinel.join(STOP_SECONDS)
    if cluster.sentinel.is_alive():
        logger.warning("queue_killed", reason=f"it did not end in {STOP_SECONDS} s")
        os.kill(cluster.sentinel.pid, signal.SIGUSR2)
        cluster.sentinel.join(1)
        cluster.sentinel.kill()


class OutageInALine(logging.Filter):
    """Shortens django-q2's report that the database is away, which has a traceback and comes each time it looks at the schedules."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_outage(error):
            record.msg, record.args = f"{record.getMessage()}: {summarise(error)}", ()
            record.exc_info = record.exc_text = None
        return True


def quieten() -> None:
    """Hides the several lines that django-q2 logs for every task, except with LOG_LEVEL=DEBUG."""
    logging.getLogger("django-q").addFilter(OutageInALine())
    if not logging.getLogger().isEnabledFor(logging.DEBUG):
        logging.getLogger("django-q").setLevel(logging.WARNING)
