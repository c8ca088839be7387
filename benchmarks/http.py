"""`make bench-http DOCS=DIR [PAGES=N] [PROCESSES=N] [CALLERS=1,8,32]`: the server over HTTP, alone and beside one as commonly written.

First each tool with one caller on one connection, and the memory of the web processes. Then `search_docs` under load by wrk: with a
different question each time, without the cache of results, in each mode; with a few questions that the cache has; and the same different
questions put to a server on the official Python SDK with SQLite's FTS5, of as many processes; it knows words alone, as keyword mode
does. Questions are made of headings of the documents. With PAGES the documents are so many copies of DIR's. Each server has a database
of its own in a temporary directory.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from benchmarks.load import Measured, Target, make_questions, put_under_load, write_requests
from benchmarks.pages import make_pages
from benchmarks.processes import find_descendants, find_web_workers, find_working_below, read_memory
from benchmarks.servers import Client, serve, serve_fts5

CALLS = 300
WARM_UP = 50
LOAD_SECONDS = 8
# In so long the queue has made the index over the embeddings of a large collection.
QUEUE_SECONDS = 75
# More than can be answered in that time.
DIFFERENT_QUESTIONS = 20_000
CACHED_QUESTIONS = 100

Tool = Callable[[int], tuple[str, dict[str, Any]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--callers", default="1,8,32")
    parser.add_argument("--modes", default="keyword,hybrid", help="search modes of this product, the default one last")
    options = parser.parse_args()
    callers = [int(each) for each in options.callers.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        docs = make_pages(options.docs, options.pages, folder / "docs") if options.pages else options.docs
        Comparison(docs, folder, options.processes, callers, options.modes.split(",")).run()


class Comparison:
    def __init__(self, docs: Path, folder: Path, processes: int, callers: list[int], modes: list[str]) -> None:
        self.docs = docs
        self.folder = folder
        self.processes = processes
        self.callers = callers
        self.modes = modes
        questions = make_questions(docs, DIFFERENT_QUESTIONS)
        self.different = write_requests(folder / "different.jsonl", questions)
        self.few = write_requests(folder / "few.jsonl", questions[:CACHED_QUESTIONS])
        # The same question again is to be answered, not pointed at: that is for models.
        self.settings = {"WEB_WORKERS": str(processes), "MCP_DEFAULT_MODE": modes[-1], "SEARCH_REPEAT_WINDOW": "0"}

    def run(self) -> None:
        print(f"{'search_docs':28} processes callers  requests/s  median     p95  failed  CPU ms a request")
        for mode in self.modes:
            self.measure_own(
                f"different questions, {mode}", self.different, CACHE_TTL_SEARCH="0", MCP_DEFAULT_MODE=mode
            )
        self.measure_own("few questions, cached", self.few)
        with serve_fts5(self.docs, self.folder / "peer.sqlite", self.processes) as (url, pid):
            target = Target("official SDK and FTS5", url, "", {"web": lambda: [pid, *find_descendants(pid)]})
            self.measure(target, self.different)

    def measure_own(self, name: str, requests: Path, **settings: str) -> None:
        data = self.folder / "data"
        with serve(self.docs, data, **(self.settings | settings)) as (ready, process):
            if settings.get("MCP_DEFAULT_MODE") == "hybrid":
                sleep(QUEUE_SECONDS)
            if settings.get("MCP_DEFAULT_MODE") == self.modes[-1]:
                measure_tools(Client(ready["url"], ready["api_key"]), process.pid)
            processes = {
                "web": lambda: find_web_workers(process.pid),
                "PostgreSQL": lambda: find_working_below(data),
            }
            self.measure(Target(name, ready["url"], ready["api_key"], processes), requests)

    def measure(self, target: Target, requests: Path) -> None:
        for callers in self.callers:
            print(self.describe(target, callers, put_under_load(target, requests, callers, LOAD_SECONDS)), flush=True)

    def describe(self, target: Target, callers: int, measured: Measured) -> str:
        cpu = ", ".join(f"{name} {ms:.1f}" for name, ms in measured.cpu_ms.items())
        return (
            f"{target.name:28} {self.processes:9} {callers:7} {measured.rate:11.0f} {measured.median:7.1f} {measured.p95:7.1f} "
            f"{measured.failed:7}  {cpu}"
        )


def measure_tools(client: Client, supervisor: int) -> None:
    pages = client.call("list_doc_pages", {"limit": 100})["documents"]
    total = client.call("list_doc_pages", {"limit": 1})["total"]
    paths = [page["path"] for page in pages]
    headings = list_headings(client, paths[:60])
    tools: dict[str, Tool] = {
        "search_docs": lambda n: ("search_docs", {"query": headings[n % len(headings)]}),
        "table_of_contents": lambda n: ("table_of_contents", {"path": paths[n % len(paths)]}),
        "get_doc_page": lambda n: ("get_doc_page", {"path": paths[n % len(paths)]}),
    }
    print(f"{total:,} documents; {CALLS} calls each, one caller; ms")
    print(f"{'tool':20} median     p95     max")
    for name, make in tools.items():
        milliseconds = sorted(time_calls(client, make))
        print(
            f"{name:20} {statistics.median(milliseconds):6.1f}  {milliseconds[int(CALLS * 0.95)]:6.1f}  {milliseconds[-1]:6.1f}"
        )
    for pid in find_web_workers(supervisor):
        rss, pss = read_memory(pid)
        print(f"web worker: {rss:.0f} MB resident, {pss:.0f} MB of it its own share")


def list_headings(client: Client, paths: list[str]) -> list[str]:
    """Different headings, in a random order that is always the same."""
    contents = (client.call("table_of_contents", {"path": path})["sections"] for path in paths)
    headings = sorted({section["title"] for sections in contents for section in sections if section["title"].strip()})
    random.Random(1).shuffle(headings)
    return headings


def time_calls(client: Client, make: Tool) -> Iterator[float]:
    for n in range(WARM_UP + CALLS):
        tool, arguments = make(n)
        began = perf_counter()
        client.call(tool, arguments)
        if n >= WARM_UP:
            yield (perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
