"""PostgreSQL with a streaming replica, PgBouncer and Redis of one's own, to be stopped, killed and started.

Debian's programs, on loopback only.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.processes import find_descendants
from tests.free_ports import find_free_port
from tests.services.pgbouncer import find_program
from tests.services.postgresql import find_binaries, install

VERSION = "15"
USER = "docsmcp"
DATABASE = "postgres"
START_SECONDS = 60


class Daemon:
    """A process that is started by `command` and is up when `is_up` says so."""

    def __init__(self, name: str, command: list[str | Path], log: Path, is_up: Callable[[], bool]) -> None:
        self.name, self.command, self.log, self.is_up = name, command, log, is_up
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(self.command, stdout=stream, stderr=stream, cwd="/", **as_postgres())
        deadline = time.monotonic() + START_SECONDS
        while not self.is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{self.name} did not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.1)

    def stop(self, number: int = signal.SIGINT) -> None:
        """SIGINT is PostgreSQL's fast shutdown, SIGKILL what an operator never does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(START_SECONDS)

    def freeze(self) -> None:
        """Its connections stay, new ones are taken by the kernel, and nobody answers: as of a host that hangs."""
        self.signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal_all(signal.SIGCONT)

    def signal_all(self, number: int) -> None:
        assert self.process
        for pid in (self.process.pid, *find_descendants(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def as_postgres() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def make_directory(path: Path) -> Path:
    """One that belongs to the account that the servers run as."""
    path.mkdir()
    if os.geteuid() == 0:
        shutil.chown(path, "postgres", "postgres")
    return path


class Postgres(Daemon):
    def __init__(self, name: str, directory: Path, password: str) -> None:
        self.binaries, self.directory, self.password = find_binaries(VERSION), directory, password
        self.port = find_free_port()
        command: list[str | Path] = [self.binaries / "postgres", "-D", directory / "data", "-p", str(self.port)]
        for option in (
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "wal_keep_size=128MB",
            "max_connections=200",
        ):
            command += ["-c", option]
        super().__init__(name, command, directory / "log", self.answers)

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    def answers(self) -> bool:
        try:
            return bool(self.ask("SELECT 1"))
        except psycopg.OperationalError:
            return False

    def ask(self, statement: str) -> Any:
        """The only value of the only row."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            row = connection.execute(statement).fetchone()
        return row and row[0]

    def initialise(self) -> None:
        secret = self.directory / "password"
        secret.write_text(self.password)
        secret.chmod(0o644)
        self.run("initdb", "-D", self.directory / "data", "-U", USER, "-A", "scram-sha-256", "-E", "UTF8",
                 "--locale=C.UTF-8", "--pwfile", secret)  # fmt: skip

    def copy_from(self, primary: Postgres) -> None:
        self.run("pg_basebackup", "-D", self.directory / "data", "-R", "-X", "stream", "-c", "fast", "-d", primary.url)

    def run(self, program: str, *arguments: str | Path) -> None:
        command = [self.binaries / program, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", **as_postgres())


def make_primary(directory: Path) -> Postgres:
    primary = Postgres("primary", make_directory(directory), secrets.token_urlsafe(16))
    primary.initialise()
    return primary


def make_replica(directory: Path, primary: Postgres) -> Postgres:
    replica = Postgres("replica", make_directory(directory), primary.password)
    replica.copy_from(primary)
    return replica


POOLER = """
[databases]
{database} = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = transaction
default_pool_size = 8
server_login_retry = 1
max_client_conn = 500
"""


class Pooler(Daemon):
    """PgBouncer in transaction mode before a database."""

    def __init__(self, directory: Path, primary: Postgres, logins: Mapping[str, str] | None = None) -> None:
        """`logins` are passwords by name, beside the owner's."""
        program = find_program()
        make_directory(directory)
        self.port = find_free_port()
        users, settings = directory / "users", directory / "pgbouncer.ini"
        known = {USER: primary.password, **(logins or {})}
        users.write_text("".join(f'"{name}" "{password}"\n' for name, password in known.items()))
        settings.write_text(POOLER.format(database=DATABASE, server=primary.port, port=self.port, users=users))
        self.url = primary.url.replace(f":{primary.port}/", f":{self.port}/")
        super().__init__("pooler", [program, settings], directory / "log", self.answers)

    def answers(self) -> bool:
        try:
            with psycopg.connect(self.url, autocommit=True, connect_timeout=5, prepare_threshold=None) as connection:
                return connection.execute("SELECT 1").fetchone() is not None
        except psycopg.OperationalError:
            return False


class Redis(Daemon):
    def __init__(self, directory: Path) -> None:
        if shutil.which("redis-server") is None:
            install("redis-server")
        make_directory(directory)
        self.port = find_free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        command: list[str | Path] = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        super().__init__("Redis", [*command, "--dir", directory], directory / "log", self.answers)

    def answers(self) -> bool:
        done = subprocess.run(["redis-cli", "-p", str(self.port), "ping"], capture_output=True, check=False)  # noqa: S607
        return done.stdout.strip() == b"PONG"
