"""`docsmcp tenants list | limit`: what each tenant has stored of what it may; how much that is.

Exit code 0, or 2 (there is no such tenant, or nothing to change).
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from typing import Any

from collections_app.activity.audit import COMMAND_LINE, record
from collections_app.exceptions import InvalidParameter
from collections_app.limits.quotas import Storage, change_limits, get_storage
from collections_app.management.command_base import DONE, DocsCommand, add_json_argument, add_verbosity_argument
from collections_app.management.tables import format_table
from collections_app.models import Tenant
from collections_app.provisioning import get_tenant

HEADINGS = ("TENANT", "DOCUMENTS", "OF", "BYTES", "OF")
LIMITS = ("max_documents", "max_bytes")
USUAL = "default"
# Python takes a number of a few thousand; one of so many is too large for anything.
MAX_DIGITS = 40


class Command(DocsCommand):
    help = "List tenants with what they have stored, or limit what one may store."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|limit")
        listing = actions.add_parser("list", help="what each has stored, and may")
        limiting = actions.add_parser("limit", help="give a tenant limits of its own")
        limiting.add_argument("tenant", metavar="TENANT", help="its slug")
        for name, what in zip(LIMITS, ("documents", "bytes of their files"), strict=True):
            limiting.add_argument(
                f"--{name.replace('_', '-')}",
                type=parse_limit,
                default=SUPPRESS,
                metavar="N",
                help=f"{what}: a number, 0 for any, or the word {USUAL} for the setting's",
            )
        for action in (listing, limiting):
            add_json_argument(action)
            add_verbosity_argument(action)

    def act(self, options: dict[str, Any]) -> int:
        is_list = options["action"] == "list"
        tenants = Tenant.objects.all() if is_list else [self.limit(get_tenant(options["tenant"]), options)]
        stored = [(tenant.slug, get_storage(tenant.pk)) for tenant in tenants]
        table = format_table(HEADINGS, [make_row(slug, storage) for slug, storage in stored])
        self.tell_result(
            options, {"tenants": [{"tenant": slug, **storage.describe()} for slug, storage in stored]}, table
        )
        return DONE

    def limit(self, tenant: Tenant, options: dict[str, Any]) -> Tenant:
        limits = {name: options[name] for name in LIMITS if name in options}
        if not limits:
            raise InvalidParameter("Say what to change: --max-documents, --max-bytes, or both.")
        change_limits(tenant, limits)
        record(COMMAND_LINE, "change", tenant, details=f"Changed {', '.join(limits)}.")
        return tenant


def make_row(slug: str, storage: Storage) -> tuple[str, ...]:
    documents, size_bytes = f"{storage.documents:,}", f"{storage.size_bytes:,}"
    return slug, documents, format_limit(storage.max_documents), size_bytes, format_limit(storage.max_bytes)


def format_limit(limit: int) -> str:
    return f"{limit:,}" if limit else "any"


def parse_limit(text: str) -> int | None:
    """A number, or None for the setting's, for argparse. How large it may be is said where it is kept."""
    if text == USUAL:
        return None
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"{text[:40]!r} is no limit: give a whole number, 0 for any, or {USUAL}")
    return int(text[:MAX_DIGITS])
