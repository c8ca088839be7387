import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from unittest import mock
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import OperationalError, ProgrammingError

from collections_app.exceptions import CollectionNotFound
from docsmcp_site import command_line
from docsmcp_site.command_line import (
    NEED_INSTALLATION,
    OPERATORS_COMMANDS,
    OTHER_NAMES,
    OWN_OPTIONS,
    asks_for_help,
    main,
    take_flags,
)
from docsmcp_site.configuration.config import SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE, ConfigError
from docsmcp_site.configuration.setting_layers import make_flag
from docsmcp_site.database.embedded_postgres import EmbeddedPostgresError
from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.listening import is_answering
from tests.docsmcp_site.waiting import wait_for
from tests.free_ports import find_free_port
from tests.migrated import give_tables

OUR_APPS = {"docsmcp_site", "collections_app", "mcp_app"}
SETTING_FLAGS = {make_flag(name) for name in SETTING_NAMES}


@pytest.fixture(autouse=True)
def _environment_as_it_was() -> Iterator[None]:
    with mock.patch.dict(os.environ):
        yield


@pytest.fixture
def django(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    """Stands for Django's commands: called with the arguments that are left for it."""
    execute = mock.Mock()
    monkeypatch.setattr(command_line, "execute_from_command_line", execute)
    return execute


def get_exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["docsmcp", *arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docsmcp_site.command_line", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environ}, timeout=240, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "flags", "rest"),
    [
        (["migrate"], {}, ["migrate"]),
        (["migrate", "--log-level", "DEBUG"], {"LOG_LEVEL": "DEBUG"}, ["migrate"]),
        (["--log-level=DEBUG", "migrate", "--plan"], {"LOG_LEVEL": "DEBUG"}, ["migrate", "--plan"]),
        (["migrate", "--database-url="], {"DATABASE_URL": ""}, ["migrate"]),
        (["x", "--mcp-server-port", "-1"], {"MCP_SERVER_PORT": "-1"}, ["x"]),
        (["x", "--web-workers=1", "--web-workers=2"], {"WEB_WORKERS": "2"}, ["x"]),
        (["x", "--verbosity", "2", "--log-levels=1"], {}, ["x", "--verbosity", "2", "--log-levels=1"]),
        (["x", "--", "--log-level", "DEBUG"], {}, ["x", "--", "--log-level", "DEBUG"]),
        (["up", "docs", "--data-dir", "/d"], {"DATA_DIR": "/d"}, ["up", "docs"]),
        (["up", "--host", "::", "--port=9"], {"MCP_SERVER_HOST": "::", "MCP_SERVER_PORT": "9"}, ["up"]),
        (["x", "--host", "::", "--port=9"], {}, ["x", "--host", "::", "--port=9"]),
        (["ingest_path", "--max-file-bytes", "9"], {}, ["ingest_path", "--max-file-bytes", "9"]),
        (["--max-file-bytes", "9", "ingest_path"], {"MAX_FILE_BYTES": "9"}, ["ingest_path"]),
    ],
)
def test_it_takes_the_flags_of_settings_and_leaves_the_rest(
    arguments: list[str], flags: dict[str, str], rest: list[str]
) -> None:
    assert take_flags(arguments) == (flags, rest)


@pytest.mark.parametrize("arguments", [["migrate", "--log-level"], ["--log-level", "--plan", "migrate"]])
def test_it_refuses_a_flag_without_a_value(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="LOG_LEVEL"):
        take_flags(arguments)
    assert get_exit_code(*arguments) == 2
    assert capsys.readouterr().err == "LOG_LEVEL (flag --log-level): a value must follow it\n"


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app in OUR_APPS))
def test_no_command_has_an_option_that_is_taken_from_it_unawares(name: str) -> None:
    parser = load_command_class(str(get_commands()[name]), name).create_parser("docsmcp", name)
    shared = {option for action in parser._actions for option in action.option_strings} & SETTING_FLAGS
    assert shared - {"--data-dir"} == OWN_OPTIONS.get(name, set())


