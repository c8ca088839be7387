"""The `docsmcp` command: Django's commands, with every setting as a flag, and errors as sentences.

A setting's flag (`--mcp-server-port 9000` or `--mcp-server-port=9000`) may stand anywhere before a `--`. Before the
sub-command it is always the setting; after it, it is the command's if OWN_OPTIONS says that the command has an
option of that name. Exit codes: 0; 1 for a failure; 2 for a request that cannot be met, such as wrong settings and
flags; 130 for Ctrl-C; 143 for SIGTERM. Shows no traceback for what an operator can mend, except with `--traceback`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import FrameType

import django
from django.conf import settings
from django.core.management import execute_from_command_line, get_commands
from django.db import OperationalError, ProgrammingError

from collections_app.exceptions import DocsError, InvalidParameter
from docsmcp_site.configuration.config import SETTING_NAMES, Config
from docsmcp_site.configuration.loading import FLAGS_VARIABLE, ConfigError, load_process_config, read_handed_down_flags
from docsmcp_site.configuration.setting_layers import Mistake, make_flag
from docsmcp_site.database.embedded_cluster import Cluster
from docsmcp_site.database.embedded_postgres import EmbeddedPostgresError
from docsmcp_site.exceptions import StartError
from docsmcp_site.observability.metrics_directory import share_metrics
from docsmcp_site.overview import COMMANDS, describe_commands

# Options of a command that have the same name as a setting. A test compares them with the commands.
OWN_OPTIONS = {name: {"--max-file-bytes"} for name in ("ingest_git", "ingest_path", "ingest_site")}

# Short flags for settings, after one command only.
SHORT_FLAGS = {"up": {"--host": "MCP_SERVER_HOST", "--port": "MCP_SERVER_PORT"}}

# Commands that leave the work, and the database, to processes that they forked.
USED_BY_CHILDREN = {"qcluster", "run_gunicorn", "run_qcluster"}

OPERATORS_COMMANDS = [name for commands in COMMANDS.values() for name in commands]
# The names that other programs give to such commands, for suggestions.
OTHER_NAMES = {
    "serve": ("up", "run_gunicorn"), "start": ("up",), "run": ("up",), "server": ("run_gunicorn",), "web": ("run_gunicorn",),
    "worker": ("run_qcluster",), "queue": ("run_qcluster",), "mcp": ("mcp_stdio",), "stdio": ("mcp_stdio",), "keys": ("api_keys",),
    "crawl": ("ingest_site",), "add": ("ingest_path",), "import": ("import_collection", "ingest_path"), "status": ("doctor",),
}  # fmt: skip

SETTINGS_MODULE = "docsmcp_site.settings"

# Its processes add up their counts.
WEB_SERVER = "run_gunicorn"

_FLAGS = {make_flag(name): name for name in SETTING_NAMES}
_HELP = {"--help", "-h"}
_VERSION = {"version", "--version"}

# Commands before which the embedded database is prepared. A database of the operator's own is migrated by the operator.
NEED_TABLES = {
    "api_keys", "changepassword", "createsuperuser", "export_collection", "import_collection", "ingest_git", "ingest_path",
    "ingest_site", "issue_api_key", "jobs", "mcp_stdio", "reindex", "restore_documents", "roles", "sync_sources", "tenants",
}  # fmt: skip

# Commands that work on an existing installation, and make none: with a mistyped DATA_DIR they would create an empty database.
NEED_INSTALLATION = {
    "api_keys", "backup", "changepassword", "doctor", "export_collection", "jobs", "reindex", "restore_documents", "sync_sources",
    "tenants",
}  # fmt: skip

# SQLSTATE of an undefined table and of an undefined column (PostgreSQL manual, appendix A).
_OTHER_SCHEMA = {"42P01", "42703"}

_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> None:
    """Runs a command (`argv` with the program's name first) and exits with its code."""
    arguments = list(sys.argv if argv is None else argv)
    try:
        try:
            sys.exit(_run_reporting(arguments))
        finally:
            sys.stdout.flush()  # here, where a broken pipe is still caught
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_BROKEN_PIPE)


def take_flags(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The settings' flags by setting name, and the arguments that are left for Django. The last of equal flags counts."""
    flags: dict[str, str] = {}
    rest: list[str] = []
    command = ""
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--":
            rest += [argument, *remaining]
        elif name := _find_setting(argument, command):
            flags[name] = _take_value(name, argument, remaining)
        else:
            command = command or ("" if argument.startswith("-") else argument)
            rest.append(argument)
    return flags, rest


def _find_setting(argument: str, command: str) -> str | None:
    flag = argument.partition("=")[0]
    if flag in OWN_OPTIONS.get(command, ()):
        return None
    return SHORT_FLAGS.get(command, {}).get(flag) or _FLAGS.get(flag)


def _take_value(name: str, argument: str, remaining: Iterator[str]) -> str:
    flag, equals, value = argument.partition("=")
    if not equals:
        value = next(remaining, "--")
        if value.startswith("--"):
            raise ConfigError([Mistake(name, f"flag {flag}", "a value must follow it")])
    return value


def _run_reporting(arguments: list[str]) -> int:
    try:
        _run(arguments)
    except ConfigError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (DocsError, EmbeddedPostgresError, StartError, OperationalError, ProgrammingError) as error:
        if "--traceback" in arguments or not (sentence := _describe(error)):
            raise
        print(sentence, file=sys.stderr)  # noqa: T201
        return EXIT_USAGE if isinstance(error, DocsError) else EXIT_FAILED
    return 0


def _run(arguments: list[str]) -> None:
    program, *given = arguments
    flags, rest = take_flags(given)
    if answer := _answer_at_once(rest):
        print(answer)  # noqa: T201
        return
    _hand_down(flags)
    is_help = asks_for_help(rest)
    if not is_help:
        config = load_process_config()  # reports all mistakes before anything is done, whatever the command needs
        if rest[0] in NEED_INSTALLATION:
            _check_installation(config)
    _check_settings_module(os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS_MODULE))
    if rest[0] == WEB_SERVER:
        share_metrics()
    if command := find_command(rest):
        _check_command(command)
    with _leaving_on_signals():
        try:
            if rest[0] in USED_BY_CHILDREN and not is_help and not settings.DOCSMCP.database_url:
                # only a process that has imported it lets go of the server
                import_module("docsmcp_site.database.embedded_backend")
            if not is_help and rest[0] in NEED_TABLES:
                _prepare_embedded_database()
            execute_from_command_line([program, *rest])
        finally:
            _wait_for_children()
            _release_embedded_database(rest[0])


