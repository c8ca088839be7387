"""`docsmcp api_keys list | rotate | revoke`: which API keys there are; a new secret for one, printed once; the end of one.

Exit code 0, or 2 (there is no such key, or it is not in a state for that).
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from collections_app.access.api_keys import DEFAULT_OVERLAP, end_old_secret, get_api_key, revoke_api_key, rotate_api_key
from collections_app.activity.audit import COMMAND_LINE, record
from collections_app.management.command_base import (
    DONE,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    add_tenants_argument,
    add_verbosity_argument,
    find_chosen_tenant,
    get_chosen_tenant,
)
from collections_app.management.key_text import format_keys, format_minute, make_report
from collections_app.management.moments import parse_span
from collections_app.models import ApiKey


class Command(DocsCommand):
    help = "List API keys, give one a new secret while the old one goes on for a while, or revoke one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|rotate|revoke")
        listing = actions.add_parser("list", help="the newest first; secrets are never shown")
        rotating = actions.add_parser("rotate", help="a new secret, printed once; the old one works for --overlap more")
        rotating.add_argument(
            "--overlap",
            type=parse_overlap,
            default=DEFAULT_OVERLAP,
            metavar="SPAN",
            help="0 (at once), or 12h, 7d, 2w; default: 24h",
        )
        revoking = actions.add_parser("revoke", help="at once, for good")
        revoking.add_argument("--old-only", action="store_true", help="only the secret that rotation replaced")
        for action in (rotating, revoking):
            action.add_argument("key", metavar="KEY", help="its prefix, or its name")
        add_tenants_argument(listing)
        for action in (rotating, revoking):
            add_tenant_argument(action)
        for action in (listing, rotating, revoking):
            add_json_argument(action)
            add_verbosity_argument(action)

    def act(self, options: dict[str, Any]) -> int:
        if options["action"] == "list":
            return self.list_keys(options)
        key = get_api_key(get_chosen_tenant(options), options["key"])
        if options["action"] == "rotate":
            return self.rotate(key, options)
        return self.revoke(key, options)

    def list_keys(self, options: dict[str, Any]) -> int:
        tenant = find_chosen_tenant(options)
        known = ApiKey.objects.given_to_agents()
        known = known.filter(tenant=tenant) if tenant else known
        keys = list(known.select_related("tenant").prefetch_related("collections"))
        nothing = "There are no keys: `docsmcp issue_api_key NAME` makes one."
        text = format_keys(keys, with_tenant=tenant is None) if keys else nothing
        self.tell_result(options, {"keys": [make_report(key) for key in keys]}, text)
        return DONE

    def rotate(self, key: ApiKey, options: dict[str, Any]) -> int:
        secret = rotate_api_key(key, options["overlap"])
        record(COMMAND_LINE, "rotate", key, details=f"The secret {key.old_prefix}… is followed by {key.prefix}….")
        if options["json"]:
            self.say_json({**make_report(key), "secret": secret})
            return DONE
        until = f"works until {format_minute(key.old_expires)}" if options["overlap"] else "works no more"
        self.say(f"{key.name}: the secret {key.old_prefix}… {until}. The new one cannot be shown again:")
        self.stdout.write(secret)
        return DONE

    def revoke(self, key: ApiKey, options: dict[str, Any]) -> int:
        (end_old_secret if options["old_only"] else revoke_api_key)(key)
        record(COMMAND_LINE, "end the old secret of" if options["old_only"] else "revoke", key)
        what = f"the secret {key.old_prefix}… of {key.name}" if options["old_only"] else str(key)
        self.tell_result(options, make_report(key), f"Revoked: {what}")
        return DONE


def parse_overlap(text: str) -> timedelta:
    span = timedelta(0) if text == "0" else parse_span(text)
    if span is None:
        raise ArgumentTypeError(f"{text!r} is no span: write 0, or 12h, 7d, 2w")
    return span
