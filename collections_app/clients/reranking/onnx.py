"""A cross-encoder in a directory, run by onnxruntime on the CPU: a classifier of pairs of texts with one output, or with two of which the
second stands for pairs that belong together. An example is an export of ms-marco-MiniLM-L6-v2 (Nogueira and Cho, "Passage Re-ranking with
BERT", 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any

from collections_app.clients.onnx_model import UNUSABLE, OnnxModel, Use, find_files
from collections_app.clients.reranking.interface import NoReranker

# For a question and a text together; the length that such models were trained for.
MAX_TOKENS = 512
USE = Use("RERANK", NoReranker)


def find_model(directory: Path | None) -> tuple[Path, Path]:
    """The files of the model and of the tokenizer. Raises NoReranker."""
    return find_files(directory, USE)


class OnnxReranker:
    # Longer texts take time while somebody waits.
    max_characters = 800

    def __init__(self, model: Path, tokenizer: Path) -> None:
        self._model = OnnxModel(model, tokenizer, MAX_TOKENS, USE)
        self.name = self._model.name

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        """Scores one text after the other until the time is over. Raises NoReranker if the model is of another kind."""
        deadline = monotonic() + seconds
        scores: list[float] = []
        for pair in self._model.encode([(question, text) for text in texts]):
            scores.append(read_score(self._model.run(pair)))
            if monotonic() > deadline:
                break
        return scores


def read_score(output: Any) -> float:
    """Raises NoReranker if the model is no classifier of pairs (an embedder is not one), or returns something that is no number, which
    cannot be sorted."""
    is_number = getattr(output, "ndim", None) in (0, 1) and output.size in (1, 2) and output.dtype.kind in "fiu"
    if not is_number:
        raise NoReranker(
            "RERANK_KIND is onnx: the model in RERANK_DIRECTORY is no cross-encoder, which gives one number."
        )
    numbers = output.reshape(-1).tolist()
    score = float(numbers[-1]) - (float(numbers[0]) if len(numbers) == 2 else 0.0)
    if not isfinite(score):
        raise USE.explain(UNUSABLE)
    return score
