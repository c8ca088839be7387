"""An operator's own PostgreSQL is backed up, and restored into another server that has never heard of its roles."""

from __future__ import annotations

import io
import os
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from collections_app.postgres.row_security import ROLE
from docsmcp_site.database.backup import DUMP
from docsmcp_site.database.embedded_cluster import find_install
from docsmcp_site.database.postgres_tools import BackupError, PostgresTools, iter_programs
from tests.end_to_end.test_backup import CHECK, STORE_TOKEN, TOKEN, run_docsmcp, run_script
from tests.running_server import COLLECTION, make_environment, write_pages
from tests.services.postgresql import find_binaries, serve

needs_debians = pytest.mark.skipif(
    not (os.environ.get("DATABASE_URL") and Path("/usr/lib/postgresql/15/bin/postgres").exists()),
    reason="needs Debian's PostgreSQL: make test-services",
)

COUNT = """
from django.db import connection
with connection.cursor() as cursor:
    for table in sorted(connection.introspection.table_names()):
        cursor.execute(f"SELECT count(*) FROM {table}")
        print(table, cursor.fetchone()[0], end=";")
"""
LOGIN, PASSWORD = "docsmcp_login", "letters"


@dataclass(frozen=True)
class Installation:
    """A database that was filled, its backup, and an empty server beside it."""

    environment: dict[str, str]
    backup: Path
    other_url: str

    def make_database(self, name: str, owner: str) -> dict[str, str]:
        """An empty one in the other server, for a user who may do nothing else; the environment of who restores into it."""
        with psycopg.connect(self.other_url, autocommit=True) as administrator:
            administrator.execute(f"CREATE ROLE {owner} LOGIN PASSWORD '{PASSWORD}'".encode())
            administrator.execute(f"CREATE DATABASE {name} OWNER {owner}".encode())
        return self.environment | {"DATABASE_URL": point(self.other_url, name, owner)}


def point(url: str, database: str, user: str) -> str:
    return re.sub(r"//[^@]+@([^/]+)/.*", rf"//{user}:{PASSWORD}@\1/{database}", url)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    directory = tmp_path_factory.mktemp("backup")
    binaries = find_binaries("15")
    with serve(binaries) as url, serve(binaries) as other_url:
        settings = {
            "DJANGO_SETTINGS_MODULE": "docsmcp_site.settings",
            "EMBEDDINGS_KIND": "none",
            "SECRET_KEY": "k" * 50,
        }
        environment = make_environment(directory, settings | {"DATABASE_URL": url})
        run_docsmcp(environment, "migrate")
        write_pages(directory / COLLECTION, {f"{n}.md": f"# Page {n}\n\nIt blooms.\n" for n in range(20)})
        run_docsmcp(environment, "ingest_path", directory / COLLECTION, "--collection", COLLECTION)
        run_script(environment, STORE_TOKEN, TOKEN)
        run_docsmcp(environment, "backup", directory / "backup.tar")
        yield Installation(environment, directory / "backup.tar", other_url)


@needs_debians
def test_another_server_has_all_of_it_and_the_wall_once_an_administrator_made_the_role(
    installation: Installation,
) -> None:
    other = installation.make_database("unprivileged", "plain_owner")
    said = run_docsmcp(other, "restore", installation.backup)
    assert "docsmcp roles" in said
    assert run_script(other, CHECK) == f"{TOKEN}|False"
    with psycopg.connect(re.sub("/[^/]*$", "/unprivileged", installation.other_url), autocommit=True) as administrator:
        administrator.execute(run_docsmcp(other, "roles").encode())
    assert run_script(other, CHECK) == f"{TOKEN}|True"
    assert run_script(other, COUNT) == run_script(installation.environment, COUNT)
    with pytest.raises(AssertionError, match="not empty"):
        run_docsmcp(other, "restore", installation.backup)


@needs_debians
def test_an_owner_who_may_make_roles_has_the_wall_at_once(installation: Installation) -> None:
    with psycopg.connect(installation.other_url, autocommit=True) as administrator:
        administrator.execute("CREATE DATABASE privileged")
    other = installation.environment | {"DATABASE_URL": re.sub("/[^/]*$", "/privileged", installation.other_url)}
    assert ROLE not in run_docsmcp(other, "restore", installation.backup)
    assert run_script(other, CHECK) == f"{TOKEN}|True"


@needs_debians
def test_of_half_a_dump_nothing_is_left(installation: Installation, tmp_path: Path) -> None:
    other = installation.make_database("half", "half_owner")
    with tarfile.open(installation.backup) as whole, tarfile.open(tmp_path / "half.tar", "w") as half:
        for entry in whole.getmembers():
            member = whole.extractfile(entry)
            assert member
            entry.size = entry.size * 3 // 4 if entry.name == DUMP else entry.size
            half.addfile(entry, io.BytesIO(member.read(entry.size)))
    with pytest.raises(AssertionError, match="pg_restore: "):
        run_docsmcp(other, "restore", tmp_path / "half.tar")
    assert run_script(other, COUNT) == ""


@needs_debians
def test_who_does_not_own_the_tables_makes_no_backup(installation: Installation, tmp_path: Path) -> None:
    url = installation.environment["DATABASE_URL"]
    run_docsmcp(installation.environment, "roles", "--login", LOGIN, "--apply")
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"ALTER ROLE {LOGIN} PASSWORD '{PASSWORD}'".encode())
    web = installation.environment | {"DATABASE_URL": point(url, "postgres", LOGIN)}
    with pytest.raises(AssertionError, match="does not own the tables"):
        run_docsmcp(web, "backup", tmp_path / "backup.tar")


def test_programs_that_are_older_than_the_server_are_not_used(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match=r"The server is PostgreSQL 99, and .*pg_dump.* install .* PostgreSQL 99"):
        PostgresTools({}, 99).dump(tmp_path / "dump", ())


def test_the_embedded_databases_programs_which_know_no_tls_are_not_used_where_the_connection_has_it() -> None:
    own = find_install() / "bin" / "pg_dump"
    assert own in iter_programs("pg_dump", with_tls=False)
    assert own not in iter_programs("pg_dump", with_tls=True)


def test_no_password_stands_on_a_command_line() -> None:
    tools = PostgresTools({"host": "db", "dbname": "docs", "password": "secret"}, 15)
    assert tools.connect() == ("--dbname=host=db dbname=docs", "--no-password")
    assert tools.environment["PGPASSWORD"] == "secret"
