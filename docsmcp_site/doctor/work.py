"""Checks of the background work: whether a worker is alive, and which work waits, stands still or fails.

With the default broker no process reports that it is alive. But each cluster moves the schedules on when they are due,
and its workers take the tasks that this makes. So a schedule long overdue means that there is no cluster, and a task
that waits means that none of its workers is free.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Min, QuerySet
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from collections_app.encryption import decrypt
from collections_app.exceptions import InvalidParameter
from collections_app.limits.quotas import NEARLY_FULL_PERCENT, list_nearly_full
from collections_app.models import IngestJob, Source
from collections_app.provisioning import write_tenant_option
from collections_app.reports.sources import find_failed_runs, find_held_runs
from docsmcp_site.database.preparation import SCHEDULES
from docsmcp_site.doctor.findings import NAMED, Verdict, describe_seconds, fail, name_some, ok, warn

START_A_WORKER = "start `docsmcp up`, or `docsmcp run_qcluster` where the web server runs alone"
# A cluster looks at the schedules at least twice a minute, and one schedule is due each minute.
OVERDUE_SECONDS = 150
WAITING_SECONDS = 60
SILENT_SECONDS = 60
RECENTLY = timedelta(days=1)


def check_worker() -> Verdict:
    now = timezone.now()
    schedules = Schedule.objects.filter(name__in=SCHEDULES)
    missing = sorted(set(SCHEDULES) - set(schedules.values_list("name", flat=True)))
    if missing:
        mend = f"{START_A_WORKER}; where a queue of an earlier release runs, restart it with this one"
        return fail(f"these schedules are missing: {', '.join(missing)}", mend)
    overdue_seconds = max((now - min(schedule.next_run for schedule in schedules)).total_seconds(), 0.0)
    if overdue_seconds > OVERDUE_SECONDS:
        return fail(f"none has looked at the schedules for {describe_seconds(overdue_seconds)}", START_A_WORKER)
    return ok("the schedules are kept")


def check_tasks() -> Verdict:
    """Redis stores no times, so with it the check only sees whether tasks fail."""
    now = timezone.now()
    waiting = OrmQ.objects.filter(lock__lt=now)
    oldest = waiting.aggregate(oldest=Min("lock"))["oldest"]
    if oldest and (now - oldest).total_seconds() > WAITING_SECONDS:
        return describe_waiting(waiting.count(), (now - oldest).total_seconds(), now)
    failed = Task.objects.filter(success=False, stopped__gt=now - RECENTLY).count()
    if failed:
        return warn(f"{failed:,} failed within a day", "the admin's list of failed tasks has their reasons")
    return ok("none waits, none failed within a day")


def describe_waiting(count: int, seconds: float, now: datetime) -> Verdict:
    what = f"{count:,} waiting, the oldest for {describe_seconds(seconds)}"
    busy = find_beating_jobs(now).count()
    if busy >= settings.DOCSMCP.queue_workers:
        return warn(f"{what}: {busy} jobs keep every worker busy", "wait, or raise QUEUE_WORKERS")
    return fail(f"{what}, and no worker takes them", START_A_WORKER)


def find_beating_jobs(now: datetime) -> QuerySet[IngestJob]:
    return IngestJob.objects.filter(
        state=IngestJob.State.RUNNING, heartbeat__gt=now - timedelta(seconds=SILENT_SECONDS)
    )


def check_jobs() -> Verdict:
    now = timezone.now()
    unfinished = IngestJob.objects.filter(state__in=IngestJob.UNFINISHED)
    running = unfinished.filter(state=IngestJob.State.RUNNING)
    silent = running.exclude(pk__in=find_beating_jobs(now)).values_list("pk", flat=True)
    if silent:
        ids = ", ".join(map(str, silent[:NAMED]))
        what = f"{len(silent)} running without a sign of life for {SILENT_SECONDS} seconds: {ids}"
        return warn(what, "a worker takes them up again by itself; see that there is one")
    return ok(f"{running.count()} running, {unfinished.count() - running.count()} queued")


def check_sources() -> Verdict:
    sources = Source.objects.all()
    failing, held = list_sources_of(find_failed_runs(sources)), list_sources_of(find_held_runs(sources))
    verdicts = [verdict for verdict in (tell_failing(failing), tell_held(held)) if verdict]
    if not verdicts:
        return ok(f"none of {sources.count():,} failed in its last run")
    return warn("; ".join(verdict.what for verdict in verdicts), "; ".join(verdict.mend for verdict in verdicts))


def list_sources_of(jobs: QuerySet[IngestJob]) -> list[Source]:
    """The sources of these jobs, newest first."""
    return list(Source.objects.filter(jobs__in=jobs).select_related("collection__tenant").order_by("-pk"))


def tell_failing(failing: list[Source]) -> Verdict | None:
    if not failing:
        return None
    what = f"the last run of {len(failing):,} failed: {name_some(map(describe_source, failing))}"
    tenants = sorted({source.collection.tenant.slug for source in failing})
    mend = f"`docsmcp jobs list --tenant {tenants[0]} --state failed` has the reasons"
    if len(tenants) > 1:
        mend += f", `docsmcp jobs list --all-tenants --state failed` those of all {len(tenants):,} tenants"
    return warn(what, mend)


def tell_held(held: list[Source]) -> Verdict | None:
    """Sources that lost most of their documents: these are still served, and a schedule will not remove them by itself."""
    if not held:
        return None
    what = f"most documents of these are gone, and kept: {name_some(map(describe_source, held))}"
    alike = ", and the others alike" if len(held) > 1 else ""
    command = (
        f"docsmcp sync_sources{write_tenant_option(held[0].collection.tenant)} --source {held[0].pk} --accept-removals"
    )
    return warn(what, f"see that they are whole; where the documents are to go, `{command}`{alike}")


def describe_source(source: Source) -> str:
    return f"{source.pk} ({source.kind} of {source.collection.told_with_tenant})"


def check_stored_secrets() -> Verdict:
    """The tokens and webhook secrets of sources, which are stored encrypted with SECRET_KEY."""
    sources = Source.objects.exclude(encrypted_token="", encrypted_webhook_secret="").order_by("-pk")
    unreadable = [source for source in sources.select_related("collection__tenant") if not is_readable(source)]
    if unreadable:
        named = name_some(map(describe_source, unreadable))
        what = f"those of {len(unreadable):,} sources were stored under another SECRET_KEY: {named}"
        return fail(what, "set SECRET_KEY back, or give the tokens and secrets anew")
    return ok("all can be read" if sources else "no source has any")


def is_readable(source: Source) -> bool:
    try:
        for encrypted in filter(None, (source.encrypted_token, source.encrypted_webhook_secret)):
            decrypt(encrypted)
    except InvalidParameter:
        return False
    return True


def check_quotas() -> Verdict:
    full = list_nearly_full()
    if not full:
        return ok(f"no tenant has used {NEARLY_FULL_PERCENT}% of what it may store")
    named = name_some(f"{slug} ({storage.percent}%)" for slug, storage in full)
    what = f"tenants that have used {NEARLY_FULL_PERCENT}% or more of what they may store ({len(full):,}): {named}"
    alike = ", and the others alike" if len(full) > 1 else ""
    return warn(
        what, f"let them remove documents, or raise their limits: `docsmcp tenants limit {full[0][0]} …`{alike}"
    )
