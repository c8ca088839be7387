"""`python -m tests.services.image`: the steps of the Dockerfile, in an empty Debian instead of Docker, and the server that comes of them.

Each stage is a directory that debootstrap made; RUN is run in it by chroot, COPY and ENV do what Docker does with them. What results is
started as the image's user with the image's command, its root file system read-only but for /data and /tmp, and is asked for its health
and for its tools; then once more in parts, as Compose and Kubernetes start it, on Debian's PostgreSQL 15. Needs root, Debian's debootstrap
(installed if it is missing) and the package registries, with this machine's settings for them. Refuses an instruction of a Dockerfile that
it does not know.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.free_ports import find_free_port
from tests.services import postgresql
from tests.services.postgresql import install

ROOT = Path(__file__).resolve().parents[2]
SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
START_SECONDS = 90
IGNORED = {"EXPOSE", "STOPSIGNAL", "VOLUME"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Stage:
    """One FROM: its directory, and what the instructions after it have set."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    directory: str = "/"
    user: str = "root"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def main() -> int:
    if os.geteuid() != 0:
        sys.exit("this needs root: it makes a root file system and changes into it")
    if shutil.which("debootstrap") is None:
        install("debootstrap")
    with tempfile.TemporaryDirectory(prefix="docsmcp-image-") as folder:
        image = build(read_instructions(ROOT / "Dockerfile"), Path(folder))
        with serve(image, image.command, {}) as (process, port):
            wait_until_alive(process, port)
            check(image, port)
        with postgresql.serve(postgresql.find_binaries("15")) as url:
            try_parts(image, {"DATABASE_URL": url, "SECRET_KEY": secrets.token_urlsafe(48)})
    return 0


def try_parts(image: Stage, settings: dict[str, str]) -> None:
    """Migrations to their end, then the queue and the web server beside each other."""
    with started(image, ["migrate", "--noinput"], settings) as migration:
        if migration.wait(START_SECONDS):
            sys.exit("the migrations failed: see above")
    report("ok: migrated")
    with started(image, ["run_qcluster"], settings), serve(image, ["run_gunicorn"], settings) as (process, port):
        wait_until_alive(process, port)
        check(image, port)


def read_instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """(instruction, the rest), lines that go on joined."""
    lines = [line for line in dockerfile.read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(word.upper(), rest.strip()) for word, _, rest in (line.strip().partition(" ") for line in joined)]


