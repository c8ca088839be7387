"""What several tools' parameters have in common: types, aliases, and the meaning of `collection`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from collections_app.catalog.libraries import keep_newest
from collections_app.catalog.names import choose_several, names_any
from collections_app.catalog.versions import choose_versions, explain_choice, find_passed_over
from collections_app.catalog.visible import get_visible_collections
from collections_app.models import Collection, Document
from collections_app.search import MAX_QUERY_CHARACTERS, Hit, SearchResults, leave_out_frames
from mcp_app.entries import Call
from mcp_app.rendering import MAX_TOKENS, READ_TOKENS, name_path


def read_blank(value: object) -> object:
    """None for an empty text, which models send for arguments that they leave out."""
    return None if isinstance(value, str) and not value.strip() else value


def cut_to(most: int) -> Callable[[int | None], int | None]:
    """Reduces a number that is too large to the most there may be: whoever asks for all is better served than refused."""
    return lambda count: None if count is None else min(count, most)


def leave_out_frames_of_long(question: object) -> object:
    """A question of too many characters without the frames of stack traces, which are not looked up anyway."""
    is_long = isinstance(question, str) and len(question) > MAX_QUERY_CHARACTERS
    return leave_out_frames(" ".join(str(question).split())) if is_long else question


# The most that the names of several collections may take in a call.
MOST_NAMED_CHARACTERS = 100
# Enough for a cursor with the longest path, in its longest encoding.
MAX_CURSOR_CHARACTERS = 20_000

MAX_LISTED = 100

OrAbsent = BeforeValidator(read_blank)
CollectionName = Annotated[str | None, Field(max_length=1000, description="Slugs; default: all"), OrAbsent]
Asked = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS), BeforeValidator(leave_out_frames_of_long)]
Category = Annotated[str | None, Field(max_length=200, description="Page category"), OrAbsent]
Code = Annotated[str | None, Field(max_length=50, description="Of code in several languages only: python"), OrAbsent]
Version = Annotated[str | None, Field(max_length=200, description="Default: newest"), OrAbsent]
Cursor = Annotated[str | None, Field(max_length=MAX_CURSOR_CHARACTERS, description="From the last answer"), OrAbsent]
Path = Annotated[str, Field(min_length=1, max_length=2000, description="As given by search_docs")]
TokenBudget = Annotated[
    int | None, Field(ge=100, json_schema_extra={"maximum": MAX_TOKENS}), AfterValidator(cut_to(MAX_TOKENS))
]
PageLimit = Annotated[int, Field(ge=1, json_schema_extra={"maximum": MAX_LISTED}), AfterValidator(cut_to(MAX_LISTED))]

PATH_ALIASES = {
    "filename": "path",
    "file": "path",
    "document_id": "path",
    "doc_id": "path",
    "id": "path",
    "url": "path",
    "file_path": "path",
}
COLLECTION_ALIASES = {
    "collections": "collection",
    "library": "collection",
    "collection_name": "collection",
    "libraryName": "collection",
}
# Names that models use for a query, and for part of a path.
QUERY_NAMES = ("q", "question", "userQuery", "topic", "search")
FOLDER_NAMES = ("path", "path_prefix", "prefix", "directory")
LIMIT_ALIASES = dict.fromkeys(("max_results", "top_k", "page_size"), "limit")


@dataclass(frozen=True)
class Reach:
    """`chosen`: the collections that a call is about; `visible`: all that its caller may read.

    `passed_over`: the collection that was named, if the call asked for another version of that library. `is_named`: the call named a
    collection; `has_version`: it asked for a version.
    """

    chosen: Sequence[Collection]
    visible: Sequence[Collection]
    passed_over: Collection | None = None
    is_named: bool = False
    has_version: bool = False

    def make_notice(self, question: str, found: SearchResults) -> str:
        """Why other collections were searched than the call or its question named; empty if there is no difference."""
        asked = "" if self.has_version else question
        return explain_choice(self.visible, self.chosen, self.passed_over, asked, found.best_collection)

    @property
    def argument(self) -> str | None:
        """The value of `collection` that means the chosen ones; None if all are chosen, or too many to name."""
        names = ",".join(map(self.name, self.chosen))
        if len(self.chosen) > 1 and set(self.chosen).issuperset(keep_newest(self.visible)):
            return None
        return names if len(self.chosen) == 1 or 0 < len(names) <= MOST_NAMED_CHARACTERS else None

    def name(self, collection: Collection) -> str:
        return self.name_slugs(collection.tenant.slug, collection.slug)

    def name_slugs(self, tenant: str, slug: str) -> str:
        """A collection's slug if that is unambiguous, else `tenant/slug`."""
        return slug if self._slugs[slug] <= 1 else f"{tenant}/{slug}"

    @cached_property
    def _slugs(self) -> Counter[str]:
        return Counter(collection.slug for collection in self.visible)

    def locate(self, document: Document, max_tokens: int = READ_TOKENS) -> str:
        return self.locate_path(self.name(document.collection), document.path, document.pk, max_tokens)

    def locate_hit(self, hit: Hit, max_tokens: int) -> str:
        return self.locate_path(self.name_slugs(hit.tenant, hit.collection), hit.path, hit.document_id, max_tokens)

    def locate_path(self, collection: str, path: str, document_id: int, max_tokens: int) -> str:
        """A path that means this document and no other, whichever collections are visible, short enough for the budget."""
        return name_path(path if len(self.visible) == 1 else f"{collection}:{path}", document_id, max_tokens)


def get_reach(call: Call, collection: str | None, version: str | None = None) -> Reach:
    """Reach with every version of what is named, unless one is asked for. Raises CollectionNotFound if this caller has no such collection,
    and InvalidParameter if the version does not exist."""
    if version:
        return get_search_reach(call, collection, version)
    visible = get_visible_collections(call.principal, call.narrowed_to)
    return Reach(choose_several(visible, collection), visible, is_named=names_any(visible, collection))


def get_search_reach(call: Call, collection: str | None, version: str | None) -> Reach:
    """Reach of a question: one version of each library. Raises CollectionNotFound, and InvalidParameter if the version does not exist."""
    visible = get_visible_collections(call.principal, call.narrowed_to)
    chosen = choose_versions(visible, collection, version)
    passed_over = find_passed_over(visible, collection, chosen) if version else None
    return Reach(chosen, visible, passed_over, names_any(visible, collection), has_version=bool(version))
