"""Pages that their site leaves out of its navigation and its search: they are read, since links lead to them, and not indexed. PURE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEFT_OUT_OF_SEARCH = "left_out_of_search"
"""The name in a document's metadata that says so."""


def is_hidden_page(metadata: Mapping[str, Any]) -> bool:
    """Whether a document is such a page, by its metadata."""
    return metadata.get(LEFT_OUT_OF_SEARCH) is True
