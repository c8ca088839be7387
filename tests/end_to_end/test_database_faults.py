"""The database ends under a job, or its disk is full: the job says so or goes on, and nothing is half indexed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from docsmcp_site.database.embedded_cluster import Cluster
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests.docsmcp_site.embedded_server import make_open_dir
from tests.migrated import give_tables
from tests.other_process import run_python
from tests.running_server import make_environment

pytestmark = pytest.mark.embedded

# That a job does in batches, and that do not fit on the disk.
FILES, MANY = 200, 500
DISK_BYTES = 160 * 1024 * 1024
FREE_BYTES = 4 * 1024 * 1024

PREPARE = """
from docsmcp_site.database.preparation import preparing_database
with preparing_database():
    pass
from pathlib import Path
from collections_app.jobs import ensure_directory_source, start_job
from collections_app.provisioning import ensure_collection, get_tenant
print(start_job(ensure_directory_source(ensure_collection(get_tenant(), "docs"), Path(sys.argv[1]))).pk)
"""
HEADER = """
import sys, django
django.setup()
from datetime import timedelta
from django.utils import timezone
from collections_app.jobs import retry_job, run_job, sweep_jobs
from collections_app.models import IngestJob
from tests.index_check import check_index, check_job
"""
GO_ON = """
job = IngestJob.objects.get(pk=int(sys.argv[1]))
check_index(job.collection)
sweep_jobs(timezone.now() + timedelta(seconds=31))
run_job(job.pk)
"""
CHECK = """
job = IngestJob.objects.latest("pk")
check_index(job.collection)
outcomes = check_job(job)
print(job.state, job.error_code, ",".join(f"{name}={count}" for name, count in sorted(outcomes.items())))
"""
RETRY = """
run_job(retry_job(IngestJob.objects.latest("pk")).pk)
"""
STATE = """
sweep_jobs(timezone.now() + timedelta(seconds=31))
job = IngestJob.objects.latest("pk")
check_index(job.collection)
print(job.state)
"""


@pytest.fixture
def open_dir() -> Iterator[Path]:
    yield from make_open_dir()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path, FILES)


@pytest.fixture
def large_folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path, MANY)


def make_folder(folder: Path, files: int) -> Path:
    for n in range(files):
        words = " ".join(f"word{n}x{word}" for word in range(200))
        (folder / f"{n:03}.md").write_text(f"# Page {n}\n\n{words}\n\n## Sub\n\nmore of {n % 7}\n")
    return folder


def run_there(data_dir: Path, *arguments: str) -> str:
    return run_python(make_environment(data_dir.parent, {"LOG_LEVEL": "ERROR"}), *arguments)


@pytest.mark.parametrize("moment", [40, 77])
def test_a_job_goes_on_after_the_database_ended_under_it(open_dir: Path, folder: Path, moment: int) -> None:
    data_dir = open_dir / "data"
    give_tables(data_dir)
    job = run_there(data_dir, "-c", HEADER + PREPARE, str(folder))
    run_there(data_dir, "-m", "tests.job_worker", job, str(moment), "database")
    assert run_there(data_dir, "-c", HEADER + GO_ON + CHECK, job) == f"succeeded  indexed={FILES}"


@pytest.fixture
def small_disk(open_dir: Path) -> Iterator[Path]:
    disk = open_dir / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=755", "tmpfs", str(disk)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
    yield disk
    for lock in disk.rglob("postgres/lock"):
        EmbeddedPostgres(lock.parent.parent).stop()
    subprocess.run(["umount", str(disk)], check=True)  # noqa: S607


def test_a_full_disk_ends_the_job_which_goes_on_once_there_is_space(
    open_dir: Path, small_disk: Path, large_folder: Path
) -> None:
    """It says so where a row can still be changed, and is told to be retried; else it is taken up like one whose worker died."""
    data_dir = small_disk / "data"
    give_tables(data_dir)
    job = run_there(data_dir, "-c", HEADER + PREPARE, str(large_folder))
    move_log_of_changes(data_dir, open_dir / "pg_wal")
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free - FREE_BYTES))
    run_there(data_dir, "-m", "tests.job_worker", job)
    ballast.unlink()
    if run_there(data_dir, "-c", HEADER + STATE) == "failed":
        state, code, outcomes = run_there(data_dir, "-c", HEADER + CHECK).split(" ")
        assert (state, code) == ("failed", "DISK_FULL")
        counts = {name: int(count) for name, count in (pair.split("=") for pair in outcomes.split(","))}
        assert sum(counts.values()) == MANY
        left = counts["not_reached"]
        assert left > 0
        assert run_there(data_dir, "-c", HEADER + RETRY + CHECK) == f"succeeded  indexed={left}"
    else:
        assert run_there(data_dir, "-c", HEADER + GO_ON + CHECK, job) == f"succeeded  indexed={MANY}"


def test_a_disk_that_is_full_of_the_log_too_ends_the_database_and_the_job_goes_on_afterwards(
    small_disk: Path, large_folder: Path
) -> None:
    """PostgreSQL ends where it cannot write its log, so nothing can be said on the job before there is space again.

    It migrates: a copied database would have room in its log.
    """
    data_dir = small_disk / "data"
    job = run_there(data_dir, "-c", HEADER + PREPARE, str(large_folder))
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free - FREE_BYTES))
    run_there(data_dir, "-m", "tests.job_worker", job)
    ballast.unlink()
    assert run_there(data_dir, "-c", HEADER + GO_ON + CHECK, job) == f"succeeded  indexed={MANY}"


def move_log_of_changes(data_dir: Path, target: Path) -> None:
    """The write-ahead log to a disk with space: without space for it PostgreSQL ends, and no job can say anything."""
    EmbeddedPostgres(data_dir).stop()
    log = Cluster(data_dir).data / "pg_wal"
    shutil.copytree(log, target)
    owner = log.stat()
    for path in (target, *target.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    target.chmod(0o700)
    shutil.rmtree(log)
    log.symlink_to(target)
