"""The embedded PostgreSQL server: started when somebody needs it, found again by everybody, stopped by the last one.

Owns the processes; embedded_cluster.py owns the files, and says where they are. Refuses systems other than Linux, and
to stop a server that somebody is connected to, unless told to `stop`.

Whoever connects holds `lock` shared, whoever starts or stops holds it exclusively: a server never stops under a
connection that is being made. Every process of the server holds a lock on `alive`, which it inherited and the kernel
drops when the last one ends. A server is therefore never started beside the remains of another one, and a
postmaster.pid that outlived its server, whatever process has that number now, is known to be stale.
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

if sys.platform != "win32":  # On Windows too the module must import, so that `attached` can say what is wrong.
    import fcntl

__all__ = ["ConnectionParameters", "EmbeddedPostgres", "EmbeddedPostgresError"]

START_SECONDS = 120  # Recovery after a crash replays up to max_wal_size: a slow disk needs its time.
STOP_SECONDS = 4  # Then the server stops without a checkpoint, and the next start recovers.
REMAINS_SECONDS = 10
POLL_SECONDS = 0.02
LAUNCH_ATTEMPTS = 3

# On the command line they beat the files: a later release may change them for the clusters that exist.
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
    # Many short queries share few cores, and the /dev/shm of a container is too small for parallel ones.
    "max_parallel_workers_per_gather": "0",
    # A query whose client was killed does not go on for nobody.
    "client_connection_check_interval": "10s",
    # The log names errors and never the statement, which would hold whole documents.
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
}


@dataclass(frozen=True)
class Postmaster:
    """The server's first process. The port is unknown, and the server not ready, while it starts."""

    pid: int
    port: int | None
    is_ready: bool


class EmbeddedPostgres:
    """The server of one data directory; any number of processes and threads may each hold one of these."""

    def __init__(self, data_dir: Path) -> None:
        self._cluster = Cluster(Path(data_dir).expanduser().resolve())

    def ensure(self) -> ConnectionParameters:
        """Start the server unless it runs, which costs a few file reads to see. Raises EmbeddedPostgresError."""
        with self.attached() as parameters:
            return parameters

    @contextmanager
    def attached(self, *, recheck: bool = False) -> Iterator[ConnectionParameters]:
        """Like `ensure`, and nobody stops the server while the block runs: connect inside it, and keep it short.

        With `recheck` (after a connection that failed) the server is asked, not only looked for, and waited for.
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
        """Stop the server if nobody is connected to it; True if so. Close your own connections before."""
        return self._stop(lambda server: not (server.port and has_clients(server.port)))

    def stop(self) -> None:
        """Stop the server, whoever is connected to it."""
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
            # Not by closing alone: a process that was forked meanwhile would keep the lock.
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
        """What postmaster.pid says, true or stale. Its lines are those of PostgreSQL's src/include/utils/pidfile.h."""
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
        """None as soon as the server is not alive any more."""
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
        """Start the server. The shell lets go of it at once: it is nobody's child and outlives its starter."""
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
        """The file descriptor for the server to inherit. Closing ours leaves the lock on it to the server."""
        descriptor = os.open(self._cluster.directory / "alive", os.O_RDWR)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _is_any_process_left(self) -> bool:
        with self._open_alive() as alive:
            return not try_lock(alive)

    def _take_over(self, alive: int) -> bool:
        """The postmaster was killed: its children end by themselves, but only after the query they are in."""
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
    """Whether a server there would take a connection now, as pg_isready finds out: without a password."""
    return pq.PGconn.ping(f"host={HOST} port={port} sslmode=disable connect_timeout=2".encode()) == pq.Ping.OK


def find_free_port(preferred: int) -> int:
    """The preferred port, or any other if that is taken or 0."""
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
    """Ask until it is true, which is returned, or the time is over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
