"""What `backup` and `restore` say when it was not done, and their exit codes."""

from __future__ import annotations

import errno
import io
import signal
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import call_command

from docsmcp_site.database.backup import (
    DUMP,
    SECRET_KEY,
    add_text,
    back_up,
    copy_member,
    explaining_extension,
    holding,
    putting_key,
    remove_broken_off,
)
from docsmcp_site.database.postgres_tools import BackupError, PostgresTools, ToolFailed, check


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BackupError("There is nothing to back up."), 2, "There is nothing to back up.\n"),
        (ToolFailed("pg_dump: no room"), 1, "pg_dump: no room\n"),
        (OSError(errno.ENOSPC, "No space left on device", "/backups"), 1, "/backups: No space left on device.\n"),
        (OSError(errno.EROFS, "Read-only file system"), 1, "/nowhere/x.tar: Read-only file system.\n"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory"),
            2,
            "/nowhere/x.tar: No such file or directory. Check the path, and this user's rights.\n",
        ),
    ],
)
def test_who_asked_is_told_from_what_is_away(
    error: Exception, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("docsmcp_site.management.commands.backup.back_up", fail)
    with pytest.raises(SystemExit) as left:
        call_command("backup", "/nowhere/x.tar")
    assert (left.value.code, capsys.readouterr().err) == (code, said)


def test_what_cannot_be_written_is_named_and_not_its_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docsmcp_site.database.backup.check_sees_all", lambda: None)
    monkeypatch.setattr("docsmcp_site.database.backup.list_applied", set)
    with pytest.raises(FileNotFoundError) as refused:
        back_up(tmp_path / "missing" / "x.tar", None)
    assert refused.value.filename == str(tmp_path / "missing" / "x.tar")


def test_what_a_killed_backup_left_goes_and_what_one_that_runs_has_stays(tmp_path: Path) -> None:
    left, runs, others = tmp_path / ".x.tar-abcdefgh", tmp_path / ".y.tar-abcdefgh", tmp_path / ".notes-abcdefgh"
    for folder in (left, runs, others):
        folder.mkdir()
        (folder / DUMP).touch()
    (others / "mine").touch()
    with holding(runs):
        remove_broken_off(tmp_path)
    assert set(tmp_path.iterdir()) == {runs, others}


def test_the_directory_that_has_no_room_is_named(tmp_path: Path) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        add_text(archive, DUMP, "a dump")
    content.seek(0)
    with tarfile.open(fileobj=content) as archive, pytest.raises(OSError, match="No such file") as refused:
        copy_member(archive, DUMP, tmp_path / "missing" / DUMP)
    assert refused.value.filename == str(tmp_path / "missing")


@pytest.mark.parametrize("before", ["the key of this directory", None])
def test_a_key_is_restored_with_its_database_or_not_at_all(tmp_path: Path, before: str | None) -> None:
    key, content = tmp_path / "secret_key", io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        add_text(archive, SECRET_KEY, "the key of the backup")
    content.seek(0)
    if before:
        key.write_text(before)
    with tarfile.open(fileobj=content) as archive:
        with suppress(ToolFailed), putting_key(archive, key):
            assert key.read_text() == "the key of the backup"
            raise ToolFailed
        assert (key.read_text() if key.exists() else None) == before
        with putting_key(archive, key):
            pass
    assert (key.read_text(), key.stat().st_mode & 0o777) == ("the key of the backup", 0o600)


def test_the_database_that_did_not_take_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, script in (
        ("pg_restore", "echo 'CREATE TABLE'"),
        ("psql", "cat > /dev/null; echo 'ERROR: full' >&2; exit 3"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(PostgresTools, "find", lambda _, name: str(tmp_path / name))
    with pytest.raises(ToolFailed, match="psql, into the embedded database in /data: ERROR: full"):
        PostgresTools({}, 18, called="the embedded database in /data").fill(tmp_path / DUMP)


@pytest.mark.parametrize(
    ("returncode", "said", "reason"),
    [
        (1, b"\npg_dump: error: it is full\nmore\n", "pg_dump: error: it is full"),
        (3, b"", "exit code 3"),
        (-signal.SIGXFSZ, b"", "SIGXFSZ"),
    ],
)
def test_how_a_program_ended_is_told(returncode: int, said: bytes, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        check("pg_dump", returncode, said)
    check("pg_dump", 0, said)


def test_a_server_without_pgvector_is_told_what_it_needs() -> None:
    said = 'psql, into the server of DATABASE_URL: ERROR:  extension "vector" is not available'
    with pytest.raises(ToolFailed, match="install pgvector"), explaining_extension():
        raise ToolFailed(said)
    with pytest.raises(ToolFailed, match="psql: full"), explaining_extension():
        raise ToolFailed("psql: full")
