"""Every command of ours says what it is for, and is told of in docs/operations.md; what the docs tell to type is understood."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import dropwhile, takewhile

import pytest
from django.core.management import BaseCommand, get_commands, load_command_class

from docsmcp_site import doctor
from docsmcp_site.command_line import NEED_INSTALLATION, NEED_TABLES, take_flags
from docsmcp_site.configuration.config import PROJECT_ROOT
from docsmcp_site.overview import COMMANDS

OURS = sorted(name for name, app in get_commands().items() if app in {"docsmcp_site", "collections_app", "mcp_app"})
OPERATIONS = (PROJECT_ROOT / "docs" / "operations.md").read_text()
PAGES = [PROJECT_ROOT / "README.md", *sorted((PROJECT_ROOT / "docs").glob("*.md"))]
SHELL_OPERATORS = ("|", ">", "&&")


def load(name: str) -> BaseCommand:
    return load_command_class(str(get_commands()[name]), name)


def iter_examples(text: str) -> Iterator[list[str]]:
    """The words of each command line behind `docsmcp`, in the text's blocks of shell; what else the line does is left."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in re.findall(r"^[^#\n]*\bdocsmcp .*", block, re.MULTILINE):
            words = list(dropwhile(re.compile("[A-Z_]+=").match, shlex.split(line, comments=True)))
            if words and words[0] in ("docsmcp", ".venv/bin/docsmcp"):
                yield list(takewhile(lambda word: word not in SHELL_OPERATORS, words[1:]))


@pytest.mark.parametrize("name", OURS)
def test_its_help_says_what_it_is_for_and_leaves_djangos_own_options_out(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        load(name).create_parser("docsmcp", name).parse_args(["--help"])
    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    assert load(name).help in told
    assert "--pythonpath" not in told


@pytest.mark.parametrize("name", OURS)
def test_it_is_told_of(name: str) -> None:
    assert re.search(rf"\bdocsmcp {name}\b", OPERATIONS)


@pytest.mark.parametrize(
    "words",
    [words for page in PAGES for words in iter_examples(page.read_text())],
    ids=lambda words: " ".join(words[:3]),
)
def test_each_example_is_understood(words: list[str]) -> None:
    _, (name, *arguments) = take_flags(words)
    load(name).create_parser("docsmcp", name).parse_args(arguments)


def test_the_overview_names_each_command_of_ours_and_none_that_is_not() -> None:
    named = [name for commands in COMMANDS.values() for name in commands]
    assert len(named) == len(set(named))
    assert set(OURS) <= set(named) <= set(get_commands())


def test_commands_that_read_rows_find_the_embedded_database_ready() -> None:
    without_rows = {"backup", "doctor", "migrate", "restore", "run_gunicorn", "run_qcluster", "up"}
    assert set(OURS) - without_rows == NEED_TABLES


def test_commands_about_what_an_installation_has_make_none() -> None:
    making = {
        "createsuperuser",
        "import_collection",
        "ingest_git",
        "ingest_path",
        "ingest_site",
        "issue_api_key",
        "mcp_stdio",
        "migrate",
        "restore",
        "roles",
    }
    serving = {"run_gunicorn", "run_qcluster", "up"}
    assert {*OURS, "changepassword"} - making - serving == NEED_INSTALLATION


def test_each_line_of_the_doctor_is_told_of() -> None:
    checks = (*doctor.DATABASE_CHECKS, *doctor.TABLE_CHECKS, *doctor.SURROUNDING_CHECKS)
    names = {check.__name__.removeprefix("check_").replace("_", " ") for check in checks} | {"database", "migrations"}
    told = OPERATIONS.partition("\n## Is everything well?\n")[2]
    assert names == set(re.findall(r"^\| ([a-z ]+) \|", told, re.MULTILINE)) - {"line"}
