"""Readers and a writer that know what the answers must be, and write down what they were: right, refused with advice, or wrong."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from collections_app.postgres.outages import RETRY_SECONDS

TIMEOUT_SECONDS = 60
# Between two calls of one caller: a machine that is busy with callers shows nothing of the server.
PAUSE_SECONDS = 0.02
WRITE_PAUSE_SECONDS = 0.5

RIGHT, ADVISED, BROKEN, WRONG, UNADVISED = "right", "advised", "broken", "wrong", "unadvised"
"""`broken`: no HTTP answer, as of a process that was killed. `unadvised`: an error without advice."""


@dataclass(frozen=True, slots=True)
class Outcome:
    at: float
    seconds: float
    kind: str
    what: str = ""


@dataclass
class Journal:
    outcomes: list[Outcome] = field(default_factory=list)
    accepted: dict[str, str] = field(default_factory=dict)
    """Path → word of each upload that the server said it has."""
    lock: Lock = field(default_factory=Lock)

    def add(self, began: float, kind: str, what: str = "") -> None:
        now = time.monotonic()
        with self.lock:
            self.outcomes.append(Outcome(now, now - began, kind, what))

    def since(self, moment: float) -> list[Outcome]:
        with self.lock:
            return [outcome for outcome in self.outcomes if outcome.at >= moment]

    def accept(self, path: str, word: str) -> None:
        with self.lock:
            self.accepted[path] = word

    def choose_accepted(self) -> list[tuple[str, str]]:
        with self.lock:
            return list(self.accepted.items())


def count(outcomes: Sequence[Outcome]) -> Counter[str]:
    return Counter(outcome.kind for outcome in outcomes)


class Caller:
    """One client over several servers, as behind a load balancer: each call to the next one, over a connection that is kept."""

    def __init__(self, ports: Sequence[int], key: str, journal: Journal) -> None:
        self.key, self.journal = key, journal
        self.connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS) for port in ports]
        self.turns = itertools.cycle(self.connections)

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """What the tool gave as data; None when it was refused, which is written down here."""
        began = time.monotonic()
        connection = next(self.turns)
        try:
            status, headers, body = self.post(connection, tool, arguments)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            self.journal.add(began, BROKEN, type(error).__name__)
            return None
        return self.judge(began, status, headers, body)

    def post(
        self, connection: http.client.HTTPConnection, tool: str, arguments: dict[str, Any]
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        params = {"name": tool, "arguments": {**arguments, "format": "json"}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        connection.request("POST", "/mcp", json.dumps(message), headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def judge(self, began: float, status: int, headers: http.client.HTTPMessage, body: bytes) -> dict[str, Any] | None:
        try:
            message = json.loads(body)
            if "error" in message:
                advised = message["error"].get("data", {}).get("retry_after") and headers["Retry-After"]
                self.journal.add(began, ADVISED if advised else UNADVISED, str(body)[:300])
                return None
            result = message["result"]
        except (ValueError, KeyError, TypeError):
            self.journal.add(began, UNADVISED, f"{status} {body[:200]!r}")
            return None
        data: dict[str, Any] = result["structuredContent"]
        if result.get("isError"):
            self.journal.add(
                began, ADVISED if data["error"]["details"].get("retry_after") else UNADVISED, str(data)[:300]
            )
            return None
        return data


def make_page(path: str, word: str) -> str:
    return f"# Page {path}\n\nThis page is about {word}.\n\n## Detail of {path}\n\nMore about {word}, and about the server in general.\n"


class Traffic:
    """Readers of pages that stay, one reader of pages that just came, and a writer."""

    def __init__(self, ports: Sequence[int], key: str, pages: dict[str, str], *, readers: int = 3) -> None:
        self.journal, self.pages, self.ends = Journal(), pages, Event()
        self.numbers = itertools.count()
        self.threads = [Thread(target=self.read, args=(Caller(ports, key, self.journal), n)) for n in range(readers)]
        self.threads.append(Thread(target=self.write, args=(Caller(ports, key, self.journal),)))
        self.follower = Caller(ports, key, Journal())

    def __enter__(self) -> Traffic:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def read(self, caller: Caller, seed: int) -> None:
        generator = random.Random(seed)
        paths = list(self.pages)
        while not self.ends.wait(PAUSE_SECONDS):
            path = generator.choice(paths)
            if generator.random() < 0.7:
                self.search(caller, path, self.pages[path])
            else:
                self.read_page(caller, path, self.pages[path])

    def search(self, caller: Caller, path: str, word: str) -> None:
        began = time.monotonic()
        # Another question each time, so that no cache answers; the other word is in no page.
        data = caller.call("search_docs", {"query": f"{word} unheard{next(self.numbers)}"})
        if data is not None:
            is_right = bool(data["results"]) and data["results"][0]["path"] == path
            caller.journal.add(began, RIGHT if is_right else WRONG, "" if is_right else f"{word}: {str(data)[:300]}")

    def read_page(self, caller: Caller, path: str, word: str) -> None:
        began = time.monotonic()
        data = caller.call("get_doc_page", {"path": path})
        if data is not None:
            is_right = data["content"].count(word) == 2
            caller.journal.add(began, RIGHT if is_right else WRONG, "" if is_right else f"{path}: {str(data)[:300]}")

    def write(self, caller: Caller) -> None:
        while not self.ends.wait(WRITE_PAUSE_SECONDS):
            number = next(self.numbers)
            path, word = f"uploaded/{number}.md", f"upload{number}word"
            began = time.monotonic()
            data = caller.call(
                "ingest_document", {"collection": "chaos", "path": path, "content": make_page(path, word)}
            )
            if data is not None:
                caller.journal.add(began, RIGHT)
                self.journal.accept(path, word)

    def find_lost(self, deadline_seconds: float) -> list[str]:
        """Accepted uploads that no search finds, given time."""
        left = dict(self.journal.choose_accepted())
        deadline = time.monotonic() + deadline_seconds
        while left and time.monotonic() < deadline:
            for path, word in list(left.items()):
                data = self.follower.call("search_docs", {"query": f"{word} unheard{next(self.numbers)}"})
                if data and data["results"] and data["results"][0]["path"] == path:
                    del left[path]
            time.sleep(0.5)
        return list(left)


def describe(outcomes: Sequence[Outcome]) -> str:
    kinds = count(outcomes)
    times = sorted(outcome.seconds for outcome in outcomes if outcome.kind == RIGHT)
    p50, p99 = (times[int(len(times) * part)] * 1000 if times else 0 for part in (0.5, 0.99))
    return f"{kinds[RIGHT]:6} {kinds[ADVISED]:8} {kinds[BROKEN]:7} {kinds[WRONG]:6} {kinds[UNADVISED]:10} {p50:7.0f} {p99:7.0f}"


HEAD = " right  advised  broken  wrong  unadvised  p50 ms  p99 ms"
assert RETRY_SECONDS > 0
