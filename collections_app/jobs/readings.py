"""Makes the Reading of a source from its row: with its settings, its secrets, and what was kept of the last reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from collections_app.clients.git import GitRemote
from collections_app.clients.http import HttpClient
from collections_app.clients.retries import RETRIES
from collections_app.encryption import decrypt
from collections_app.exceptions import PermissionDenied
from collections_app.ingest import Outcome, make_recipe
from collections_app.jobs.source_rows import get_choice, get_git_options, get_repository_url, get_site_options
from collections_app.jobs.summary import DOCUMENTS
from collections_app.jobs.upload_bytes import load_content
from collections_app.models import Document, IngestJob, Source
from collections_app.parsing.documents import ContentPolicy
from collections_app.sources import Reading, ShouldStop
from collections_app.sources.allowed_roots import is_allowed
from collections_app.sources.directory import DirectoryReading
from collections_app.sources.git import GitReading
from collections_app.sources.site import SiteReading
from collections_app.sources.site.languages import find_tag
from collections_app.sources.site.pages import FetchState
from collections_app.sources.site.scope import Scope, make_scope
from collections_app.sources.uploads import UploadedFile, UploadReading

Kind = Source.Kind

# Few, because somebody waits for an uploaded URL, as do other uploads of the collection; whoever sent it can send it again.
UPLOAD_RETRIES = 1


@contextmanager
def open_reading(job: IngestJob, source: Source, should_stop: ShouldStop) -> Iterator[Reading]:
    """The job's reading, entered. Raises what entering it raises."""
    with ExitStack() as resources:
        yield resources.enter_context(READINGS[source.kind](job, source, should_stop, resources))


def check_root(source: Source) -> None:
    """Raises PermissionDenied if the directory is not below ALLOWED_ROOTS; operators' own sources may be anywhere.

    This is checked at every reading: the operator may have changed what is allowed, and a directory may have become a link.
    """
    if not source.is_operators and not is_allowed(source.location):
        raise PermissionDenied(
            "The directory is not below those that the server's operator allows any more (ALLOWED_ROOTS), so it was not read. Its "
            "documents stay as they are: have it allowed again, or let a superuser save the source."
        )


def make_client(retries: int = RETRIES, *, is_patient: bool = True) -> HttpClient:
    config = settings.DOCSMCP
    return HttpClient(
        config.fetch_allowed_hosts,
        timeout_seconds=config.fetch_timeout,
        max_connections=config.max_concurrent_fetches,
        retries=retries,
        is_patient=is_patient,
    )


def make_directory_reading(
    job: IngestJob, source: Source, should_stop: ShouldStop, resources: ExitStack
) -> DirectoryReading:
    check_root(source)
    return DirectoryReading(
        Path(source.location),
        get_choice(source),
        only=job.only,
        should_stop=should_stop,
    )


def make_site_reading(job: IngestJob, source: Source, should_stop: ShouldStop, resources: ExitStack) -> SiteReading:
    client = resources.enter_context(make_client())
    options = get_site_options(source)
    known = find_known_pages(source, make_scope(options))
    return SiteReading(
        options,
        client,
        known=known,
        read_already=find_read_pages(job, source),
        should_stop=should_stop,
        only=job.only,
        likely_language=find_tag(source.collection.language),
    )


def find_known_pages(source: Source, scope: Scope) -> dict[str, FetchState]:
    """The URL of each document of the source → what the last reading kept of the page.

    That is empty if the page is to be read anew, or if it would now get another path because the site's prefix has changed.
    """
    urls = source.documents.exclude(source_url="").values_list("source_url", flat=True)
    pages = select_read_alike(source).exclude(source_url="").values_list("source_url", "path", "fetch_state")
    states = {
        url: state for url, path, state in pages if (page := scope.find_page(url)) and scope.make_path(page) == path
    }
    return {url: states.get(url, {}) for url in urls}


def find_read_pages(job: IngestJob, source: Source) -> set[str]:
    """The URLs that an earlier attempt of the job has read. Without them, a site that asks for long waits would never be read to its
    end."""
    read = job.outcomes.filter(outcome__in=(Outcome.INDEXED, Outcome.UNCHANGED, Outcome.DUPLICATE)).values("path")
    return set(source.documents.filter(path__in=read).exclude(source_url="").values_list("source_url", flat=True))


def make_git_reading(job: IngestJob, source: Source, should_stop: ShouldStop, resources: ExitStack) -> GitReading:
    remote = GitRemote(
        get_repository_url(source),
        decrypt(source.encrypted_token) if source.encrypted_token else "",
        settings.DOCSMCP.fetch_allowed_hosts,
    )
    return GitReading(
        remote,
        get_git_options(source),
        get_choice(source),
        only=job.only,
        last_state=find_last_state(source),
        last_paths=list(source.documents.values_list("path", flat=True)),
        should_stop=should_stop,
    )


def find_last_state(source: Source) -> Mapping[str, Any] | None:
    """What the last reading kept, if every document that it found is still here as it would be read now; else None.

    A document that somebody removed since, or another source took over, has to be read again.
    """
    found = source.fetch_state.get(DOCUMENTS)
    is_alike = found == source.documents.count() == select_read_alike(source).count()
    return source.fetch_state if is_alike else None


def select_read_alike(source: Source) -> QuerySet[Document]:
    """The source's documents that reading the same bytes would give again: not failed ones, nor those read under another policy."""
    return source.documents.filter(
        status__in=(Document.Status.SUCCESS, Document.Status.QUARANTINED),
        recipe=make_recipe(ContentPolicy(source.collection.content_policy)),
    )


def make_upload_reading(job: IngestJob, source: Source, should_stop: ShouldStop, resources: ExitStack) -> UploadReading:
    client = resources.enter_context(make_client(UPLOAD_RETRIES, is_patient=False))
    return UploadReading(
        list_uploads(source),
        client,
        get_choice(source),
        max_archive_bytes=settings.DOCSMCP.max_upload_bytes,
        only=job.only,
        should_stop=should_stop,
    )


def list_uploads(source: Source) -> list[UploadedFile]:
    """The source's uploads, oldest first. Their bytes are only loaded when they are needed."""
    rows = source.uploads.order_by("created", "pk").values_list("pk", "path", "url", "media_type", "metadata")
    return [
        UploadedFile(path, partial(load_content, source, pk), url, media_type, metadata)
        for pk, path, url, media_type, metadata in rows
    ]


READINGS: dict[str, Callable[[IngestJob, Source, ShouldStop, ExitStack], Reading]] = {
    Kind.UPLOAD: make_upload_reading,
    Kind.DIRECTORY: make_directory_reading,
    Kind.SITE: make_site_reading,
    Kind.GIT: make_git_reading,
}
"""For each kind of source; what else the reading needs is entered into `resources`, and left after it."""
