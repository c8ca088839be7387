"""What embedders have in common: a name, how much of a text they read, and vectors of questions and sections. Also defines their errors."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from collections_app.exceptions import UpstreamUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One row a text."""

# None of these questions has anything to do with any of the sections.
UNRELATED_QUESTIONS = (
    "how long does a sourdough loaf have to rise",
    "which trails in the mountains are open in autumn",
    "when are tomatoes planted outdoors",
    "how do I teach a young dog to sit",
    "what makes the northern lights green",
    "which piano pieces suit a beginner",
)
UNRELATED_SECTIONS = (
    "Installation. Run the installer and add the directory to your PATH.",
    "Authentication. Each request carries a bearer token in its Authorization header.",
    "Release notes 2.4. The server no longer stops when its configuration file is empty.",
    "Backups. A snapshot of the database is taken every night and kept for 30 days.",
    "Parameters. timeout (integer): seconds to wait before the connection is closed.",
    "Contributing. Open an issue before you send a pull request.",
)


class NoEmbedder(UpstreamUnavailable):
    """Something has to be set up; the message says what."""

    retryable = False


class EmbeddingFailed(UpstreamUnavailable):
    """The model's server does not answer as it should."""


class Prefixes(NamedTuple):
    """What a model was trained to have before a question, and before a text that may answer it: `query: ` and `passage: `."""

    query: str = ""
    document: str = ""

    def or_else(self, own: Prefixes) -> Prefixes:
        """These, and the model's `own` in place of empty ones."""
        return Prefixes(self.query or own.query, self.document or own.document)


NO_PREFIXES = Prefixes()


class Embedder(ABC):
    """May be used from several threads at once.

    `name` names the model and everything else that the vectors of sections depend on. `max_characters`: how much of a section is worth
    embedding.
    """

    max_characters: int

    def __init__(self, name: str, prefixes: Prefixes = NO_PREFIXES) -> None:
        digest = hashlib.sha256(prefixes.document.encode()).hexdigest()[:8]
        self.name = f"{name}:{digest}" if prefixes.document else name
        self._prefixes = prefixes
        self._unrelated: float | None = None

    def embed_sections(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        return self.embed([f"{self._prefixes.document}{text}" for text in texts], seconds=seconds)

    def embed_questions(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        return self.embed([f"{self._prefixes.query}{text}" for text in texts], seconds=seconds)

    def measure_unrelated(self, *, seconds: float) -> float:
        """The mean cosine of questions and sections that have nothing to do with each other: 0 for some models, .8 for others.

        Measured once, with texts of our own. Raises as embed() does.
        """
        if self._unrelated is None:
            questions = self.embed_questions(UNRELATED_QUESTIONS, seconds=seconds)
            self._unrelated = float((questions @ self.embed_sections(UNRELATED_SECTIONS, seconds=seconds).T).mean())
        return self._unrelated

    @abstractmethod
    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        """A vector of length 1 for each text as it stands; zeros if there is nothing to embed.

        A server may take `seconds` for each request. Raises EmbeddingFailed, or another UpstreamUnavailable.
        """

    @abstractmethod
    def knows_words(self, text: str) -> bool:
        """Whether a vector says more about a text like this one than its characters do."""


def scale_to_unit(vectors: Any) -> Vectors:
    """Each row divided by its length, except zeros. The inner product of two rows is then the cosine of their angle."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled
