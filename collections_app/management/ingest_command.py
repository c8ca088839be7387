"""What the commands that run a source share: their options, the run with its progress or its place in the queue, the report."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any, TypeVar

from django.conf import settings
from pydantic import BaseModel, ValidationError

from collections_app import jobs
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.ingest import IngestedFile, Outcome
from collections_app.jobs import Summary
from collections_app.management.command_base import (
    DONE,
    NOTHING_DONE,
    SOME_FAILED,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    get_chosen_tenant,
    parse_whole_number,
)
from collections_app.management.progress import IngestProgress
from collections_app.models import Collection, IngestJob, Source
from collections_app.naming.translations import describe_translations
from collections_app.naming.version_folders import describe_outdated
from collections_app.provisioning import ensure_collection, find_collection, write_tenant_option
from collections_app.removal.sources import remove_source
from collections_app.reports.jobs import (
    count_cleaned,
    count_unchanged,
    describe_cleaned,
    describe_left_out,
    describe_unchanged,
)
from collections_app.sources import Reading

MAX_SIZE_BYTES = 2**40
PRUNE_HELP = (
    "remove this source's documents that a complete run does not find, however many: they are gone, or not included"
)
# Of the documents that a run did not find, so many are named.
NAMED_UNFOUND = 3
NOTHING_FOUND = "No document was found there: nothing done."
NOT_PRUNED = (
    "What is gone was not removed: this run did not see all of the source, because of what failed or of a limit."
)
HOW_TO_INCLUDE = "--include says which files to take."
OF_PATHS = "A pattern with a slash is of a path from there on (`guide/**`), any other of a name in any folder (`*.md`)."
BY_EXTENSION = f"Files are taken by their extension, of those without one only README. {HOW_TO_INCLUDE}"

# Of pydantic's errors, by type: what the option takes.
ALLOWED = {
    "greater_than_equal": "give {ge} or more",
    "less_than_equal": "give {le} or less",
    "string_too_long": "give at most {max_length} characters",
    "string_pattern_mismatch": "--help says what it takes",
    "value_error": "{error}",
}

Options = TypeVar("Options", bound=BaseModel)


class IngestCommand(DocsCommand):
    """A command that brings documents in, which its `ingest` does, also as a rehearsal. `requested_by` stands on its jobs."""

    requested_by: str
    made: Collection | None = None

    def act(self, options: dict[str, Any]) -> int:
        check_numbers(options)
        return self.ingest(options)

    def ingest(self, options: dict[str, Any]) -> int:
        """The exit code. Raises DocsError, and has made nothing then."""
        raise NotImplementedError

    def find_collection(self, options: dict[str, Any]) -> Collection:
        """For a rehearsal: one that is unknown is not made, and not saved."""
        tenant = get_chosen_tenant(options)
        return find_collection(tenant, options["collection"]) or Collection(pk=0, tenant=tenant)

    def open_collection(self, options: dict[str, Any]) -> Collection:
        """Made if it is unknown, and then given up again if nothing can be read for it."""
        tenant, slug = get_chosen_tenant(options), options["collection"]
        if known := find_collection(tenant, slug):
            return known
        self.made = ensure_collection(tenant, slug)
        return self.made

    def run_or_queue(self, source: Source, options: dict[str, Any]) -> int:
        """The exit code; with --background as soon as the job is kept. A new source that cannot be read is not kept for the schedule."""
        if not options["background"]:
            is_new = not source.jobs.exists()
            try:
                return self.run(source, options)
            except DocsError:
                if is_new and not source.documents.exists():
                    self.give_up(source)
                raise
        prune = options["prune"]
        job = jobs.start_job(source, prune=prune, accepts_removals=prune, requested_by=self.requested_by)
        report = {"job": job.pk, "source": source.pk, "state": job.state}
        self.tell_result(options, report, f"Job {job.pk} is queued: `{write_show(job)} --follow` tells how it goes.")
        return DONE

    def give_up(self, source: Source) -> None:
        """With the collection that was made for it, unless somebody has put something else there meanwhile."""
        remove_source(source)
        if self.made and not (self.made.sources.exists() or self.made.documents.exists()):
            self.made.delete()

    def run(self, source: Source, options: dict[str, Any], reading: Reading | None = None) -> int:
        """`reading` is the source's, entered already."""
        progress = IngestProgress(self.stderr, is_quiet=options["verbosity"] == 0)
        try:
            with progress:
                job, summary = jobs.run_source(
                    source,
                    prune=options["prune"],
                    accepts_removals=options["prune"],
                    requested_by=self.requested_by,
                    on_file=progress.show,
                    reading=reading,
                )
        except KeyboardInterrupt:
            listing = f"docsmcp jobs list{write_tenant_option(source.tenant)}"
            self.say(f"Stopped. What was written stays; `{listing}` has the job, which is cancelled.")
            raise
        except jobs.Cancelled as ended:
            return self.tell_cancelled(ended.job, options)
        self.report(summary, progress.failures, options, job)
        return choose_exit_code(summary, job)

    def tell_cancelled(self, job: IngestJob, options: dict[str, Any]) -> int:
        self.say(describe_cancelled(job))
        if options["json"]:
            self.say_json({"job": job.pk, "state": job.state, "dry_run": False})
        return SOME_FAILED

    def rehearse(self, collection: Collection, reading: Reading, source: Source | None, options: dict[str, Any]) -> int:
        """Say what a run would do. The collection need not be saved; `source` is the one that there is already."""
        progress = IngestProgress(self.stderr, is_quiet=options["verbosity"] == 0, with_warnings=True)
        with progress:
            summary = jobs.foresee(collection, reading, source=source, prune=options["prune"], on_file=progress.show)
        self.report(summary, progress.failures, options)
        return choose_exit_code(summary)

    def report(
        self, summary: Summary, failures: list[IngestedFile], options: dict[str, Any], job: IngestJob | None = None
    ) -> None:
        if options["json"]:  # either reads what the other would read again
            self.say_json(make_report(summary, failures, job, dry_run=options["dry_run"]))
        else:
            told = describe(summary, job) if summary.outcomes else describe_nothing(summary, options.get("include", ()))
            self.stdout.write(told)
        if job and job.error_message:
            self.stderr.write(job.error_message)


