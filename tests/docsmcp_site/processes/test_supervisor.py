"""Real processes, small ones, that write down who they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.stop_signals import StopRequest
from docsmcp_site.processes.supervisor import Child, Service, Supervisor, Timing
from tests.docsmcp_site.waiting import DEADLINE_SECONDS, is_alive, wait_for

PROJECT = Path(__file__).resolve().parents[3]
QUICK = Timing(0.01, 0.02, start_seconds=DEADLINE_SECONDS, stop_seconds=DEADLINE_SECONDS)

HEADER = """
import os, signal, sys, time
from pathlib import Path
def write(name):
    Path(sys.argv[1], name + ".new").write_text(str(os.getpid()))
    Path(sys.argv[1], name + ".new").replace(Path(sys.argv[1], name))
"""
WAIT = "write('pid')\ntime.sleep(100)\n"
FORK = "if os.fork() == 0:\n    write('worker')\n    time.sleep(100)\n"


def make_service(directory: Path, code: str = WAIT) -> Service:
    """Ready when it has written its process id."""
    command = (sys.executable, "-I", "-S", "-c", HEADER + code, str(directory))
    return Service("toy", command, is_ready=(directory / "pid").exists)


def read_pid(directory: Path, name: str = "pid") -> int:
    path = directory / name
    wait_for(path.exists)
    return int(path.read_text())


def test_it_starts_a_killed_service_again(tmp_path: Path) -> None:
    with Supervisor([make_service(tmp_path)], timing=QUICK) as supervisor:
        supervisor.wait_until_ready()
        first = read_pid(tmp_path)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: read_pid(tmp_path) != first, supervisor.tend)
        assert is_alive(read_pid(tmp_path))


def test_it_kills_what_an_ended_service_left_behind(tmp_path: Path) -> None:
    with Supervisor([make_service(tmp_path, FORK + WAIT)], timing=QUICK) as supervisor:
        supervisor.wait_until_ready()
        worker = read_pid(tmp_path, "worker")
        os.kill(read_pid(tmp_path), signal.SIGKILL)
        wait_for(lambda: not is_alive(worker), supervisor.tend)


def test_it_gives_up_on_a_service_that_ends_before_it_is_ever_ready(tmp_path: Path) -> None:
    with (
        Supervisor([make_service(tmp_path, "sys.exit(3)")], timing=QUICK) as supervisor,
        pytest.raises(StartError, match=r"The toy does not start \(exit code 3\)"),
    ):
        supervisor.wait_until_ready()


def test_it_goes_on_with_a_service_that_was_ready_once(tmp_path: Path) -> None:
    count = "open(Path(sys.argv[1], 'starts'), 'a').write('.')\nwrite('pid')\nsys.exit(1)"
    with Supervisor([make_service(tmp_path, count)], timing=QUICK) as supervisor:
        supervisor.wait_until_ready()
        wait_for(lambda: len((tmp_path / "starts").read_text()) > 5, supervisor.tend)


def test_it_waits_twice_as_long_before_every_restart_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    child = Child(make_service(tmp_path), Timing())
    child.has_been_ready, child.started = True, now
    delays = []
    for _ in range(9):
        child.plan_restart(1)
        delays.append(child.next_start - now)
    assert delays == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    now += 31  # it ran for so long this time
    child.plan_restart(1)
    assert child.next_start - now == 0.5


def test_it_says_what_did_not_get_ready_in_time(tmp_path: Path) -> None:
    timing = Timing(start_seconds=0)
    with (
        Supervisor([make_service(tmp_path, "time.sleep(100)")], timing=timing) as supervisor,
        pytest.raises(StartError, match="The toy did not get ready in 0 seconds"),
    ):
        supervisor.wait_until_ready()


def test_it_waits_on_where_that_is_excused(tmp_path: Path) -> None:
    """As while the database is away, which the queue waits for."""
    excuses = [True, True, False]
    timing = Timing(start_seconds=0)
    with (
        Supervisor([make_service(tmp_path, "time.sleep(100)")], timing=timing) as supervisor,
        pytest.raises(StartError, match="did not get ready"),
    ):
        supervisor.wait_until_ready(lambda: excuses.pop(0))
    assert not excuses


def test_services_may_end_in_their_own_way(tmp_path: Path) -> None:
    last_words = "signal.signal(signal.SIGTERM, lambda *_: (write('bye'), sys.exit()))\n"
    with Supervisor([make_service(tmp_path, last_words + WAIT)], timing=QUICK) as supervisor:
        supervisor.wait_until_ready()
    assert (tmp_path / "bye").read_text() == (tmp_path / "pid").read_text()


def test_stopping_kills_what_does_not_end(tmp_path: Path) -> None:
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    timing = Timing(stop_seconds=0.1)
    with Supervisor([make_service(tmp_path, stubborn + FORK + WAIT)], timing=timing) as supervisor:
        supervisor.wait_until_ready()
        processes = [read_pid(tmp_path), read_pid(tmp_path, "worker")]
    wait_for(lambda: not any(map(is_alive, processes)))


def test_services_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from docsmcp_site.processes.supervisor import *\n"
        "from tests.docsmcp_site.processes.test_supervisor import *\n"
        "with Supervisor([make_service(Path(sys.argv[1]), FORK + WAIT)]) as supervisor:\n"
        "    supervisor.wait_until_ready()\n"
        "    time.sleep(100)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=PROJECT)
    processes = [read_pid(tmp_path), read_pid(tmp_path, "worker")]
    parent.kill()
    parent.wait()
    wait_for(lambda: not any(map(is_alive, processes)))


def test_a_ctrl_c_at_the_terminal_does_not_reach_services(tmp_path: Path) -> None:
    with Supervisor([make_service(tmp_path)]) as supervisor:
        supervisor.wait_until_ready()
        pid = read_pid(tmp_path)
        assert os.getpgid(pid) == os.getsid(pid) == pid


def test_what_services_print_goes_to_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Supervisor([make_service(tmp_path, "print('hello', flush=True)\n" + WAIT)]) as supervisor:
        supervisor.wait_until_ready()
    assert capfd.readouterr() == ("", "hello\n")


def test_services_inherit_the_files_that_they_name_and_no_others(tmp_path: Path) -> None:
    named, other = os.pipe()
    os.set_inheritable(other, True)
    look = "write('pid' if Path('/proc/self/fd', sys.argv[2]).exists() else 'missing')\n"
    look += "write('leaked') if Path('/proc/self/fd', sys.argv[3]).exists() else None\n"
    service = make_service(tmp_path, look + "write('done')\ntime.sleep(100)\n")
    command = (*service.command, str(named), str(other))
    try:
        with Supervisor([Service("toy", command, (tmp_path / "done").exists, (named,))]) as supervisor:
            supervisor.wait_until_ready()
    finally:
        os.close(named)
        os.close(other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["done", "pid"]


def test_a_request_to_stop_is_heard_while_it_tends(tmp_path: Path) -> None:
    request = StopRequest()
    request.is_made = True
    with Supervisor([make_service(tmp_path)], request) as supervisor, pytest.raises(KeyboardInterrupt):
        supervisor.tend()
    assert not list(tmp_path.iterdir())


def test_as_the_first_process_it_leaves_no_zombies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getpid", lambda: 1)
    with Supervisor([make_service(tmp_path)]) as supervisor:
        supervisor.wait_until_ready()
        orphan = os.posix_spawn("/bin/true", ["true"], {})
        wait_for(lambda: not Path(f"/proc/{orphan}").exists(), supervisor.tend)
        assert is_alive(read_pid(tmp_path))
