"""Finds the collections that a principal may read, those that a caller means by a name and a version, and how many documents they have."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from heapq import nlargest
from itertools import product
from typing import Any
from urllib.parse import unquote

from django.db.models import Count
from rapidfuzz import fuzz, utils

from collections_app.access.principal import Principal
from collections_app.exceptions import CollectionNotFound, InvalidParameter, Remedy
from collections_app.models import Collection, Document
from collections_app.models.prepared import Given, PreparedQuery
from collections_app.naming.paths import COMMON_LABELS
from collections_app.naming.version_folders import read_label
from collections_app.naming.versions import NEWEST, NUMBERS, find_version, fold_version, list_named, make_sort_key

MAX_VERSIONS = 30
MAX_LABEL_CHARACTERS = 50
# At most this many paths are searched for a folder named after a version.
MAX_PATHS = 10_000
# How many combinations of names and versions one call may ask for; each is looked up separately.
MAX_CHOICES = 200
# The same text for every caller, since answers are cached for all callers who see the same collections.
NOTHING_VISIBLE = (
    "There is no collection yet that this caller may read: with an API key (Authorization: Bearer KEY) those that are granted to the key, "
    "without one those that are public."
)
ASK_FOR_KEY = "Ask whoever runs this server for an API key, or to grant yours a collection."
# What models send to mean all collections; if a collection has such a name, that one is meant.
EVERY = ("all", "*")
# This server's own addresses of pages: the URI of a resource, and the URL of a page for people. The latter must name the tenant too, since
# `/docs/nats/` on another host has nothing to do with a collection of that name.
ADDRESS = re.compile(r"(docs://|https?://[^?#]*?/docs/)([^?]+)")
VERSION_BEHIND = re.compile(r"[-_.]v?\d[-_.\da-z]*$")
# How similar (0 to 100) a collection's name must be to be suggested, and how many are suggested at most.
ALIKE = 60
MAX_ALIKE = 3
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
PRINCIPAL_IDS = ("api_key_id", "tenant_id", "user_id")


def get_visible_collections(principal: Principal, only: tuple[str, str] | None = None) -> list[Collection]:
    """All collections that the principal may read, ordered by tenant and slug; `only` (tenant slug, collection slug) selects one.

    Raises CollectionNotFound if that one may not be read.
    """
    query = prepare_visible(make_pattern(principal), only is not None)
    ids = {name: getattr(principal, name) for name in PRINCIPAL_IDS}
    names = {"tenant": only[0], "collection": only[1]} if only else {}
    known = principal.known
    # For a known caller, it was checked when the request came in that what it remembers is still valid.
    found = known.take_collections(only) if known else None
    if found is None:
        found = query.read({**ids, **names})
        if known:
            known.remember(found, only)
    if only and not found.rows:
        raise CollectionNotFound(f"There is no collection {only[0]}/{only[1]} here.")
    # Ordered here and not by the database, so that one statement serves all callers.
    return sorted(query.make_rows(found.rows), key=lambda collection: (collection.tenant.slug, collection.slug))


def make_pattern(principal: Principal) -> tuple[bool, ...]:
    """What decides which rule of visibility applies to the principal: which ids it has, and its rights."""
    return (
        *(getattr(principal, name) is not None for name in PRINCIPAL_IDS),
        principal.all_collections,
        principal.is_superuser,
    )


@cache
def prepare_visible(pattern: tuple[bool, ...], is_narrowed: bool) -> PreparedQuery[Collection]:
    """The prepared query of `visible_to` for principals with this pattern."""
    *has_ids, all_collections, is_superuser = pattern
    ids: dict[str, Any] = {name: Given(name) for name, has in zip(PRINCIPAL_IDS, has_ids, strict=True) if has}
    anyone = Principal(all_collections=all_collections, is_superuser=is_superuser, **ids)
    visible = Collection.objects.visible_to(anyone)
    if is_narrowed:
        visible = visible.filter(tenant__slug__iexact=Given("tenant"), slug__iexact=Given("collection"))
    return PreparedQuery(visible, "tenant")


def name_collections(collections: Sequence[Collection], among: Sequence[Collection]) -> list[str]:
    """The names of these collections: the slug if it is unique in `among`, else `tenant/slug`."""
    slugs = Counter(other.slug for other in among)
    return [c.slug if slugs[c.slug] <= 1 else f"{c.tenant.slug}/{c.slug}" for c in collections]


def count_documents(collections: Sequence[Collection]) -> dict[int, int]:
    """Collection id → how many documents can be read there."""
    chosen = Collection.objects.filter(pk__in=[collection.pk for collection in collections])
    return dict(chosen.with_documents_count().order_by().values_list("pk", "documents_count"))


def count_not_served(collections: Sequence[Collection]) -> dict[int, dict[str, int]]:
    """Collection id → how many of its documents are failed or quarantined, which count_documents() leaves out."""
    kept = Document.objects.in_collections(collections).not_served().order_by()
    counts: dict[int, dict[str, int]] = {}
    for collection_id, status, count in (
        kept.values_list("collection", "status").annotate(Count("pk")).order_by("status")
    ):
        counts.setdefault(collection_id, {})[status] = count
    return counts


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


def leave_out(visible: Sequence[Collection], chosen: Sequence[Collection]) -> list[Collection]:
    """The visible collections that are not chosen. Compared by id, as comparing model instances is slow if there are many."""
    ids = {collection.id for collection in chosen}
    return [collection for collection in visible if collection.id not in ids]


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


def iter_places(visible: Sequence[Collection], path: str) -> Iterator[tuple[list[Collection], str]]:
    """The collections, and the path in them, that a path like `collection:path`, a resource's URI, or the URL of a page names."""
    if address := ADDRESS.match(path.strip()):
        parts = unquote(address[2]).replace("\0", "").split("/")
        counts = (1, 2) if address[1] == "docs://" else (2,)
        meant = [("/".join(parts[:count]), "/".join(parts[count:])) for count in counts]
    else:
        name, _, rest = path.partition(":")
        meant = [] if rest.startswith("//") else [(name, rest)]
    for name, rest in meant:
        if rest and (named := find_named(visible, name)):
            yield named, rest


