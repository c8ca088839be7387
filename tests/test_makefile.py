"""What people type before anything is installed: `make install`, which can be broken off at any point, and `make up`."""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.docsmcp_site.waiting import DEADLINE_SECONDS

# Stands for Python: without Debian's python3-venv the environment that it makes has no pip.
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 0
mkdir -p "$3/bin"
printf '#!/bin/sh\\ntest -e "${0%%/*}/pip"\\n' > "$3/bin/python"
chmod +x "$3/bin/python"
[ -e python3-venv ] || { echo "apt install python3.11-venv"; exit 1; }
ln -sf /bin/true "$3/bin/pip"
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("Makefile", "pyproject.toml", "setup.py", "requirements/build.txt", "requirements/runtime.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT_ROOT / name, tmp_path / name)
    (tmp_path / "python3").write_text(PYTHON)
    (tmp_path / "python3").chmod(0o755)
    return tmp_path


def make(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    command = ["make", "PYTHON=./python3", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=checkout, env=ENVIRONMENT, stdout=pipe, stderr=pipe, text=True)


def test_an_environment_that_is_half_made_is_made_again(checkout: Path) -> None:
    with make(checkout, "install") as broken_off:
        said, _ = broken_off.communicate(timeout=DEADLINE_SECONDS)
    assert "apt install" in said
    assert broken_off.returncode
    assert (checkout / ".venv/bin/python").exists()
    (checkout / "python3-venv").touch()
    with make(checkout, "install") as again:
        again.communicate(timeout=DEADLINE_SECONDS)
    assert again.returncode == 0
    assert (checkout / ".venv/.runtime-installed").exists()


def test_of_two_that_install_one_waits_and_says_so(checkout: Path) -> None:
    (checkout / "python3-venv").touch()
    (checkout / ".venv").mkdir()
    with (checkout / ".venv/.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with make(checkout, "install") as second:
            assert second.stderr
            assert "Another make installs" in second.stderr.readline()
            assert not (checkout / ".venv/bin").exists()
            fcntl.flock(lock, fcntl.LOCK_UN)
            second.communicate(timeout=DEADLINE_SECONDS)
    assert second.returncode == 0
    assert (checkout / ".venv/.runtime-installed").exists()


def test_it_installs_where_there_is_no_flock(checkout: Path, tmp_path: Path) -> None:
    (checkout / "python3-venv").touch()
    commands = tmp_path / "commands"
    commands.mkdir()
    for folder in map(Path, os.environ["PATH"].split(os.pathsep)):
        for command in folder.iterdir() if folder.is_dir() else ():
            if command.name != "flock" and not (commands / command.name).exists():
                (commands / command.name).symlink_to(command)
    with make(checkout, f"PATH={commands}", "install") as alone:
        _, said = alone.communicate(timeout=DEADLINE_SECONDS)
    assert (alone.returncode, said) == (0, "")
    assert (checkout / ".venv/.runtime-installed").exists()


def test_what_it_starts_keeps_what_python_compiles(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "python3").write_text("#!/bin/sh\nenv > environment\nexit 1\n")
    monkeypatch.setitem(ENVIRONMENT, "PYTHONDONTWRITEBYTECODE", "1")
    with make(checkout, "install") as install:
        install.communicate(timeout=DEADLINE_SECONDS)
    assert "PYTHONDONTWRITEBYTECODE" not in (checkout / "environment").read_text()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], []),
        (["DOCS=", "COLLECTION=", "HOST=", "PORT=", "DATA_DIR="], []),
        (["DOCS=my docs", "PORT=9"], ["my docs", "--port", "9"]),
    ],
)
def test_up_takes_what_is_written_behind_it_and_an_empty_value_for_none(
    checkout: Path, given: list[str], words: list[str]
) -> None:
    with make(checkout, "--dry-run", "up", *given) as up:
        printed, _ = up.communicate(timeout=DEADLINE_SECONDS)
    assert shlex.split(printed.splitlines()[-1]) == ["exec", ".venv/bin/docsmcp", "up", *words]
