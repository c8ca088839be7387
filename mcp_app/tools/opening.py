"""Which document a call is about, as the tools that read share it, and what is said of how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from collections_app.access.principal import Scope
from collections_app.catalog import explain_missing_version, explain_passed_over, is_version_of, iter_places
from collections_app.documents import open_document
from collections_app.models import Document
from collections_app.naming.versions import make_sort_key
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call
from mcp_app.rendering import READ_TOKENS, name_path, shorten_name
from mcp_app.tools.parameters import Reach

# What part of a budget may say how a document was found.
SHARE = 5
MAX_OTHERS = 5


@dataclass(frozen=True, slots=True)
class Opening:
    """`is_taken`: no document is called so, but what was asked for ends like this one's path. `others`: those of the same path in other
    versions of its library, the newest first."""

    document: Document
    reach: Reach
    others: Sequence[Document] = ()
    is_taken: bool = False

    def describe(self, max_tokens: int) -> str:
        """Empty where it is what was asked for; what it was taken for is told however small the budget is."""
        others = ", ".join(self._locate(each, max_tokens) for each in self.others[:MAX_OTHERS])
        facts = [
            f"[{self._tell_version()}the newest that has it; also there: {others}]" if others else "",
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
        version = self.document.collection.version
        return f"version {shorten_name(version, 10)}, " if version else ""

    def _tell_passed_over(self) -> str:
        reach = self.reach
        return explain_passed_over(reach.passed_over, reach.chosen, reach.visible, "read") if reach.passed_over else ""


class OfPage:
    """What an answer about a page is made of, of whatever there is in it. `asked_tokens` is the budget that the caller gave, `max_tokens`
    the one that holds."""

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
        """By which it is asked for again."""
        return self.reach.locate(self.document, self.max_tokens)


def open_page(call: Call, reach: Reach, path: str, version: str | None = None) -> Opening:
    """The document that is meant. Raises DocumentNotFound, and InvalidParameter; who may write is told why one could not be read."""
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
    others = sorted(found.others, key=lambda each: make_sort_key(each.collection.version), reverse=True)
    return Opening(found.document, reach, others, found.is_taken)


def keep_version(reach: Reach, path: str, version: str) -> tuple[Reach, str]:
    """What is looked up where a version is asked for: by a path that names its collection, the rest of it in that version of the
    collection's library; by any other, the path as it is. Raises InvalidParameter where that library has no such version."""
    for named, rest in iter_places(reach.visible, path):
        library = [c for c in reach.visible if is_version_of(c, named[0])]
        meant = [c for c in reach.chosen if c in library]
        if not meant:
            raise explain_missing_version(library, version)
        passed_over = None if named[0] in meant else named[0]
        return replace(reach, chosen=meant, passed_over=passed_over, is_named=True), rest
    return reach, path
