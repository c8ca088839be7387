"""A retrieval test set and its measures. PURE.

A data set is a folder:

    corpus/         the documents
    queries.jsonl   {"id", "query", "kind", "exclude": [paths taken out before ranks are counted]}
    qrels.tsv       query id, path, section anchor or -, grade
    sections.tsv    path, ord, level, anchor, start line, end line, parent, aliases, heading (with a heading line)

Measures (Järvelin and Kekäläinen 2002 for nDCG, gain 2^grade - 1, discount log2(rank + 1)) are means over the questions; a
question without results counts 0. A page counts once, at its first position; a section is the judged one or not ("strict").
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

DEPTH = 10
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    kind: str
    exclude: frozenset[str]

    @property
    def half(self) -> str:
        """Constants are chosen on the one half of the questions and reported on the other; which is which never changes."""
        return "report" if int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 2 else "tune"


@dataclass(frozen=True, slots=True)
class Found:
    """One ranked result: a document's path and the first line of the section in its file."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Scores:
    ndcg: float
    mrr: float
    recall: float


class DataSet:
    """The questions, what answers them, and where the sections of the documents begin."""

    def __init__(self, folder: Path) -> None:
        self.corpus = folder / "corpus"
        self.starts: dict[str, list[int]] = defaultdict(list)
        self.anchors: dict[str, dict[str, int]] = defaultdict(dict)
        self.tops: dict[str, set[int]] = defaultdict(lambda: {0})
        self.read_sections(folder / "sections.tsv")
        self.pages: dict[str, dict[str, int]] = defaultdict(dict)
        self.sections: dict[str, dict[tuple[str, int], int]] = defaultdict(dict)
        for query_id, path, anchor, grade in csv.reader(
            (folder / "qrels.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE
        ):
            if query_id == "query_id":
                continue
            self.pages[query_id][path] = max(int(grade), self.pages[query_id].get(path, 0))
            if anchor != "-":
                self.sections[query_id][path, self.number_of(path, anchor)] = int(grade)
        self.questions = [q for q in self.read_questions(folder / "queries.jsonl") if self.pages.get(q.id)]

    def read_questions(self, file: Path) -> Iterable[Question]:
        for line in file.read_text().splitlines():
            row = json.loads(line)
            yield Question(row["id"], row["query"], row["kind"], frozenset(row.get("exclude") or ()))

    def read_sections(self, file: Path) -> None:
        if not file.exists():
            return
        rows = csv.reader(file.open(), delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        for path, number, level, anchor, start, _end, _parent, aliases, *_ in rows:
            order = int(number)
            self.starts[path].append(int(start))
            for name in [anchor, *aliases.split(",")]:
                self.anchors[path].setdefault(name, order)
            # The text before the first heading and a first heading of level 1 are both the page itself.
            if order == 1 and level == "1":
                self.tops[path].add(1)

    def number_of(self, path: str, anchor: str) -> int:
        return self.top(path, self.anchors[path].get(anchor, -1))

    def number_at(self, path: str, line: int) -> int:
        return self.top(path, bisect_right(self.starts[path], line) - 1)

    def top(self, path: str, number: int) -> int:
        return 0 if number in self.tops[path] else number

    def score_pages(self, question: Question, found: Sequence[Found]) -> Scores:
        judged = self.pages[question.id]
        paths = dict.fromkeys(f.path for f in found if f.path not in question.exclude)
        return measure([judged.get(path, 0) for path in paths], list(judged.values()))

    def score_sections(self, question: Question, found: Sequence[Found]) -> Scores | None:
        """None for a question that no section is judged for."""
        judged = self.sections.get(question.id)
        if not judged:
            return None
        places = dict.fromkeys(
            (f.path, self.number_at(f.path, f.line)) for f in found if f.path not in question.exclude
        )
        return measure([judged.get(place, 0) for place in places], list(judged.values()))


def measure(grades: Sequence[int], ideal: Sequence[int]) -> Scores:
    """`grades` by rank (0 = not relevant), `ideal` of all that is relevant."""
    first = next((rank for rank, grade in enumerate(grades[:DEPTH], 1) if grade), None)
    best = discounted_gain(sorted(ideal, reverse=True))
    return Scores(
        ndcg=discounted_gain(grades) / best if best else 0.0,
        mrr=1 / first if first else 0.0,
        recall=sum(grade > 0 for grade in grades[:DEPTH]) / len(ideal),
    )


def discounted_gain(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades[:DEPTH], 1))


def mean(scores: Sequence[Scores]) -> Scores:
    count = len(scores)
    return Scores(*(sum(getattr(s, name) for s in scores) / count for name in ("ndcg", "mrr", "recall")))


def estimate_interval(differences: Sequence[float]) -> tuple[float, float]:
    """The 95% interval of the mean of paired differences, by the percentile bootstrap (Efron and Tibshirani 1993, chapter 13)."""
    generator = random.Random(1)
    means = sorted(sum(generator.choices(differences, k=len(differences))) / len(differences) for _ in range(RESAMPLES))
    return means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975)]
