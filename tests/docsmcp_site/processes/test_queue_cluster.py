"""What is ours of it; that tasks are worked on is proved in test_up.py."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from unittest import mock
from uuid import uuid4

import pytest
from django.db import OperationalError
from django_q import cluster as django_q_cluster
from django_q.signing import SignedPackage
from structlog.testing import capture_logs

from collections_app import jobs
from docsmcp_site.processes import queue_cluster
from docsmcp_site.processes.queue_cluster import IDLE, OutageInALine, PatientBroker, Sentinel, Stat

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("Sentinel", "Stat"):  # put back afterwards
        monkeypatch.setattr(django_q_cluster, name, getattr(django_q_cluster, name))
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    cluster = mock.Mock()
    cluster.sentinel.is_alive.return_value = True
    monkeypatch.setattr(django_q_cluster, "Cluster", lambda: cluster)
    return cluster


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_stops_the_cluster_outside_of_the_handler(cluster: mock.Mock, number: signal.Signals) -> None:
    signal.signal(number, signal.default_int_handler)
    cluster.sentinel.is_alive.side_effect = [True, False]

    def get_signal() -> None:
        signal.raise_signal(number)
        cluster.stop_event.set.assert_not_called()

    assert queue_cluster.run(get_signal)
    cluster.stop_event.set.assert_called_once_with()
    cluster.sentinel.kill.assert_not_called()


def test_a_lost_terminal_does_not_stop_a_cluster_that_was_told_to_ignore_it(cluster: mock.Mock) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    cluster.sentinel.is_alive.side_effect = [True, False]
    assert not queue_cluster.run(lambda: signal.raise_signal(signal.SIGHUP))
    cluster.stop_event.set.assert_not_called()


def test_a_signal_during_the_start_is_not_lost(cluster: mock.Mock) -> None:
    cluster.sentinel.is_alive.side_effect = [True, False]
    cluster.start.side_effect = lambda: signal.raise_signal(signal.SIGTERM)
    assert queue_cluster.run(lambda: None)
    cluster.stop_event.set.assert_called_once_with()


def test_a_cluster_that_does_not_end_is_killed(cluster: mock.Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(os, "kill", lambda pid, number: told.append((pid, number)))
    queue_cluster.stop(cluster)
    cluster.sentinel.join.assert_any_call(queue_cluster.STOP_SECONDS)
    assert told == [(cluster.sentinel.pid, signal.SIGUSR2)]
    cluster.sentinel.kill.assert_called_once_with()


def test_who_gives_up_takes_its_processes_along() -> None:
    sentinel = Sentinel.__new__(Sentinel)
    processes = [subprocess.Popen(["sleep", "600"]) for _ in range(3)]  # noqa: S607
    sentinel.pool, sentinel.pusher, sentinel.monitor = processes[:1], *processes[1:]
    with mock.patch.object(os, "_exit") as leave:
        sentinel.give_up()
    assert [process.wait() for process in processes] == [-signal.SIGKILL] * 3
    leave.assert_called_once_with(0)


def test_who_fetches_tasks_outlives_a_broker_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_cluster, "AWAY_SECONDS", 0)
    task = (1, SignedPackage.dumps({"func": "f"}))
    broker = mock.Mock(dequeue=mock.Mock(side_effect=[OperationalError("gone"), OperationalError("gone"), [task]]))
    with capture_logs() as logs:
        patient = PatientBroker(broker)
        assert [patient.dequeue(), patient.dequeue(), patient.dequeue()] == [None, None, [task]]
    assert [entry["event"] for entry in logs] == ["broker_away", "broker_back"]
    patient.fail(1)
    broker.fail.assert_called_once_with(1)


def test_it_takes_no_task_that_another_secret_key_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = (2, SignedPackage.dumps({"func": "f"}))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("django_q.conf.Conf.SECRET_KEY", "another")
        theirs = (1, SignedPackage.dumps({"func": "f"}))
    broker = mock.Mock(dequeue=mock.Mock(return_value=[theirs, ours]))
    with capture_logs() as logs:
        assert PatientBroker(broker).dequeue() == [ours]
    broker.fail.assert_called_once_with(1)
    assert [(entry["event"], "SECRET_KEY" in entry["mend"]) for entry in logs] == [("task_of_another_secret_key", True)]


def test_a_status_that_cannot_be_kept_is_told_once_and_once_that_it_is_again() -> None:
    broker = mock.Mock()
    broker.set_stat.side_effect = [
        None,
        OperationalError("the connection is lost"),
        OperationalError("still"),
        None,
        None,
    ]
    stat = Stat.__new__(Stat)
    stat.broker, stat.cluster_id = broker, uuid4()
    with (
        mock.patch("docsmcp_site.processes.queue_cluster.SignedPackage.dumps", return_value="a status"),
        capture_logs() as logs,
    ):
        for _ in range(5):
            stat.save()
    assert [entry["event"] for entry in logs] == ["queue_status_away", "queue_status_back"]


def test_it_says_when_the_cluster_ended_by_itself(cluster: mock.Mock) -> None:
    cluster.sentinel.is_alive.return_value = False
    assert not queue_cluster.run(lambda: None)


def test_a_cluster_that_hangs_is_ended(cluster: mock.Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_cluster, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(queue_cluster, "SILENT_SECONDS", 0.01)
    monkeypatch.setattr(os, "kill", mock.Mock())
    with capture_logs() as logs:
        assert not queue_cluster.run(lambda: None)
    assert [entry["event"] for entry in logs] == ["queue_silent", "queue_killed"]
    cluster.sentinel.kill.assert_called_once_with()


def test_a_cluster_that_goes_its_rounds_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_cluster, "SILENT_SECONDS", 3 * queue_cluster.POLL_SECONDS)
    beats = SimpleNamespace(value=0)
    watch = queue_cluster.Watch(beats)
    for _ in range(10):
        beats.value += 1
        assert [watch.is_silent() for _ in range(3)] == [False] * 3
    assert watch.is_silent()


def test_each_round_of_the_sentinel_is_a_beat() -> None:
    sentinel = Sentinel(SimpleNamespace(value=0), mock.Mock(), mock.Mock(), uuid4(), mock.Mock(), start=False)
    sentinel.monitor = sentinel.pusher = mock.Mock(pid=1)
    sentinel.stop_event.wait.side_effect = [False, False, True]
    with mock.patch.object(sentinel, "stop"):
        sentinel.guard()
    assert sentinel.beats.value >= sentinel.stop_event.wait.call_count == 3


@pytest.mark.parametrize(("timer", "is_replaced"), [(IDLE, False), (17.5, True), (0, True), (-2, True)])
def test_a_cluster_whose_idle_worker_was_killed_ends(timer: float, is_replaced: bool) -> None:
    worker = SimpleNamespace(timer=SimpleNamespace(value=timer))
    sentinel = Sentinel.__new__(Sentinel)
    sentinel.pool, sentinel.monitor = [worker], None
    with mock.patch.object(django_q_cluster.Sentinel, "reincarnate") as reincarnate:
        if is_replaced:
            sentinel.reincarnate(worker)
        else:
            with pytest.raises(SystemExit):
                sentinel.reincarnate(worker)
    assert reincarnate.called is is_replaced


@pytest.mark.parametrize(("exitcode", "is_replaced"), [(-signal.SIGKILL, False), (1, True)])
def test_a_cluster_whose_reader_of_results_was_killed_ends(exitcode: int, is_replaced: bool) -> None:
    sentinel = Sentinel.__new__(Sentinel)
    sentinel.pool, sentinel.monitor = [], SimpleNamespace(exitcode=exitcode)
    with mock.patch.object(django_q_cluster.Sentinel, "reincarnate") as reincarnate:
        if is_replaced:
            sentinel.reincarnate(sentinel.monitor)
        else:
            with pytest.raises(SystemExit):
                sentinel.reincarnate(sentinel.monitor)
    assert reincarnate.called is is_replaced


def test_workers_are_told_that_the_cluster_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def kill(pid: int, number: int) -> None:
        told.append((pid, number))
        if pid == 1001:
            raise ProcessLookupError  # it ended a moment ago

    monkeypatch.setattr(os, "kill", kill)
    sentinel = Sentinel.__new__(Sentinel)
    sentinel.pool = [SimpleNamespace(pid=1001), SimpleNamespace(pid=1002)]
    with mock.patch.object(django_q_cluster.Sentinel, "stop") as stop:
        sentinel.stop()
    assert told == [(1001, signal.SIGUSR1), (1002, signal.SIGUSR1)]
    stop.assert_called_once_with()


def test_a_worker_that_is_told_puts_its_jobs_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with mock.patch.object(django_q_cluster.Sentinel, "__init__"), mock.patch.object(jobs, "request_stop") as stop:
        Sentinel(beats=mock.Mock())
        signal.raise_signal(signal.SIGUSR1)
    stop.assert_called_once_with()


@pytest.mark.parametrize(
    ("error", "is_short"), [(OperationalError("gone\nfor good"), True), (ValueError("a fault"), False)]
)
def test_an_outage_is_told_in_a_line_and_a_fault_with_its_traceback(error: Exception, is_short: bool) -> None:
    record = logging.LogRecord(
        "django-q", logging.ERROR, "", 0, "Could not create task from schedule", (), (type(error), error, None)
    )
    assert OutageInALine().filter(record)
    assert (record.exc_info is None) is is_short
    said = "Could not create task from schedule"
    assert record.getMessage() == (f"{said}: OperationalError: gone" if is_short else said)
