"""The embedded PostgreSQL server: started by the first process that needs it, found by all others, stopped by the last one.

Owns the processes; embedded_cluster.py owns the files, and says where they are. Refuses systems other than Linux, and
to stop a server that somebody is connected to, except in `stop`.

Whoever connects holds `lock` shared, and whoever starts or stops holds it exclusively, so a server never stops under a
connection that is being made. Every process of the server holds a lock on `alive`, which it inherited and the kernel
drops when the last one ends. So a server is never started beside the remains of another one, and a postmaster.pid
that outlived its server is known to be stale, whatever process has that number now.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from psycopg import pq

from docsmcp_site.database.embedded_cluster import (
    HOST,
    Account,
    Cluster,
    ConnectionParameters,
    EmbeddedPostgresError,
    end_processes_in,
)

if sys.platform != "win32":  # The module must import on Windows too, so that `attached` can say what is wrong.
    import fcntl

__all__ = ["ConnectionParameters", "EmbeddedPostgres", "EmbeddedPostgresError"]

START_SECONDS = 120  # Recovery after a crash replays up to max_wal_size, which takes time on a slow disk.
STOP_SECONDS = 4  # Then the server is stopped without a checkpoint, and recovers at the next start.
REMAINS_SECONDS = 10
POLL_SECONDS = 0.02
LAUNCH_ATTEMPTS = 3

# Given on the command line, where they override the files, so a later release may change them for existing clusters.
SERVER_SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "fsync": "on",
    "password_encryption": "scram-sha-256",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",
    "jit": "off",
    "autovacuum": "on",
    "max_logical_replication_workers": "0",
    # Many short queries share few cores, and a container's /dev/shm is too small for parallel queries.
    "max_parallel_workers_per_gather": "0",
    # A query whose client was killed is ended too.
    "client_connection_check_interval": "10s",
    # The log has errors but never the statement, which would contain whole documents.
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
}


@dataclass(frozen=True)
class Postmaster:
    """The server's first process. While it starts, the port is unknown and the server not ready."""

    pid: int
    port: int | None
    is_ready: bool


