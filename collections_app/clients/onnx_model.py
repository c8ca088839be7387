"""A transformer in a directory, run by onnxruntime on the processor: `model.onnx` and `tokenizer.json`, as exports have them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from tokenizers import Encoding

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
# Many exports have the graph in the one file and the weights beside it: model.onnx.data, model.onnx_data.
WEIGHTS_FILES = "model.onnx?data*"
TOKENIZER_FILE = "tokenizer.json"

logger = structlog.get_logger(__name__)


class UnusableModel(Exception):
    """What the files hold cannot be run on texts; the log has the reason."""


@contextmanager
def judging(model: Path) -> Iterator[None]:
    """onnxruntime and tokenizers raise errors of many kinds, some of no kind. Raises UnusableModel in their place."""
    try:
        yield
    except ImportError:
        raise
    except Exception as error:
        logger.error("model_unusable", file=model.name, reason=str(error).partition("\n")[0])
        raise UnusableModel from error


def find_files(directory: Path | None) -> tuple[Path, Path] | None:
    """The files of the model and of the tokenizer, where the directory has both."""
    if directory is None or not (directory / TOKENIZER_FILE).is_file():
        return None
    models = (directory / name for name in MODEL_FILES)
    return next(((model, directory / TOKENIZER_FILE) for model in models if model.is_file()), None)


def list_weights(model: Path) -> list[Path]:
    """All files that the model's numbers are in."""
    return [model, *sorted(model.parent.glob(WEIGHTS_FILES))]


class OnnxModel:
    """Reads at most `max_tokens` of a text, or of two together. May be used from several threads at once. Raises ImportError where
    onnxruntime or tokenizers is not installed, and UnusableModel, as its methods do."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        self._file = model
        options = SessionOptions()
        options.intra_op_num_threads = 1  # more of them take two to five times the processor time: they wait in loops
        options.enable_cpu_mem_arena = False  # it keeps the memory of the longest text for good
        with judging(model):
            self._session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
            self._inputs = {given.name for given in self._session.get_inputs()}
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._tokenizer.enable_truncation(max_tokens)
            self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Encoding]:
        """The tokens of each text, or of each pair of texts."""
        with judging(self._file):
            encodings: list[Encoding] = self._tokenizer.encode_batch(list(texts))
        return encodings

    def run(self, encoding: Encoding) -> Any:
        """The model's first output for one text, an array. One text after the other: padding costs more than a batch saves, and texts
        of a batch change each other in a quantised model."""
        import numpy as np

        ids = np.array([encoding.ids], np.int64)
        types = np.array([encoding.type_ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        with judging(self._file):
            (output, *_) = self._session.run(None, {name: given[name] for name in self._inputs & given.keys()})
            return output[0]
