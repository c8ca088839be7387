"""A sentence transformer in a directory, run by onnxruntime on the CPU.

The vector is the mean of the tokens' last states, as all-MiniLM-L6-v2 and its relatives need it (Reimers and Gurevych,
"Sentence-BERT", 2019, section 3); the output of a model that pools by itself is used as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from collections_app.clients.embeddings.interface import NoEmbedder, scale_to_unit
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


class OnnxEmbedder:
    # With all-MiniLM-L6-v2, 1,000 characters took twice as long and ranked no better (docs/benchmarks-history.md).
    max_characters = 400

    def __init__(self, model: Path, tokenizer: Path) -> None:
        self._model = OnnxModel(model, tokenizer, MAX_TOKENS, USE)
        self.name = f"{self._model.name}:{VERSION}"

    def embed(self, texts: Sequence[str], *, seconds: float = 0) -> Vectors:
        import numpy as np

        states = [self._model.run(encoding) for encoding in self._model.encode(texts)]
        # The sum, if a text has several states: scaled to length 1 it equals their mean.
        return scale_to_unit(np.stack([each if each.ndim == 1 else each.sum(axis=0) for each in states]))

    def knows_words(self, text: str) -> bool:
        return True  # it reads characters in their context
