"""The life of the embedded server with real processes: many users, kills, leftovers, who stops it."""

from __future__ import annotations

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import psycopg
import pytest

from docsmcp_site.database import embedded_cluster, embedded_postgres
from docsmcp_site.database.embedded_cluster import Cluster
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres, EmbeddedPostgresError
from tests.docsmcp_site.embedded_server import (
    ENSURE,
    ENSURE_OR_SAY_WHY,
    IS_ROOT,
    connect,
    count_postmasters,
    get_postmaster,
    get_value,
    is_running,
    run_as_nobody,
    run_python,
    start_python,
)

# One server for all


def test_it_starts_one_server_for_processes_that_come_at_once_under_a_locale_that_is_not_installed(
    open_dir: Path,
) -> None:
    environment = {"LC_ALL": "xx_YY.bogus", "LANG": "xx_YY.bogus", "PGPORT": "1", "PGDATA": "/nowhere"}
    starters = [start_python(ENSURE, open_dir, **environment) for _ in range(5)]

    ports = {process.communicate(timeout=240) for process in starters}

    assert len(ports) == 1, ports
    assert count_postmasters(open_dir) == 1
    query = "SELECT datcollate || ' ' || datlocale || ' ' || pg_encoding_to_char(encoding) FROM pg_database LIMIT 1"
    assert get_value(EmbeddedPostgres(open_dir), query) == "C C.UTF-8 UTF8"


def test_it_finds_the_running_server_again(server: EmbeddedPostgres, server_dir: Path) -> None:
    postmaster = get_postmaster(server_dir)

    assert EmbeddedPostgres(server_dir).ensure() == server.ensure()
    assert int(run_python(ENSURE, server_dir)) == server.ensure().port
    assert get_postmaster(server_dir) == postmaster


def test_it_does_not_ask_a_running_server_before_it_trusts_it(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_postgres, "is_answering", lambda port: pytest.fail("asked"))

    server.ensure()


def test_it_finds_the_running_server_after_the_data_directory_was_moved(
    server: EmbeddedPostgres, server_dir: Path
) -> None:
    before = server.ensure()
    moved = server_dir.rename(server_dir.with_name("moved"))
    try:
        assert EmbeddedPostgres(moved).ensure() == before
    finally:
        moved.rename(server_dir)


def test_it_keeps_the_port_over_a_stop(server: EmbeddedPostgres) -> None:
    before = server.ensure()
    server.stop()

    assert server.ensure() == before


def test_it_survives_the_kill_of_whoever_started_it(server_dir: Path) -> None:
    starter = start_python(ENSURE + "sys.stdin.read()", server_dir)
    assert starter.stdout
    port = int(starter.stdout.readline())

    starter.kill()
    starter.communicate()

    assert EmbeddedPostgres(server_dir).ensure().port == port
    assert get_value(EmbeddedPostgres(server_dir), "SELECT 1") == 1


# Safe


def test_it_asks_for_the_password_and_listens_on_loopback_tcp_only(server: EmbeddedPostgres) -> None:
    parameters = asdict(server.ensure())

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(**{**parameters, "password": "wrong"})

    assert get_value(server, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules") == "scram-sha-256"
    assert get_value(server, "SHOW listen_addresses") == "127.0.0.1"
    assert get_value(server, "SHOW unix_socket_directories") == ""
    assert get_value(server, "SHOW fsync") == "on"
    assert get_value(server, "SHOW data_checksums") == "on"
    assert parameters["password"] not in repr(server.ensure())


def test_it_keeps_the_password_from_other_users(server: EmbeddedPostgres, server_dir: Path) -> None:
    cluster = Cluster(server_dir)

    assert (cluster.directory / "connection.json").stat().st_mode & 0o777 == 0o600
    assert cluster.log.stat().st_mode & 0o777 == 0o600
    assert cluster.data.stat().st_mode & 0o777 == 0o700
    if IS_ROOT:
        assert "Permission denied" in run_as_nobody(ENSURE_OR_SAY_WHY, server_dir)


# Killed, stale, taken


def test_it_revives_a_killed_server_with_every_committed_row(server: EmbeddedPostgres, server_dir: Path) -> None:
    with connect(server) as connection:
        connection.execute("DROP TABLE IF EXISTS kept")
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000)")
    os.kill(get_postmaster(server_dir), signal.SIGKILL)

    with connect(server, recheck=True) as connection:
        rows = connection.execute("SELECT count(*) FROM kept").fetchone()

    assert rows == (1000,)
    assert count_postmasters(server_dir) == 1


