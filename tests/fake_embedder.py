"""An embedder whose idea of meaning is a table of words, for tests that want to know what is near what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest

from collections_app.clients import embeddings
from collections_app.clients.embeddings.interface import Embedder, scale_to_unit
from collections_app.exceptions import UpstreamUnavailable

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

# Each line is one meaning; every other word has none.
MEANINGS = ("car automobile vehicle", "dog hound puppy", "boat ship vessel")


class FakeEmbedder(Embedder):
    """`asked` are the texts that came; `error` is raised where there is one; `is_of_words`: what it says of each text; `unrelated`: the
    cosine of texts that have nothing to do with each other."""

    max_characters = 200

    def __init__(self, name: str = "fake", *, dimension: int = 4) -> None:
        super().__init__(name)
        self.dimension = dimension
        self.asked: list[str] = []
        self.error: UpstreamUnavailable | None = None
        self.is_of_words = True
        self.unrelated = 0.0

    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        if self.error:
            raise self.error
        self.asked += texts
        counts = np.zeros((len(texts), self.dimension))
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                for axis, meaning in enumerate(MEANINGS):
                    counts[row, axis] += word in meaning.split()
        return scale_to_unit(counts)

    def measure_unrelated(self, *, seconds: float) -> float:
        return self.unrelated

    def knows_words(self, text: str) -> bool:
        return self.is_of_words


@contextmanager
def using(embedder: FakeEmbedder) -> Iterator[FakeEmbedder]:
    """It is the server's for as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(embeddings.MAKERS, "static", lambda: embedder)
        yield embedder