def add_ingest_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, metavar="SLUG", help="made if it is unknown")
    add_tenant_argument(parser)
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="only these paths (repeatable)")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="not these paths (repeatable)")
    parser.add_argument(
        "--max-file-bytes",
        type=parse_size,
        default=settings.DOCSMCP.max_file_bytes,
        metavar="N",
        help="the largest file taken",
    )
    parser.add_argument("--prune", action="store_true", help=PRUNE_HELP)
    parser.add_argument("--dry-run", action="store_true", help="say what would be done and write nothing")
    add_json_argument(parser)


def add_remote_arguments(parser: ArgumentParser) -> None:
    """What only sources have that a schedule refreshes."""
    parser.add_argument(
        "--refresh", type=parse_seconds, metavar="SECONDS", help="look again this often; 0: never; default: once a day"
    )
    add_background_argument(parser)


def add_background_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--background", action="store_true", help="leave it to the queue, and return at once")


def check_numbers(options: dict[str, Any]) -> None:
    """Raises InvalidParameter for those that a source of this installation cannot have, which a dry run would not see."""
    jobs.choose_max_file_bytes(options["max_file_bytes"])
    if options.get("refresh") is not None:
        jobs.check_interval(options["refresh"])


def parse_size(text: str) -> int:
    """A number of bytes, for argparse."""
    return parse_whole_number(text, MAX_SIZE_BYTES, "is no size: give a whole number of bytes")


def parse_seconds(text: str) -> int:
    """A refresh interval, for argparse."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ArgumentTypeError(f"{text[:40]!r} is no interval: give a whole number of seconds, or 0 for never")
    return int(text)


def make_options(model: type[Options], **values: Any) -> Options:
    """The source's own options, checked. Raises InvalidParameter, which names the first that is wrong."""
    try:
        return model(**values)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        flag = str(problem["loc"][0]).replace("_", "-")
        allowed = ALLOWED.get(problem["type"], problem["msg"]).format(**problem.get("ctx", {})).rstrip(".")
        raise InvalidParameter(f"--{flag} {problem['input']!r}: {allowed}.") from None


def choose_exit_code(summary: Summary, job: IngestJob | None = None) -> int:
    if summary.files == summary.failed and not summary.outcomes[Outcome.REMOVED]:
        return NOTHING_DONE
    has_failed = summary.failed or (job and job.state != IngestJob.State.SUCCEEDED)
    return SOME_FAILED if has_failed else DONE


