from __future__ import annotations

import errno
import os
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from collections_app.management.named_paths import parse_directory, parse_input, parse_output, parse_path
from collections_app.models import Collection
from tests.collections_app.management.conftest import Run

PARSERS = (parse_path, parse_directory, parse_input, parse_output)


@pytest.mark.parametrize("parse", PARSERS)
def test_a_path_is_taken_as_it_is_typed(parse: Callable[[str], Path]) -> None:
    assert [parse(text) for text in ("a b", "./-")] == [Path("a b"), Path("-")]


@pytest.mark.parametrize("parse", PARSERS)
def test_an_empty_one_is_refused(parse: Callable[[str], Path]) -> None:
    with pytest.raises(ArgumentTypeError, match="empty"):
        parse("")


@pytest.mark.parametrize("parse", [parse_input, parse_output])
def test_a_file_is_named_not_meant_by_a_dash(parse: Callable[[str], Path]) -> None:
    with pytest.raises(ArgumentTypeError, match="name "):
        parse("-")


def test_what_would_be_waited_for_is_no_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ArgumentTypeError, match="no regular file"):
            parse_input(str(path))
    assert parse_input(str(tmp_path / "missing")) == tmp_path / "missing"


@pytest.mark.parametrize(
    "arguments",
    [
        ["up", ""],
        ["ingest_path", "", "--collection=docs"],
        ["backup", ""],
        ["restore", ""],
        ["export_collection", "docs", ""],
        ["import_collection", ""],
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_no_command_takes_an_empty_path_for_the_working_directory(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="the path is empty"):
        call_command(*arguments)


def test_an_operator_is_told_the_whole_path_of_what_is_not_there(
    run: Run, collection: Collection, tmp_path: Path
) -> None:
    missing = tmp_path / "a" / "docs"
    for arguments in (
        ["ingest_path", missing, "--collection", "docs"],
        ["import_collection", missing],
        ["export_collection", "docs", missing],
    ):
        code, _, err = run(*arguments)
        assert (code, f"“{missing}”" in err) == (2, True)


def test_an_operator_is_told_where_a_relative_path_was_looked_for(
    run: Run, collection: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("ingest_path", "a/docs", "--collection", "docs")
    assert (code, err) == (2, f"There is no directory “{tmp_path}/a/docs”. Check the path.\n")


@pytest.mark.parametrize("command", [["ingest_path", "--collection=docs"], ["up"]], ids=lambda command: command[0])
def test_an_address_is_no_directory(command: list[str]) -> None:
    with pytest.raises(CommandError, match=r"https://example\.org/ is no directory: `ingest_site` reads a site"):
        call_command(*command, "https://example.org/")


def test_a_full_disk_is_no_mistake_of_who_asked(
    run: Run, collection: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("collections_app.transfer.exporting.NamedTemporaryFile", refuse)
    code, _, err = run("export_collection", "docs", tmp_path / "docs.zip")
    assert code == 1
    assert f"“{tmp_path / 'docs.zip'}” cannot be written: No space left on device" in err
