"""A cross-encoder in a directory, run by onnxruntime on the processor: a classifier of pairs of texts with one output, or with two of
which the second is for those that belong together, such as an export of ms-marco-MiniLM-L6-v2 (Nogueira and Cho, "Passage Re-ranking with
BERT", 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any

from collections_app.clients.embeddings.interface import name_model
from collections_app.clients.onnx_model import TOKENIZER_FILE, OnnxModel, UnusableModel, find_files, list_weights
from collections_app.clients.reranking.interface import NoReranker

# Of a question and a text together; what such models were trained for.
MAX_TOKENS = 512
UNUSABLE = "RERANK_KIND is onnx: what is in RERANK_DIRECTORY cannot be run on texts."


def find_model(directory: Path | None) -> tuple[Path, Path]:
    """The files of the model and of the tokenizer. Raises NoReranker."""
    if found := find_files(directory):
        return found
    raise NoReranker(f"RERANK_KIND is onnx: set RERANK_DIRECTORY to a directory with model.onnx and {TOKENIZER_FILE}.")


class OnnxReranker:
    # Each of them costs time while somebody waits.
    max_characters = 800

    def __init__(self, model: Path, tokenizer: Path) -> None:
        try:
            self._model = OnnxModel(model, tokenizer, MAX_TOKENS)
        except ImportError:
            raise NoReranker(
                "RERANK_KIND is onnx: install what the release's extras.txt locks (docs/deployment.md)."
            ) from None
        except UnusableModel:
            raise NoReranker(UNUSABLE) from None
        self.name = name_model("onnx", *list_weights(model))

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        """One text after the other, until the time is over. Raises NoReranker where the model is another one."""
        deadline = monotonic() + seconds
        scores: list[float] = []
        try:
            for pair in self._model.encode([(question, text) for text in texts]):
                scores.append(read_score(self._model.run(pair)))
                if monotonic() > deadline:
                    break
        except UnusableModel:
            raise NoReranker(UNUSABLE) from None
        return scores


def read_score(output: Any) -> float:
    """Raises NoReranker where the model is no classifier of pairs, as an embedder is none, or gives what is no number, which has no place
    in an order."""
    is_number = getattr(output, "ndim", None) in (0, 1) and output.size in (1, 2) and output.dtype.kind in "fiu"
    if not is_number:
        raise NoReranker(
            "RERANK_KIND is onnx: the model in RERANK_DIRECTORY is no cross-encoder, which gives one number."
        )
    numbers = output.reshape(-1).tolist()
    score = float(numbers[-1]) - (float(numbers[0]) if len(numbers) == 2 else 0.0)
    if not isfinite(score):
        raise NoReranker(UNUSABLE)
    return score
