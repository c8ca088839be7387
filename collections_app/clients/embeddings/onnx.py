"""A sentence transformer in a directory, run by onnxruntime on the processor: `model.onnx` and `tokenizer.json`, as exports have them.

The mean of the tokens' last states is the vector, which is what all-MiniLM-L6-v2 and its relatives want (Reimers and Gurevych,
"Sentence-BERT", 2019, section 3); a model that pools by itself is taken at its word.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collections_app.clients.embeddings.interface import NoEmbedder, name_model, scale_to_unit

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
TOKENIZER_FILE = "tokenizer.json"
# What all-MiniLM-L6-v2 was trained for.
MAX_TOKENS = 256
BATCH_TEXTS = 32


def find_model(directory: Path | None) -> tuple[Path, Path]:
    """The files of the model and of the tokenizer. Raises NoEmbedder."""
    model = (
        next((directory / name for name in MODEL_FILES if (directory / name).is_file()), None) if directory else None
    )
    if not directory or not model or not (directory / TOKENIZER_FILE).is_file():
        raise NoEmbedder(
            f"EMBEDDINGS_KIND is onnx: set EMBEDDINGS_DIRECTORY to a directory with model.onnx and {TOKENIZER_FILE}."
        )
    return model, directory / TOKENIZER_FILE


class OnnxEmbedder:
    max_characters = 1_000

    def __init__(self, model: Path, tokenizer: Path) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        try:
            from onnxruntime import InferenceSession, SessionOptions
            from tokenizers import Tokenizer
        except ImportError:
            raise NoEmbedder("EMBEDDINGS_KIND is onnx: install docsmcp[onnx].") from None
        options = SessionOptions()
        options.enable_cpu_mem_arena = False  # it keeps the memory of the largest batch for good
        self._session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()
        self.name = name_model("onnx", model)

    def embed(self, texts: Sequence[str], *, seconds: float = 0) -> Vectors:
        import numpy as np

        batches = [texts[start : start + BATCH_TEXTS] for start in range(0, len(texts), BATCH_TEXTS)]
        return scale_to_unit(np.concatenate([self._run(list(batch)) for batch in batches]))

    def _run(self, texts: list[str]) -> Any:
        import numpy as np

        encodings = self._tokenizer.encode_batch(texts)
        mask = np.array([encoding.attention_mask for encoding in encodings], np.int64)
        given = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        states = self._session.run(None, {name: array for name, array in given.items() if name in self._inputs})[0]
        if states.ndim == 2:
            return states
        return (states * mask[..., None]).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
