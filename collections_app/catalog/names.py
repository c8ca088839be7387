"""The collections that a caller means by a name, and what a caller is told whose name means none, or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import nlargest

from rapidfuzz import fuzz

from collections_app.catalog.libraries import drop_common, keep_newest
from collections_app.exceptions import CollectionNotFound, InvalidParameter, Offer, Remedy
from collections_app.models import Collection
from collections_app.naming.versions import make_sort_key

# The same text for every caller, since answers are cached for all callers who see the same collections.
NOTHING_VISIBLE = (
    "There is no collection yet that this caller may read: with an API key (Authorization: Bearer KEY) those that are granted to the key, "
    "without one those that are public."
)
ASK_FOR_KEY = "Ask whoever runs this server for an API key, or to grant yours a collection."
# What models send to mean all collections; if a collection has such a name, that one is meant.
EVERY = ("all", "*")
# How similar (0 to 100) a collection's name must be to be suggested, and how many are suggested at most.
ALIKE = 60
MAX_ALIKE = 3


def name_collections(collections: Sequence[Collection], among: Sequence[Collection]) -> list[str]:
    """The names of these collections: the slug if it is unique in `among`, else `tenant/slug`."""
    slugs = Counter(other.slug for other in among)
    return [c.slug if slugs[c.slug] <= 1 else f"{c.tenant.slug}/{c.slug}" for c in collections]


def leave_out(visible: Sequence[Collection], chosen: Sequence[Collection]) -> list[Collection]:
    """The visible collections that are not chosen. Compared by id, as comparing model instances is slow if there are many."""
    ids = {collection.id for collection in chosen}
    return [collection for collection in visible if collection.id not in ids]


def choose_collections(visible: Sequence[Collection], name: str | None, *, to_change: bool = False) -> list[Collection]:
    """The collection that `name` means; all visible ones if it is None or one of EVERY. Raises what choose_one() raises."""
    if name is None or (name.strip().lower() in EVERY and not find_named(visible, name)):
        return list(visible)
    return [choose_one(visible, name, to_change=to_change)]


def choose_one(visible: Sequence[Collection], name: str, *, to_change: bool = False) -> Collection:
    """The collection that `name` means (see find_named). `to_change`: a library's name does not mean its newest version.

    Raises CollectionNotFound, which lists the names there are and the closest ones, and InvalidParameter if several have the name.
    """
    matching = find_named(visible, name, newest_only=not to_change)
    if not matching:
        raise explain_missing(visible, name)
    if len(matching) > 1:
        names = name_collections(matching, visible)
        raise InvalidParameter(
            f"Several collections are named {name!r}: say which one: {', '.join(names)}.", collections=names
        )
    return matching[0]


def choose_several(visible: Sequence[Collection], names: str | None, *, to_change: bool = False) -> list[Collection]:
    """Like choose_collections(), for several names separated by commas; each collection once. Raises what that raises."""
    chosen = (c for name in split_names(visible, names) for c in choose_collections(visible, name, to_change=to_change))
    return list(dict.fromkeys(chosen))


def split_names(visible: Sequence[Collection], names: str | None) -> list[str | None]:
    """The single names, separated by commas; not split if a collection's name has the commas itself. [None] means all collections."""
    if names and "," in names and not find_named(visible, names):
        return list(dict.fromkeys(part.strip() for part in names.split(",") if part.strip())) or [None]
    return [names]


def names_any(visible: Sequence[Collection], names: str | None) -> bool:
    """Whether one of the names means certain collections, and not all."""
    return any(name and find_named(visible, name) for name in split_names(visible, names))


def find_named(visible: Sequence[Collection], name: str, *, newest_only: bool = True) -> list[Collection]:
    """The collections with this name, ignoring case. The first of these that matches counts:

    1. the slug, with or without the tenant;
    2. the library: its newest version, or all versions without `newest_only`;
    3. the name;
    4. the slug, then the library, followed by the version, as answers print them.
    """
    wanted = name.strip().lower()
    choose = keep_newest if newest_only else list
    return (
        [c for c in visible if is_named(c, c.slug, wanted)]
        or choose([c for c in visible if c.library and is_named(c, c.library, wanted)])
        or [c for c in visible if wanted and c.name.strip().lower() == wanted]
        or [c for c in visible if c.version and is_named(c, f"{c.slug} {c.version}", wanted)]
        or [c for c in visible if c.version and c.library and is_named(c, f"{c.library} {c.version}", wanted)]
    )


def is_named(collection: Collection, slug: str, wanted: str) -> bool:
    """Whether `wanted` is the slug, `tenant/slug`, or `tenant:slug` (the form in addresses, where a slash begins another part)."""
    tenant, slug = collection.tenant.slug.lower(), slug.lower()
    return wanted in (slug, f"{tenant}/{slug}", f"{tenant}:{slug}")


def explain_missing(visible: Sequence[Collection], name: str) -> CollectionNotFound:
    """The error to raise if no collection has this name; it lists those that there are."""
    if not visible:
        return CollectionNotFound(f"There is no collection {name!r}. {NOTHING_VISIBLE} {ASK_FOR_KEY}")
    names = name_collections(visible, visible)
    close = [names[visible.index(collection)] for collection in find_alike(visible, name)]
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    error = CollectionNotFound(f"There is no collection {name!r}. {hint}There are: {listed}.")
    return error.offer(Offer(Remedy.COLLECTIONS))


def find_alike(visible: Sequence[Collection], name: str) -> list[Collection]:
    """At most MAX_ALIKE collections whose slug, library or name is most similar to this name; of equals the newest version first.

    Words that are common in names of documentation are ignored.
    """
    wanted = drop_common(name)
    newest_first = sorted(visible, key=lambda c: make_sort_key(c.version), reverse=True)
    alike = {
        collection: max(
            fuzz.WRatio(wanted, drop_common(each)) for each in (collection.slug, collection.library, collection.name)
        )
        for collection in newest_first
    }
    return nlargest(MAX_ALIKE, (c for c in newest_first if alike[c] >= ALIKE), key=alike.__getitem__)
