"""Which product a question names, of those whose documents are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from collections_app.catalog.libraries import list_product_names
from collections_app.models import Collection
from collections_app.search.terms.product_names import find_names
from collections_app.text.names import split_words

# Among more collections, names are not looked for.
MOST_COLLECTIONS = 50


class Named(NamedTuple):
    """`names`: of the only product that is searched, or of those that the question names, as list_product_names() returns them.
    `collections`: those of the named products, if others are searched too."""

    names: frozenset[str] = frozenset()
    collections: Sequence[Collection] = ()


def find_named(collections: Sequence[Collection], question: str) -> Named:
    if names := list_product_names(collections):
        return Named(names)
    if len(collections) > MOST_COLLECTIONS:
        return Named()
    words = set(split_words(question.lower()))
    own = {c: {name for name in list_product_names([c]) if words.issuperset(name.split())} for c in collections}
    named = [c for c, names in own.items() if names and find_names(question, names)]
    return Named(frozenset().union(*map(own.__getitem__, named)), named) if len(named) < len(own) else Named()
