"""The language in which a collection is indexed: chosen by somebody, or detected from its first documents. It can be changed at any time.

A change applies at once to questions and to what is written. Existing documents are reindexed by whoever made the change, or by the queue;
until then, their words are found as far as both languages have the same stems.
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

# How many documents are looked at, and how many characters from the beginning of each.
SAMPLE_DOCUMENTS = 100
SAMPLE_CHARACTERS = 10_000

logger = structlog.get_logger(__name__)


def find_languages(collections: Iterable[Collection]) -> Iterator[str | None]:
    """For each collection the language of most of its documents, by PostgreSQL's name.

    Empty if they are in several languages, or in one that PostgreSQL has no rules for; None if there is too little text to tell.
    """
    for tag in languages.find_languages(map(iter_sample, collections)):
        yield None if tag is None else languages.LANGUAGES.get(tag, "")


def iter_sample(collection: Collection) -> Iterator[str]:
    """The beginnings of documents, chosen by their content hashes: this takes them from all over the collection, and can use an index."""
    readable = Document.objects.in_collections([collection]).readable().order_by("content_hash")
    yield from readable.values_list(Left("content", SAMPLE_CHARACTERS), flat=True)[:SAMPLE_DOCUMENTS]


def settle_language(collection: Collection, check: Callable[[], None] = lambda: None) -> str:
    """Detect the collection's language if nobody chose it and there is enough text, and reindex in it.

    Returns the language if it is another than before, else an empty text. `check` is called between batches, and may raise to break off;
    then the queue goes on.
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
    """Index the collection in this language from now on; returns whether it is another than before.

    If so, existing documents have to be reindexed: by rebuild(), or else the queue does it within a minute. Raises InvalidParameter.
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
    """Set the language and mark the collection for reindexing; a rebuild that is under way starts over.

    The rebuild's row is locked first, as its batches do. Then this waits for writers that began with the earlier language.
    """
    anew = Reindexing(collection=collection, tenant_id=collection.tenant_id, by_queue=True)
    Reindexing.objects.bulk_create(
        [anew], update_conflicts=True, unique_fields=["collection"], update_fields=["position", "done", "by_queue"]
    )
    with connection.cursor() as cursor:
        cursor.execute(TAKE_UNTIL_END, [LANGUAGE_LOCK, collection.pk])
    Collection.objects.filter(pk=collection.pk).update(language=language, is_language_settled=True)
    bump_index_version(collection)


def rebuild(collection: Collection, check: Callable[[], None] = lambda: None) -> bool:
    """Reindex the existing documents; returns false if another process is doing that."""
    try:
        for _ in rebuild_vectors(collection):
            check()
    except AlreadyRebuilding:
        return False
    return True


def rebuild_due() -> int:
    """Begin or continue the rebuilds that are left to the queue; returns how many collections were rebuilt."""
    due = Reindexing.objects.filter(by_queue=True).select_related("collection")
    return sum(rebuild(each.collection) for each in due)