class EmbeddedPostgres:
    """The server of one data directory; any number of processes and threads may each have such an object."""

    def __init__(self, data_dir: Path) -> None:
        self._cluster = Cluster(Path(data_dir).expanduser().resolve())

    def ensure(self) -> ConnectionParameters:
        """Starts the server unless it runs; a few file reads tell. Raises EmbeddedPostgresError."""
        with self.attached() as parameters:
            return parameters

    @contextmanager
    def attached(self, *, recheck: bool = False) -> Iterator[ConnectionParameters]:
        """Like `ensure`, and nobody stops the server while the block runs: connect inside it, and keep it short.

        With `recheck` (after a connection failed) the server is asked for an answer, not only looked for, and waited for.
        """
        if sys.platform != "linux":
            raise EmbeddedPostgresError("The embedded database runs on Linux only: set DATABASE_URL.")
        with self._explained():
            may_trust = not recheck and not self._cluster.is_log_full()
        if may_trust:
            with self._locked(fcntl.LOCK_SH):
                if ready := self._find_ready():
                    yield ready
                    return
        with self._locked(fcntl.LOCK_EX):
            yield self._get_answering()

    def release(self) -> bool:
        """Stops the server if nobody is connected to it, and returns whether it did. Close your own connections before."""
        return self._stop(lambda server: not (server.port and has_clients(server.port)))

    def stop(self) -> None:
        """Stops the server, whoever is connected to it."""
        self._stop(lambda server: True)

    def _stop(self, may_stop: Callable[[Postmaster], bool]) -> bool:
        with self._explained():
            if not self._cluster.home.is_dir():
                return False
            with self._locked(fcntl.LOCK_EX):
                server = self._find_postmaster()
                if server is None or not may_stop(server):
                    return False
                self._shut_down(server.pid)
                return True

    def _shut_down(self, pid: int) -> None:
        for how in (signal.SIGINT, signal.SIGQUIT):  # PostgreSQL's fast shutdown, then its immediate one.
            with suppress(ProcessLookupError):
                os.kill(pid, how)
            if poll(lambda: not self._is_postmaster(pid), STOP_SECONDS):
                return
        raise EmbeddedPostgresError(f"The embedded database (process {pid}) does not stop: see {self._cluster.log}.")

    @contextmanager
    def _locked(self, operation: int) -> Iterator[None]:
        with self._explained():
            self._cluster.make_home()
            descriptor = os.open(self._cluster.home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, operation)
            yield
        finally:
            # Closing alone is not enough: a process that was forked meanwhile would keep the lock.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EmbeddedPostgresError(
                f"The embedded database cannot use {error.filename or self._cluster.data_dir} ({error.strerror}): "
                f"make the data directory {self._cluster.data_dir} usable for this user, choose another one, "
                "or set DATABASE_URL."
            ) from error

    def _find_ready(self) -> ConnectionParameters | None:
        with self._explained():
            server = self._find_postmaster()
            if server and server.port and server.is_ready:
                return replace(self._cluster.get_connection(), port=server.port)
        return None

    def _find_postmaster(self) -> Postmaster | None:
        server = self._read_postmaster_pid()
        return server if server and self._is_postmaster(server.pid) else None

    def _read_postmaster_pid(self) -> Postmaster | None:
        """The content of postmaster.pid, true or stale. Its lines are those of PostgreSQL's src/include/utils/pidfile.h."""
        with suppress(FileNotFoundError, ValueError):
            lines = (self._cluster.data / "postmaster.pid").read_text().split("\n")
            port = int(lines[3]) if len(lines) > 4 else None
            return Postmaster(int(lines[0]), port, is_ready=lines[7:8] == ["ready   "])
        return None

    def _is_postmaster(self, pid: int) -> bool:
        """Whether the process is our server, even if the data directory was moved while it ran."""
        process, data = Path("/proc", str(pid)), self._cluster.data
        with suppress(OSError):
            if os.fsencode(data) in (process / "cmdline").read_bytes().split(b"\0"):
                return True
            return (process / "cwd").samefile(data)
        return False

    def _get_answering(self) -> ConnectionParameters:
        with self._explained():
            self._cluster.cut_log()
            return self._wait_until_answering(lambda: self._find_postmaster() is not None) or self._start()

    def _start(self) -> ConnectionParameters:
        account, binaries = self._cluster.prepare()
        start = self._cluster.measure_log()
        for _ in range(LAUNCH_ATTEMPTS):  # Somebody may take the port, or kill the server, while it starts.
            last_port = self._cluster.get_connection().port
            port = find_free_port(last_port)
            self._launch(account, binaries, port)
            if answering := self._wait_until_answering(self._is_any_process_left):
                if port != last_port:
                    self._cluster.save_connection(answering)
                return answering
        raise EmbeddedPostgresError(f"The embedded database did not start: {self._cluster.read_reason(start)}")

    def _wait_until_answering(self, is_alive: Callable[[], bool]) -> ConnectionParameters | None:
        """None once the server is no longer alive."""
        deadline = time.monotonic() + START_SECONDS
        while is_alive():
            server = self._find_postmaster()
            if server and server.port and server.is_ready and is_answering(server.port):
                return replace(self._cluster.get_connection(), port=server.port)
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(
                    f"The embedded database is not ready after {START_SECONDS} seconds: see {self._cluster.log}."
                )
            time.sleep(POLL_SECONDS)
        return None

    def _launch(self, account: Account, binaries: Path, port: int) -> None:
        """Starts the server. The shell exits at once, so the server is nobody's child and outlives its starter."""
        settings = [f"--{name}={value}" for name, value in {**SERVER_SETTINGS, "port": str(port)}.items()]
        with self._open_alive() as alive, self._cluster.open_log() as log:
            if not poll(lambda: self._take_over(alive), REMAINS_SECONDS):
                raise EmbeddedPostgresError(
                    f"{self._cluster.data} is in use by processes that this one cannot see or end, "
                    "perhaps in another container: stop them, or choose another data directory."
                )
            (self._cluster.data / "postmaster.pid").unlink(missing_ok=True)
            postgres = [str(binaries / "postgres"), "-D", str(self._cluster.data), *settings]
            account.run(
                *("/bin/sh", "-c", '"$@" &', "sh", *postgres),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[alive],
                start_new_session=True,
            )

    @contextmanager
    def _open_alive(self) -> Iterator[int]:
        """The file descriptor for the server to inherit. When ours is closed, the server still holds the lock."""
        descriptor = os.open(self._cluster.directory / "alive", os.O_RDWR)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _is_any_process_left(self) -> bool:
        with self._open_alive() as alive:
            return not try_lock(alive)

    def _take_over(self, alive: int) -> bool:
        """Takes over after the postmaster was killed: its children end by themselves, but only after their current query."""
        if try_lock(alive):
            return True
        end_processes_in(self._cluster.data)
        return False


def try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_answering(port: int) -> bool:
    """Whether a server would accept a connection there now, found out as pg_isready does: without a password."""
    return pq.PGconn.ping(f"host={HOST} port={port} sslmode=disable connect_timeout=2".encode()) == pq.Ping.OK


def find_free_port(preferred: int) -> int:
    """The preferred port, or any other if that one is taken or 0."""
    return preferred if preferred and is_port_free(preferred) else _bind_any_port()


def is_port_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # As PostgreSQL does.
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _bind_any_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def has_clients(port: int) -> bool:
    """Whether a TCP connection to the port is established. A client that was killed has none any more.

    /proc/net/tcp: local address as hexadecimal IP:PORT in the second field, state in the fourth, 01 is ESTABLISHED.
    """
    address = f"{int.from_bytes(socket.inet_aton(HOST), sys.byteorder):08X}:{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines())
    return any((row[1], row[3]) == (address, "01") for row in rows)


def poll(condition: Callable[[], bool], seconds: float) -> bool:
    """Polls until the condition is true or the time is over; returns the condition's last value."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
