"""How often somebody may try to sign in, or try an invitation: per address, and per user name from any address. At the provider of single
sign-on only what it refuses is counted: everybody of an office may come in the same minutes.

Counted exactly, in the cache of the other limits. While that cannot be reached, each process counts for itself.
"""

from __future__ import annotations

import hashlib
import unicodedata

import structlog
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from collections_app.access.client_address import get_client_address, get_network
from collections_app.exceptions import summarise
from collections_app.limits.own_counts import OwnCounts

GROUP = "sign-in"
WINDOW_SECONDS = 300
TRIES_OF_ADDRESS = 20
# More than per address: somebody else can use these up, and keep a person out for some minutes.
TRIES_FOR_NAME = 50
# Longer than a user name can be.
COUNTED_CHARACTERS = 255

own_counts = OwnCounts()

logger = structlog.get_logger(__name__)


def count_try(request: HttpRequest, name: str = "") -> int:
    """Counts a try. Returns how many seconds to wait; 0 if it is allowed."""
    network = get_network(get_client_address(request.META))
    waits = [count(f"address:{network}", TRIES_OF_ADDRESS)]
    if name:
        # Hashed: if a person types the password into the wrong field, it is stored nowhere.
        waits.append(count(f"name:{hashlib.sha256(fold_name(name).encode()).hexdigest()}", TRIES_FOR_NAME))
    return max(waits)


def find_wait(request: HttpRequest) -> int:
    """How many seconds to wait whose address the provider of single sign-on refused too often. Counts nothing."""
    return count(name_refused(request), TRIES_OF_ADDRESS, add=0)


def count_refused(request: HttpRequest) -> None:
    count(name_refused(request), TRIES_OF_ADDRESS)


def name_refused(request: HttpRequest) -> str:
    return f"refused:{get_network(get_client_address(request.META))}"


def fold_name(name: str) -> str:
    """The same for all spellings of one account. Django's forms normalise a user name to NFKC, unless it is longer than one may be."""
    return unicodedata.normalize("NFKC", name.strip()[:COUNTED_CHARACTERS]).strip().casefold()


def count(caller: str, tries: int, add: int = 1) -> int:
    """Counts `add` tries, one or none. Returns how many seconds to wait for the next."""
    try:
        found = get_usage(None, group=GROUP, key=lambda *_: caller, rate=(tries, WINDOW_SECONDS), increment=bool(add))
    except Exception as error:  # each cache raises its own
        logger.warning("sign_in_limits_unavailable", reason=summarise(error))
        tried, seconds = own_counts.add(caller, WINDOW_SECONDS, add)
        return seconds if tried > tries else 0
    return max(1, int(found["time_left"])) if found["should_limit"] else 0
