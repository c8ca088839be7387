"""`make bench-load DOCS=DIR [PROCESSES=1,2,4]`: what each further web server process adds, until the machine's cores are used.

`search_docs` with a different question each time and no cache of results, then with a few questions that the cache has. The callers
(8 for each process) and the database are on the same machine, so their share of the cores is told too.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from benchmarks.load import Measured, Target, make_questions, put_under_load, write_requests
from benchmarks.processes import find_web_workers, find_working_below
from benchmarks.servers import serve

CALLERS = 8
LOAD_SECONDS = 10
DIFFERENT_QUESTIONS = 20_000
CACHED_QUESTIONS = 100
SETTINGS = {"MCP_DEFAULT_MODE": "keyword", "SEARCH_REPEAT_WINDOW": "0"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--processes", default="1,2,4")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        questions = make_questions(options.docs, DIFFERENT_QUESTIONS)
        different = write_requests(folder / "different.jsonl", questions)
        few = write_requests(folder / "few.jsonl", questions[:CACHED_QUESTIONS])
        numbers = [int(each) for each in options.processes.split(",")]
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; {CALLERS} callers for each process")
        print("questions  processes  requests/s  ratio  median ms  p95 ms  failed  cores: web  PostgreSQL")
        measure_all("different", options.docs, folder, different, numbers, CACHE_TTL_SEARCH="0")
        measure_all("cached", options.docs, folder, few, numbers)


def measure_all(name: str, docs: Path, folder: Path, requests: Path, numbers: list[int], **settings: str) -> None:
    first: Measured | None = None
    for number in numbers:
        measured = measure(docs, folder / "data", requests, number, **settings)
        first = first or measured
        web, database = (f"{measured.cpu_ms[each] * measured.rate / 1000:5.2f}" for each in ("web", "PostgreSQL"))
        print(
            f"{name:9}  {number:9}  {measured.rate:10.0f}  {measured.rate / first.rate:5.2f}  {measured.median:9.1f}  {measured.p95:6.1f}  "
            f"{measured.failed:6}       {web}       {database}",
            flush=True,
        )


def measure(docs: Path, data: Path, requests: Path, number: int, **settings: str) -> Measured:
    with serve(docs, data, **SETTINGS, **settings, WEB_WORKERS=str(number)) as (ready, process):
        processes = {
            "web": lambda: find_web_workers(process.pid),
            "PostgreSQL": lambda: find_working_below(data),
        }
        target = Target("", ready["url"], ready["api_key"], processes)
        return put_under_load(target, requests, CALLERS * number, LOAD_SECONDS)


if __name__ == "__main__":
    main()