def list_places(collections: Sequence[Collection], path: str) -> list[tuple[Sequence[Collection], str]]:
    """Where a path may lead: the whole path in any of these collections, and the places that it names explicitly (iter_places)."""
    return [(collections, path), *iter_places(collections, path)]


def iter_folders(visible: Sequence[Collection], path: str) -> Iterator[tuple[list[Collection], str]]:
    """The collections, and the path in them, that a path like `collection/path` or `tenant/collection/path` names."""
    parts = [] if "://" in path else path.strip().removeprefix("./").strip("/").split("/")
    for count in (1, 2):
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        if rest and (named := find_named(visible, name)):
            yield named, rest


def choose_versions(visible: Sequence[Collection], name: str | None, version: str | None) -> list[Collection]:
    """The collections to search: of each library the version that is asked for, or the newest.

    Without `name` and with `version`, every library that has the version. If no version has such a name, `latest` means the newest, and one
    of EVERY all versions. Both arguments may be lists separated by commas. Raises what choose_collections() raises, and InvalidParameter,
    which lists the versions there are.
    """
    names, labels = split_names(visible, name), split_versions(version)
    if len(names) > 1 or len(labels) > 1:
        pairs = list(product(names, labels))
        if len(pairs) > MAX_CHOICES:
            raise InvalidParameter(f"More than {MAX_CHOICES} collections by versions. Name fewer of them.")
        return list(dict.fromkeys(c for each, label in pairs for c in choose_versions(visible, each, label)))
    chosen = choose_collections(visible, names[0])
    if version is None:
        return keep_newest(chosen)
    versions = [c for c in visible if any(is_version_of(c, each) for each in chosen)]
    libraries: dict[tuple[int, str], list[Collection]] = {}
    for collection in versions:
        libraries.setdefault(get_library(collection), []).append(collection)
    found = [c for members in libraries.values() if (c := find_with_version(members, version))]
    if not found and fold_version(version) in NEWEST:
        return keep_newest(versions)
    if not found and fold_version(version) in EVERY:
        return versions
    if not found:
        raise explain_missing_version(versions, version)
    return found


