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
    from tokenizers import Encoding

    from collections_app.clients.embeddings.interface import Vectors

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
# Many exports have the graph in the one file and the weights beside it: model.onnx.data, model.onnx_data.
WEIGHTS_FILES = "model.onnx?data*"
TOKENIZER_FILE = "tokenizer.json"
# To be raised when the same text gets another vector.
VERSION = 1
# What all-MiniLM-L6-v2 was trained for.
MAX_TOKENS = 256


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
    # With all-MiniLM-L6-v2 1,000 took twice as long and ranked no better (docs/benchmarks.md).
    max_characters = 400

    def __init__(self, model: Path, tokenizer: Path) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        try:
            from onnxruntime import InferenceSession, SessionOptions
            from tokenizers import Tokenizer
        except ImportError:
            raise NoEmbedder(
                "EMBEDDINGS_KIND is onnx: install what the release's extras.txt locks (docs/deployment.md)."
            ) from None
        options = SessionOptions()
        options.intra_op_num_threads = 1  # more of them take two to five times the processor time: they wait in loops
        options.enable_cpu_mem_arena = False  # it keeps the memory of the longest text for good
        self._session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        weights = sorted(model.parent.glob(WEIGHTS_FILES))
        self.name = f"{name_model('onnx', model, *weights)}:{VERSION}"

    def embed(self, texts: Sequence[str], *, seconds: float = 0) -> Vectors:
        """One text after the other: padding costs more than a batch saves, and texts of a batch change each other in a quantised model."""
        import numpy as np

        return scale_to_unit(np.stack([self._run(encoding) for encoding in self._tokenizer.encode_batch(list(texts))]))

    def knows_words(self, text: str) -> bool:
        return True  # it reads characters in their context

    def _run(self, encoding: Encoding) -> Any:
        import numpy as np

        ids = np.array([encoding.ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states, *_) = self._session.run(None, {name: given[name] for name in self._inputs & given.keys()})
        return states[0] if states.ndim == 2 else states[0].sum(axis=0)  # what points where the mean does
