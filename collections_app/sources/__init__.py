"""Where documents come from: each module yields a source's documents, one at a time, and says what it could not take. No rows here."""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.exceptions import IngestError


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was asked for and could not be taken. A `path` that ends in `/` is a directory that could not be listed."""

    path: str
    error: IngestError
