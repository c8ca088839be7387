"""`make bench-answers DATASET=DIR`: what `ask_docs` adds to a model's time, and what a stalled model does to searches.

Starts `docsmcp up` on the set's documents with a database of its own, beside a server on loopback that stands in for a model: it
answers with the two lines of the passages that have most of the question's words, each cited. So every quotation can be looked up.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.retrieval import DataSet
from benchmarks.servers import Client, serve
from tests.fake_upstream import Asked, FakeUpstream, Reply, answer, extract, serve_upstream, stall

QUESTIONS = 40
REPEATS = 5
AT_ONCE = 100
SEARCHES = 200
MAX_TOKENS = 20_000
QUOTATION = re.compile(r"^- `([^`\n]+)` \[(\d+)\]$", re.MULTILINE)

Ask = Callable[[str], dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    data = DataSet(parser.parse_args().dataset)
    step = max(1, len(data.questions) // QUESTIONS)
    questions = [question.text[:1000] for question in data.questions[::step]][:QUESTIONS]
    with tempfile.TemporaryDirectory() as folder, serve_upstream() as upstream:
        Path(folder).chmod(0o711)
        os.environ |= {"LLM_BASE_URL": upstream.base_url, "LLM_MODEL": "stand-in"}
        with serve(data.corpus, Path(folder) / "data") as (ready, _):
            measure(lambda: Client(ready["url"], ready["api_key"]), upstream, questions)


def measure(connect: Callable[[], Client], upstream: FakeUpstream, questions: Sequence[str]) -> None:
    client = connect()
    ask_new(client, upstream, ["warm up", *questions[:1]], temperature=0.1)
    answers, overheads = ask_new(client, upstream, questions)
    report("beyond the model's own time", overheads)
    check_quotations(client, answers)
    report("again, from the cache", list(time_each(lambda text: ask(client, text), list(questions) * REPEATS)))
    searches = [f"{question[:900]} {n}" for n, question in enumerate(list(questions) * (SEARCHES // len(questions)))]
    report("searches, nothing else going on", list(time_each(lambda text: search(client, text), searches)))
    stall_all(connect, upstream, [f"{text} again" for text in searches], questions)


def ask(client: Client, question: str, **more: Any) -> dict[str, Any]:
    return client.call("ask_docs", {"question": question, **more})


def search(client: Client, query: str) -> dict[str, Any]:
    return client.call("search_docs", {"query": query})


def ask_new(
    client: Client, upstream: FakeUpstream, questions: Sequence[str], **more: Any
) -> tuple[list[dict[str, Any]], list[float]]:
    """The answers, and for each the milliseconds that the model did not take."""
    taken: list[float] = []

    def behave(upstream: FakeUpstream, asked: Asked) -> Reply:
        began = perf_counter()
        reply = answer(extract)(upstream, asked)
        taken.append((perf_counter() - began) * 1000)
        return reply

    upstream.chat = behave
    answers, overheads = [], []
    for question in questions:
        taken.clear()
        began = perf_counter()
        answers.append(ask(client, question, **more))
        overheads.append((perf_counter() - began) * 1000 - sum(taken))
    return answers, overheads


def check_quotations(client: Client, answers: Sequence[dict[str, Any]]) -> None:
    found = missing = 0
    for given in answers:
        sources = {source["number"]: source for source in given.get("sources", ())}
        for quotation, number in QUOTATION.findall(given["answer"] or ""):
            source = sources[int(number)]
            arguments = {"path": source["path"], "section_ids": [source["section_id"]], "max_tokens": MAX_TOKENS}
            sections = client.call("read_sections", arguments)["sections"]
            is_there = any(quotation in section["content"].replace("`", "") for section in sections)
            found, missing = found + is_there, missing + (not is_there)
    answered = sum(bool(given["answer"]) for given in answers)
    print(
        f"{answered} of {len(answers)} questions answered; quotations in the section that is cited: {found}, not: {missing}"
    )


def stall_all(
    connect: Callable[[], Client], upstream: FakeUpstream, searches: Sequence[str], questions: Sequence[str]
) -> None:
    """So many questions at once, of which the model answers none, and searches meanwhile."""
    upstream.chat = stall
    client = connect()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        texts = [f"{questions[n % len(questions)][:900]} {n}" for n in range(AT_ONCE)]
        waiting = [pool.submit(lambda text: ask(connect(), text), text) for text in texts]
        while sum(question.done() for question in waiting) < AT_ONCE - upstream.waiting or not upstream.waiting:
            time.sleep(0.01)
        print(f"{AT_ONCE} questions, the model stalled: {upstream.waiting} wait for it, the others have passages")
        report("searches meanwhile", list(time_each(lambda text: search(client, text), searches)))
        print(f"still waiting: {upstream.waiting}")
        upstream.release()


def time_each(act: Ask, texts: Sequence[str]) -> Iterator[float]:
    for text in texts:
        began = perf_counter()
        act(text)
        yield (perf_counter() - began) * 1000


def report(what: str, milliseconds: Sequence[float]) -> None:
    ordered = sorted(milliseconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{what}: median {statistics.median(ordered):.1f}, p95 {p95:.1f}, max {ordered[-1]:.1f} ms ({len(ordered)})")


if __name__ == "__main__":
    main()
