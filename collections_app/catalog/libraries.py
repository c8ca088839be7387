"""The versions of a library: which collections are of one, which of them is the newest, and what the product is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from collections_app.models import Collection
from collections_app.naming.paths import COMMON_LABELS
from collections_app.naming.versions import find_version, fold_version, make_sort_key
from collections_app.text.names import split_words

VERSION_BEHIND = re.compile(r"[-_.]v?\d[-_.\da-z]*$")
COMMON_WORDS = (
    "api",
    "docs",
    "doc",
    "documentation",
    "guide",
    "handbook",
    "library",
    "manual",
    "reference",
    "site",
    "wiki",
)
# Words that do not make a product's name by themselves.
OF_ANYBODY = frozenset({
    *COMMON_WORDS, *COMMON_LABELS, "a", "admin", "administrator", "all", "app", "base", "company", "customer", "developer", "developers",
    "employee", "faq", "general", "getting", "help", "how", "internal", "knowledge", "main", "my", "notes", "our", "policies", "product",
    "project", "public", "server", "service", "start", "started", "style", "support", "team", "test", "the", "to", "tutorial", "user",
    "users",
})  # fmt: skip


def get_library(collection: Collection) -> tuple[int, str]:
    """A key that is the same for all versions of a library; a collection without a library has its own."""
    return collection.tenant_id, f"library {collection.library}" if collection.library else collection.slug


def is_version_of(collection: Collection, other: Collection) -> bool:
    return get_library(collection) == get_library(other)


def is_named_version(collection: Collection, name: str) -> bool:
    return bool(collection.version) and fold_version(collection.version) == fold_version(name)


def keep_newest(collections: Sequence[Collection]) -> list[Collection]:
    """Only the newest version of each library, in the given order."""
    newest: dict[tuple[int, str], Collection] = {}
    for collection in collections:
        best = newest.setdefault(get_library(collection), collection)
        if make_sort_key(collection.version) > make_sort_key(best.version):
            newest[get_library(collection)] = collection
    return [c for c in collections if newest[get_library(c)] is c]


def find_with_version(collections: Sequence[Collection], version: str) -> Collection | None:
    label = find_version(version, [c.version for c in collections if c.version])
    return next((c for c in collections if c.version == label), None) if label else None


def group_versions(collections: Sequence[Collection]) -> dict[tuple[int, str], set[str]]:
    """Library → the versions that these collections have of it."""
    grouped: dict[tuple[int, str], set[str]] = {}
    for collection in collections:
        if collection.library and collection.version:
            grouped.setdefault(get_library(collection), set()).add(collection.version)
    return grouped


def list_library_names(collection: Collection) -> set[str]:
    """Names that a site or a repository of the collection may have: its slug, with and without a version at its end, and its library."""
    return spell_library(collection.slug.lower(), collection.library.lower())


def spell_library(slug: str, library: str) -> set[str]:
    return {slug, VERSION_BEHIND.sub("", slug), library} - {"", *COMMON_LABELS}


def list_product_names(collections: Sequence[Collection]) -> frozenset[str]:
    """Names for the product that all these collections are about, in lower case, as separate words; none if there are several products."""
    if len(set(map(get_library, collections))) != 1:
        return frozenset()
    return frozenset().union(
        *(name_product(each.slug.lower(), each.library.lower(), each.name) for each in collections)
    )


@lru_cache(maxsize=1_000)
def name_product(slug: str, library: str, name: str) -> frozenset[str]:
    names = {drop_common(each) for each in (*spell_library(slug, library), name)}
    return frozenset(each for each in names if len(each) > 1 and not OF_ANYBODY.issuperset(each.split()))


def drop_common(name: str) -> str:
    """The words of a name, without those that say nothing of its product."""
    words = split_words(name)
    return " ".join([word for word in words if word not in COMMON_WORDS] or words)