def build(instructions: list[tuple[str, str]], folder: Path) -> Stage:
    """The last stage, built."""
    base = folder / "base"
    packages = "python3,python3-venv,ca-certificates"
    report(f"an empty Debian {SUITE} with {packages}")
    options = ["--variant=minbase", f"--include={packages}"]
    subprocess.run(["debootstrap", *options, SUITE, str(base), MIRROR], check=True, stdout=subprocess.DEVNULL)  # noqa: S607
    (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")  # As in the image that FROM names.
    stages: dict[str, Stage] = {}
    stage = Stage(base)
    for word, rest in instructions:
        report(f"{word} {rest}")
        if word == "FROM":
            name = rest.partition(" AS ")[2] or str(len(stages))
            subprocess.run(["cp", "--archive", "--reflink=auto", str(base), str(folder / name)], check=True)  # noqa: S607
            stage = stages[name] = Stage(folder / name)
        else:
            follow(stage, word, rest, stages)
    return stage


def follow(stage: Stage, word: str, rest: str, stages: dict[str, Stage]) -> None:
    match word:
        case "ENV":
            set_environment(stage, shlex.split(rest))
        case "WORKDIR":
            stage.directory = rest
            (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "COPY":
            copy(stage, shlex.split(rest), stages)
        case "RUN":
            run(stage, rest)
        case "USER":
            stage.user = rest
        case "ENTRYPOINT":
            stage.entrypoint = json.loads(rest)
        case "CMD":
            stage.command = json.loads(rest)
        case "HEALTHCHECK":
            stage.health = json.loads(rest[rest.index("CMD") + 3 :])
        case _ if word not in IGNORED:
            sys.exit(f"{word} is not known here: teach tests/services/image.py what it does")


def set_environment(stage: Stage, settings: list[str]) -> None:
    for setting in settings:
        name, _, value = setting.partition("=")
        stage.environment[name] = value.replace("$PATH", stage.environment["PATH"])


def copy(stage: Stage, words: list[str], stages: dict[str, Stage]) -> None:
    source = ROOT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, target = words
    into = stage.root / (Path(stage.directory) / target).as_posix().lstrip("/")
    for name in names:
        if name == ".":
            copy_context(into)
        elif (source / name.lstrip("/")).is_dir():
            shutil.copytree(source / name.lstrip("/"), into, symlinks=True, dirs_exist_ok=True)
        else:
            into.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, into)


def copy_context(into: Path) -> None:
    """What .dockerignore lets through: it refuses all and names what is taken."""
    rules = (ROOT / ".dockerignore").read_text().splitlines()
    for name in (rule[1:] for rule in rules if rule.startswith("!")):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, into / name, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        else:
            shutil.copy2(ROOT / name, into / name)


def run(stage: Stage, command: str) -> None:
    with mounted(stage.root, build=True):
        done = subprocess.run(
            ["chroot", str(stage.root), "/bin/sh", "-ec", f"cd {shlex.quote(stage.directory)}; {command}"],  # noqa: S607
            env=stage.environment | get_registry_settings(),
            check=False,
            shell=False,
        )
    if done.returncode:
        sys.exit(f"RUN ended with {done.returncode}")


def get_registry_settings() -> dict[str, str]:
    """How this machine reaches the package registries."""
    return {
        name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.lower().endswith("_proxy")
    }


@contextlib.contextmanager
def mounted(root: Path, *, build: bool) -> Iterator[None]:
    """/dev and /proc, and for a build this machine's names, certificates and package settings; all taken away afterwards."""
    mounts = [("/dev", "dev"), ("/proc", "proc")]
    if build:
        given = [
            "/etc/resolv.conf",
            "/etc/hosts",
            "/etc/ssl/certs",
            "/etc/pip.conf",
            *os.environ.get("PIP_FIND_LINKS", "").split(),
        ]
        mounts += [(path, path.lstrip("/")) for path in given if Path(path).exists()]
    done: list[Path] = []
    try:
        for source, place in mounts:
            target = root / place
            if Path(source).is_dir():
                target.mkdir(parents=True, exist_ok=True)
            elif not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
            subprocess.run(["mount", "--bind", source, str(target)], check=True)  # noqa: S607
            done.append(target)
        yield
    finally:
        for target in reversed(done):
            subprocess.run(["umount", "--lazy", str(target)], check=False)  # noqa: S607


@contextlib.contextmanager
def serve(image: Stage, command: list[str], settings: dict[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yields the process and the port that it is to listen on."""
    port = find_free_port()
    own = {"MCP_SERVER_PORT": str(port), "MCP_SERVER_HOST": "127.0.0.1"}
    with started(image, command, settings | own) as process:
        yield process, port


@contextlib.contextmanager
def started(image: Stage, command: list[str], settings: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The command as the image's user; the root file system is read-only but for its volume and /tmp. It has to end when it is told to."""
    root = str(image.root)
    script = f"""
mount --bind {root} {root}
mount -o remount,bind,ro {root}
mount --bind /dev {root}/dev
mount -t tmpfs -o mode=1777 tmpfs {root}/dev/shm
mount -t proc proc {root}/proc
mount -t tmpfs tmpfs {root}/tmp
mount -t tmpfs -o mode=0700,uid=10001,gid=10001 tmpfs {root}/data
exec chroot --userspec={image.user} {root} /bin/sh -c 'cd {image.directory} && exec "$@"' sh {shlex.join(image.entrypoint + command)}
"""  # noqa: S108  the image's own
    process = subprocess.Popen(
        ["unshare", "--mount", "/bin/sh", "-ec", script],  # noqa: S607
        env=image.environment | settings | {"HOME": "/data"},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            report(f"{command[0]} stopped with {process.wait(60)}")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            sys.exit(f"{command[0]} did not stop within 60 s of SIGTERM")


def wait_until_alive(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=2).close()
            report("ok: /livez answers")
            return
        time.sleep(0.2)
    sys.exit(f"no answer within {START_SECONDS} s, or the server ended: see above")


def check(image: Stage, port: int) -> None:
    """The image's own health check passes, and a client is answered."""
    probe = [word.replace("127.0.0.1:8001", f"127.0.0.1:{port}") for word in image.health]
    chroot = ["chroot", f"--userspec={image.user}", str(image.root)]
    subprocess.run([*chroot, *probe], env=image.environment, check=True)
    report("ok: the image's health check passes")
    parts = wait_for_worker(port)
    report(f"ok: ready, with {', '.join(parts)}")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    with urllib.request.urlopen(
        urllib.request.Request(f"http://127.0.0.1:{port}/mcp", body, headers), timeout=10
    ) as answer:
        tools = [tool["name"] for tool in json.load(answer)["result"]["tools"]]
    if "search_docs" not in tools:
        sys.exit(f"tools/list names {tools}")
    report(f"ok: MCP lists {len(tools)} tools")


def wait_for_worker(port: int) -> dict[str, dict[str, str]]:
    """What /readyz says of each part, once the queue has come too."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        parts: dict[str, dict[str, str]] = {}
        with (
            contextlib.suppress(urllib.error.HTTPError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer,
        ):
            parts = json.load(answer)["parts"]
        if parts.get("worker", {}).get("state") == "ok":
            return parts
        if time.monotonic() > deadline:
            sys.exit(f"the worker is not well: {parts.get('worker')}")
        time.sleep(0.5)


def report(line: str) -> None:
    print(line if len(line) < 150 else line[:149] + "…", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
