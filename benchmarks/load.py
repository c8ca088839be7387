"""Puts a server under load by `wrk`, which takes little time of its own, and counts what the processes behind it compute meanwhile."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.sections import read_sections
from benchmarks.processes import read_cpu_seconds

SCRIPT = Path(__file__).with_name("load.lua")
WORD = re.compile(r"[^\W\d_]{4,20}")
WARM_UP_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and how its processes are found, by what they are called in the table. They are looked for when it is warm."""

    name: str
    url: str
    key: str
    processes: Mapping[str, Callable[[], Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Measured:
    requests: int
    seconds: float
    median: float
    p95: float
    failed: int
    cpu_ms: Mapping[str, float]
    """For each request."""

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


def make_questions(docs: Path, count: int) -> list[str]:
    """Different ones, always the same: a heading of the documents each, with a word of another section."""
    sections = read_sections(docs)
    headings = sorted({section.headings for section in sections if section.headings.strip()})
    words = sorted({word for section in sections for word in WORD.findall(section.text)})
    generator = random.Random(1)
    questions = dict[str, None]()
    while len(questions) < count:
        questions[f"{generator.choice(headings)[-150:]} {generator.choice(words)}"] = None
    return list(questions)


def write_requests(file: Path, questions: Sequence[str]) -> Path:
    with file.open("w") as out:
        out.writelines(f"{line}\n" for line in iter_requests(questions))
    return file


def iter_requests(questions: Sequence[str]) -> Iterator[str]:
    for number, question in enumerate(questions):
        params = {"name": "search_docs", "arguments": {"query": question}}
        yield json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def put_under_load(target: Target, requests: Path, callers: int, seconds: int) -> Measured:
    """So many callers for so many seconds, each asking again as soon as it is answered."""
    run_wrk(target, requests, callers, WARM_UP_SECONDS)
    processes = {name: find() for name, find in target.processes.items()}
    before = {name: read_cpu_seconds(pids) for name, pids in processes.items()}
    answer = run_wrk(target, requests, callers, seconds)
    cpu_ms = {
        name: (read_cpu_seconds(pids) - before[name]) * 1000 / max(1, answer["requests"])
        for name, pids in processes.items()
    }
    return Measured(
        int(answer["requests"]),
        answer["seconds"],
        answer["median"],
        answer["p95"],
        int(answer["failed"]),
        cpu_ms,
    )


def run_wrk(target: Target, requests: Path, callers: int, seconds: int) -> dict[str, float]:
    wrk = shutil.which("wrk")
    if not wrk:
        raise SystemExit("This needs wrk: apt-get install wrk")
    arguments = [str(requests), target.key] if target.key else [str(requests)]
    command = [wrk, "-t1", f"-c{callers}", f"-d{seconds}s", "-s", str(SCRIPT), target.url, "--", *arguments]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    [measured] = [line for line in lines if line.startswith("MEASURED ")]
    values: dict[str, float] = json.loads(measured.removeprefix("MEASURED "))
    return values
