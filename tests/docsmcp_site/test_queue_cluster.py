"""What is ours of it; that tasks are worked on is proved in test_up.py."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from types import SimpleNamespace
from unittest import mock

import pytest
from django_q import cluster as django_q_cluster

from collections_app import jobs
from docsmcp_site import queue_cluster
from docsmcp_site.queue_cluster import IDLE, Sentinel


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(django_q_cluster, "Sentinel", django_q_cluster.Sentinel)  # put back afterwards
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    cluster = mock.Mock()
    cluster.sentinel.is_alive.return_value = True
    monkeypatch.setattr(django_q_cluster, "Cluster", lambda: cluster)
    return cluster


def test_a_signal_stops_the_cluster_outside_of_the_handler(cluster: mock.Mock) -> None:
    def get_signal() -> None:
        signal.raise_signal(signal.SIGTERM)
        cluster.stop.assert_not_called()

    assert queue_cluster.run(get_signal)
    cluster.stop.assert_called_once_with()


def test_a_signal_during_the_start_is_not_lost(cluster: mock.Mock) -> None:
    cluster.start.side_effect = lambda: signal.raise_signal(signal.SIGTERM)
    assert queue_cluster.run(lambda: None)
    cluster.stop.assert_called_once_with()


def test_it_says_when_the_cluster_ended_by_itself(cluster: mock.Mock) -> None:
    cluster.sentinel.is_alive.return_value = False
    assert not queue_cluster.run(lambda: None)


@pytest.mark.parametrize(("timer", "is_replaced"), [(IDLE, False), (17.5, True), (0, True), (-2, True)])
def test_a_cluster_whose_idle_worker_was_killed_ends(timer: float, is_replaced: bool) -> None:
    worker = SimpleNamespace(timer=SimpleNamespace(value=timer))
    sentinel = Sentinel.__new__(Sentinel)
    sentinel.pool = [worker]
    with mock.patch.object(django_q_cluster.Sentinel, "reincarnate") as reincarnate:
        if is_replaced:
            sentinel.reincarnate(worker)
        else:
            with pytest.raises(SystemExit):
                sentinel.reincarnate(worker)
    assert reincarnate.called is is_replaced


def test_a_cluster_goes_on_without_its_monitor() -> None:
    sentinel = Sentinel.__new__(Sentinel)
    sentinel.pool = []
    with mock.patch.object(django_q_cluster.Sentinel, "reincarnate") as reincarnate:
        sentinel.reincarnate(SimpleNamespace())
    reincarnate.assert_called_once()


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
    before = signal.getsignal(signal.SIGUSR1)
    try:
        with mock.patch.object(django_q_cluster.Sentinel, "__init__"), mock.patch.object(jobs, "request_stop") as stop:
            Sentinel()
            signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    stop.assert_called_once_with()
