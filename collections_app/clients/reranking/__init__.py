"""Rerankers: models that read a question and a text together, and rate how well the text answers. The settings choose one; most
installations have none.

Knows no rows.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from collections_app.clients.loading import load
from collections_app.clients.reranking.interface import NoReranker, Reranker, RerankingFailed

__all__ = ["NoReranker", "Reranker", "RerankingFailed", "get_reranker"]


def get_reranker() -> Reranker | None:
    """This process's reranker, loaded at first use; None if none is set. Raises NoReranker, which says what is missing."""
    make = MAKERS.get(settings.DOCSMCP.rerank_kind)
    return make() if make else None


# Each imports what it needs only when used.
def get_onnx() -> Reranker:
    from collections_app.clients.reranking.onnx import OnnxReranker, find_model

    return load(OnnxReranker, *find_model(settings.DOCSMCP.rerank_directory))


def get_endpoint() -> Reranker:
    from collections_app.clients.oauth_tokens import find_credentials
    from collections_app.clients.reranking.endpoint import EndpointReranker

    config = settings.DOCSMCP
    if not config.rerank_base_url:
        raise NoReranker(f"RERANK_KIND is {config.rerank_kind}: set RERANK_BASE_URL.")
    return load(
        EndpointReranker,
        config.rerank_kind,
        config.rerank_base_url,
        config.rerank_model,
        config.rerank_api_key,
        find_credentials(config, "rerank"),
    )


MAKERS: dict[str, Callable[[], Reranker]] = {"onnx": get_onnx, "cohere": get_endpoint, "tei": get_endpoint}
