"""What this process keeps for a moment, of its own: nobody else writes or reads it. Values are copies, for who puts and for who takes.

Bounded by MOST_BYTES of a value and PROCESS_ENTRIES of them (docsmcp_site/configuration/caches.py). What has expired is not given out, and
goes when room is made: a third at once, that which was not asked for longest.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from django.core.cache import caches

MOST_BYTES = 32 * 1024


def take(names: Sequence[str]) -> dict[str, Any]:
    """What there is of these."""
    found: dict[str, Any] = caches["process"].get_many(names)
    return found


def keep(name: str, value: Any, seconds: float) -> None:
    """Unless it is too large, or its time is over."""
    if seconds > 0 and len(pickle.dumps(value)) <= MOST_BYTES:
        caches["process"].set(name, value, seconds)
