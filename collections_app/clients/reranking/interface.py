"""What every reranker is: a name, how much of a text it reads, and a score for each text. Owns the errors, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from collections_app.exceptions import UpstreamUnavailable


class NoReranker(UpstreamUnavailable):
    """Something is to be set up; the message says what."""

    retryable = False


class RerankingFailed(UpstreamUnavailable):
    """The server of the model does not answer as it should."""


class Reranker(Protocol):
    """May be used from several threads at once."""

    @property
    def name(self) -> str:
        """Of the model."""

    @property
    def max_characters(self) -> int:
        """How much of a text is worth reading."""

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        """How well each text answers the question: more is better, on a scale of the model's own.

        It may take so many `seconds` in all: a server is waited for no longer, a model at hand gives the scores of the first texts that it
        came to. Raises RerankingFailed, or another UpstreamUnavailable.
        """
