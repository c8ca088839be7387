"""The recipe of a document: what its text depends on besides its bytes. When that changes, the same bytes are read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from collections_app.parsing.documents import ContentPolicy

READING_VERSION = 37
"""To be raised when parsers, or text/analysis/, make another text of the same bytes: each document is read again at its next ingest."""

VERSION_MARK = f"{READING_VERSION}-"
"""How each recipe of this release begins, and none of another."""

_CHARACTERS = 16


def make_recipe(policy: ContentPolicy, metadata: Mapping[str, Any] | None = None) -> str:
    """The version, followed by a digest of the collection's policy and of the metadata that the uploader gave."""
    parts = json.dumps([policy, dict(metadata or {})], sort_keys=True)
    return f"{VERSION_MARK}{hashlib.sha256(parts.encode()).hexdigest()}"[:_CHARACTERS]
