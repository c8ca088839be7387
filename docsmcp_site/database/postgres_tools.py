"""PostgreSQL's own programs for dumping and filling a database: finds those that fit the server, and runs them on it.

The embedded database's package has them, without TLS. If TLS is needed, or the package is not installed or older than the server,
the machine's are used. Refuses, by BackupError, programs that are older than the server. No password is put on a command line.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from psycopg.conninfo import make_conninfo

from docsmcp_site.database.embedded_cluster import EmbeddedPostgresError, find_install

# pg_restore first of all switches this setting off, and servers before 17 do not know it.
NEWER_SETTING, NEWER_SETTING_SINCE = b"SET transaction_timeout", 17


class BackupError(Exception):
    """The backup or restore was not done; the message is one sentence for the operator."""


class ToolFailed(BackupError):
    """The request was right, but the machine or the server failed to carry it out."""


@dataclass(frozen=True)
class PostgresTools:
    """For one database, named `called` in messages. `parameters` are libpq's, by name; `encrypted`: its server is reached by TLS."""

    parameters: Mapping[str, str]
    server_major: int
    encrypted: bool = False
    called: str = "the server"

    def dump(self, file: Path, left_out: tuple[str, ...]) -> None:
        """Dumps everything as it is at one moment, in PostgreSQL's custom format; no rows of the tables `left_out`."""
        options = [f"--exclude-table-data={table}" for table in left_out]
        command = [self.find("pg_dump"), *self.connect(), "--format=custom", *options, f"--file={file}"]
        done = subprocess.run(command, env=self.environment, stderr=subprocess.PIPE, check=False)
        check("pg_dump", done.returncode, done.stderr)

    def fill(self, dump: Path) -> None:
        """Restores all of the dump, owned by this user, or nothing: it is committed only after the dump was read to its end."""
        options = ["--no-owner", "--no-privileges", "--no-comments", "--file=-"]
        read = [self.find("pg_restore"), *options, str(dump)]
        write = [self.find("psql"), *self.connect(), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        with (
            subprocess.Popen(read, env=self.environment, stdout=pipe, stderr=pipe) as reader,
            subprocess.Popen(write, env=self.environment, stdin=pipe, stdout=nothing, stderr=pipe) as writer,
        ):
            with suppress(BrokenPipeError), must(writer.stdin) as script:  # a broken pipe: psql has said why
                script.write(b"BEGIN;\n")
                self.pass_on(must(reader.stdout), script)
                if reader.wait() == 0:
                    script.write(b"COMMIT;\n")
            must(reader.stdout).close()
            said_by_writer, said_by_reader = must(writer.stderr).read(), must(reader.stderr).read()
        into = f"psql, into {self.called}"
        if reader.returncode < 0:  # killed, because nobody read its output
            check(into, writer.returncode, said_by_writer)
        check("pg_restore", reader.returncode, said_by_reader)
        check(into, writer.returncode, said_by_writer)

    def pass_on(self, script: IO[bytes], into: IO[bytes]) -> None:
        """Copies the script without the setting, if the server does not know it. The setting precedes all data."""
        for line in script:
            if not line.startswith(NEWER_SETTING):
                into.write(line)
                continue
            if self.server_major >= NEWER_SETTING_SINCE:
                into.write(line)
            break
        shutil.copyfileobj(script, into)

    def connect(self) -> tuple[str, str]:
        public = {name: value for name, value in self.parameters.items() if name != "password"}
        return f"--dbname={make_conninfo(**public)}", "--no-password"

    @property
    def environment(self) -> dict[str, str]:
        """Includes our environment, where libpq finds the user's certificates and password file, as for every other connection."""
        password = self.parameters.get("password")
        return {**os.environ, "LC_ALL": "C", **({"PGPASSWORD": password} if password else {})}

    def find(self, name: str) -> str:
        """The first program that is not older than the server."""
        found = [(get_major(path), path) for path in iter_programs(name, with_tls=self.encrypted)]
        for major, path in found:
            if major >= self.server_major:
                return str(path)
        with_tls = " with TLS" if self.encrypted else ""
        here = f"of {name}{with_tls} PostgreSQL {max(found)[0]}'s is here" if found else f"no {name}{with_tls} is here"
        raise ToolFailed(
            f"The server is PostgreSQL {self.server_major}, and {here}: "
            f"install the client programs of PostgreSQL {self.server_major} or later (Debian: postgresql-client-{self.server_major})."
        )


def iter_programs(name: str, *, with_tls: bool) -> Iterator[Path]:
    if not with_tls:
        with suppress(EmbeddedPostgresError):
            yield find_install() / "bin" / name
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from Path("/usr/lib/postgresql").glob(f"*/bin/{name}")


def must(stream: IO[bytes] | None) -> IO[bytes]:
    """The stream, which exists because a pipe was asked for."""
    assert stream is not None
    return stream


def get_major(program: Path) -> int:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"\(PostgreSQL\) (\d+)", done.stdout)
    return int(version[1]) if version else 0


def check(name: str, returncode: int, said: bytes) -> None:
    """Raises ToolFailed with the first thing that the program said, or with the signal that ended it."""
    if returncode:
        lines = said.decode(errors="replace").strip().splitlines()
        raise ToolFailed(f"{name}: {lines[0] if lines else describe_end(returncode)}")


def describe_end(returncode: int) -> str:
    """Describes an exit status as subprocess gives it: negative for a signal."""
    if returncode > 0:
        return f"it ended without a word, with exit code {returncode}"
    return f"it was ended by {signal.Signals(-returncode).name} ({signal.strsignal(-returncode)})"
