"""What all embedders have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from collections_app.clients.embeddings.interface import Embedder, Prefixes, scale_to_unit

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors


class Close(Embedder):
    """Puts all texts close together, by the numbers of their letters; `asked` are the texts that came."""

    max_characters = 100

    def __init__(self, prefixes: Prefixes) -> None:
        super().__init__("close", prefixes)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        self.asked += texts
        return scale_to_unit(np.array([[1, text.count("e") / len(text)] for text in texts]))

    def knows_words(self, text: str) -> bool:
        return True


def test_questions_and_sections_have_their_prefixes() -> None:
    embedder = Close(Prefixes("query: ", "passage: "))
    embedder.embed_questions(["how to reef"], seconds=1)
    embedder.embed_sections(["Reefing", ""], seconds=1)
    assert embedder.asked == ["query: how to reef", "passage: Reefing", "passage: "]


def test_another_prefix_of_sections_is_another_model_but_not_one_of_questions() -> None:
    names = [Close(prefixes).name for prefixes in (Prefixes(), Prefixes("query: "), Prefixes("", "passage: "))]
    assert names[0] == names[1] == "close"
    assert names[2].startswith("close:")
    assert Close(Prefixes("", "text: ")).name != names[2]


def test_how_close_a_model_puts_unrelated_texts_is_measured_once_with_their_prefixes() -> None:
    embedder = Close(Prefixes("query: ", "passage: "))
    assert 0.9 < embedder.measure_unrelated(seconds=1) < 1
    asked = len(embedder.asked)
    assert asked == sum(text.startswith(("query: ", "passage: ")) for text in embedder.asked)
    assert embedder.measure_unrelated(seconds=1) == pytest.approx(embedder.measure_unrelated(seconds=1))
    assert len(embedder.asked) == asked
