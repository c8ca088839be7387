"""How well search finds in a library that growth.py made of data sets (retrieval.py): is the page found of that copy which is asked for?

Each question is put to all collections in the words of one copy of its documents, every other one in English, the next in a made-up
language. What answers it is known. The last copy is not asked for, since not all of it may be there. "Its copy" takes a page of that copy
alone for right, of many that have most of their words from the same page; "any copy" takes the same page of another one too. Judged are the
pages of the ten best sections, which are fewer than ten pages: compare these figures with each other only.
"""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle
from pathlib import Path

from benchmarks.growth import Copy
from benchmarks.retrieval import DataSet, Found, Question
from collections_app.models import Collection
from collections_app.search import Hit

Find = Callable[[str], Iterable[Hit]]
Quality = dict[str, dict[str, float]]
"""nDCG@10 of pages, by the copy's language and what counts as right."""


def judge(sets: Sequence[Path], copies: Sequence[tuple[Collection, Copy]], find: Find) -> Quality:
    """`sets`: the folders that the copies are made of, in the order of their numbers; without questions there is nothing to judge.

    `copies`: in the order in which they were written.
    """
    generator = random.Random(1)
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for index, folder in enumerate(sets):
        if not (folder / "qrels.tsv").exists():
            continue
        data = DataSet(folder)
        everywhere = {collection.slug for collection, _ in copies if is_copy_of(index, collection)}
        whole = [(collection, copy) for collection, copy in copies[:-1] if collection.slug in everywhere]
        by_language = {
            "English": [each for each in whole if each[0].language == "english"],
            "other languages": [each for each in whole if each[0].language != "english"],
        }
        for question, (language, own) in zip(data.questions, cycle(by_language.items()), strict=False):
            if not own:
                continue
            collection, copy = generator.choice(own)
            hits = [hit for hit in find(copy.rewrite(question.text)) if hit.path not in question.exclude]
            scores[language]["its copy"].append(score(data, question, hits, {collection.slug}))
            scores[language]["any copy"].append(score(data, question, hits, everywhere))
    return {
        language: {kind: statistics.mean(each) for kind, each in kinds.items()} for language, kinds in scores.items()
    }


def is_copy_of(index: int, collection: Collection) -> bool:
    """Whether it is one of this data set, by its slug."""
    return collection.slug.rsplit("-", 2)[1] == str(index)


def score(data: DataSet, question: Question, hits: Iterable[Hit], right: set[str]) -> float:
    """What is of none of the `right` collections is no page that was judged."""
    pages = (hit.path if hit.collection in right else f"{hit.collection}:{hit.path}" for hit in hits)
    return data.score_pages(question, [Found(page, 0) for page in pages]).ndcg