def _check_settings_module(name: str) -> None:
    """Raises ConfigError for a module that does not exist, for example one of another program that exported the variable."""
    with suppress(ImportError, ValueError):  # its package cannot be imported, or the name is none
        if find_spec(name):
            return
    problem = f"there is no such module; unset it, docsmcp's own is {SETTINGS_MODULE}"
    raise ConfigError([Mistake("DJANGO_SETTINGS_MODULE", "environment", problem)])


def _answer_at_once(rest: Sequence[str]) -> str | None:
    """What is printed without looking at the settings; None for other commands."""
    if not rest or (len(rest) == 1 and asks_for_help(rest)):
        return describe_commands()
    return f"docsmcp {version('docsmcp')}" if rest[0] in _VERSION else None


def asks_for_help(rest: Sequence[str]) -> bool:
    """Whether help is wanted. `help` counts only as the command: anything else may have that name."""
    return rest[0] == "help" or not _HELP.isdisjoint(rest)


def find_command(rest: Sequence[str]) -> str | None:
    """The command to run or explain: `help` and its flags may stand before or after it."""
    if not asks_for_help(rest):
        return rest[0]
    return next((word for word in rest if word != "help" and not word.startswith("-")), None)


def _check_command(name: str) -> None:
    """Raises ConfigError for an unknown command, or a misspelled flag before the command."""
    is_flag = name.startswith("-")
    if not is_flag:
        django.setup()  # the apps define the commands
    names, likely = (_FLAGS, ()) if is_flag else (get_commands(), OPERATORS_COMMANDS)
    if name in names:
        return
    near = (
        OTHER_NAMES.get(name)
        or sorted(each for each in names if each.startswith(f"{name}_"))
        or get_close_matches(name, likely, 1)
        or get_close_matches(name, names, 1)
    )
    hint = f"did you mean {' or '.join(near)}?" if near else "`docsmcp help` lists them"
    raise ConfigError([Mistake(name, "flag" if is_flag else "command", f"there is no such thing; {hint}")])


def _check_installation(config: Config) -> None:
    if not config.database_url and not Cluster(config.data_dir).home.exists():
        raise InvalidParameter(
            f"There is no installation in {config.data_dir}: set DATA_DIR or --data-dir, or DATABASE_URL, or make one by `docsmcp up`."
        )


@contextmanager
def _leaving_on_signals() -> Iterator[None]:
    """SIGTERM and a lost terminal end the command by an exception, so that what it started is stopped.

    In a process that it forked the signal has its usual effect: such a process has nothing to stop.
    """
    process_id = os.getpid()

    def leave(number: int, frame: FrameType | None) -> None:
        if os.getpid() != process_id:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        signal.signal(number, signal.SIG_IGN)  # once is enough: the end is not to be interrupted
        sys.exit(128 + number)

    taken = [number for number in _ENDING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is leave:  # a command may have set its own handler, as qcluster does
                signal.signal(number, signal.SIG_DFL)


def _hand_down(flags: dict[str, str]) -> None:
    """Passes the flags to settings.py and to the processes that this one starts, with the flags that were passed to this one."""
    if flags:
        os.environ[FLAGS_VARIABLE] = json.dumps({**read_handed_down_flags(os.environ), **flags})


def _prepare_embedded_database() -> None:
    if not settings.DOCSMCP.database_url:
        django.setup()
        from docsmcp_site.database.preparation import preparing_database  # its models need the set-up

        with preparing_database():
            pass


def _wait_for_children() -> None:
    for child in multiprocessing.active_children():
        if not child.daemon:
            child.join()


def _release_embedded_database(command: str) -> None:
    if backend := sys.modules.get("docsmcp_site.database.embedded_backend"):
        if command in USED_BY_CHILDREN:
            backend.get_server(str(settings.DOCSMCP.data_dir))
        backend.release()


def _describe(error: Exception) -> str | None:
    """One sentence for an error that the operator can mend; None for one that only a traceback explains."""
    embedded = next((cause for cause in _iter_causes(error) if isinstance(cause, EmbeddedPostgresError)), None)
    if embedded or isinstance(error, (DocsError, StartError)):
        return str(embedded or error)
    if isinstance(error, OperationalError):
        return f"The database cannot be used: {str(error).partition(chr(10))[0].rstrip('. ')}."
    if getattr(error.__cause__, "sqlstate", None) in _OTHER_SCHEMA:
        return "The database has not the tables of this version: run `docsmcp migrate`."
    return None


def _iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__


if __name__ == "__main__":
    main()
