"""Passes a secret from the form that made it to the page that shows it: encrypted in the person's session, for minutes, taken out once.

So that page can be reloaded without making another secret. A secret that is not taken in time is shown to nobody.
"""

from __future__ import annotations

import time

from django.http import HttpRequest

from collections_app.encryption import decrypt, encrypt

LIFETIME_SECONDS = 300


def keep_secret(request: HttpRequest, name: str, secret: str) -> None:
    """Keeps a secret for the same person's `take_secret` with this name."""
    request.session[make_key(name)] = [encrypt(secret), time.time() + LIFETIME_SECONDS]


def take_secret(request: HttpRequest, name: str) -> str:
    """The secret that was kept under this name, which is then removed; empty if there is none."""
    encrypted, until = request.session.pop(make_key(name), ("", 0))
    return decrypt(encrypted) if time.time() < until else ""


def make_key(name: str) -> str:
    return f"shown-once:{name}"
