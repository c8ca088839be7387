"""A static model: a table with one vector per token; a text's vector is the sum of its tokens'. No network, no GPU, some microseconds.

Uses the table of the package wordllama (256 dimensions), unless a directory with another table is set. Only the package's
files are read: importing it would load what is not needed and configure logging.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from collections_app.clients.embeddings.interface import Embedder, NoEmbedder, scale_to_unit
from collections_app.clients.loading import name_model

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

PACKAGE = "wordllama"
PACKAGE_FILES = ("weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json")
# The file names of model2vec.
DIRECTORY_FILES = ("model.safetensors", "tokenizer.json")

# To be raised if the same text gets another vector.
VERSION = 1
WORD = re.compile(r"[^\W_]+")
# Documentation repeats its words: most words of a batch were in an earlier one.
MOST_KNOWN_WORDS = 50_000


def find_model(directory: Path | None) -> tuple[Path, Path]:
    """The files of the table and of the tokenizer. Raises NoEmbedder."""
    if directory:
        files = tuple(directory / name for name in DIRECTORY_FILES)
        missing = f"EMBEDDINGS_DIRECTORY must have the files {' and '.join(DIRECTORY_FILES)}."
    else:
        files = tuple(find_package() / name for name in PACKAGE_FILES)
        missing = f"The model of the package {PACKAGE} is not installed: install it, or set EMBEDDINGS_DIRECTORY."
    if not all(file.is_file() for file in files):
        raise NoEmbedder(missing)
    return files[0], files[1]


@cache
def find_package() -> Path:
    """The package's folder. Cached, because it is needed for every question."""
    spec = find_spec(PACKAGE)
    return Path(spec.origin).parent if spec and spec.origin else Path(PACKAGE)


class StaticEmbedder(Embedder):
    # Titles, headings and the beginning of a section: reading more ranked worse (docs/benchmarks-history.md).
    max_characters = 400

    def __init__(self, table: Path, tokenizer: Path) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        (array,) = (array for array in load_file(table).values() if array.ndim == 2)
        self._table = array.astype("float32")  # half-precision numbers would be converted each time
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._known: dict[str, list[int]] = {}
        super().__init__(f"{name_model('static', table)}:{VERSION}")

    def embed(self, texts: Sequence[str], *, seconds: float = 0) -> Vectors:
        import numpy as np

        split = [WORD.findall(text) for text in texts]
        tokens = self._tokenize(list(dict.fromkeys(chain.from_iterable(split))))
        sums = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for row, words in enumerate(split):
            ids = [token for word in words for token in tokens[word]]
            sums[row] = self._table.take(ids, axis=0).sum(axis=0)
        return scale_to_unit(sums)

    def knows_words(self, text: str) -> bool:
        """False if most of the text is in a script of which the table only has single characters, as wordllama's of Chinese and
        Japanese."""
        if text.isascii():
            return True
        words = WORD.findall(text)
        tokens = self._tokenize(words)
        foreign = {word: sum(not character.isascii() for character in word) for word in words}
        single = sum(foreign[word] for word in words if len(tokens[word]) >= foreign[word])
        return 2 * single <= sum(map(len, words))

    def _tokenize(self, words: Sequence[str]) -> dict[str, list[int]]:
        """The tokens of these words and of earlier ones. Each word by itself: words repeat, and punctuation says little.

        The dictionary is replaced, never changed: other threads may be reading it.
        """
        known = self._known if len(self._known) < MOST_KNOWN_WORDS else {}
        if new := [word for word in words if word not in known]:
            encodings = self._tokenizer.encode_batch(new, add_special_tokens=False)
            tokens = ([token for token in encoding.ids if token < len(self._table)] for encoding in encodings)
            self._known = known = known | dict(zip(new, tokens, strict=True))
        return known
