"""Says what collections without a description are about: by their start page or, failing that, the titles of their largest pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from collections_app.models import Collection
from collections_app.naming.start_pages import PATHS
from collections_app.text.names import split_name
from collections_app.text.pages.introductions import find_introduction, split_sections

# Without a start page that says something, TITLES different titles are given, if the PAGES largest pages in the highest folders have as
# many, posts last, among the first MAX_LOOKED_AT pages by path. Versions of a page, and its copies, have one title.
TITLES = 4
PAGES = 20
MAX_LOOKED_AT = 100
POSTS = "(^|/)(blog|posts?|news)/"
# Titles of start pages that say nothing.
SAYING_NOTHING = frozenset({
    "", "contents", "docs", "documentation", "home", "index", "introduction", "overview", "readme", "start", "table of contents", "welcome",
})  # fmt: skip
# Of a start page, its beginning is looked through for a sentence.
MAX_CHARACTERS = 3_000

ABOUT = """
SELECT collection.id, start.titles, start.descriptions, start.texts, ARRAY(
    SELECT title FROM (
        SELECT path, title, size_bytes FROM collections_app_document
        WHERE tenant_id = collection.tenant_id AND collection_id = collection.id AND status = 'success' ORDER BY path LIMIT %(looked_at)s
    ) AS page
    ORDER BY path ~* %(posts)s, length(path) - length(replace(path, '/', '')), size_bytes DESC, path LIMIT %(pages)s)
FROM collections_app_collection AS collection
CROSS JOIN LATERAL (
    SELECT array_agg(title ORDER BY place) AS titles, array_agg(description ORDER BY place) AS descriptions,
        array_agg(text ORDER BY place) AS texts
    FROM (
        SELECT title, description, left(content, %(characters)s) AS text, array_position(%(paths)s, path::text) AS place
        FROM collections_app_document
        WHERE tenant_id = collection.tenant_id AND collection_id = collection.id AND path = ANY(%(paths)s) AND status = 'success'
    ) AS page
) AS start
WHERE collection.id = ANY(%(collections)s)
"""


def find_out_about(collections: Sequence[Collection]) -> dict[int, str]:
    """Collection id → a line on what it is about, for those without a description that have pages.

    One statement for all collections, and none if all have a description.
    """
    silent = {collection.pk: collection for collection in collections if not collection.description.strip()}
    if not silent:
        return {}
    wanted: dict[str, Any] = {
        "collections": list(silent),
        "paths": list(PATHS),
        "pages": PAGES,
        "looked_at": MAX_LOOKED_AT,
        "posts": POSTS,
        "characters": MAX_CHARACTERS,
    }
    with connection.cursor() as cursor:
        cursor.execute(ABOUT, wanted)
        told = {pk: say(silent[pk], *row) for pk, *row in cursor.fetchall()}
    return {pk: line for pk, line in told.items() if line}


def say(
    collection: Collection,
    titles: Sequence[str] | None,
    descriptions: Sequence[str] | None,
    texts: Sequence[str] | None,
    pages: Sequence[str],
) -> str:
    """What the first start page says that says something of the product: its description, else its first sentence, else its title, if that
    is more than the product's name; if none does, the first sentence about the repository. `titles`, `descriptions` and the beginnings of
    `texts` are those of all, the likelier ones first.
    """
    known = SAYING_NOTHING | {normalise(name) for name in (collection.slug, collection.name, collection.library)}
    otherwise = ""
    for title, description, text in zip(titles or (), descriptions or (), texts or (), strict=True):
        introduction = find_introduction(split_sections(text))
        if said := description.strip():
            return said
        if introduction.is_of_product:
            return introduction.sentence
        if normalise(title) not in known and not introduction.sentence:
            return title
        otherwise = otherwise or introduction.sentence
    return otherwise or (f"Pages: {', '.join(list(dict.fromkeys(pages))[:TITLES])}" if pages else "")


def normalise(name: str) -> str:
    """The name's words: `Joda-Time` is called like `joda_time`."""
    return " ".join(split_name(name))
