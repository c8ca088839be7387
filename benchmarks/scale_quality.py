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
from benchmarks.retrieval import DEPTH, DataSet, Found, Question
from collections_app.models import Collection
from collections_app.search import Hit

Find = Callable[[str], Iterable[Hit]]
Quality = dict[str, dict[str, float]]
"""nDCG@10 of pages, by the copy's language and what counts as right."""


def judge(sets: Sequence[Path], collections: Sequence[Collection], common: frozenset[str], find: Find) -> Quality:
    """`sets`: the folders that the copies are made of, in the order of their numbers; without questions there is nothing to judge."""
    copies: dict[tuple[int, bool], list[Collection]] = defaultdict(list)
    for collection in sorted(collections, key=lambda collection: collection.pk)[:-1]:
        index, _ = read_slug(collection)
        copies[index, collection.language == "english"].append(collection)
    generator = random.Random(1)
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for index, folder in enumerate(sets):
        if not (folder / "qrels.tsv").exists():
            continue
        data = DataSet(folder)
        for question, is_english in zip(data.questions, cycle((True, False)), strict=False):
            if not copies[index, is_english]:
                continue
            copy = generator.choice(copies[index, is_english])
            text = Copy(read_slug(copy)[1], common).rewrite(question.text)
            found = [(hit.collection, hit.path) for hit in find(text) if hit.path not in question.exclude]
            language = "English" if is_english else "other languages"
            scores[language]["its copy"].append(score(data, question, found, {copy.slug}))
            scores[language]["any copy"].append(
                score(data, question, found, {c.slug for c in collections if read_slug(c)[0] == index})
            )
    return {
        language: {kind: statistics.mean(each) for kind, each in kinds.items()} for language, kinds in scores.items()
    }


def read_slug(collection: Collection) -> tuple[int, int]:
    """Of what data set it is a copy, and which."""
    _, index, number = collection.slug.rsplit("-", 2)
    return int(index), int(number)


def score(data: DataSet, question: Question, found: Sequence[tuple[str, str]], right: set[str]) -> float:
    """What is of none of the `right` collections is no page that was judged."""
    pages = dict.fromkeys(path if slug in right else f"{slug}:{path}" for slug, path in found)
    return data.score_pages(question, [Found(page, 0) for page in list(pages)[:DEPTH]]).ndcg
