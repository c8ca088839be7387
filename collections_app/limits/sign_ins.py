"""How often somebody may try to sign in, or try an invitation: by address, and by user name from wherever.

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
# Somebody else can use these up and keep a person out for some minutes: so there are more of them.
TRIES_FOR_NAME = 50
# More than a user name may have: a longer text is none.
COUNTED_CHARACTERS = 255

own_counts = OwnCounts()

logger = structlog.get_logger(__name__)


def count_try(request: HttpRequest, name: str = "") -> int:
    """Count a try. How many seconds there are to wait; 0 when it is allowed."""
    network = get_network(get_client_address(request.META))
    waits = [count(f"address:{network}", TRIES_OF_ADDRESS)]
    if name:
        # Hashed: a person who types the password into the wrong field leaves it nowhere.
        waits.append(count(f"name:{hashlib.sha256(fold_name(name).encode()).hexdigest()}", TRIES_FOR_NAME))
    return max(waits)


def fold_name(name: str) -> str:
    """The same for all spellings that mean one account: Django's forms make NFKC of a user name that is no longer than one may be."""
    return unicodedata.normalize("NFKC", name.strip()[:COUNTED_CHARACTERS]).strip().casefold()


def count(caller: str, tries: int) -> int:
    try:
        found = get_usage(None, group=GROUP, key=lambda *_: caller, rate=(tries, WINDOW_SECONDS), increment=True)
    except Exception as error:  # each cache raises its own
        logger.warning("sign_in_limits_unavailable", reason=summarise(error))
        tried, seconds = own_counts.add(caller, WINDOW_SECONDS)
        return seconds if tried > tries else 0
    return max(1, int(found["time_left"])) if found["should_limit"] else 0
