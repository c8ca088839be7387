"""Finds the pages of a source that other pages refer to; they are read only for that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.references import Configuration, ReferenceResolver, may_be_named
from collections_app.sources import RefusedFile, UnchangedFile


def make_reference_resolver(
    paths: Collection[str],
    read: Callable[[str], RawDocument | RefusedFile | UnchangedFile],
    find_configuration: Callable[[str], Configuration] = lambda _: Configuration(),
) -> ReferenceResolver:
    """For a source with files at `paths`, none of which is read before a page refers to another."""

    def iter_pages() -> Iterator[RawDocument]:
        for path in filter(may_be_named, paths):
            file = read(path)
            if isinstance(file, RawDocument):
                yield file

    return ReferenceResolver(iter_pages, find_configuration, paths)
