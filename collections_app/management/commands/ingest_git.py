"""`docsmcp ingest_git URL --collection SLUG`: bring a collection up to a Git repository, now or in the background.

A token is taken from an environment variable or standard input, never from an argument, which every user of the machine
can see. It is kept encrypted for the next refresh. Exit code 0, 1 (some files failed) or 2 (nothing done).
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.db import transaction

from collections_app import jobs
from collections_app.clients.git import GitRemote
from collections_app.exceptions import InvalidParameter
from collections_app.jobs.source_rows import name_git_location
from collections_app.management.ingest_command import (
    IngestCommand,
    add_ingest_arguments,
    add_remote_arguments,
    make_options,
)
from collections_app.models import Collection, Source
from collections_app.source_intake import pick_choice
from collections_app.sources.git import GitOptions, GitReading


class Command(IngestCommand):
    help = (
        "Ingest the documents of a Git repository into a collection: the newest commit of a branch or tag, over https."
    )
    requested_by = "ingest_git"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", metavar="URL", help="as for `git clone`, https only")
        add_ingest_arguments(parser)
        parser.add_argument("--branch", default="", metavar="NAME", help="branch or tag; default: the repository's own")
        parser.add_argument("--folder", default="", metavar="PATH", help="only what is below it")
        token = parser.add_mutually_exclusive_group()
        token.add_argument("--token-env", metavar="NAME", help="the environment variable that holds the access token")
        token.add_argument("--token-stdin", action="store_true", help="read the access token from standard input")
        add_remote_arguments(parser)

    def ingest(self, options: dict[str, Any]) -> int:
        git = make_options(GitOptions, branch=options["branch"], folder=options["folder"])
        token = read_token(options)
        choice = pick_choice(options)
        if options["dry_run"]:
            collection = self.find_collection(options)
            remote = GitRemote(options["url"], token or "", settings.DOCSMCP.fetch_allowed_hosts)
            with GitReading(remote, git, choice) as reading:
                return self.rehearse(collection, reading, find_source(collection, options["url"], git), options)
        with transaction.atomic():
            source = jobs.ensure_git_source(
                self.open_collection(options),
                options["url"],
                git,
                choice,
                refresh_interval_seconds=options["refresh"],
                token=token,
            )
        return self.run_or_queue(source, options)


def find_source(collection: Collection, url: str, git: GitOptions) -> Source | None:
    location = name_git_location(url, git)
    return Source.objects.filter(collection=collection.pk, kind=Source.Kind.GIT, location=location).first()


def read_token(options: dict[str, Any]) -> str | None:
    """None where none is given: one that the source has stays. Raises InvalidParameter."""
    if (name := options["token_env"]) is not None:
        token = os.environ.get(name, "").strip()
        where = f"The environment variable {name!r} is not set, or empty."
    elif options["token_stdin"]:
        token = sys.stdin.readline().strip()
        where = "There is no token on standard input."
    else:
        return None
    if not token:
        raise InvalidParameter(f"{where} Give the access token there, or none of --token-env and --token-stdin.")
    return token