def test_flags_reach_settings_and_child_processes(django: mock.Mock) -> None:
    os.environ[FLAGS_VARIABLE] = json.dumps({"WEB_WORKERS": "3", "LOG_LEVEL": "INFO"})
    assert get_exit_code("migrate", "--log-level", "DEBUG") == 0
    assert json.loads(os.environ[FLAGS_VARIABLE]) == {"WEB_WORKERS": "3", "LOG_LEVEL": "DEBUG"}
    django.assert_called_once_with(["docsmcp", "migrate"])


def test_mistakes_are_said_one_a_line_before_anything_is_done(
    django: mock.Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    os.environ["LOG_LEVEL"] = "loud"
    assert get_exit_code("migrate", "--mcp-server-port", "0") == 2
    assert [line.split()[0] for line in capsys.readouterr().err.splitlines()] == ["MCP_SERVER_PORT", "LOG_LEVEL"]
    django.assert_not_called()


def test_a_process_with_wrong_settings_shows_no_traceback() -> None:
    done = run("check", LOG_LEVEL="loud")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"], ["-h"]])
def test_help_tells_of_the_commands_whatever_the_settings(
    arguments: list[str], django: mock.Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    os.environ["LOG_LEVEL"] = "loud"
    assert get_exit_code(*arguments) == 0
    assert "  ingest_path  " in capsys.readouterr().out
    django.assert_not_called()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ingst_path", "ingst_path (command): there is no such thing; did you mean ingest_path?"),
        ("ingest", "ingest (command): there is no such thing; did you mean ingest_git or ingest_path or ingest_site?"),
        ("serve", "serve (command): there is no such thing; did you mean up or run_gunicorn?"),
        ("tenant", "tenant (command): there is no such thing; did you mean tenants?"),
        ("export", "export (command): there is no such thing; did you mean export_collection?"),
        ("brew_coffee", "brew_coffee (command): there is no such thing; `docsmcp help` lists them"),
        ("--jobs", "--jobs (flag): there is no such thing; `docsmcp help` lists them"),
        ("--mcp-server-prot", "--mcp-server-prot (flag): there is no such thing; did you mean --mcp-server-port?"),
    ],
)
def test_what_is_no_command_is_refused(
    django: mock.Mock, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    assert get_exit_code(name, "9000") == 2
    assert capsys.readouterr().err == said + "\n"
    django.assert_not_called()


def test_what_other_programs_call_a_command_leads_to_one_that_there_is() -> None:
    assert {each for meant in OTHER_NAMES.values() for each in meant} <= set(OPERATORS_COMMANDS) <= set(get_commands())
    assert OTHER_NAMES.keys().isdisjoint(get_commands())


@pytest.mark.parametrize("arguments", [["help", "brew_coffee"], ["brew_coffee", "--help"]])
def test_there_is_no_help_for_what_is_no_command(
    django: mock.Mock, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert get_exit_code(*arguments) == 2
    assert "there is no such thing" in capsys.readouterr().err
    django.assert_not_called()


@pytest.mark.parametrize("arguments", [["help", "jobs"], ["help", "--commands"], ["jobs", "show", "--help"]])
def test_other_help_is_djangos(django: mock.Mock, arguments: list[str]) -> None:
    assert get_exit_code(*arguments) == 0
    django.assert_called_once_with(["docsmcp", *arguments])


@pytest.mark.parametrize("name", sorted(NEED_INSTALLATION))
def test_a_mistyped_data_directory_is_noticed_and_nothing_made_there(
    django: mock.Mock, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    os.environ |= {"DATA_DIR": str(tmp_path / "typo"), "DATABASE_URL": ""}
    assert get_exit_code(name) == 2
    assert f"There is no installation in {tmp_path / 'typo'}" in capsys.readouterr().err
    assert not (tmp_path / "typo").exists()
    django.assert_not_called()


def test_a_database_of_the_operators_is_an_installation_without_a_data_directory(
    django: mock.Mock, tmp_path: Path
) -> None:
    os.environ |= {"DATA_DIR": str(tmp_path / "none"), "DATABASE_URL": "postgresql://db/docs"}
    assert get_exit_code("doctor") == 0
    django.assert_called_once_with(["docsmcp", "doctor"])


def test_help_for_a_command_that_needs_settings_says_what_is_wrong_with_them() -> None:
    done = run("ingest_path", "--help", LOG_LEVEL="loud")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("rest", "is_help"),
    [
        (["help", "up"], True),
        (["up", "--help"], True),
        (["ingest_path", "docs", "--collection", "help"], False),
        (["api_keys", "revoke", "help"], False),
    ],
)
def test_only_the_command_help_asks_for_help(rest: list[str], is_help: bool) -> None:
    assert asks_for_help(rest) is is_help


@pytest.mark.parametrize("command", ["jobs", "api_keys", "tenants"])
def test_a_command_without_its_action_names_those_there_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command(command, "--help")
    actions = re.findall(r"^    (\w+)  ", capsys.readouterr().out, re.MULTILINE)
    with pytest.raises(CommandError, match=re.escape(f"required: {'|'.join(actions)}")):
        call_command(command)


@pytest.mark.parametrize("argument", ["--version", "version"])
def test_it_says_its_own_version_whatever_the_settings(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.environ["LOG_LEVEL"] = "loud"
    assert get_exit_code(argument) == 0
    assert capsys.readouterr().out == f"docsmcp {version('docsmcp')}\n"


@pytest.mark.parametrize(
    ("error", "said", "code"),
    [
        (EmbeddedPostgresError("The directory cannot be written."), "The directory cannot be written.", 1),
        (CollectionNotFound("There is no collection 'x'."), "There is no collection 'x'.", 2),
        (StartError("It needs OpenTelemetry."), "It needs OpenTelemetry.", 1),
        (OperationalError("connection refused\nIs it running?"), "The database cannot be used: connection refused.", 1),
    ],
)
def test_what_an_operator_can_mend_is_one_sentence(
    django: mock.Mock, capsys: pytest.CaptureFixture[str], error: Exception, said: str, code: int
) -> None:
    django.side_effect = error
    assert get_exit_code("migrate") == code
    assert capsys.readouterr().err == said + "\n"


def test_the_reason_behind_a_database_error_is_what_is_said(
    django: mock.Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    middle, outer = OSError("what the driver said"), OperationalError("what Django said")
    middle.__cause__, outer.__cause__ = EmbeddedPostgresError("The disk is full."), middle
    django.side_effect = outer
    assert get_exit_code("migrate") == 1
    assert capsys.readouterr().err == "The disk is full.\n"


@pytest.mark.parametrize("error", [ProgrammingError("syntax error"), ValueError("a fault of ours")])
def test_a_fault_of_ours_keeps_its_traceback(django: mock.Mock, error: Exception) -> None:
    django.side_effect = error
    with pytest.raises(type(error)):
        main(["docsmcp", "migrate"])


def test_a_traceback_can_be_asked_for(django: mock.Mock) -> None:
    django.side_effect = OperationalError("refused")
    with pytest.raises(OperationalError):
        main(["docsmcp", "migrate", "--traceback"])


def test_a_database_that_does_not_answer_is_one_sentence() -> None:
    done = run("showmigrations", "--database-url", "postgres://u:hunter2@127.0.0.1:1/docs")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "refused" in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.django_db
def test_a_database_without_tables_says_which_command_makes_them(
    django: mock.Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    def query_what_is_missing(arguments: list[str]) -> None:
        from django.db import connection, transaction

        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT * FROM no_such_table")

    django.side_effect = query_what_is_missing
    with mock.patch.object(command_line, "_release_embedded_database"):
        assert get_exit_code("ingest_path") == 1
    assert "docsmcp migrate" in capsys.readouterr().err


def test_an_interrupt_ends_quietly(django: mock.Mock, capsys: pytest.CaptureFixture[str]) -> None:
    django.side_effect = KeyboardInterrupt
    assert get_exit_code("migrate") == 130
    assert capsys.readouterr().err == ""


def test_the_exit_code_of_a_command_stays(django: mock.Mock) -> None:
    django.side_effect = SystemExit(7)
    assert get_exit_code("migrate") == 7


@pytest.mark.parametrize("outcome", [None, SystemExit(1), ValueError("x"), KeyboardInterrupt()])
def test_the_embedded_database_is_let_go_however_a_command_ends(
    django: mock.Mock, outcome: BaseException | None
) -> None:
    backend = mock.Mock()
    django.side_effect = outcome
    with (
        mock.patch.dict(sys.modules, {"docsmcp_site.database.embedded_backend": backend}),
        pytest.raises((SystemExit, ValueError)),
    ):
        main(["docsmcp", "migrate"])
    backend.release.assert_called_once_with()


def test_a_reader_that_has_gone_is_no_error() -> None:
    command = [sys.executable, "-m", "docsmcp_site.command_line", "help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == command_line.EXIT_BROKEN_PIPE


def test_documents_can_be_ingested_before_anything_else_was_done(open_dir: Path) -> None:
    docs = open_dir / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n")
    done = run("ingest_path", str(docs), "--collection", "docs", DATABASE_URL="", DATA_DIR=str(open_dir / "data"))
    assert done.returncode == 0, done.stderr
    assert "1 indexed" in done.stdout


def test_a_command_stops_the_server_that_it_started(open_dir: Path) -> None:
    done = run("showmigrations", DATABASE_URL="", DATA_DIR=str(open_dir))
    assert done.returncode == 0, done.stderr
    assert "[ ] 0001_initial" in done.stdout
    assert not list(open_dir.rglob("postmaster.pid"))
    assert list(open_dir.rglob("PG_VERSION"))


@contextmanager
def running(data_dir: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command, with an embedded database of its own."""
    command = [sys.executable, "-m", "docsmcp_site.command_line", *arguments]
    environ = {**os.environ, "DATABASE_URL": "", "DATA_DIR": str(data_dir)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_command_and_the_server_that_it_started(open_dir: Path, number: signal.Signals) -> None:
    connect = (
        "import sys; from django.db import connection as c; c.ensure_connection(); print('ready', file=sys.stderr)"
    )
    with running(open_dir, "shell", "--command", f"{connect}; input()") as process:
        read_until(process, b"ready")
        assert list(open_dir.rglob("postmaster.pid"))
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert not list(open_dir.rglob("postmaster.pid"))


@pytest.mark.parametrize("name", ["nope", "nope.settings", "docsmcp_site.nope"])
def test_settings_of_another_program_are_refused_in_a_sentence(name: str) -> None:
    done = run("migrate", DJANGO_SETTINGS_MODULE=name)
    assert (done.returncode, done.stderr) == (
        2,
        "DJANGO_SETTINGS_MODULE (environment): there is no such module; unset it, docsmcp's own is docsmcp_site.settings\n",
    )


def test_the_queue_is_stopped_in_order_and_its_server_after_it(open_dir: Path) -> None:
    give_tables(open_dir)
    with running(open_dir, "qcluster") as process:
        read_until(process, b"ready for work")
        process.send_signal(signal.SIGTERM)
        read_until(process, b"has stopped")
        assert process.wait(30) == 0
    assert not list(open_dir.rglob("postmaster.pid"))


def test_a_web_server_that_is_stopped_stops_the_database_that_its_workers_started(open_dir: Path) -> None:
    port = find_free_port()
    with running(open_dir, "run_gunicorn", "--mcp-server-port", str(port), "--web-workers", "1") as process:
        wait_for(lambda: is_answering("127.0.0.1", port))
        with suppress(HTTPError), urlopen(f"http://127.0.0.1:{port}/readyz", timeout=240):  # it has no tables yet
            pass
        assert list(open_dir.rglob("postmaster.pid"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(240) == 0
    assert not list(open_dir.rglob("postmaster.pid"))


def read_until(process: subprocess.Popen[bytes], words: bytes) -> None:
    assert process.stderr is not None
    assert any(words in line for line in process.stderr)


def test_a_process_that_a_command_forked_dies_of_the_signal_itself(django: mock.Mock) -> None:
    def fork_and_terminate(arguments: list[str]) -> None:
        child = multiprocessing.get_context("fork").Process(target=signal.raise_signal, args=[signal.SIGTERM])
        child.start()
        child.join(30)
        assert child.exitcode == -signal.SIGTERM

    django.side_effect = fork_and_terminate
    assert get_exit_code("qcluster") == 0
