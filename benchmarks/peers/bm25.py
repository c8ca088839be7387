"""bm25s: BM25 (Lucene's form) over arrays in memory, with English stems; identifiers count whole and by their parts."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

import bm25s
import Stemmer

from benchmarks.peers.sections import PeerSection
from benchmarks.retrieval import Found

logging.getLogger("bm25s").setLevel(logging.WARNING)
WORD = re.compile(r"\w+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Bm25:
    name = "bm25s"

    def __init__(self, sections: Sequence[PeerSection]) -> None:
        self.places = [Found(each.path, each.line) for each in sections]
        self.stemmer = Stemmer.Stemmer("english")
        self.index = bm25s.BM25()
        texts = [self.split(f"{each.title} {each.headings} {each.text}") for each in sections]
        self.index.index(texts, show_progress=False)

    def search(self, text: str, limit: int) -> list[Found]:
        words = [word for word in self.split(text) if word in self.index.vocab_dict]
        if not words:
            return []
        found, scores = self.index.retrieve([words], k=min(limit, len(self.places)), show_progress=False)
        return [self.places[number] for number, score in zip(found[0], scores[0], strict=True) if score > 0]

    def split(self, text: str) -> list[str]:
        words = [part for word in WORD.findall(text) for part in split_word(word)]
        stems: list[str] = self.stemmer.stemWords(words)
        return stems


def split_word(word: str) -> list[str]:
    parts = PART.findall(word)
    return [word.lower(), *map(str.lower, parts)] if len(parts) > 1 else [word.lower()]
