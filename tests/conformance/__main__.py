"""The official conformance suite against a running server: `python -m tests.conformance`, a line for each run.

Both revisions, by a server that wants a key and by one that anybody may use; then what it has for authorization servers. Exit code 1 if
a scenario fails that a revision requires, except those in the revision's baseline file.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.clients import node
from tests.conformance.authorization import run_authorization
from tests.conformance.proxy import adding_key
from tests.running_server import running_server

REVISIONS = ("2026-07-28", "2025-11-25")
SETTINGS = "tests.conformance.settings"
FOLDER = Path(__file__).parent
REQUIREMENTS = node.PACKAGES / "@modelcontextprotocol" / "conformance" / "requirements"
SCENARIO = re.compile(r"^([✓✗]) ([\w-]+): \d+ passed, (\d+) failed", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    revision: str
    is_green: bool
    output: str

    @property
    def required(self) -> list[str]:
        names: list[str] = read_yaml(REQUIREMENTS / f"{self.revision}.yaml")["server"]
        return names

    @property
    def passed(self) -> set[str]:
        """The required ones in which nothing failed."""
        found = {name for mark, name, failures in SCENARIO.findall(self.output) if mark == "✓" and failures == "0"}
        return found & set(self.required)

    @property
    def unexcused(self) -> list[str]:
        excused = {str(entry) for entry in read_yaml(get_baseline(self.revision))["server"]}
        return [name for name in self.required if name not in self.passed | excused]

    @property
    def is_good(self) -> bool:
        return self.is_green and bool(self.required) and not self.unexcused

    def describe(self) -> str:
        return f"{self.revision}: {len(self.passed)} of {len(self.required)} required scenarios pass"


def main() -> int:
    results = [check(has_key=has_key, revision=revision, url=url) for has_key, revision, url in iter_targets()]
    return 0 if all([*results, check_authorization()]) else 1


def iter_targets() -> Iterator[tuple[bool, str, str]]:
    for has_key in (True, False):
        with serving(has_key=has_key) as url:
            for revision in REVISIONS:
                yield has_key, revision, url


@contextmanager
def serving(*, has_key: bool) -> Iterator[str]:
    with running_server({}, SETTINGS, MCP_AUTH_REQUIRED=str(has_key).lower()) as server:
        if not has_key:
            yield server.url
            return
        with adding_key(server.url, server.key) as url:
            yield url


def check(*, has_key: bool, revision: str, url: str) -> bool:
    """Whether the server conforms; says so, and what the suite said if not."""
    run = run_suite(url, revision)
    say(f"{'ok' if run.is_good else 'FAILED':<8}{'with a key' if has_key else 'anonymously'}, {run.describe()}")
    if not run.is_good:
        say(run.output, f"Failed: {', '.join(run.unexcused) or 'the suite itself'}")
    return run.is_good


def check_authorization() -> bool:
    is_good, output = run_authorization()
    say(
        f"{'ok' if is_good else 'FAILED':<8}by OAuth, the scenarios for authorization servers",
        *([] if is_good else [output]),
    )
    return is_good


def run_suite(url: str, revision: str) -> Run:
    arguments = ("server", "--url", url, "--requirements", revision)
    with tempfile.TemporaryDirectory() as home:
        ended = node.run_node(
            node.CONFORMANCE,
            *arguments,
            "--expected-failures",
            str(get_baseline(revision)),
            environment=node.make_environment(Path(home)),
        )
    return Run(revision, ended.returncode == 0, ended.stdout + ended.stderr)


def get_baseline(revision: str) -> Path:
    return FOLDER / f"baseline-{revision}.yml"


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
