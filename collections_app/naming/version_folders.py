"""Pages of several versions in folders beside each other (`docs/`, `v1.13-docs/`, `2.x/`): which of them are the same page, and which is
newer. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeVar

from collections_app.naming.paths import INDEX_NAMES
from collections_app.naming.versions import list_named, make_sort_key

Key = TypeVar("Key")
Name = TypeVar("Name")
# Whether the question names the version, and make_sort_key() of it.
Rank = tuple[bool, tuple[tuple[int, int, str], ...]]

# A bare number may be that of a chapter or year.
_VERSION = re.compile(
    r"(?:(?:v|(?:version|release)[-_.]?v?)[-_.]?(?=\d)|(?=\d+\.))(\d+(?:\.\d+)*(?:\.x)?(?:[-.]?(?:alpha|beta|rc|preview)[-.]?\d*)?)(?:[-_]docs?)?",
    re.IGNORECASE,
)
_HINT = re.compile(r"(?:^|/)(?:version|release)?[-_.]?v?[-_.]?\d+[.\w-]*/", re.IGNORECASE | re.MULTILINE)
# Folders with the version that people should read, or that is being worked on.
WITHOUT_VERSION = frozenset({"docs", "doc", "versioned_docs", "latest", "stable", "current"})
# What a folder is called that has versions in it: `versioned_docs_archived/version-3.x/`, `versions/v2/`, `archive/2.1/`.
_OF_VERSIONS = frozenset(
    {"doc", "docs", "version", "versions", "versioned", "archive", "archives", "archived", "old", "older", "previous"}
)
_WORDS = re.compile(r"[^\W_]+")
_NEWEST = "latest"
# Fewer outdated pages are not reported.
FEW_OUTDATED = 10
NAMED_VERSIONS = 5
_INDEX_NAMES = frozenset(name.lower() for name in INDEX_NAMES)


class VersionedPath(NamedTuple):
    """`page`: the path without what distinguishes versions."""

    page: tuple[str, ...]
    version: str


@lru_cache(maxsize=10_000)  # each search asks for the paths of what it found
def read_version(path: str) -> VersionedPath:
    """The version is that of the first folder with such a name; a second one may belong to the page's subject."""
    *folders, name = path.lower().split("/")
    found = next((folder for folder in folders if _VERSION.fullmatch(folder)), "")
    if not folders or (
        all(folder in WITHOUT_VERSION or folder == found for folder in folders) and name in _INDEX_NAMES
    ):
        return VersionedPath((*folders, name), _NEWEST)  # each folder may have an index page of its own
    above = folders.index(found) if found else 0
    page = [
        folder
        for number, folder in enumerate(folders)
        if folder not in WITHOUT_VERSION and folder != found and not (number + 1 == above and _is_of_versions(folder))
    ]
    return VersionedPath((*page, name), read_label(found) or _NEWEST)


def _is_of_versions(folder: str) -> bool:
    return _OF_VERSIONS.issuperset(_WORDS.findall(folder))


def read_label(folder: str) -> str:
    """The version in a folder's name: 1.13 for `v1.13-docs`; empty if there is none."""
    found = _VERSION.fullmatch(folder)
    return found[1] if found else ""


def count_outdated(paths: Iterable[str]) -> dict[str, int]:
    """Version → for how many of its pages another path has the same page in a newer version; the version with most of them first. Empty
    if these are fewer than FEW_OUTDATED in all: a few may be about different things."""
    older = Counter(read_version(path).version for path in find_outdated({path: path for path in paths}, ""))
    return dict(older.most_common()) if older.total() >= FEW_OUTDATED else {}


def describe_outdated(counts: Mapping[str, int]) -> str:
    """A sentence about the result of count_outdated(); empty if that is."""
    if not counts:
        return ""
    most = list(counts.items())[:NAMED_VERSIONS]
    named = ", ".join(f"{version} ({count:,})" for version, count in most) + (", …" if len(counts) > len(most) else "")
    return (
        f"{sum(counts.values()):,} pages are older versions of others: {named}. Searches put the newest first; "
        "an exclude pattern leaves a version out."
    )


def may_have_versions(paths: Iterable[str]) -> bool:
    """Whether one of the paths may be in a version's folder; a look at all of them at once."""
    return _HINT.search("\n".join(paths)) is not None


class RankedPage(NamedTuple):
    """`page`: the path without what distinguishes versions; of two versions, the newer has the higher `rank`."""

    page: tuple[str, ...]
    rank: Rank


def rank_versions(paths: Mapping[Key, str], question: str) -> dict[Key, RankedPage]:
    """What page each path has, in which version. Versions that the question names count as newer than all others. Empty if no page is
    there in two versions."""
    if not may_have_versions(paths.values()):
        return {}
    read = {key: read_version(path) for key, path in paths.items()}
    found = set(read.values())
    if len(found) == len({page for page, _ in found}):
        return {}
    labels = sorted({version for _, version in found})
    named = set(list_named(question, labels))
    ranks = {label: (label in named, make_sort_key(label.replace(".x", ".999999"))) for label in labels}
    return {key: RankedPage(page, ranks[version]) for key, (page, version) in read.items()}


def find_newest(ranked: Iterable[tuple[Name, Rank]]) -> dict[Name, Rank]:
    """Name → the highest of its ranks."""
    newest: dict[Name, Rank] = {}
    for name, rank in ranked:
        newest[name] = max(newest.get(name, rank), rank)
    return newest


def find_outdated(paths: Mapping[Key, str], question: str) -> set[Key]:
    """The paths whose page another path has in a newer version."""
    ranked = rank_versions(paths, question)
    newest = find_newest(ranked.values())
    return {key for key, (page, rank) in ranked.items() if rank < newest[page]}
