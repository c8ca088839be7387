"""What the commands over collections share: how they are told which one, how they refuse, and their exit codes.

A command ends with 0 (done), 1 (some of it failed, or what it needs is away), 2 (nothing done: what was asked for is wrong, or not there),
or 130 after Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, _ActionsContainer
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.models import Collection, Tenant
from collections_app.provisioning import DEFAULT_TENANT, get_collection, get_tenant
from collections_app.text.control_characters import make_tellable

DONE, SOME_FAILED, NOTHING_DONE = 0, 1, 2
MAX_COUNT = 1_000_000
# What the machine says whatever was asked for: its disk is full, broken or read-only, or there is a limit.
AWAY = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO}


class OwnCommand(BaseCommand):
    """A command whose help tells of its own options. Django's, which make up half of it otherwise, work all the same."""

    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)
    suppressed_base_arguments = {"--version", "--settings", "--pythonpath", "--no-color", "--force-color"}  # noqa: RUF012  (the same)


class DocsCommand(OwnCommand):
    """A command whose `act` gives the exit code; an error that it raises is printed, with --json as an object too."""

    def handle(self, *args: Any, **options: Any) -> NoReturn:
        try:
            code = self.act(options)
        except DocsError as error:
            self.refuse(error, as_json=options["json"])
            code = SOME_FAILED if is_away(error.__cause__) else NOTHING_DONE
        sys.exit(code)

    def act(self, options: dict[str, Any]) -> int:
        raise NotImplementedError

    def refuse(self, error: DocsError, *, as_json: bool) -> None:
        self.stderr.write(error.sentence)
        if as_json:
            self.say_json({"error": {"code": error.code, "message": error.sentence}})

    def say_json(self, report: dict[str, Any]) -> None:
        """The one object on standard output."""
        self.stdout.write(json.dumps(report, default=lambda moment: moment.isoformat()))

    def tell(self, options: dict[str, Any], sentence: str) -> None:
        """On standard output, where no JSON is asked for."""
        if not options["json"]:
            self.stdout.write(sentence)

    def tell_result(self, options: dict[str, Any], report: dict[str, Any], text: str) -> None:
        """In the form that is asked for."""
        if options["json"]:
            self.say_json(report)
        else:
            self.stdout.write(text)

    def say(self, sentence: str) -> None:
        """On standard error, and not in the red of errors."""
        self.stderr.write(make_tellable(sentence), str)


def is_away(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in AWAY


def add_tenant_argument(parser: _ActionsContainer) -> None:
    parser.add_argument("--tenant", default=DEFAULT_TENANT, metavar="SLUG", help="default: %(default)s")


def add_tenants_argument(parser: ArgumentParser) -> None:
    """For what can be done to one tenant or to all; which, the functions below tell of the options."""
    chosen = parser.add_mutually_exclusive_group()
    add_tenant_argument(chosen)
    chosen.add_argument(
        "--all-tenants", action="store_true", help="what every tenant has; collections are named TENANT/SLUG then"
    )


def add_json_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the result as one line of JSON on standard output")


def add_verbosity_argument(parser: ArgumentParser) -> None:
    """For an action: Django's own option would not be understood behind its name."""
    parser.add_argument("-v", "--verbosity", type=int, choices=range(4), default=SUPPRESS, help="0: no progress")


def parse_count(text: str) -> int:
    """How many, for argparse."""
    return parse_whole_number(text, MAX_COUNT, "is no number of rows: give a whole number")


def parse_whole_number(text: str, most: int, objection: str) -> int:
    """From 1 to `most`. Raises ArgumentTypeError with the text, the objection and the bounds."""
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    if not digits or len(digits) > len(str(most)) or int(digits) > most:
        raise ArgumentTypeError(f"{text[:40]!r} {objection} from 1 to {most}")
    return int(digits)


def choose_collections(options: dict[str, Any]) -> list[Collection]:
    """The one that `collection` names, or all of the chosen tenants. Raises CollectionNotFound, and InvalidParameter, also for an empty
    name, as an unset variable of a script gives it."""
    tenant = find_chosen_tenant(options)
    if tenant is None:
        return list(Collection.objects.select_related("tenant"))
    if is_one_named(options):
        return [get_collection(tenant, options["collection"])]
    return list(tenant.collections.select_related("tenant"))


def is_one_named(options: dict[str, Any]) -> bool:
    """Whether it is about one collection, be its name empty."""
    return options.get("collection") is not None


def find_chosen_tenant(options: dict[str, Any]) -> Tenant | None:
    """None where all are. Raises InvalidParameter, also for a collection of all tenants."""
    if not options.get("all_tenants"):
        return get_chosen_tenant(options)
    if is_one_named(options):
        raise InvalidParameter("--collection is one tenant's: name that by --tenant instead of --all-tenants.")
    return None


def name_collection(collection: Collection, options: dict[str, Any]) -> str:
    return collection.told_with_tenant if options.get("all_tenants") else collection.slug


def get_chosen_tenant(options: dict[str, Any]) -> Tenant:
    return get_tenant(options["tenant"])