def split_versions(version: str | None) -> list[str | None]:
    labels = dict.fromkeys(label.strip() for label in (version or "").split(","))
    return list(filter(None, labels)) or [version]


def find_passed_over(
    visible: Sequence[Collection], name: str | None, chosen: Sequence[Collection]
) -> Collection | None:
    """The collection that `name` means (the first if there are several names), if choose_versions() chose another one of its library.

    The name of a library means any of its versions, so it is never passed over.
    """
    for each in filter(None, split_names(visible, name)):
        named = [c for c in find_named(visible, each) if not is_named(c, c.library, each.strip().lower())]
        if len(named) == 1 and named[0] not in chosen:
            return named[0]
    return None


def explain_passed_over(
    collection: Collection, chosen: Sequence[Collection], visible: Sequence[Collection], what_was_done: str = "searched"
) -> str:
    left, *searched = name_collections([collection, *chosen], visible)
    what = f"version {collection.version}" if collection.version else "of no version"
    return f"{left} is {what}; {what_was_done} {', '.join(searched)} as version asks."


def explain_choice(
    visible: Sequence[Collection],
    chosen: Sequence[Collection],
    passed_over: Collection | None,
    question: str,
    best: tuple[str, str] | None = None,
) -> str:
    """Why the searched collections are not those that the call (`passed_over`) or its question named; empty if they are.

    `question`: empty if the call itself asks for a version. `best`: the slugs of the tenant and the collection that have the best hit. What
    looks like a version in the question (`from Gears v2 to v3`) is one of that library, not of another that was searched as well.
    """
    if passed_over:
        return explain_passed_over(passed_over, chosen, visible)
    own = [c for c in chosen if (c.tenant.slug, c.slug) == best]
    served = [c for c in chosen if get_library(c) == get_library(own[0])] if own else chosen
    return explain_unsearched(visible, served, question)


def explain_unsearched(visible: Sequence[Collection], chosen: Sequence[Collection], question: str) -> str:
    """A sentence on versions of a searched library that the question names and that were not searched; empty if there are none."""
    if not NUMBERS.search(question):
        return ""
    searched, there = group_versions(chosen), group_versions(visible)
    named = dict.fromkeys(
        label
        for library, own in searched.items()
        for label in list_named(question, sorted(there.get(library, own)), sorted(own))
        if label not in own
    )
    if not named:
        return ""
    were = "was" if len(named) == 1 else "were"
    return f'The question names {", ".join(named)}, which {were} not searched: version="{",".join(named)}" does.'


def group_versions(collections: Sequence[Collection]) -> dict[tuple[int, str], set[str]]:
    """Library → the versions that these collections have of it."""
    grouped: dict[tuple[int, str], set[str]] = {}
    for collection in collections:
        if collection.library and collection.version:
            grouped.setdefault(get_library(collection), set()).add(collection.version)
    return grouped


def is_version_of(collection: Collection, other: Collection) -> bool:
    return get_library(collection) == get_library(other)


def list_library_names(collection: Collection) -> set[str]:
    """Names that a site or a repository of the collection may have: its slug, with and without a version at its end, and its library."""
    slug = collection.slug.lower()
    names = {slug, VERSION_BEHIND.sub("", slug), collection.library.lower()}
    return names - {"", *COMMON_LABELS}


def list_product_names(collections: Sequence[Collection]) -> frozenset[str]:
    """Names for the product that all these collections are about, in lower case, as separate words; none if there are several products."""
    if len(set(map(get_library, collections))) != 1:
        return frozenset()
    names = {drop_common(name) for each in collections for name in (*list_library_names(each), each.name)}
    return frozenset(name for name in names if len(name) > 1 and not OF_ANYBODY.issuperset(name.split()))


