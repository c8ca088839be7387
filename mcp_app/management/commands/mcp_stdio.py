"""`docsmcp mcp_stdio [--collection NAME]`: the same server over stdin and stdout, for hosts that start their servers.

Whoever may start a command here may read the database anyway, so without a key the caller reads everything of one tenant. With
a key in DOCSMCP_API_KEY, the key's grants and scopes apply. (A flag would show the key in the list of processes.)
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import close_old_connections

from collections_app.access.authentication import InvalidCredential, authenticate
from collections_app.access.principal import Principal, Scope
from collections_app.activity.usage import writing
from collections_app.catalog.names import choose_collections
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import OwnCommand
from collections_app.provisioning import DEFAULT_TENANT, get_tenant
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.transports.stdio import guarded_output, serve

KEY_VARIABLE = "DOCSMCP_API_KEY"


class Command(OwnCommand):
    help = (
        "Speak MCP on stdin and stdout: one JSON message a line; logs on stderr. Reads what the tenant has, "
        f"or what the API key in {KEY_VARIABLE} may read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", metavar="NAME", help="only this one: its slug, or tenant/slug")
        parser.add_argument("--tenant", default=DEFAULT_TENANT, metavar="SLUG", help="whose; a key has its own")

    def handle(self, *args: Any, **options: Any) -> None:
        with writing(), guarded_output() as messages:
            identify = make_identify(os.environ.get(KEY_VARIABLE, ""), options["tenant"])
            narrowed_to = choose_collection(identify(), options["collection"])
            serve(sys.stdin.buffer, messages, get_dispatcher(), partial(after_rest, identify), narrowed_to)


def make_identify(key: str, tenant: str) -> Callable[[], Principal]:
    """Returns a function that says who asks: the key, looked up anew each time since it may be revoked, or the local operator."""
    if key:
        identify = partial(authenticate, key)
    else:
        scopes = frozenset({Scope.READ, Scope.ASK})
        identify = partial(Principal, scopes, tenant_id=get_tenant(tenant).pk, all_collections=True, label="local")
    try:
        identify()
    except InvalidCredential:
        raise InvalidParameter(
            f"The API key in {KEY_VARIABLE} is not valid, has expired or was revoked: `docsmcp api_keys list` tells."
        ) from None
    return identify


def after_rest(identify: Callable[[], Principal]) -> Principal:
    """The process may wait for hours, so a connection that was lost meanwhile is replaced, as between HTTP requests."""
    close_old_connections()
    return identify()


def choose_collection(principal: Principal, name: str | None) -> tuple[str, str] | None:
    """The tenant and slug to narrow to, as at an endpoint. Raises CollectionNotFound with the names there are."""
    if name is None:
        return None
    [collection] = choose_collections(get_visible_collections(principal), name)
    return collection.tenant.slug, collection.slug
