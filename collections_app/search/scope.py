"""The scopes of a question: groups of collections that share a language and the same synonyms for the question's words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from collections_app.models import Collection
from collections_app.postgres.prepared_cursor import write_array, write_text_array
from collections_app.search.curation import Expansion
from collections_app.search.narrowing import UNNARROWED, Narrowing
from collections_app.text.words.compounds import LINKS

# All scopes, numbered, as a table for terms.COUNT and the statements after it; `links` are the linking letters of compound words. OFFSET 0
# makes PostgreSQL parse the arrays once and not for each row: with hundreds of collections that took most of a statement's time.
SCOPES = """(
    SELECT language, collections::bigint[], links::text[], number
    FROM unnest(%(languages)s::regconfig[], %(collections)s::text[], %(links)s::text[])
        WITH ORDINALITY AS given (language, collections, links, number)
    OFFSET 0
) AS scope (language, collections, links, number)"""


@dataclass(frozen=True, slots=True)
class Scope:
    """Collections of one language, and which of their documents count. `expansions`: their synonyms for words of the question.
    `is_named`: the question names their products, and others are searched too."""

    language: str
    tenant_ids: tuple[int, ...]
    collection_ids: tuple[int, ...]
    narrowing: Narrowing = UNNARROWED
    expansions: tuple[Expansion, ...] = ()
    is_named: bool = False

    @property
    def document_ids(self) -> list[int]:
        """The documents that meet the narrowing's conditions; empty if these were not looked up."""
        known = self.narrowing.documents or {}
        return [document for collection in self.collection_ids for document in known.get(collection, ())]

    @property
    def places(self) -> dict[str, str]:
        """The scope's tenants and collections, written as PostgreSQL arrays, for a statement's parameters."""
        return {"tenants": write_array(self.tenant_ids), "collections": write_array(self.collection_ids)}


def make_scopes(
    collections: Sequence[Collection],
    narrowing: Narrowing,
    expansions: Mapping[int, tuple[Expansion, ...]],
    named: Sequence[Collection] = (),
) -> list[Scope]:
    """One scope for each language, since lexemes depend on it, and each set of expansions (given by collection id); the `named` collections
    have their own."""
    groups: dict[tuple[str, tuple[Expansion, ...], bool], list[Collection]] = defaultdict(list)
    for collection in collections:
        groups[collection.language, expansions.get(collection.id, ()), collection in named].append(collection)
    return [
        Scope(language, tuple({c.tenant_id for c in members}), tuple(c.id for c in members), narrowing, own, is_named)
        for (language, own, is_named), members in sorted(groups.items(), key=itemgetter(0))
    ]


def write_scopes(scopes: Sequence[Scope]) -> dict[str, Any]:
    """The parameters of SCOPES, and `tenants`: those of all scopes."""
    return {
        "languages": [scope.language for scope in scopes],
        "collections": [write_array(scope.collection_ids) for scope in scopes],
        "links": [write_text_array(LINKS.get(scope.language, ())) for scope in scopes],
        "tenants": write_array({tenant for scope in scopes for tenant in scope.tenant_ids}),
    }
