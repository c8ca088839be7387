"""`make bench-http DOCS=DIR [PAGES=N]`: latency of the tools over HTTP, one caller, and memory of the web processes.

Starts `docsmcp up` on the folder with a database of its own in a temporary directory, asks over one kept-alive connection
as a client does, and stops it.
Questions are the headings of the documents, so each is another one. With PAGES the documents are so many copies of DIR's.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.pages import make_pages

CALLS = 300
WARM_UP = 50
Tool = Callable[[int], tuple[str, dict[str, Any]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--pages", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        docs = make_pages(options.docs, options.pages, Path(folder) / "docs") if options.pages else options.docs
        with serve(docs, Path(folder) / "data") as (ready, process):
            measure(Client(ready["url"], ready["api_key"]), process.pid)


@contextmanager
def serve(docs: Path, data: Path) -> Iterator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """`docsmcp up`, ready; gives what it printed. The rate limit is lifted."""
    command = [
        sys.executable,
        "-m",
        "docsmcp_site.command_line",
        "up",
        str(docs),
        "--json",
        "--data-dir",
        str(data),
        "--port",
        "8765",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"MCP_RATE_LIMIT_REQUESTS": "1000000", "LOG_LEVEL": "WARNING"}
    began = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            raise SystemExit("docsmcp up did not get ready")
        print(f"ready after {perf_counter() - began:.1f} s")
        yield json.loads(line), process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


class Client:
    """Calls tools over one connection."""

    def __init__(self, url: str, key: str) -> None:
        self.address = urlsplit(url)
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        self.connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port)
        self.ids = itertools.count()

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        params = {"name": tool, "arguments": {**arguments, "format": "json"}}
        body = json.dumps({"jsonrpc": "2.0", "id": next(self.ids), "method": "tools/call", "params": params})
        self.connection.request("POST", self.address.path, body, self.headers)
        answer = json.loads(self.connection.getresponse().read())
        if "result" not in answer or answer["result"].get("isError"):
            raise SystemExit(f"{tool} failed: {answer}")
        result: dict[str, Any] = answer["result"]["structuredContent"]
        return result


def measure(client: Client, supervisor: int) -> None:
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
    for pid in find_workers(supervisor):
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


def find_workers(supervisor: int) -> list[int]:
    """The gunicorn workers: grandchildren of the supervisor whose parent is gunicorn too."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    masters = [pid for pid, parent in parents.items() if parent == supervisor and "gunicorn" in read_command(pid)]
    return [pid for pid, parent in parents.items() if parent in masters]


def read_command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def read_memory(pid: int) -> tuple[float, float]:
    """Resident and proportional set size, MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    rss, pss = (int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss"))
    return rss, pss


if __name__ == "__main__":
    main()
