"""Where documents come from. (temporary stand-in until the real one lands)"""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.exceptions import IngestError


@dataclass(frozen=True, slots=True)
class RefusedFile:
    path: str
    error: IngestError
