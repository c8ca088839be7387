"""The checks of the background: whether a worker is alive, and what waits, stands still or fails.

With the default broker no process says by itself that it lives. But each cluster moves the schedules on when they are due,
and its workers take the tasks that this makes: so a schedule long overdue means that there is no cluster, and a task that
waits means that no worker of it is free.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from collections_app.clients.embeddings import NoEmbedder
from collections_app.encryption import decrypt
from collections_app.exceptions import InvalidParameter
from collections_app.indexing.embedding import get_waiting
from collections_app.indexing.languages import find_languages
from collections_app.limits.quotas import NEARLY_FULL_PERCENT, list_nearly_full
from collections_app.models import Collection, IngestJob, Reindexing, Source, TermStatistic
from collections_app.postgres.pgvector import has_pgvector
from collections_app.reports.sources import find_failed_runs
from collections_app.text.facts import KNOWN
from docsmcp_site.database_preparation import SCHEDULES
from docsmcp_site.doctor.findings import Verdict, describe_seconds, fail, ok, warn

START_A_WORKER = "start `docsmcp up`, or `docsmcp run_qcluster` where the web server runs alone"
# A cluster looks at the schedules at least twice a minute, and one is due each minute.
OVERDUE_SECONDS = 150
WAITING_SECONDS = 60
SILENT_SECONDS = 60
RECENTLY = timedelta(days=1)
NAMED = 3
LOOKED_AT = 50


def check_worker() -> Verdict:
    now = timezone.now()
    schedules = Schedule.objects.filter(name__in=SCHEDULES)
    missing = sorted(set(SCHEDULES) - set(schedules.values_list("name", flat=True)))
    if missing:
        return fail(f"these schedules are missing: {', '.join(missing)}", START_A_WORKER)
    overdue_seconds = max((now - min(schedule.next_run for schedule in schedules)).total_seconds(), 0.0)
    if overdue_seconds > OVERDUE_SECONDS:
        return fail(f"none has looked at the schedules for {describe_seconds(overdue_seconds)}", START_A_WORKER)
    return ok("the schedules are kept")


def check_tasks() -> Verdict:
    """Redis tells no times, so there it is seen only that tasks fail."""
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
    failing = sources.filter(jobs__in=find_failed_runs(sources))
    if not failing:
        return ok(f"none of {sources.count():,} failed in its last run")
    named = ", ".join(
        f"{source.pk} ({source.kind} of {source.collection})" for source in failing.order_by("-pk")[:NAMED]
    )
    what = f"the last run of {failing.count():,} failed: {named}"
    return warn(what, "`docsmcp jobs list --state failed` has the reasons")


def check_stored_secrets() -> Verdict:
    """The tokens and webhook secrets of sources, which are kept encrypted by SECRET_KEY."""
    sources = Source.objects.exclude(encrypted_token="", encrypted_webhook_secret="").order_by("-pk")
    unreadable = [source.pk for source in sources if not is_readable(source)]
    if unreadable:
        ids = ", ".join(map(str, unreadable[:NAMED]))
        what = f"those of {len(unreadable):,} sources were stored under another SECRET_KEY: {ids}"
        return fail(what, "set SECRET_KEY back, or give the tokens and secrets anew")
    return ok("all can be read" if sources else "no source has any")


def is_readable(source: Source) -> bool:
    try:
        for encrypted in filter(None, (source.encrypted_token, source.encrypted_webhook_secret)):
            decrypt(encrypted)
    except InvalidParameter:
        return False
    return True


def check_embeddings() -> Verdict:
    try:
        waiting = get_waiting()
    except NoEmbedder:
        return ok("none are made: search is by keyword")
    if not has_pgvector():
        return ok("none are made without pgvector: search is by keyword")
    slugs = [collection.slug for collection in waiting[:NAMED]]
    if not slugs:
        return ok("every collection has them")
    what = f"{waiting.count():,} collections wait for some: {', '.join(slugs)}"
    return warn(what, "the queue makes them each minute, and `docsmcp reindex --all --embeddings` now")


def check_quotas() -> Verdict:
    full = list_nearly_full()
    if not full:
        return ok(f"no tenant has used {NEARLY_FULL_PERCENT}% of what it may store")
    named = ", ".join(f"{slug} ({storage.percent}%)" for slug, storage in full[:NAMED])
    what = f"{len(full):,} tenants have used {NEARLY_FULL_PERCENT}% or more of what they may store: {named}"
    return warn(what, "let them remove documents, or raise their limits: `docsmcp tenants limit`")


def check_indexes() -> Verdict:
    rebuilds = Reindexing.objects.order_by("collection__slug", "pk")
    left = list(rebuilds.filter(by_queue=False).values_list("collection__slug", flat=True))
    if left:
        what = f"the rebuild of {', '.join(left[:NAMED])} is under way or was broken off"
        return warn(what, f"if none runs, `docsmcp reindex --collection {left[0]}` goes on with it")
    due = list(rebuilds.values_list("collection__slug", flat=True))
    if due:
        what = f"the rebuild of {', '.join(due[:NAMED])} by another language is due or under way"
        return warn(what, f"the queue does it, or `docsmcp reindex --collection {due[0]}` now")
    earlier = list_without_facts()
    if earlier:
        named = ", ".join(f"{tenant}/{slug}" for tenant, slug in earlier[:NAMED])
        what = f"the index of {named} is partly of an earlier release, with which filters cost more"
        tenant, slug = earlier[0]
        return warn(
            what, f"`docsmcp reindex --tenant {tenant} --collection {slug} --vectors`, while everything goes on"
        )
    return ok("none is half rebuilt, or of an earlier release")


def check_languages() -> Verdict:
    """Of the collections with most documents; `simple` is nobody's language, so it was chosen with care."""
    chosen = Collection.objects.exclude(language="simple").order_by("-stored_documents", "pk")
    collections = list(chosen.select_related("tenant")[:LOOKED_AT])
    pairs = zip(collections, find_languages(collections), strict=True)
    others = [(collection, found) for collection, found in pairs if found and found != collection.language]
    if not others:
        return ok("collections are indexed by the language of their documents")
    named = ", ".join(
        f"{each.tenant.slug}/{each.slug} ({each.language}, its documents {found})" for each, found in others[:NAMED]
    )
    collection, found = others[0]
    mend = f"`docsmcp reindex --tenant {collection.tenant.slug} --collection {collection.slug} --language {found}`"
    return warn(f"indexed by another language than that of their documents: {named}", mend)


def list_without_facts() -> list[tuple[str, str]]:
    """The collections, each with its tenant, that have vectors without facts."""
    counted = TermStatistic.objects.filter(tenant=OuterRef("tenant"), collection=OuterRef("pk"))
    collections = Collection.objects.annotate(
        total=Subquery(counted.filter(term="").values("sections")),
        known=Coalesce(Subquery(counted.filter(term=KNOWN).values("sections")), 0),
    )
    return list(
        collections.filter(total__gt=F("known")).order_by("tenant__slug", "slug").values_list("tenant__slug", "slug")
    )
