"""Which documents a collection has, by category, and which are next to one: reads a few rows at a time, however many there are.

There is no navigation file, so a category's documents are ordered by path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Lower

from collections_app.models import Collection, Document
from collections_app.reading.addresses import quote_page

CONTENTS_DOCUMENTS = 1_000
NEIGHBOURS = 30


class Leaf(NamedTuple):
    """A document in a list. `address` is that of its page, relative to the collection's."""

    path: str
    title: str
    description: str
    category: str

    @property
    def address(self) -> str:
        return quote_page(self.path)


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive documents of one category; `number` distinguishes it from other groups on the page."""

    number: int
    category: str
    leaves: Sequence[Leaf]


@dataclass(frozen=True, slots=True)
class Contents:
    """A page of a collection's contents. There are `total` documents, on `pages` pages."""

    groups: Sequence[Group]
    total: int
    number: int
    pages: int

    @property
    def following(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The documents of the same category around one, in order; only the nearest if there are many."""

    before: Sequence[Leaf]
    after: Sequence[Leaf]

    @property
    def previous(self) -> Leaf | None:
        return self.before[-1] if self.before else None

    @property
    def next(self) -> Leaf | None:
        return self.after[0] if self.after else None


def get_documents(collection: Collection) -> QuerySet[Document]:
    """Readable documents, by path."""
    return Document.objects.in_collections([collection]).readable().order_by("path")


def get_documents_by_category(collection: Collection) -> QuerySet[Document]:
    """Readable documents, by category, then path."""
    return get_documents(collection).order_by(Lower("category"), "path")


def get_contents(collection: Collection, number: int) -> Contents | None:
    """None if there is no page of that number."""
    ordered = get_documents_by_category(collection)
    total = ordered.count()
    pages = max(1, -(-total // CONTENTS_DOCUMENTS))
    if not 1 <= number <= pages:
        return None
    start = (number - 1) * CONTENTS_DOCUMENTS
    leaves = list_leaves(ordered[start : start + CONTENTS_DOCUMENTS])
    groups = groupby(leaves, key=lambda leaf: leaf.category.lower())
    return Contents([make_group(index, list(each)) for index, (_, each) in enumerate(groups, 1)], total, number, pages)


def make_group(number: int, leaves: Sequence[Leaf]) -> Group:
    return Group(number, leaves[0].category, leaves)


def get_neighbours(document: Document) -> Neighbours:
    documents = get_documents(document.collection)
    same = documents.annotate(group=Lower("category")).filter(group=document.category.lower())
    before = list_leaves(same.filter(path__lt=document.path).order_by("-path")[:NEIGHBOURS])
    after = list_leaves(same.filter(path__gt=document.path)[:NEIGHBOURS])
    return Neighbours(before[::-1], after)


def list_leaves(documents: QuerySet[Document]) -> list[Leaf]:
    return [Leaf(*row) for row in documents.values_list(*Leaf._fields)]
