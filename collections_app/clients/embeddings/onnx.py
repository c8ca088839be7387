"""A sentence transformer in a directory, run by onnxruntime on the CPU.

A vector is made of the tokens' last states as the directory says (sentence_transformer.py); the output of a model that pools by itself is
used as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collections_app.clients.embeddings.interface import NO_PREFIXES, Embedder, NoEmbedder, Prefixes, scale_to_unit
from collections_app.clients.embeddings.sentence_transformer import Pooling, read_pooling, read_prefixes
from collections_app.clients.onnx_model import OnnxModel, Use, find_files

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

# To be raised if the same text gets another vector.
VERSION = 1
# The length that all-MiniLM-L6-v2 was trained for.
MAX_TOKENS = 256
USE = Use("EMBEDDINGS", NoEmbedder)


def find_model(directory: Path | None) -> tuple[Path, Path]:
    """The files of the model and of the tokenizer. Raises NoEmbedder."""
    return find_files(directory, USE)


class OnnxEmbedder(Embedder):
    # With all-MiniLM-L6-v2, 1,000 characters took twice as long and ranked no better (docs/benchmarks-history.md).
    max_characters = 400

    def __init__(self, model: Path, tokenizer: Path, prefixes: Prefixes = NO_PREFIXES) -> None:
        directory = tokenizer.parent
        self._pooling, own = read_pooling(directory), read_prefixes(directory)
        self._model = OnnxModel(model, tokenizer, MAX_TOKENS, USE)
        pooled = "" if self._pooling is Pooling.MEAN else f":{self._pooling}"
        super().__init__(f"{self._model.name}:{VERSION}{pooled}", prefixes.or_else(own))

    def embed(self, texts: Sequence[str], *, seconds: float = 0) -> Vectors:
        import numpy as np

        outputs = [self._model.run(encoding) for encoding in self._model.encode(texts)]
        return scale_to_unit(np.stack([each if each.ndim == 1 else self._pool(each) for each in outputs]))

    def _pool(self, states: Any) -> Any:
        """One vector of a text's states, one row a token, in any length: it is scaled later. A text without tokens has zeros."""
        if self._pooling is Pooling.MEAN or not len(states):
            return states.sum(axis=0)
        return states[0 if self._pooling is Pooling.FIRST else -1]

    def knows_words(self, text: str) -> bool:
        return True  # it reads characters in their context
