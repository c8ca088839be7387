"""`docsmcp changepassword NAME`: Django's, which asks for a new password."""

from __future__ import annotations

from django.contrib.auth.management.commands import changepassword

from docsmcp_site.management.account_command import AccountCommand


class Command(AccountCommand, changepassword.Command):
    help = "Give an account another password."
