"""`docsmcp jobs list | show | cancel | retry`: what the ingest jobs do and did, and what became of each file.

Exit code 0, 1 (`show --follow`: the job did not succeed) or 2 (there is no such job, or it is not in a state for that).
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.db.models import QuerySet

from collections_app import jobs
from collections_app.exceptions import JobNotFound
from collections_app.management.command_base import (
    DONE,
    SOME_FAILED,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    add_tenants_argument,
    add_verbosity_argument,
    choose_collections,
    find_chosen_tenant,
    get_chosen_tenant,
    is_one_named,
    name_collection,
    parse_count,
)
from collections_app.management.job_text import describe_state, format_job, format_jobs, make_file_report, make_report
from collections_app.management.progress import CountProgress
from collections_app.models import IngestJob
from collections_app.reports.jobs import (
    count_cleaned,
    count_outcomes,
    count_unchanged,
    get_job,
    list_shared_reasons,
    rank_outcomes,
)

FOLLOWED_SECONDS = 3600.0
NO_JOBS = "There are no jobs."


class Command(DocsCommand):
    help = "List ingest jobs, show one with what became of each file, cancel or retry one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|cancel|retry")
        listing = actions.add_parser("list", help="the newest first")
        listing.add_argument("--collection", metavar="SLUG")
        listing.add_argument("--state", choices=IngestJob.State.values)
        showing = actions.add_parser("show", help="one job; what failed comes first")
        showing.add_argument("--follow", action="store_true", help="until it has ended")
        for action in (listing, showing):
            action.add_argument(
                "--limit", type=parse_count, default=20, metavar="N", help="so many rows; default: %(default)s"
            )
        cancelling = actions.add_parser("cancel", help="end it; what it has done stays")
        retrying = actions.add_parser("retry", help="a new job for what failed, was cancelled or was not reached")
        for action in (showing, cancelling, retrying):
            action.add_argument("id", type=int, metavar="ID")
        add_tenants_argument(listing)
        for action in (showing, cancelling, retrying):
            add_tenant_argument(action)
        for action in (listing, showing, cancelling, retrying):
            add_json_argument(action)
            add_verbosity_argument(action)

    def act(self, options: dict[str, Any]) -> int:
        if options["action"] == "list":
            return self.list_jobs(options)
        job = get_chosen_job(options)
        if options["action"] == "show":
            return self.show(job, options)
        if options["action"] == "cancel":
            return self.tell_state(jobs.cancel_job(job), options)
        return self.tell_state(jobs.retry_job(job, requested_by="jobs retry"), options)

    def list_jobs(self, options: dict[str, Any]) -> int:
        chosen = list(find_jobs(options)[: options["limit"]])
        text = format_jobs(chosen, lambda each: name_collection(each, options)) if chosen else NO_JOBS
        self.tell_result(options, {"jobs": [make_report(job) for job in chosen]}, text)
        return DONE

    def show(self, job: IngestJob, options: dict[str, Any]) -> int:
        if options["follow"]:
            job = self.follow(job, is_quiet=options["verbosity"] == 0)
        outcomes, files = count_outcomes(job), list(rank_outcomes(job)[: options["limit"]])
        if options["json"]:
            told = {"outcomes": outcomes, "cleaned": count_cleaned(job), **count_unchanged(job)._asdict()}
            self.say_json({**make_report(job), **told, "files": [make_file_report(file) for file in files]})
        else:
            self.stdout.write(format_job(job, outcomes, list_shared_reasons(job), files))
        return SOME_FAILED if options["follow"] and job.state != IngestJob.State.SUCCEEDED else DONE

    def follow(self, job: IngestJob, *, is_quiet: bool) -> IngestJob:
        """Until it has ended. Ctrl-C ends the following, not the job."""
        with CountProgress(self.stderr, f"Job {job.pk}", "files", is_quiet=is_quiet) as progress:
            while job.is_unfinished:
                for seen in jobs.wait_for_job(job, FOLLOWED_SECONDS):
                    job = seen
                    progress.show_count(job.done, job.total or job.done)
        return job

    def tell_state(self, job: IngestJob, options: dict[str, Any]) -> int:
        self.tell_result(options, make_report(job), f"Job {job.pk}: {describe_state(job)}")
        return DONE


def get_chosen_job(options: dict[str, Any]) -> IngestJob:
    """The tenant's. Raises JobNotFound."""
    tenant = get_chosen_tenant(options)
    try:
        return get_job(choose_collections(options), options["id"])
    except JobNotFound:
        raise JobNotFound(
            f"Tenant {tenant.slug!r} has no job {options['id']}: `docsmcp jobs list` names those there are, "
            "`docsmcp jobs list --all-tenants` those of every tenant."
        ) from None


def find_jobs(options: dict[str, Any]) -> QuerySet[IngestJob]:
    """The tenant's, or all there are, the newest first."""
    tenant = find_chosen_tenant(options)
    found = IngestJob.objects.select_related("collection__tenant", "source")
    if tenant:
        found = found.filter(tenant=tenant)
    if is_one_named(options):
        found = found.filter(collection__in=choose_collections(options))
    if options["state"]:
        found = found.filter(state=options["state"])
    return found.order_by("-pk")
