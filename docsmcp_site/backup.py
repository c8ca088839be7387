"""A backup of the embedded database with what belongs to it, in one file, and the way back into an empty data directory.

The file is a tar archive: what it is, PostgreSQL's own dump, and the secret key that was kept in the data directory, without which stored
tokens could not be read. Refuses to write over a database that has anything in it, and a backup of a later release.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from collections_app.database_roles import make_role
from docsmcp_site.database_preparation import preparing_database
from docsmcp_site.embedded_cluster import find_install
from docsmcp_site.embedded_postgres import ConnectionParameters, EmbeddedPostgres

ABOUT, DUMP, SECRET_KEY = "about.json", "database.dump", "secret_key"
# What is made anew by itself.
LEFT_OUT = ("collections_app_cacheentry",)


class BackupError(Exception):
    """It was not done; the message is one sentence for the operator."""


@dataclass(frozen=True)
class About:
    """What a backup says of itself. Migrations are written as app.name."""

    version: str
    created: str
    migrations: list[str]


def back_up(server: EmbeddedPostgres, target: Path, secret_key: Path | None) -> About:
    """Write the database as it is at one moment, whoever works with it meanwhile. The file appears whole, for its owner alone."""
    about = About(version("docsmcp"), timezone.now().isoformat(), sorted(list_applied()))
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as directory:
        dump, draft = Path(directory) / DUMP, Path(directory) / target.name
        left_out = [f"--exclude-table-data={table}" for table in LEFT_OUT]
        run_tool("pg_dump", server.ensure(), "--format=custom", *left_out, f"--file={dump}")
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            with tarfile.open(fileobj=file, mode="w") as archive:
                add_text(archive, ABOUT, json.dumps(asdict(about), indent=2))
                if secret_key:
                    add_text(archive, SECRET_KEY, secret_key.read_text())
                archive.add(dump, DUMP)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    return about


def restore(source: Path, server: EmbeddedPostgres, secret_key: Path | None) -> About:
    """Fill an empty database, then bring its tables to this release. `secret_key` is where the key goes, if it is to be restored."""
    with opening(source) as archive:
        about = read_about(archive)
        check_is_known(about)
        check_is_empty()
        with tempfile.TemporaryDirectory() as directory:
            dump = Path(directory) / DUMP
            copy_member(archive, DUMP, dump)
            run_tool("pg_restore", server.ensure(), "--single-transaction", "--no-owner", "--no-privileges", str(dump))
        if secret_key and SECRET_KEY in archive.getnames():
            copy_member(archive, SECRET_KEY, secret_key)
    with preparing_database(), connection.cursor() as cursor:
        make_role(connection)
        cursor.execute("ANALYZE")
    return about


@contextmanager
def opening(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source, mode="r:") as archive:
            yield archive
    except (OSError, tarfile.TarError) as error:
        reason = getattr(error, "strerror", None) or "it is no backup of docsmcp, or not all of one"
        raise BackupError(f"{source} cannot be restored: {reason}.") from None


def read_about(archive: tarfile.TarFile) -> About:
    try:
        member = archive.extractfile(ABOUT)
        return About(**json.load(member or io.BytesIO()))
    except (KeyError, ValueError, TypeError):
        raise tarfile.TarError from None


def check_is_known(about: About) -> None:
    """Raises BackupError for tables that only a later release knows."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if not known.issuperset(about.migrations):
        raise BackupError(
            f"The backup is of docsmcp {about.version}, which is later than this release: restore it with that one or a later one."
        )


def check_is_empty() -> None:
    if connection.introspection.table_names():
        raise BackupError("The database is not empty: restore into another DATA_DIR, or move this one away first.")


def list_applied() -> set[str]:
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}


def add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))


def copy_member(archive: tarfile.TarFile, name: str, target: Path) -> None:
    """For its owner alone to read."""
    try:
        member = archive.extractfile(name)
    except KeyError:
        member = None
    if member is None:
        raise tarfile.TarError
    draft = target.with_name(f".{target.name}-restored")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        shutil.copyfileobj(member, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(target)


def run_tool(name: str, parameters: ConnectionParameters, *arguments: str) -> None:
    """One of PostgreSQL's own programs, on the embedded server. Raises BackupError with what it said last."""
    where = (f"--host={parameters.host}", f"--port={parameters.port}", f"--username={parameters.user}")
    command: list[str | Path] = [
        find_install() / "bin" / name,
        *where,
        f"--dbname={parameters.dbname}",
        "--no-password",
        *arguments,
    ]
    environment = {"PGPASSWORD": parameters.password, "LC_ALL": "C", "PATH": os.defpath}
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it ended without a word"]
        raise BackupError(f"{name}: {said[0]}")
