"""The interface of embedders: a name, how much of a text they read, and vectors for texts. Also defines their errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from collections_app.exceptions import UpstreamUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One row a text."""


class NoEmbedder(UpstreamUnavailable):
    """Something has to be set up; the message says what."""

    retryable = False


class EmbeddingFailed(UpstreamUnavailable):
    """The model's server does not answer as it should."""


class Embedder(Protocol):
    """May be used from several threads at once."""

    @property
    def name(self) -> str:
        """Names the model and everything else that the vectors depend on."""

    @property
    def max_characters(self) -> int:
        """How much of a text is worth embedding."""

    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        """A vector of length 1 for each text; zeros if there is nothing to embed.

        A server may take `seconds` for each request. Raises EmbeddingFailed, or another UpstreamUnavailable.
        """

    def knows_words(self, text: str) -> bool:
        """Whether a vector says more about a text like this one than its characters do."""


def scale_to_unit(vectors: Any) -> Vectors:
    """Each row divided by its length, except zeros. The inner product of two rows is then the cosine of their angle."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled
