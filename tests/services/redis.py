"""`python -m tests.services.redis -- COMMAND…`: run a command with TEST_REDIS_URL of a fresh Redis.

The server is Debian's package, installed if it is missing (as root); that it cannot be had is a failure. It listens on
loopback only, keeps nothing on disk, and ends with the command.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import redis

from tests.free_ports import find_free_port
from tests.services.postgresql import install

START_SECONDS = 30


def main(command: list[str]) -> int:
    if shutil.which("redis-server") is None:
        install("redis-server")
    with serve() as url:
        return subprocess.run(command, env=os.environ | {"TEST_REDIS_URL": url}, check=False).returncode


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """A new server; yields its URL."""
    port = find_free_port()
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],  # noqa: S607
        stdout=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        url = f"redis://127.0.0.1:{port}"
        wait_until_ready(url, server)
        yield url
    finally:
        server.terminate()
        server.wait()


def wait_until_ready(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    with contextlib.closing(redis.from_url(url)) as client:
        while True:
            try:
                client.ping()
            except redis.ConnectionError:
                if server.poll() is not None or time.monotonic() > deadline:
                    sys.exit("Redis did not start")
                time.sleep(0.05)
            else:
                return


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))
