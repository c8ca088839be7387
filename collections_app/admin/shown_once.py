"""A secret on its way from the form that made it to the page that shows it: encrypted in the person's session, for minutes, taken out once.

So the page can be loaded again, and makes no other secret. What is not taken in time is shown to nobody.
"""

from __future__ import annotations

import time

from django.http import HttpRequest

from collections_app.encryption import decrypt, encrypt

LIFETIME_SECONDS = 300


def keep_secret(request: HttpRequest, name: str, secret: str) -> None:
    """Keep a secret for the same person's `take_secret` with this name."""
    request.session[make_key(name)] = [encrypt(secret), time.time() + LIFETIME_SECONDS]


def take_secret(request: HttpRequest, name: str) -> str:
    """The secret that was kept by this name, and is no longer; empty where there is none."""
    encrypted, until = request.session.pop(make_key(name), ("", 0))
    return decrypt(encrypted) if time.time() < until else ""


def make_key(name: str) -> str:
    return f"shown-once:{name}"
