"""Backs up the database and what belongs to it into one file, and restores such a file into an empty database.

The file is a tar archive: a description, PostgreSQL's own dump, and the secret key if it was kept in the data directory, since stored
tokens cannot be read without it. A backup of the embedded database can be restored into an operator's server, and the other way round.
Refuses to overwrite a database that has any tables, to restore a backup of a later release, and to back up as a user who may not see all.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from psycopg.conninfo import conninfo_to_dict

from collections_app.postgres.database_roles import is_owner, make_role
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from docsmcp_site.database.postgres_tools import BackupError, PostgresTools, ToolFailed
from docsmcp_site.database.preparation import check_version, preparing_database
from docsmcp_site.private_files import write_private

ABOUT, DUMP, SECRET_KEY = "about.json", "database.dump", "secret_key"
NO_EXTENSION = 'extension "vector" is not available'
INSTALL_EXTENSION = (
    "The backup has embeddings, so nothing was restored: install pgvector 0.8 or later on that host, and try again."
)
# Tables whose rows are not saved, because they fill again by themselves.
LEFT_OUT = ("collections_app_cacheentry",)


@dataclass(frozen=True)
class About:
    """A backup's description of itself. Migrations are written as app.name."""

    version: str
    created: str
    migrations: list[str]


def back_up(target: Path, secret_key: Path | None) -> About:
    """Writes the database as it is at one moment, while others work with it. The file appears complete, readable only by its owner."""
    check_sees_all()
    about = About(version("docsmcp"), timezone.now().isoformat(), sorted(list_applied()))
    kept_key = secret_key.read_text() if secret_key else ""
    remove_broken_off(target.parent)
    with (
        naming(target),
        tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as directory,
        holding(Path(directory)),
    ):
        dump, draft = Path(directory) / DUMP, Path(directory) / target.name
        get_tools().dump(dump, LEFT_OUT)
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            with tarfile.open(fileobj=file, mode="w") as archive:
                add_text(archive, ABOUT, json.dumps(asdict(about), indent=2))
                if kept_key:
                    add_text(archive, SECRET_KEY, kept_key)
                archive.add(dump, DUMP)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    return about


def remove_broken_off(directory: Path) -> None:
    """Removes what killed backups left here: each is a folder with a dump as large as the database."""
    for folder in directory.glob(".*-????????"):
        with suppress(OSError):  # the folder is gone, or belongs to somebody else
            names = {each.name for each in folder.iterdir()}
            if DUMP in names <= {DUMP, folder.name[1:-9]}:
                with holding(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    shutil.rmtree(folder)


@contextmanager
def holding(folder: Path, how: int = fcntl.LOCK_SH) -> Iterator[None]:
    """Locks the folder, so that other backups know that it is in use; the system drops the lock of a killed process. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)


def restore(source: Path, secret_key: Path | None) -> About:
    """Fills an empty database, then migrates it to this release. `secret_key` is where the key goes, if it is to be restored."""
    with opening(source) as archive:
        about = read_about(archive)
        check_is_known(about)
        check_is_empty()
        with tempfile.TemporaryDirectory() as directory:
            dump = Path(directory) / DUMP
            copy_member(archive, DUMP, dump)
            with putting_key(archive, secret_key), explaining_extension():
                get_tools().fill(dump)
    with preparing_database(), connection.cursor() as cursor:
        make_role(connection)
        cursor.execute("ANALYZE")
    return about


@contextmanager
def explaining_extension() -> Iterator[None]:
    """Adds how to install a missing extension: the server's own message does not say it."""
    try:
        yield
    except ToolFailed as error:
        if NO_EXTENSION in str(error):
            raise ToolFailed(f"{error}. {INSTALL_EXTENSION}") from None
        raise


@contextmanager
def putting_key(archive: tarfile.TarFile, secret_key: Path | None) -> Iterator[None]:
    """Restores the backup's key for the block, in which stored tokens are read with it; if the block fails, the old key comes back."""
    if secret_key is None or SECRET_KEY not in archive.getnames():
        yield
        return
    before = secret_key.read_text() if secret_key.exists() else None
    copy_member(archive, SECRET_KEY, secret_key)
    try:
        yield
    except BaseException:
        secret_key.unlink(missing_ok=True)
        if before is not None:
            write_private(secret_key, before)
        raise


@contextmanager
def opening(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source, mode="r:") as archive:
            yield archive
    except tarfile.TarError:
        raise BackupError(f"{source} cannot be restored: it is no backup of docsmcp, or not all of one.") from None


def read_about(archive: tarfile.TarFile) -> About:
    try:
        member = archive.extractfile(ABOUT)
        return About(**json.load(member or io.BytesIO()))
    except (KeyError, ValueError, TypeError):
        raise tarfile.TarError from None


def check_is_known(about: About) -> None:
    """Raises BackupError if the backup has tables that only a later release knows."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if not known.issuperset(about.migrations):
        raise BackupError(
            f"The backup is of docsmcp {about.version}, which is later than this release: restore it with that one or a later one."
        )


def check_is_empty() -> None:
    if connection.introspection.table_names():
        raise BackupError(
            "The database is not empty: restore into another one (DATA_DIR, or DATABASE_URL if that is set)."
        )


def check_sees_all() -> None:
    """A user other than the owner, such as the web server's login, might not see all rows. Raises BackupError."""
    if not list_applied():
        raise BackupError("The database has no tables of docsmcp: there is nothing to back up.")
    if not is_owner(connection):
        raise BackupError("The user of DATABASE_URL does not own the tables: run this with the owner's.")


def get_tools() -> PostgresTools:
    """The tools for the database itself, never for a pooler. They work as long as this process is connected."""
    check_version()
    config = settings.DOCSMCP
    url = config.database_direct_url or config.database_url
    parameters = (
        conninfo_to_dict(url) if url else {**asdict(EmbeddedPostgres(config.data_dir).ensure()), "sslmode": "disable"}
    )
    major = connection.pg_version // 10_000  # type: ignore[attr-defined]
    encrypted = connection.connection.pgconn.ssl_in_use
    called = "the server of DATABASE_URL" if url else f"the embedded database in {config.data_dir}"
    return PostgresTools({name: str(value) for name, value in parameters.items()}, major, encrypted, called)


def list_applied() -> set[str]:
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}


def add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))


def copy_member(archive: tarfile.TarFile, name: str, target: Path) -> None:
    """Copies a file out of the archive, readable only by its owner. Raises OSError with the directory that cannot take it."""
    try:
        member = archive.extractfile(name)
    except KeyError:
        member = None
    if member is None:
        raise tarfile.TarError
    draft = target.with_name(f".{target.name}-restored")
    with naming(target.parent):
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            shutil.copyfileobj(member, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An OSError in the block names this path, instead of a draft beside it or nothing."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
