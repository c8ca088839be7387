"""`docsmcp issue_api_key NAME`: make an API key. Its secret is printed once, here, and kept nowhere."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from collections_app.principal import Scope
from collections_app.provisioning import DEFAULT_TENANT, get_tenant, issue_api_key

SPAN = re.compile(r"(\d{1,5})([hdw])")
UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class Command(BaseCommand):
    help = "Issue an API key for agents. The secret is shown once."
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the key is for")
        parser.add_argument("--tenant", default=DEFAULT_TENANT, metavar="SLUG")
        parser.add_argument(
            "--collections", nargs="*", metavar="SLUG", help="only these; without it, all of the tenant's"
        )
        parser.add_argument(
            "--scopes",
            nargs="+",
            default=[Scope.READ, Scope.ASK],
            metavar="SCOPE",
            help=f"of {', '.join(Scope)}; default read ask",
        )
        parser.add_argument(
            "--expires",
            type=parse_expiry,
            metavar="WHEN",
            help="2027-01-31, 2027-01-31T12:00, or 12h, 30d, 8w from now",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        collections = options["collections"]
        key, secret = issue_api_key(
            get_tenant(options["tenant"]),
            options["name"],
            scopes=split(options["scopes"]),
            collections=None if collections is None else split(collections),
            expires=options["expires"],
        )
        granted = "every collection" if key.all_collections else ", ".join(split(collections or [])) or "no collection"
        until = f" until {key.expires:%Y-%m-%d %H:%M} UTC" if key.expires else ""
        self.stderr.write(
            f"API key {key.prefix}… for {key.name!r}: {', '.join(key.scopes)} in {granted} of {key.tenant}{until}.", str
        )
        self.stderr.write("It cannot be shown again:", str)
        self.stdout.write(secret)


def split(values: list[str]) -> list[str]:
    """`read ask`, `read,ask` and both mixed."""
    return [part for value in values for part in value.split(",") if part]


def parse_expiry(text: str) -> datetime:
    now = timezone.now()
    try:
        if span := SPAN.fullmatch(text):
            moment = now + timedelta(**{UNITS[span[2]]: int(span[1])})
        elif day := parse_date(text):
            moment = timezone.make_aware(datetime(day.year, day.month, day.day))
        else:
            parsed = parse_datetime(text)
            if parsed is None:
                raise ValueError
            moment = parsed if timezone.is_aware(parsed) else timezone.make_aware(parsed)
    except (ValueError, OverflowError):
        raise ArgumentTypeError(f"{text!r} is no date: write 2027-01-31, 2027-01-31T12:00, or 12h, 30d, 8w") from None
    if moment <= now:
        raise ArgumentTypeError(f"{text!r} is in the past")
    return moment
