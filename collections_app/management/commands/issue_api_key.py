"""`docsmcp issue_api_key NAME`: make an API key. Its secret is printed once, here, and kept nowhere.

Exit code 0, or 2 when none was made.
"""

from __future__ import annotations

from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace
from datetime import datetime
from typing import Any

from django.utils import timezone

from collections_app.access.principal import Scope
from collections_app.activity.audit import COMMAND_LINE, record
from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import (
    DONE,
    MAX_COUNT,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    get_chosen_tenant,
    parse_whole_number,
)
from collections_app.management.key_text import make_report
from collections_app.management.moments import parse_moment, parse_span
from collections_app.provisioning import USUAL_SCOPES, issue_api_key


class Command(DocsCommand):
    help = "Issue an API key for agents. The secret is shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="what the key is for")
        add_tenant_argument(parser)
        parser.add_argument(
            "--collections",
            nargs="*",
            action=TakeList,
            metavar="SLUG",
            help="only these (one,two or one two, may be repeated); without it, all of the tenant's",
        )
        parser.add_argument(
            "--scopes",
            nargs="+",
            action=TakeList,
            metavar="SCOPE",
            help=f"of {', '.join(Scope)}; default {' '.join(USUAL_SCOPES)}",
        )
        parser.add_argument(
            "--rate-limit",
            type=parse_rate,
            metavar="N",
            help="requests in a window; default: the tenant's, else MCP_RATE_LIMIT_REQUESTS",
        )
        parser.add_argument(
            "--expires",
            type=parse_expiry,
            metavar="WHEN",
            help="2027-01-31, 2027-01-31T12:00, or 12h, 30d, 8w from now",
        )
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        name = options["name"] if options["name"] is not None else find_swallowed_name(options)
        collections = options["collections"]
        key, secret = issue_api_key(
            get_chosen_tenant(options),
            name,
            scopes=USUAL_SCOPES if options["scopes"] is None else split(options["scopes"]),
            collections=None if collections is None else split(collections),
            rate_limit=options["rate_limit"],
            expires=options["expires"],
        )
        record(COMMAND_LINE, "add", key)
        if options["json"]:
            self.say_json({**make_report(key), "secret": secret})
            return DONE
        granted = "every collection" if key.all_collections else ", ".join(split(collections or [])) or "no collection"
        until = f" until {key.expires:%Y-%m-%d %H:%M} UTC" if key.expires else ""
        self.say(
            f"API key {key.prefix}… for {key.name!r}: {', '.join(key.scopes)} in {granted} of {key.tenant}{until}."
        )
        self.say("It cannot be shown again:")
        self.stdout.write(secret)
        return DONE


class TakeList(Action):
    """Adds what follows the option to its list, and remembers which option was the last."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None) -> None:
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), *values])
        namespace.last_list = self.dest


def find_swallowed_name(options: dict[str, Any]) -> str:
    """The name, where it is the last word behind a list: `--collections one two NAME`."""
    words: list[str] = options.get(options.get("last_list", ""), [])
    if len(words) < 2:
        raise InvalidParameter(
            "A key needs a name: say what it is for, as in `issue_api_key NAME --collections one,two`."
        )
    return words.pop()


def split(values: list[str]) -> list[str]:
    """`read ask`, `read,ask`, `"read, ask"` and all mixed."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def parse_rate(text: str) -> int:
    return parse_whole_number(text, MAX_COUNT, "is no number of requests: give a whole number")


def parse_expiry(text: str) -> datetime:
    now = timezone.now()
    span = parse_span(text)
    try:
        moment = parse_moment(text) if span is None else now + span
    except OverflowError:
        raise ArgumentTypeError(f"{text!r} is too far away") from None
    if moment <= now:
        raise ArgumentTypeError(f"{text!r} is in the past")
    return moment
