"""Every form, with what no browser would send in one of its fields or several: an answer each time, and never a failure of ours."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes, urlencode

from django.contrib import admin

from tests.fuzz.conftest import EXAMPLES, IS_LONG, Asker
from tests.fuzz.test_requests import HOSTILE, LEFT_OUT, loose_paths
from tests.running_server import RunningServer
from tests.strangers import iter_routes

__all__ = ["loose_paths"]

FORM = "application/x-www-form-urlencoded"
FIELDS = (
    "tenant", "collection", "in", "source", "key", "granted", "path", "question", "term", "synonym", "typed", "name", "slug", "email",
    "role", "scopes", "language", "content_policy", "post", "hours", "action", "_selected_action", "index", "select_across", "kind",
    "location", "include", "exclude", "max_file_bytes", "refresh_interval_seconds", "options", "expires_0", "expires_1", "rate_limit",
    "username", "password", "password1", "password2", "files", "text", "url", "token", "next", "_popup", "_save", "_continue",
    "synonyms-TOTAL_FORMS", "synonyms-INITIAL_FORMS", "synonyms-0-term", "pins-TOTAL_FORMS", "pins-INITIAL_FORMS", "pins-0-path",
)  # fmt: skip
VALUES = (*map(unquote_to_bytes, HOSTILE), b"1", b"", b"on", b"[]", b"{}", b"default", b"handbook", b"guide.md")


def iter_forms() -> Iterator[str]:
    """Each address that takes no expression, about the first row of its kind; signing out and new passwords would end the session."""
    for route in dict.fromkeys(iter_routes()):
        if "(" not in route and route not in LEFT_OUT and "password" not in route and not route.startswith("api/"):
            yield "/" + re.sub("<[^>]+>", "1", route)
    for model in admin.site._registry:
        yield f"/admin/collections_app/{model._meta.model_name}/"


def test_no_field_makes_a_form_fail(asker: Asker, server: RunningServer) -> None:
    chance = random.Random(None if IS_LONG else 8)
    forms = sorted(set(iter_forms()))
    for _ in range(20 * EXAMPLES):
        fields = {name: chance.choice(VALUES) for name in chance.sample(FIELDS, chance.randint(1, 12))}
        asker.ask("POST", chance.choice(forms), urlencode(fields).encode(), {"Content-Type": FORM})
    assert not asker.faults, "\n".join(asker.faults)
