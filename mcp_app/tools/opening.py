"""Finds the document that a call is about, for the tools that read, and says how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from collections_app.access.principal import Scope
from collections_app.catalog.libraries import is_version_of
from collections_app.catalog.places import iter_places
from collections_app.catalog.versions import explain_missing_version, explain_passed_over
from collections_app.documents import open_document
from collections_app.models import Document
from collections_app.naming.version_folders import read_version
from collections_app.naming.versions import make_sort_key
from collections_app.text.pages.descriptions import find_untold
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call
from mcp_app.rendering import READ_TOKENS, format_call, name_path, shorten_name
from mcp_app.tools.parameters import Reach

# Remarks about how a document was found may take this fraction of the budget: 1/5.
SHARE = 5
MAX_OTHERS = 5
# A description may take 1/8 of the budget, and this much.
DESCRIPTION_SHARE = 8
DESCRIPTION_TOKENS = 150


@dataclass(frozen=True, slots=True)
class Opening:
    """The document. `is_taken`: no document has the path that was asked for, but this one's path ends with it. `others`: those of the same
    path in other versions of its library, or in folders of other versions, newest first."""

    document: Document
    reach: Reach
    others: Sequence[Document] = ()
    is_taken: bool = False

    def describe(self, max_tokens: int) -> str:
        """How the document was found; empty if it is what was asked for. A guess (`is_taken`) is mentioned however small the budget is."""
        others = ", ".join(self._locate(each, max_tokens) for each in self.others[:MAX_OTHERS])
        facts = [
            f"[{self._tell_version()}; also there: {others}]" if others else "",
            f"[{self._tell_passed_over()}]" if self.reach.passed_over else "",
        ]
        taken = self.describe_taken(max_tokens)
        left = max_tokens // SHARE - estimate_tokens(taken)
        kept = [taken] if taken else []
        for fact in filter(None, facts):
            left -= estimate_tokens(fact) + 1
            if left >= 0:
                kept.append(fact)
        return "\n".join(kept)

    def describe_taken(self, max_tokens: int) -> str:
        return f"[taken for {self._locate(self.document, max_tokens)}]" if self.is_taken else ""

    def make_data(self, max_tokens: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.is_taken:
            data["taken_for"] = self._locate(self.document, max_tokens)
        if self.others:
            data["other_versions"] = [self._locate(each, max_tokens) for each in self.others[:MAX_OTHERS]]
        if self.reach.passed_over:
            data["notice"] = self._tell_passed_over()
        return data

    def _locate(self, document: Document, max_tokens: int) -> str:
        return name_path(f"{self.reach.name(document.collection)}:{document.path}", document.pk, max_tokens)

    def _tell_version(self) -> str:
        collection = self.document.collection
        are_folders = all(each.collection_id == collection.pk for each in self.others)
        if are_folders:  # of which the address may have named one
            return "one of several versions"
        version = f"version {shorten_name(collection.version, 10)}, " if collection.version else ""
        return f"{version}the newest that has it"

    def _tell_passed_over(self) -> str:
        reach = self.reach
        return explain_passed_over(reach.passed_over, reach.chosen, reach.visible, "read") if reach.passed_over else ""


def tell_description(document: Document, text: str, max_tokens: int) -> str:
    """The document's description for readers of its beginning; empty if `text`, which they get, says the same."""
    untold = find_untold(document.description, text)
    return shorten_name(untold, min(DESCRIPTION_TOKENS, max_tokens // DESCRIPTION_SHARE))


class OfPage:
    """What answers about a page have in common, whichever part of it they give. `asked_tokens` is the budget that the caller gave,
    `max_tokens` the one that applies."""

    __slots__ = ()
    opening: Opening
    asked_tokens: int | None

    @property
    def document(self) -> Document:
        return self.opening.document

    @property
    def reach(self) -> Reach:
        return self.opening.reach

    @property
    def max_tokens(self) -> int:
        return self.asked_tokens or READ_TOKENS

    @property
    def path(self) -> str:
        """The path to ask for the document again."""
        return self.reach.locate(self.document, self.max_tokens)

    def tell_description(self, text: str) -> str:
        return tell_description(self.document, text, self.max_tokens)

    def call_page(self, code: str, cursor: str | None = None) -> str:
        """The call that reads the page: the whole, or from the cursor on."""
        return format_call(
            "get_doc_page", path=self.path, code=code or None, max_tokens=self.asked_tokens, cursor=cursor
        )


def open_page(call: Call, reach: Reach, path: str, version: str | None = None) -> Opening:
    """The document that is meant. Raises DocumentNotFound and InvalidParameter; callers that may write learn why one is unreadable."""
    if version:
        reach, path = keep_version(reach, path, version)
    tells_unread = call.principal.may(Scope.WRITE)
    found = open_document(
        reach.chosen,
        path,
        visible=reach.visible,
        is_named=reach.is_named,
        tells_unread=tells_unread,
        tells_elsewhere=not version,
    )
    others = sorted(
        found.others,
        key=lambda each: (make_sort_key(each.collection.version), make_sort_key(read_version(each.path).version)),
        reverse=True,
    )
    return Opening(found.document, reach, others, found.is_taken)


def keep_version(reach: Reach, path: str, version: str) -> tuple[Reach, str]:
    """The reach and path to look up when a version is asked for. A path that names its collection is looked up, without that name, in this
    version of the collection's library; any other path is unchanged. Raises InvalidParameter if the library lacks the version."""
    for named, rest in iter_places(reach.visible, path):
        library = [c for c in reach.visible if is_version_of(c, named[0])]
        meant = [c for c in reach.chosen if c in library]
        if not meant:
            raise explain_missing_version(library, version)
        passed_over = None if named[0] in meant else named[0]
        return replace(reach, chosen=meant, passed_over=passed_over, is_named=True), rest
    return reach, path
