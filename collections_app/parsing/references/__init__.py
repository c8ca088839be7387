"""Pages of reStructuredText that name others of their source, by labels and file names: where those are and what they are called. It reads
nothing itself, and knows of each text only what a scan of its lines shows.

    names.py      what a page may be named by: its title, its labels
    mentions.py   what a page names
    targets.py    what is known of that, which goes with the page to its parser

A source that can look up its files tells a page before it is parsed; so a page's bytes change with the titles that it names.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.detection import Format, detect_format
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.includes.files import iter_paths
from collections_app.parsing.includes.restructured_text import MAX_CHARACTERS
from collections_app.parsing.references.mentions import HINT, Mention, iter_mentions
from collections_app.parsing.references.names import Label, read_names
from collections_app.parsing.references.targets import Kind, Target, add_targets

__all__ = ["ReferenceResolver", "may_be_named"]

MAX_SOURCE_BYTES = 256 * 1024 * 1024
"""Of the texts that are looked through for labels in one reading."""

MAX_LABELS = 200_000
MAX_PLACES = 50
"""Of one label: versions of a page beside each other have the same."""

_ENDINGS = (".rst", ".rest", ".txt", ".text")


def may_be_named(path: str) -> bool:
    """Whether the file may be reStructuredText, by its name."""
    return get_extension(path) in _ENDINGS


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    title: str
    fragment: str


class ReferenceResolver:
    """Of one reading of a source. `iter_pages` gives all its files that may_be_named(), also those that are not read now. It is asked once:
    at the first page that names another, or by collect().
    """

    def __init__(self, iter_pages: Callable[[], Iterable[RawDocument]]) -> None:
        self._iter_pages = iter_pages
        self._titles: dict[str, str] | None = None
        self._labels: dict[str, list[_Place]] = {}

    def resolve(self, raw: RawDocument) -> RawDocument:
        """The page with what is known of the pages that it names; the page as it is where it names none."""
        text = _read_text(raw) if HINT.search(raw.content) else None
        if text is None:
            return raw
        told = add_targets(text, self._iter_targets(text, raw.path))
        return replace(raw, content=told.encode()) if told != text and len(told) <= MAX_CHARACTERS else raw

    def _iter_targets(self, text: str, path: str) -> Iterator[Target]:
        for mention in iter_mentions(text):
            place = self._find(mention, path)
            if place is not None and place.path != path:
                yield Target(mention.kind, mention.name, _make_address(place, path), place.title)

    def _find(self, mention: Mention, path: str) -> _Place | None:
        titles = self.collect()
        if mention.kind is Kind.LABEL:
            places = self._labels.get(mention.name, ())
            return max(places, key=lambda place: _count_shared_folders(place.path, path), default=None)
        found = next(filter(titles.__contains__, _iter_pages_named(mention.name, path)), None)
        return None if found is None else _Place(found, titles[found], "")

    def collect(self) -> Mapping[str, str]:
        """The titles of all pages, by path. For a source that gives its files in one order only: before it gives the first."""
        if self._titles is None:
            self._titles = {}
            self._read_pages(self._titles)
        return self._titles

    def _read_pages(self, titles: dict[str, str]) -> None:
        bytes_left, labels_left = MAX_SOURCE_BYTES, MAX_LABELS
        for raw in self._iter_pages():
            bytes_left -= len(raw.content)
            if bytes_left < 0 or labels_left <= 0:
                return
            text = _read_text(raw)
            if text is None:
                continue
            names = read_names(text)
            titles[raw.path] = names.title
            for label in names.labels[:labels_left]:
                self._add(label, raw.path)
            labels_left -= len(names.labels)

    def _add(self, label: Label, path: str) -> None:
        places = self._labels.setdefault(label.name, [])
        if len(places) < MAX_PLACES:
            places.append(_Place(path, label.title, label.fragment))


def _read_text(raw: RawDocument) -> str | None:
    """None where it is no reStructuredText, or its parser will say why it cannot be read."""
    try:
        is_ours = detect_format(raw) is Format.RESTRUCTURED_TEXT and len(raw.content) <= 4 * MAX_CHARACTERS
        return decode_text(raw.content)[0] if is_ours else None
    except IngestError:
        return None


def _iter_pages_named(name: str, path: str) -> Iterator[str]:
    """The files that a page at `path` may mean: with `/` before it, a name counts from the folder of Sphinx's configuration, which is any
    above."""
    folder = posixpath.dirname(path)
    page = posixpath.normpath(posixpath.join(folder, name))
    for found in iter_paths(folder, name) if name.startswith("/") else [page]:
        yield found
        yield from (f"{found}{ending}" for ending in _ENDINGS)


def _count_shared_folders(path: str, other: str) -> int:
    return len(posixpath.commonprefix([path.split("/")[:-1], other.split("/")[:-1]]))


def _make_address(place: _Place, path: str) -> str:
    """As a link of the page at `path` says it."""
    relative = posixpath.relpath(place.path, posixpath.dirname(path) or ".")
    for sign, quoted in (("%", "%25"), ("#", "%23"), ("?", "%3F")):
        relative = relative.replace(sign, quoted)
    return f"{relative}#{place.fragment}" if place.fragment else relative
