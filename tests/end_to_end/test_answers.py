"""Questions behind the web server that is shipped, with a model's server that answers, stalls and fails."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from collections_app.clients.circuits import FAILURES_TO_OPEN
from tests.fake_upstream import FakeUpstream, answer, extract, serve_upstream, stall
from tests.mcp_app.fake_tools import make_message
from tests.running_server import RunningServer, running_server

pytestmark = pytest.mark.embedded

QUESTIONS = 100
SEARCHES = 20
# Of a server's log, whose end is told where it failed.
LOG_CHARACTERS = 4_000
# Two processes, of each half of the eight threads.
SLOTS = 8
DEADLINE_SECONDS = 240
PAGES = {"install.md": "# Install\n\nUnpack the archive first.\n", "llamas.md": "# Llamas\n\nLlamas eat grass.\n"}


@pytest.fixture(scope="module")
def models() -> Iterator[FakeUpstream]:
    with serve_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="module")
def server(models: FakeUpstream) -> Iterator[RunningServer]:
    with running_server(PAGES, LLM_BASE_URL=models.base_url, LLM_MODEL="small") as server:
        yield server


def post(server: RunningServer, tool: str, arguments: dict[str, Any], **meta: Any) -> str:
    """The body of the answer, which is one message or a stream of events."""
    url = urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=DEADLINE_SECONDS)
    message = make_message("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})
    headers = {
        "Authorization": f"Bearer {server.key}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    connection.request("POST", url.path, json.dumps(message), headers)
    body = connection.getresponse().read().decode()
    connection.close()
    return body


def call(server: RunningServer, tool: str, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(post(server, tool, {**arguments, "format": "json"}))
    assert "result" in answer, f"{answer}\n{server.log.read_text()[-LOG_CHARACTERS:]}"
    assert not answer["result"].get("isError"), answer
    data: dict[str, Any] = answer["result"]["structuredContent"]
    return data


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_answer_comes_as_events_where_progress_is_asked_for(server: RunningServer, models: FakeUpstream) -> None:
    models.chat = answer(extract)
    events = post(server, "ask_docs", {"question": "what do llamas eat"}, progressToken="p")
    sent = [json.loads(line.removeprefix("data: ")) for line in events.splitlines() if line.startswith("data: ")]
    assert [message["params"]["message"] for message in sent[:-1]] == ["searching", "asking small"]
    assert "Llamas eat grass." in sent[-1]["result"]["content"][0]["text"]


def test_a_stalled_model_starves_nobody_and_is_then_left_alone_by_all_processes(
    server: RunningServer, models: FakeUpstream
) -> None:
    models.chat = stall
    models.asked.clear()
    with ThreadPoolExecutor(QUESTIONS) as pool:
        questions = [
            pool.submit(call, server, "ask_docs", question=f"how do I unpack archive {n}") for n in range(QUESTIONS)
        ]
        wait_until(lambda: sum(question.done() for question in questions) + models.waiting == QUESTIONS)
        waiting = models.waiting
        assert 0 < waiting <= SLOTS
        for n in range(SEARCHES):
            assert call(server, "search_docs", query=f"llamas {n}")["results"]
        assert models.waiting == waiting
        models.release()
        answers = [question.result() for question in questions]
    assert all(answer["passages"][0]["path"] == "install.md" for answer in answers)
    reasons = [answer["reason"]["message"] for answer in answers]
    assert sum("answers with an error (500)" in reason for reason in reasons) == waiting
    while (asked := models.count()) < FAILURES_TO_OPEN:  # one process alone has fewer slots
        call(server, "ask_docs", question=f"do llamas eat archives {asked}")
    for n in range(SEARCHES):
        reason = call(server, "ask_docs", question=f"what do llamas eat {n}")["reason"]
        assert "left alone for a while" in reason["message"]
    assert models.count() == asked
