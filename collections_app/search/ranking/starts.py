"""Start pages, for a question that asks what a product is (`what is Acme Gate`) or only names it. Its name is on every page, so ranking
would find anything, but seldom the page that introduces it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from collections_app.catalog.libraries import keep_newest, list_product_names
from collections_app.models import Collection
from collections_app.naming.start_pages import PATHS
from collections_app.postgres.prepared_cursor import write_array, write_text_array
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis.folding import fold
from collections_app.text.names import split_words
from collections_app.text.pages.introductions import MOST_SECTIONS, find_introduction

# Words around the name in such a question, besides stop words.
ASKING = frozenset({
    "about", "describe", "do", "does", "exactly", "explain", "for", "is", "it", "me", "mean", "of", "purpose", "tell", "the", "this", "use",
    "s", "used", "what", "whats", "why",
})  # fmt: skip
# Titles of pages that introduce a product, before its start page; {} is its name.
TITLES = (
    "what is {}", "introduction to {}", "about {}", "{} overview", "overview of {}", "introducing {}", "{} introduction",
)  # fmt: skip
# A longer question asks for more.
MOST_WORDS = 10
# Of more products with this name, none is shown first; among more collections, names are not compared.
MOST_PRODUCTS = 3
MOST_COLLECTIONS = 50
# Of a section, so much is looked through for a sentence that introduces.
MOST_CHARACTERS = 3_000

FIRST = f"""
SELECT collection_id, document.id, place IS NOT NULL, section_ids, texts
FROM (
    SELECT id, tenant_id, collection_id, path, array_position(
        %s::text[], btrim(regexp_replace(lower(title), '\\W+', ' ', 'g'))
    ) AS place
    FROM collections_app_document
    WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[]) AND status = 'success'
) AS document
CROSS JOIN LATERAL (
    SELECT array_agg(id ORDER BY position) AS section_ids, array_agg(left(content, {MOST_CHARACTERS}) ORDER BY position) AS texts
    FROM collections_app_section AS section
    WHERE section.tenant_id = document.tenant_id AND document_id = document.id AND position < {MOST_SECTIONS}
) AS beginning
WHERE (place IS NOT NULL OR path = ANY(%s::text[])) AND section_ids IS NOT NULL
ORDER BY place, array_position(%s::text[], path::text), path
"""  # noqa: S608


class Asked(NamedTuple):
    """What a question asks for: a product's name, as words, and the collections about that product; no words for other questions."""

    name: Sequence[str] = ()
    collections: Sequence[Collection] = ()


def find_asked(collections: Sequence[Collection], question: str, stop_words: Set[str]) -> Asked:
    """The product of whose name the question consists, but for ASKING and stop words, in its newest version."""
    spans = list_spans(split_words(fold(question)), ASKING | stop_words) if len(collections) <= MOST_COLLECTIONS else {}
    called = {c: span for c in collections if spans and (span := find_span(c, spans))}
    newest = keep_newest([*called])
    return Asked(called[newest[0]], newest) if newest and len(newest) <= MOST_PRODUCTS else Asked()


def list_spans(words: Sequence[str], left_out: Set[str]) -> dict[str, Sequence[str]]:
    """The words in a row beside which there are only words to leave out, by what they are when written as one; those to leave out may be
    part of a name."""
    telling = [number for number, word in enumerate(words) if word not in left_out]
    if not telling or len(words) > MOST_WORDS:
        return {}
    starts, ends = range(telling[0] + 1), range(telling[-1] + 1, len(words) + 1)
    return {"".join(words[start:end]): words[start:end] for start in starts for end in ends}


def find_span(collection: Collection, spans: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The words that are a name of the collection's product, however it is divided into words (`acmegate`); empty if none are."""
    names = ("".join(split_words(fold(name))) for name in list_product_names([collection]))
    return next((spans[name] for name in names if name in spans), ())


class Page(NamedTuple):
    """A page that may introduce a product: whether its title says so, and the ids and texts of its first sections."""

    document_id: int
    is_called_so: bool
    section_ids: Sequence[int]
    texts: Sequence[str]


def find_starts(asked: Asked) -> list[RankedSection]:
    """The section that introduces each product, with a score of 0.0: the caller sets it."""
    if not asked.collections:
        return []
    tenants, own = write_array({c.tenant_id for c in asked.collections}), write_array(c.pk for c in asked.collections)
    titles = write_text_array(title.format(" ".join(asked.name)) for title in TITLES)
    paths = write_text_array(PATHS)
    pages: defaultdict[int, list[Page]] = defaultdict(list)
    with open_cursor() as cursor:
        cursor.execute(FIRST, [titles, tenants, own, paths, paths])
        for collection_id, *page in cursor.fetchall():
            pages[collection_id].append(Page(*page))
    return [choose_start(pages[c.pk]) for c in asked.collections if c.pk in pages]


def choose_start(pages: Sequence[Page]) -> RankedSection:
    """Of these pages, the likelier ones first: the section that introduces the product in the first page that does, else the beginning of
    the first one. A page whose title says so need not have a sentence that does."""
    found = [(page, find_introduction(page.texts)) for page in pages]
    introducing = (each for each in found if each[0].is_called_so or each[1].is_of_product)
    page, introduction = next(introducing, found[0])
    return RankedSection(0, page.section_ids[introduction.section], page.document_id, 0.0)
