"""The interface of rerankers: a name, how much of a text they read, and a score for each text. Also defines their errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from collections_app.exceptions import UpstreamUnavailable


class NoReranker(UpstreamUnavailable):
    """Something has to be set up; the message says what."""

    retryable = False


class RerankingFailed(UpstreamUnavailable):
    """The model's server does not answer as it should."""


class Reranker(Protocol):
    """May be used from several threads at once."""

    @property
    def name(self) -> str:
        """The name of the model."""

    @property
    def max_characters(self) -> int:
        """How much of a text is worth reading."""

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        """How well each text answers the question: more is better, on a scale of the model's own.

        Takes at most `seconds` in all: a server is not waited for any longer; a local model returns the scores of as many texts, from the
        first on, as it got to. Raises RerankingFailed, or another UpstreamUnavailable.
        """
