"""In which language a collection is indexed: as somebody chose, or as its first documents turn out to be. It can be changed at any time.

A change holds at once for questions and for what is written; what is there already is indexed anew by whoever changed it, or by the queue.
Until that is done its words are found as far as both languages have the same stems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import structlog
from django.db import connection, transaction
from django.db.models.functions import Left

from collections_app.exceptions import InvalidParameter
from collections_app.indexing.fulltext import LANGUAGE_LOCK
from collections_app.indexing.index_version import bump_index_version
from collections_app.indexing.reindexing import AlreadyRebuilding, rebuild_vectors
from collections_app.models import Collection, Document, Reindexing
from collections_app.models.library import LANGUAGES
from collections_app.postgres.advisory_locks import TAKE_UNTIL_END
from collections_app.text import languages

# Documents that are looked at, and the first characters of each.
SAMPLE_DOCUMENTS = 100
SAMPLE_CHARACTERS = 10_000

logger = structlog.get_logger(__name__)


def find_languages(collections: Iterable[Collection]) -> Iterator[str | None]:
    """For each what most of its documents are in, by PostgreSQL's name; empty where they are in several languages, or in one that it has no
    rules for. None where there is too little text to tell.
    """
    for tag in languages.find_languages(map(iter_sample, collections)):
        yield None if tag is None else languages.LANGUAGES.get(tag, "")


def iter_sample(collection: Collection) -> Iterator[str]:
    """By their digests, so from all over the collection, and by an index."""
    readable = Document.objects.in_collections([collection]).readable().order_by("content_hash")
    yield from readable.values_list(Left("content", SAMPLE_CHARACTERS), flat=True)[:SAMPLE_DOCUMENTS]


def settle_language(collection: Collection, check: Callable[[], None] = lambda: None) -> str:
    """Find out the language that nobody chose, once there is text enough, and index by it; gives it where it is another than before.

    `check` is called between batches, and may raise to break off: then the queue goes on.
    """
    if Collection.objects.filter(pk=collection.pk, is_language_settled=True).exists():
        return ""
    [found] = find_languages([collection])
    if found is None or not change_language(collection, found or collection.language):
        return ""
    logger.info("language_found", collection=collection.pk, language=found)
    rebuild(collection, check)
    return found


def change_language(collection: Collection, language: str) -> bool:
    """Index the collection by this language from now on; whether that is another one than before. If so, what is there is to be indexed
    anew: by rebuild(), else the queue does within a minute. Raises InvalidParameter.
    """
    if language not in LANGUAGES:
        raise InvalidParameter(f"{language!r} is no language that can be indexed. There are: {', '.join(LANGUAGES)}.")
    rows = Collection.objects.filter(pk=collection.pk)
    is_other = rows.exclude(language=language).exists()
    if is_other:
        set_language(collection, language)
    else:
        rows.update(is_language_settled=True)
    collection.language, collection.is_language_settled = language, True
    return is_other


@transaction.atomic
def set_language(collection: Collection, language: str) -> None:
    """A rebuild that is under way begins anew: its row is locked first, as its batches do. Then writers end what they have begun by the
    earlier language."""
    anew = Reindexing(collection=collection, tenant_id=collection.tenant_id, by_queue=True)
    Reindexing.objects.bulk_create(
        [anew], update_conflicts=True, unique_fields=["collection"], update_fields=["position", "done", "by_queue"]
    )
    with connection.cursor() as cursor:
        cursor.execute(TAKE_UNTIL_END, [LANGUAGE_LOCK, collection.pk])
    Collection.objects.filter(pk=collection.pk).update(language=language, is_language_settled=True)
    bump_index_version(collection)


def rebuild(collection: Collection, check: Callable[[], None] = lambda: None) -> bool:
    """Index anew what is there; false where another process is at it."""
    try:
        for _ in rebuild_vectors(collection):
            check()
    except AlreadyRebuilding:
        return False
    return True


def rebuild_due() -> int:
    """What the queue is to begin, or go on with; how many collections there were."""
    due = Reindexing.objects.filter(by_queue=True).select_related("collection")
    return sum(rebuild(each.collection) for each in due)
