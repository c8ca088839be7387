"""A transformer in a directory, run by onnxruntime on the CPU: `model.onnx` and `tokenizer.json`, as exports have them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from collections_app.clients.loading import name_model
from collections_app.exceptions import UpstreamUnavailable, get_first_line

if TYPE_CHECKING:
    from tokenizers import Encoding

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
# Many exports have the graph in one file and the weights beside it: model.onnx.data, model.onnx_data.
WEIGHTS_FILES = "model.onnx?data*"
TOKENIZER_FILE = "tokenizer.json"
# The output of a model that makes one vector of its tokens by itself, beside their states.
POOLED = "sentence_embedding"

logger = structlog.get_logger(__name__)


INCOMPLETE = "{prefix}_KIND is onnx: set {prefix}_DIRECTORY to a directory with model.onnx and tokenizer.json."
NOT_INSTALLED = "{prefix}_KIND is onnx: install what the release's extras.txt locks (docs/deployment.md)."
UNUSABLE = "{prefix}_KIND is onnx: what is in {prefix}_DIRECTORY cannot be run on texts."


@dataclass(frozen=True, slots=True)
class Use:
    """What a model is used for: the prefix of its settings, and what to raise if no usable model is there."""

    prefix: str
    error: type[UpstreamUnavailable]

    def explain(self, what: str) -> UpstreamUnavailable:
        """`what`: INCOMPLETE, NOT_INSTALLED or UNUSABLE."""
        return self.error(what.format(prefix=self.prefix))


def find_files(directory: Path | None, use: Use) -> tuple[Path, Path]:
    """The files of the model and of the tokenizer. Raises the use's error unless the directory has both."""
    if directory and (directory / TOKENIZER_FILE).is_file():
        for model in (directory / name for name in MODEL_FILES):
            if model.is_file():
                return model, directory / TOKENIZER_FILE
    raise use.explain(INCOMPLETE)


class OnnxModel:
    """Reads at most `max_tokens` of a text, or of a pair. May be used from several threads at once. It and its methods raise the use's
    error if the model cannot be run; the log has the reason."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int, use: Use) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        self._file, self._use = model, use
        try:
            from onnxruntime import InferenceSession, SessionOptions
            from tokenizers import Tokenizer
        except ImportError:
            raise use.explain(NOT_INSTALLED) from None
        options = SessionOptions()
        options.intra_op_num_threads = 1  # more of them take two to five times the CPU time: they wait in loops
        options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text for good
        with self._judging():
            self._session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
            self._inputs = {given.name for given in self._session.get_inputs()}
            outputs = [made.name for made in self._session.get_outputs()]
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._tokenizer.enable_truncation(max_tokens)
            self._tokenizer.no_padding()
        self._output = POOLED if POOLED in outputs else outputs[0]
        name = name_model("onnx", model, *sorted(model.parent.glob(WEIGHTS_FILES)))
        self.name = name if self._output == outputs[0] else f"{name}:{self._output}"

    @contextmanager
    def _judging(self) -> Iterator[None]:
        """onnxruntime and tokenizers raise errors of many types, some without a type of their own."""
        try:
            yield
        except Exception as error:
            logger.error("model_unusable", file=self._file.name, reason=get_first_line(error))
            raise self._use.explain(UNUSABLE) from None

    def encode(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Encoding]:
        """The tokens of each text, or of each pair of texts."""
        with self._judging():
            encodings: list[Encoding] = self._tokenizer.encode_batch(list(texts))
        return encodings

    def run(self, encoding: Encoding) -> Any:
        """The model's output for one text, an array: the pooled one if it has one, else the first.

        Not in batches: padding costs more than a batch saves, and in a quantised model the texts of a batch influence each other.
        """
        import numpy as np

        ids = np.array([encoding.ids], np.int64)
        types = np.array([encoding.type_ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        with self._judging():
            (output,) = self._session.run([self._output], {name: given[name] for name in self._inputs & given.keys()})
            return output[0]
