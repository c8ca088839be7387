"""`docsmcp doctor`: reports on everything that the server depends on, a line each, with what to do about what is not well.

Exit code 0, or 1 if something does not work.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from collections_app.management.command_base import OwnCommand
from docsmcp_site.doctor import examine
from docsmcp_site.doctor.findings import State

DOES_NOT_WORK = 1


class Command(OwnCommand):
    help = "Look at database, queue, worker, disk and settings, and say what to do about what is not well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="all findings as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = []
        for finding in examine():
            findings.append(finding)
            if not options["json"]:
                self.stdout.write(str(finding))
        works = all(finding.verdict.state != State.FAIL for finding in findings)
        if options["json"]:
            self.stdout.write(json.dumps({"works": works, "findings": [finding.as_json() for finding in findings]}))
        sys.exit(0 if works else DOES_NOT_WORK)