def is_named_version(collection: Collection, name: str) -> bool:
    return bool(collection.version) and fold_version(collection.version) == fold_version(name)


def get_library(collection: Collection) -> tuple[int, str]:
    """A key that is the same for all versions of a library; a collection without a library has its own."""
    return collection.tenant_id, f"library {collection.library}" if collection.library else collection.slug


def keep_newest(collections: Sequence[Collection]) -> list[Collection]:
    """Only the newest version of each library, in the given order."""
    newest: dict[tuple[int, str], Collection] = {}
    for collection in collections:
        best = newest.setdefault(get_library(collection), collection)
        if make_sort_key(collection.version) > make_sort_key(best.version):
            newest[get_library(collection)] = collection
    return [c for c in collections if newest[get_library(c)] is c]


def find_other_versions(
    visible: Sequence[Collection], served: Collection, searched: Sequence[Collection] = ()
) -> list[str]:
    """The other versions of the served collection's library, without those that were searched too, newest first.

    After them come the names of its collections that no version means: those without a version, or with the same one as another.
    """
    if not served.library:
        return []
    others = [c for c in leave_out(visible, (served, *searched)) if is_version_of(c, served)]
    taken = {"", *(c.version for c in (served, *searched) if is_version_of(c, served))}
    meant = {c.version: c for c in reversed(others) if c.version not in taken}
    named = name_collections([c for c in others if meant.get(c.version) is not c], visible)
    return [*sorted(meant, key=make_sort_key, reverse=True), *(f"collection {name}" for name in named)]


def find_with_version(collections: Sequence[Collection], version: str) -> Collection | None:
    label = find_version(version, [c.version for c in collections if c.version])
    return next((c for c in collections if c.version == label), None) if label else None


def explain_missing_version(collections: Sequence[Collection], version: str) -> InvalidParameter:
    """The error to raise if none of these collections has this version."""
    labels = sorted({c.version for c in collections if c.version}, key=make_sort_key, reverse=True)
    there = f"indexed: {', '.join(labels[:MAX_VERSIONS])}" if labels else "what is indexed here names no version"
    folder = find_version_folder(collections, version)
    filters = json.dumps({"path": {"$contains": folder}}, ensure_ascii=False)
    way = f"A folder is called so: search with filters={filters}." if folder else "Leave version out for the newest."
    return InvalidParameter(f"Version {version[:50]!r} is not here; {there}. {way}")


def find_version_folder(collections: Sequence[Collection], version: str) -> str:
    """The folder in the collections' paths that is named after this version (the newest match); empty if there is none."""
    number = fold_version(version)[:MAX_LABEL_CHARACTERS]
    documents = Document.objects.in_collections(collections).readable().filter(path__icontains=number)
    folders: dict[str, str] = {}
    for path in documents.values_list("path", flat=True)[:MAX_PATHS] if number else ():
        before, slash, _ = path.rpartition("/")
        for folder in before.split("/"):
            if slash and (label := read_label(folder)):
                folders[label] = f"/{folder}/" if f"/{folder}/" in path else f"{folder}/"
    found = find_version(number, list(folders))
    return folders[found] if found else ""


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


def drop_common(name: str) -> str:
    words = utils.default_process(name).split()
    return " ".join([word for word in words if word not in COMMON_WORDS] or words)


def explain_missing(visible: Sequence[Collection], name: str) -> CollectionNotFound:
    """The error to raise if no collection has this name; it lists those that there are."""
    if not visible:
        return CollectionNotFound(f"There is no collection {name!r}. {NOTHING_VISIBLE} {ASK_FOR_KEY}")
    names = name_collections(visible, visible)
    close = [names[visible.index(collection)] for collection in find_alike(visible, name)]
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    error = CollectionNotFound(f"There is no collection {name!r}. {hint}There are: {listed}.")
    return error.offer({Remedy.COLLECTIONS: ""})
