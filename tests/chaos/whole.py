"""The whole of it on one machine: a primary and a replica, a pooler, Redis, two web servers, three queues, and traffic."""

# ruff: noqa: T201

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from tests.chaos.databases import Daemon, Pooler, Redis, make_primary, make_replica
from tests.chaos.installation import Kept, Web, run_command
from tests.chaos.traffic import Traffic, make_page

DaemonT = TypeVar("DaemonT", bound=Daemon)

PAGES = 300
QUEUES = 3
DISK_BYTES = 900 * 2**20


class Whole:
    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self.directory = directory
        self.has_own_disk = mount_disk(directory / "disk", stack)
        self.primary = self.start(make_primary(directory / "disk" / "primary"), stack)
        self.replica = self.start(make_replica(directory / "replica", self.primary), stack)
        self.pooler = self.start(Pooler(directory / "pooler", self.primary), stack)
        self.redis = self.start(Redis(directory / "redis"), stack)
        self.settings = {
            "DATABASE_URL": self.primary.url,
            "DATABASE_REPLICA_URL": self.replica.url,
            "DATABASE_POOL_SIZE": "4",
            "REDIS_URL": self.redis.url,
            "SECRET_KEY": "chaos" * 10,
            "DATA_DIR": str(directory / "data"),
            "CACHE_TTL_SEARCH": "0",
            "MCP_RATE_LIMIT_REQUESTS": "1000000",
            "LOG_LEVEL": "WARNING",
            "EMBEDDINGS_KIND": "none",
            "QUEUE_WORKERS": "1",
        }
        # One of the web servers, and every queue, has a transaction pooler before the database.
        self.pooled = {
            **self.settings,
            "DATABASE_URL": self.pooler.url,
            "DATABASE_DIRECT_URL": self.primary.url,
            "DATABASE_POOL_SIZE": "0",
        }
        self.key, self.pages = self.fill()
        self.queues = [Kept(f"queue {n}", "run_qcluster", self.pooled, self.log(f"queue-{n}")) for n in range(QUEUES)]
        for queue in self.queues:
            stack.callback(queue.stop)
        self.webs = [
            Web("pool", self.settings, self.log("web-pool")),
            Web("pooler", self.pooled, self.log("web-pooler")),
        ]
        for web in self.webs:
            stack.callback(web.stop)
        self.traffic = Traffic([web.port for web in self.webs], self.key, self.pages)

    def start(self, daemon: DaemonT, stack: ExitStack) -> DaemonT:
        daemon.start()
        stack.callback(daemon.stop)
        return daemon

    def log(self, name: str) -> Path:
        return self.directory / f"{name}.log"

    def fill(self) -> tuple[str, dict[str, str]]:
        """An API key, and each page's own word."""
        folder = self.directory / "pages"
        folder.mkdir()
        pages = {f"page-{n}.md": f"zebra{n}word" for n in range(PAGES)}
        for path, word in pages.items():
            (folder / path).write_text(make_page(path, word))
        run_command(self.settings, "migrate", "--verbosity", "0")
        run_command(self.settings, "ingest_path", str(folder), "--collection", "chaos", "-v", "0")
        issued = run_command(self.settings, "issue_api_key", "chaos", "--scopes", "read,write")
        return issued.split()[-1], pages


def mount_disk(path: Path, stack: ExitStack) -> bool:
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=755", "tmpfs", str(path)],  # noqa: S607
        check=False,
    )
    if mounted.returncode == 0:
        stack.callback(subprocess.run, ["umount", "--lazy", str(path)], check=False)
    return mounted.returncode == 0


@contextmanager
def make_place() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(prefix="docsmcp-chaos-"))
    directory.chmod(0o711)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def keep_logs(whole: Whole) -> None:
    kept = Path(tempfile.mkdtemp(prefix="docsmcp-chaos-logs-"))
    for log in whole.directory.glob("*.log"):
        shutil.copy(log, kept)
    print(f"logs: {kept}")
