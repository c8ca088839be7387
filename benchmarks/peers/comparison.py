"""The peers put to the same questions, over the same sections, judged by the same measures; and how far from them each mode is.

Differences are paired by question, with their 95% interval. Latency is that of 10 results, index in memory, in this process.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from time import perf_counter
from typing import Protocol

from benchmarks.peers.sections import PeerSection, read_sections
from benchmarks.retrieval import DataSet, Found, Question, Scores, estimate_interval, mean

DEPTH = 50
SHOWN = 10
PEERS = (
    ("benchmarks.peers.fts5", "Fts5"),
    ("benchmarks.peers.bm25", "Bm25"),
    ("benchmarks.peers.lucene_like", "Tantivy"),
)

Answers = Mapping[str, list[Found]]
"""What was found, by the id of the question."""

Judge = Callable[[Question, Sequence[Found]], Scores | None]


class Peer(Protocol):
    name: str

    def search(self, text: str, limit: int) -> list[Found]: ...


def compare_peers(data: DataSet, own: Mapping[str, Answers]) -> None:
    """Print what each peer reaches, and by how much each of `own` is above it."""
    sections = read_sections(data.corpus)
    for peer in iter_peers(sections):
        answers = {question.id: peer.search(question.text, DEPTH) for question in data.questions}
        print(f"{peer.name}: ms per query: {describe_latency(peer, data)}")
        for level, judge in (("page", data.score_pages), ("section", data.score_sections)):
            if line := describe_level(data, judge, answers, own):
                print(f"  {level:8} {line}")


def iter_peers(sections: Sequence[PeerSection]) -> Iterator[Peer]:
    for module, name in PEERS:
        try:
            make = getattr(import_module(module), name)
        except ModuleNotFoundError as missing:
            print(f"{name} is left out: {missing.name} is not installed (the extra `bench` has it)")
        else:
            yield make(sections)


def describe_latency(peer: Peer, data: DataSet) -> str:
    taken = []
    for question in data.questions:
        began = perf_counter()
        peer.search(question.text, SHOWN)
        taken.append((perf_counter() - began) * 1000)
    taken.sort()
    return f"median {statistics.median(taken):.1f}, p95 {taken[int(len(taken) * 0.95)]:.1f}, max {taken[-1]:.1f}"


def describe_level(data: DataSet, judge: Judge, answers: Answers, own: Mapping[str, Answers]) -> str:
    """Empty where nothing is judged at this level."""
    scores = score(data, judge, answers)
    if not scores:
        return ""
    reached = mean(list(scores.values()))
    facts = [f"nDCG {reached.ndcg:.3f}, MRR {reached.mrr:.3f}, recall {reached.recall:.3f}"]
    for name, found in own.items():
        mine = score(data, judge, found)
        differences = [mine[question].ndcg - scores[question].ndcg for question in scores]
        low, high = estimate_interval(differences)
        facts.append(f"{name} {statistics.mean(differences):+.3f} [{low:+.3f} {high:+.3f}]")
    return "; ".join(facts)


def score(data: DataSet, judge: Judge, answers: Answers) -> dict[str, Scores]:
    """By question, of those that are judged."""
    judged = {question.id: judge(question, answers[question.id]) for question in data.questions}
    return {question: scores for question, scores in judged.items() if scores is not None}
