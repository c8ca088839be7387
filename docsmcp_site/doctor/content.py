"""Checks of what is searched: whether documents and their index are what this release would make of them.

Collections may be any tenant's. Each check says what to type for the first collection that it names, and if there are several, what mends
them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count

from collections_app.clients.embeddings import NoEmbedder
from collections_app.indexing.embedding import get_waiting
from collections_app.indexing.languages import find_languages
from collections_app.indexing.reindexing import find_of_earlier_releases
from collections_app.ingest.recipes import VERSION_MARK
from collections_app.models import Collection, Document, Reindexing, Source
from collections_app.postgres.pgvector import has_pgvector
from collections_app.reports.sources import find_held_runs
from docsmcp_site.doctor.findings import Verdict, name_some, ok, warn
from docsmcp_site.doctor.work import describe_source

# How many collections are examined: of each, the first documents are read.
LOOKED_AT = 50


def check_documents() -> Verdict:
    """Whether this release's parsers have read them. Sources that a schedule will read again are fine; documents without a source stay, and
    so do those that are held, which reading again would not change: `sources` tells of them."""
    counts = count_read_earlier()
    sources = Source.objects.filter(pk__in=[pk for pk in counts if pk]).select_related("collection__tenant")
    held = find_held_runs(sources).values("source")
    left = [source for source in sources.exclude(pk__in=held).order_by("pk") if not source.is_polled]
    if left:
        count, named = sum(counts[source.pk] for source in left), name_some(map(describe_source, left))
        what = f"the parsers of an earlier release read {count:,} of them, of the sources {named}"
        first = left[0]
        one = f"docsmcp sync_sources --tenant {first.collection.tenant.slug} --source {first.pk}"
        return warn(
            what,
            f"{write_commands(one, 'docsmcp sync_sources --all --uploads --all-tenants', len(left))} reads them again",
        )
    due = sum(counts[source.pk] for source in sources if source.is_polled)
    also = f"; {due:,} when their sources are read again, as scheduled" if due else ""
    also += f"; {counts[None]:,} that belong to no source are as an earlier release read them" if None in counts else ""
    return ok(f"they are as this release reads them{also}")


def count_read_earlier() -> dict[int | None, int]:
    """By source, how many documents this release has not read. A document that it could not read has an error, and is reported there."""
    read = (Document.Status.SUCCESS, Document.Status.QUARANTINED)
    earlier = Document.objects.filter(status__in=read, error_code="").exclude(recipe__startswith=VERSION_MARK)
    return dict(earlier.order_by().values_list("source").annotate(Count("pk")))


def check_embeddings() -> Verdict:
    try:
        found = get_waiting()
    except NoEmbedder:
        return ok("none are made: search is by keyword")
    if not has_pgvector():
        return ok("none are made without pgvector: search is by keyword")
    waiting = list(found.select_related("tenant"))
    if not waiting:
        return ok("every collection has them")
    what = f"some are still to be made, in {name_all(waiting)}"
    return warn(what, f"the queue makes them each minute, and {write_reindex(waiting, ' --embeddings')} now")


def check_indexes() -> Verdict:
    rebuilds = Reindexing.objects.select_related("collection__tenant").order_by(
        "collection__tenant__slug", "collection__slug"
    )
    if left := [each.collection for each in rebuilds if not each.by_queue]:
        what = f"a rebuild is under way or was broken off in {name_all(left)}"
        return warn(what, f"if none runs, {write_reindex(left, ' --vectors')} goes on with it")
    if due := [each.collection for each in rebuilds]:
        what = f"a rebuild by another language is due or under way in {name_all(due)}"
        return warn(what, f"the queue does it, or {write_reindex(due, ' --vectors')} now")
    if earlier := list(find_of_earlier_releases()):
        named = name_some(
            f"{each.told_with_tenant} ({each.earlier:,} of {each.vectors:,} sections)" for each in earlier
        )
        what = f"an earlier release made some, which are searched less well: {named}"
        return warn(what, f"{write_reindex(earlier, ' --vectors')}, while everything goes on")
    return ok("none is half rebuilt, or of an earlier release")


def check_languages() -> Verdict:
    """Checks the collections with most documents. `simple` is skipped: it is no language, so somebody chose it on purpose."""
    chosen = Collection.objects.exclude(language="simple").order_by("-stored_documents", "pk")
    collections = list(chosen.select_related("tenant")[:LOOKED_AT])
    pairs = zip(collections, find_languages(collections), strict=True)
    others = [(collection, found) for collection, found in pairs if found and found != collection.language]
    if not others:
        return ok("collections are indexed by the language of their documents")
    named = name_some(f"{each.told_with_tenant} ({each.language}, its documents {found})" for each, found in others)
    collection, found = others[0]
    mend = f"`docsmcp reindex --tenant {collection.tenant.slug} --collection {collection.slug} --language {found}`"
    alike = f", and each of the {len(others):,} alike" if len(others) > 1 else ""
    return warn(f"indexed by another language than that of their documents: {named}", f"{mend}{alike}")


def name_all(collections: Sequence[Collection]) -> str:
    return name_some(collection.told_with_tenant for collection in collections)


def write_reindex(collections: Sequence[Collection], part: str) -> str:
    first = collections[0]
    one = f"docsmcp reindex --tenant {first.tenant.slug} --collection {first.slug}{part}"
    return write_commands(one, f"docsmcp reindex --all --all-tenants{part}", len(collections))


def write_commands(one: str, every: str, count: int) -> str:
    return f"`{one}`" if count == 1 else f"`{one}` for the first, `{every}` for all {count:,}"