def make_report(
    summary: Summary, failures: list[IngestedFile], job: IngestJob | None = None, *, dry_run: bool
) -> dict[str, Any]:
    return {
        **({"job": job.pk, "state": job.state} if job else {}),
        "files": summary.files,
        "outcomes": {outcome: count for outcome, count in sorted(summary.outcomes.items()) if count},
        "failures": [{"path": f.path, "code": f.code, "reason": f.reason} for f in failures],
        "warned": summary.warned,
        **({"cleaned": count_cleaned(job), **count_unchanged(job)._asdict()} if job else {}),
        "unpruned": summary.is_unpruned,
        "unfound": list(summary.unfound),
        **({"to_remove": list(summary.to_remove)} if dry_run else {}),
        **({"moved": dict(summary.moved)} if summary.moved else {}),
        "left_out": dict(summary.left_out),
        "left_out_paths": summary.left_out.paths,
        **({"older_versions": dict(summary.older)} if summary.older else {}),
        **({"translations": dict(summary.translations)} if summary.translations else {}),
        **({"language": summary.language} if summary.language else {}),
        "bytes": summary.size_bytes,
        "seconds": round(summary.seconds, 3),
        "dry_run": dry_run,
    }


def describe(summary: Summary, job: IngestJob | None = None) -> str:
    """What a run did, in lines; without a job, what a dry run would have done."""
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(summary.outcomes.items()) if count)
    rate = summary.files / summary.seconds if summary.seconds else 0.0
    written = "" if job else "Would be: "
    done = f"{written}{counts} ({summary.size_bytes / 1e6:,.1f} MB in {summary.seconds:.1f} s, {rate:,.0f} files/s)"
    return "\n".join(
        [
            done,
            *list_unpruned(summary),
            *list_unfound(summary),
            *list_to_remove(summary),
            *list_moved(summary),
            *list_warned(summary, job),
            *list_cleaned(job),
            *list_unchanged(job),
            *list_left_out(summary),
            *filter(None, [describe_outdated(summary.older), describe_translations(summary.translations)]),
            *list_language(summary),
        ]
    )


def describe_cancelled(job: IngestJob) -> str:
    retry = f"docsmcp jobs retry{write_tenant_option(job.tenant)} {job.pk}"
    return f"Job {job.pk} was cancelled. What was written stays; `{retry}` does the rest."


def describe_nothing(summary: Summary, include: Sequence[str]) -> str:
    asked = f"No file has a path like --include {' '.join(include)}. {OF_PATHS}" if include else BY_EXTENSION
    return "\n".join([NOTHING_FOUND, *list_left_out(summary), asked])


def list_unpruned(summary: Summary) -> list[str]:
    return [NOT_PRUNED] if summary.is_unpruned else []


def list_unfound(summary: Summary) -> list[str]:
    """What is gone, or has another name: its text may be in the collection twice now."""
    if not summary.unfound:
        return []
    named = name_first(summary.unfound)
    return [
        f"Not found any more, and kept: {len(summary.unfound):,} ({named}). --prune removes what is gone or was moved."
    ]


def list_moved(summary: Summary) -> list[str]:
    """Their former paths lead to the present ones."""
    named = [f"{old} → {new}" for old, new in summary.moved.items()]
    of = "is to be" if summary.to_remove else "was"
    return [f"Moved, of what {of} removed: {len(named):,} ({name_first(named)})"] if named else []


def list_to_remove(summary: Summary) -> list[str]:
    removed = summary.to_remove
    return [f"Not found any more, and to be removed: {len(removed):,} ({name_first(removed)})"] if removed else []


def name_first(paths: Sequence[str]) -> str:
    return ", ".join(paths[:NAMED_UNFOUND]) + (", …" if len(paths) > NAMED_UNFOUND else "")


def list_warned(summary: Summary, job: IngestJob | None) -> list[str]:
    """A dry run has no job that could tell them, and has said them on the way."""
    told = f" (`{write_show(job)}` tells them)" if job else ""
    return [f"With warnings: {summary.warned:,}{told}"] if summary.warned else []


def list_cleaned(job: IngestJob | None) -> list[str]:
    """Of how many documents the collection's policy took what out, which a dry run does not know."""
    told = describe_cleaned(job) if job else ""
    return [f"With text taken out: {told}"] if told else []


def list_unchanged(job: IngestJob | None) -> list[str]:
    """What earlier runs told of documents that did not change since."""
    told = describe_unchanged(count_unchanged(job)) if job else ""
    return [f"{told} (`{write_show(job)}` tells warnings, pages in the admin the rest)"] if job and told else []


def write_show(job: IngestJob) -> str:
    return f"docsmcp jobs show{write_tenant_option(job.tenant)} {job.pk}"


def list_language(summary: Summary) -> list[str]:
    return [f"Most documents are {summary.language}: the collection is indexed so."] if summary.language else []


def list_left_out(summary: Summary) -> list[str]:
    return [f"Left out: {line}" for line in describe_left_out(summary.left_out, summary.left_out.paths)]