def test_it_ends_the_busy_children_of_a_killed_server(server: EmbeddedPostgres, server_dir: Path) -> None:
    with closing(connect(server)) as connection:
        busy = connection.info.backend_pid
        connection.pgconn.send_query(b"DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$")
        os.kill(get_postmaster(server_dir), signal.SIGKILL)

        with connect(server, recheck=True):
            assert busy not in embedded_cluster.iter_processes_in(Cluster(server_dir).data)


def test_it_waits_for_a_server_that_recovers_from_the_kill_of_a_child(server: EmbeddedPostgres) -> None:
    with closing(connect(server)) as witness, connect(server) as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)
        # The server ends everybody's session as soon as it has noticed.
        with pytest.raises(psycopg.OperationalError):
            witness.execute("SELECT pg_sleep(60)")

    with connect(server, recheck=True) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_it_is_not_fooled_by_a_stale_pid_file_that_names_a_living_process(
    server: EmbeddedPostgres, server_dir: Path
) -> None:
    pid_file = Cluster(server_dir).data / "postmaster.pid"
    lines = pid_file.read_text().split("\n")
    server.stop()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]))

    assert get_value(server, "SELECT 1") == 1
    assert get_postmaster(server_dir) != os.getpid()


def test_it_moves_to_another_port_when_its_own_is_taken(server: EmbeddedPostgres, server_dir: Path) -> None:
    port = server.ensure().port
    server.stop()
    with closing(socket.create_server(("127.0.0.1", port))):
        new_port = server.ensure().port

        assert new_port != port
        assert get_value(server, "SHOW port") == str(new_port)
    assert Cluster(server_dir).get_connection().port == new_port


def test_it_tries_again_when_the_port_is_taken_at_the_last_moment(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop()
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        choices = iter([other.getsockname()[1]])
        find_free_port = embedded_postgres.find_free_port
        monkeypatch.setattr(embedded_postgres, "find_free_port", lambda port: next(choices, 0) or find_free_port(0))

        assert get_value(server, "SELECT 1") == 1


def test_it_does_not_start_beside_a_server_that_it_cannot_see(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EmbeddedPostgres, "_is_postmaster", lambda self, pid: False)
    monkeypatch.setattr(embedded_postgres, "end_processes_in", lambda data: None)
    monkeypatch.setattr(embedded_postgres, "REMAINS_SECONDS", 0)

    with pytest.raises(EmbeddedPostgresError, match="in use by processes that this one cannot see"):
        server.ensure()


# Who stops it


def test_it_stops_when_the_last_user_leaves_and_not_before(server: EmbeddedPostgres, server_dir: Path) -> None:
    with connect(server):
        assert EmbeddedPostgres(server_dir).release() is False
        assert is_running(server_dir)

    assert EmbeddedPostgres(server_dir).release() is True
    assert not is_running(server_dir)
    assert server.release() is False


def test_it_does_not_count_a_user_that_was_killed(server: EmbeddedPostgres) -> None:
    script = "import psycopg; c = psycopg.connect(sys.argv[1]); c.execute('SELECT 1'); print(1, flush=True); input()"
    user = start_python(script, psycopg.conninfo.make_conninfo("", **asdict(server.ensure())))
    assert user.stdout
    user.stdout.readline()
    assert server.release() is False

    user.kill()
    user.communicate()

    assert server.release() is True


def test_it_connects_whoever_comes_while_others_stop_it(server_dir: Path) -> None:
    failures: list[BaseException] = []
    stops: list[bool] = []

    def come_and_go() -> None:
        server = EmbeddedPostgres(server_dir)
        for _ in range(5):
            with connect(server) as connection:
                connection.execute("SELECT 1")
            stops.append(server.release())

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(come_and_go) for _ in range(4)]
        failures = [error for future in futures if (error := future.exception())]

    assert failures == []
    assert True in stops
    assert not is_running(server_dir)


def test_it_leaves_no_trace_where_it_was_never_used(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path)

    assert server.release() is False
    server.stop()

    assert list(tmp_path.iterdir()) == []
