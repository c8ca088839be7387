"""Embedders: each makes a vector of a text, such that texts of similar meaning have similar vectors. The settings choose one.

Knows no rows. Vectors of different embedders cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from collections_app.clients.embeddings.interface import Embedder, EmbeddingFailed, NoEmbedder, Prefixes
from collections_app.clients.loading import load

__all__ = ["Embedder", "EmbeddingFailed", "NoEmbedder", "get_embedder"]


def get_embedder() -> Embedder:
    """This process's embedder, loaded at first use. Raises NoEmbedder, which says what is missing."""
    return MAKERS[settings.DOCSMCP.embeddings_kind]()


# Each imports what it needs only when used: most processes of a server never embed anything.
def get_static() -> Embedder:
    from collections_app.clients.embeddings.static import StaticEmbedder, find_model

    return load(StaticEmbedder, *find_model(settings.DOCSMCP.embeddings_directory))


def get_onnx() -> Embedder:
    from collections_app.clients.embeddings.onnx import OnnxEmbedder, find_model

    return load(OnnxEmbedder, *find_model(settings.DOCSMCP.embeddings_directory), get_prefixes())


def get_endpoint() -> Embedder:
    from collections_app.clients.embeddings.endpoint import EndpointEmbedder
    from collections_app.clients.oauth_tokens import find_credentials

    config = settings.DOCSMCP
    if not (config.embeddings_base_url and config.embeddings_model):
        raise NoEmbedder("EMBEDDINGS_KIND is openai: set EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL.")
    return load(
        EndpointEmbedder,
        config.embeddings_base_url,
        config.embeddings_model,
        config.embeddings_api_key,
        config.embeddings_dimension,
        find_credentials(config, "embeddings"),
        get_prefixes(),
    )


def get_prefixes() -> Prefixes:
    return Prefixes(settings.DOCSMCP.embeddings_query_prefix, settings.DOCSMCP.embeddings_document_prefix)


def refuse() -> Embedder:
    raise NoEmbedder("EMBEDDINGS_KIND is none.")


MAKERS: dict[str, Callable[[], Embedder]] = {
    "static": get_static,
    "onnx": get_onnx,
    "openai": get_endpoint,
    "none": refuse,
}
