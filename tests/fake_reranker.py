"""A reranker that finds a text the better, the more often it has the word `answer`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from collections_app.clients import reranking
from collections_app.exceptions import UpstreamUnavailable


class FakeReranker:
    """`asked` are the question and the texts of each call; `error` is raised where there is one."""

    name = "fake"
    max_characters = 200

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.error: UpstreamUnavailable | None = None

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        if self.error:
            raise self.error
        self.asked.append((question, list(texts)))
        return [text.count("answer") - 5.0 for text in texts]


@contextmanager
def reranking_by_answers(settings: Any, **values: Any) -> Iterator[FakeReranker]:
    """It is the server's for as long as the block lasts; `values` are its settings."""
    reranker = FakeReranker()
    with pytest.MonkeyPatch.context() as patch:
        given = {"rerank_kind": "onnx"} | {f"rerank_{name}": value for name, value in values.items()}
        patch.setattr(settings, "DOCSMCP", settings.DOCSMCP.model_copy(update=given))
        patch.setitem(reranking.MAKERS, "onnx", lambda: reranker)
        yield reranker
