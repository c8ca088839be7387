"""`python -m tests.services.postgresql VERSION -- COMMAND…`: run a command with DATABASE_URL of a fresh PostgreSQL of that version.

The server is Debian's package, installed if it is missing (as root); that it cannot be had is a failure. It listens on
loopback only, lives in a temporary directory, and ends with the command.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.free_ports import find_free_port

USER = "docsmcp"


def main(version: str, command: list[str]) -> int:
    with serve(find_binaries(version)) as url:
        return subprocess.run(command, env=os.environ | {"DATABASE_URL": url}, check=False).returncode


def find_binaries(version: str) -> Path:
    binaries = Path("/usr/lib/postgresql") / version / "bin"
    if not (binaries / "postgres").exists():
        install(f"postgresql-{version}")
    return binaries


def install(package: str) -> None:
    """Debian starts a server of its own with the package unless it is told not to."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"{package} is missing: install it (apt-get install {package}) or run this as root on Debian")
    quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL, "check": True}
    with contextlib.ExitStack() as stack:
        policy = Path("/usr/sbin/policy-rc.d")
        if not policy.exists():
            policy.write_text("#!/bin/sh\nexit 101\n")
            policy.chmod(0o755)
            stack.callback(policy.unlink)
        subprocess.run(["apt-get", "update"], **quiet)  # type: ignore[call-overload]  # noqa: S607
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", package], **quiet)  # type: ignore[call-overload]  # noqa: S607


@contextlib.contextmanager
def serve(binaries: Path) -> Iterator[str]:
    """A new server; yields its URL. Refused to root, so run as Debian's user `postgres` then."""
    account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    options = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
    directory = Path(tempfile.mkdtemp(prefix="docsmcp-postgresql-"))
    try:
        password, port = secrets.token_urlsafe(16), find_free_port()
        (directory / "password").write_text(password)
        if account:
            for path in (directory, directory / "password"):
                os.chown(path, account.pw_uid, account.pw_gid)
        data = directory / "data"
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", USER, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8",
             "--pwfile", directory / "password"],
            check=True, stdout=subprocess.DEVNULL, cwd="/", **options,  # type: ignore[call-overload]
        )  # fmt: skip
        with (directory / "log").open("wb") as log:
            server = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
                stdout=log, stderr=log, cwd="/", **options,  # type: ignore[call-overload]
            )  # fmt: skip
        try:
            wait_until_ready(binaries, port, server)
            yield f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def wait_until_ready(binaries: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    """Asked again and again, each time by a process of its own, until the server takes connections or ends."""
    ask: list[str | Path] = [binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
    while subprocess.run(ask, check=False).returncode != 0:
        if server.poll() is not None:
            sys.exit("PostgreSQL ended while it started")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[sys.argv.index("--") + 1 :]))
