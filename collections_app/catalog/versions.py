"""The collections that a caller means by a name and a version, and what it is told of versions that were not searched."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product

from collections_app.catalog.libraries import (
    find_with_version,
    get_library,
    group_versions,
    is_version_of,
    keep_newest,
)
from collections_app.catalog.names import (
    EVERY,
    choose_collections,
    find_named,
    is_named,
    leave_out,
    name_collections,
    split_names,
)
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, Document
from collections_app.naming.version_folders import read_label
from collections_app.naming.versions import NEWEST, NUMBERS, find_version, fold_version, list_named, make_sort_key

MAX_VERSIONS = 30
MAX_LABEL_CHARACTERS = 50
# At most this many paths are searched for a folder named after a version.
MAX_PATHS = 10_000
# How many combinations of names and versions one call may ask for; each is looked up separately.
MAX_CHOICES = 200


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
