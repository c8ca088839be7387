"""References between pages of a source by labels and file names: finds the pages and their titles. It reads no files, and knows of each
text only what a scan of its lines shows.

    names.py      what a reStructuredText page can be referred to by: its title, its labels
    mentions.py   what such a page refers to
    asciidoc.py   both for AsciiDoc
    myst.py       both for MyST, which is Markdown
    rd.py         both for R documentation
    targets.py    what is known about a page's references, which goes with the page to its parser

A source that can look up its files adds this to a page before it is parsed; so a page's bytes change with the titles that it refers to.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.detection import detect_format, is_plainly_html
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.formats import Format
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import asciidoc as asciidoc_includes
from collections_app.parsing.includes import restructured_text as restructured_text_includes
from collections_app.parsing.references import asciidoc, mentions, myst, names, rd
from collections_app.parsing.references.mentions import Mention
from collections_app.parsing.references.names import Label, Names, normalise
from collections_app.parsing.references.targets import Kind, Target, add_targets
from collections_app.parsing.source_paths import iter_paths_below

__all__ = [
    "MYST_CONFIGURATIONS",
    "Configuration",
    "ReferenceResolver",
    "may_be_named",
    "names_markdown",
    "read_configuration",
]

MAX_SOURCE_BYTES = 256 * 1024 * 1024
"""The limit for texts that are searched for labels in one reading."""

MAX_LABELS = 200_000
MAX_HEADINGS = 200_000
MYST_CONFIGURATIONS = ("conf.py", "myst.yml", "_toc.yml", "docset.yml", "_docset.yml")
"""Files of generators that read MyST."""

MAX_PLACES = 50
"""Pages that may have the same label, as versions of a page do."""

_RESTRUCTURED_TEXT = (".rst", ".rest", ".txt", ".text")
_DATA_OF_GITHUB = "/data/variables/"
_MARKDOWN = (".md", ".markdown")
_MAKES_LABELS = re.compile(rb"^[^#\n]*[\"']sphinx\.ext\.autosectionlabel[\"']", re.MULTILINE)
_WITH_PAGES = re.compile(rb"^autosectionlabel_prefix_document\s*=\s*True\b", re.MULTILINE)
_ENDINGS = frozenset([*_RESTRUCTURED_TEXT, ".adoc", ".asciidoc", ".asc", ".rd"])


def may_be_named(path: str, *, with_markdown: bool = True) -> bool:
    """Whether the file may be reStructuredText, AsciiDoc, R documentation or Markdown, by its name."""
    extension = get_extension(path)
    return extension in _ENDINGS or (with_markdown and extension in _MARKDOWN)


def names_markdown(paths: Iterable[str]) -> bool:
    """Whether there are files of a generator whose Markdown pages may refer to each other by labels and titles: MyST, or GitHub's own."""
    return any(posixpath.basename(path) in MYST_CONFIGURATIONS or _DATA_OF_GITHUB in f"/{path}" for path in paths)


@dataclass(frozen=True, slots=True)
class Configuration:
    """What configurations beside a page or above it say: `folder` is that of Sphinx's nearest `conf.py`, from which names count that begin
    with `/` (without one, the root of the source), and `makes_labels` whether it makes each heading a label by its words alone, without the
    name of its page. `is_in_myst`: one of MYST_CONFIGURATIONS is there, so that Markdown may refer to labels.
    """

    folder: str = ""
    makes_labels: bool = False
    is_in_myst: bool = True


def read_configuration(path: str, content: bytes) -> Configuration:
    """What a `conf.py` at the path says."""
    makes_labels = _MAKES_LABELS.search(content) is not None and _WITH_PAGES.search(content) is None
    return Configuration(posixpath.dirname(path), makes_labels)


@dataclass(frozen=True, slots=True)
class _Markup:
    """How the pages of a format refer to others. The functions take a page's text and its path, and `iter_mentions` whether its site is
    made by MyST; `max_characters` is the limit of its parser.
    """

    hint: Hint
    iter_mentions: Callable[[str, str, bool], Iterator[Mention]]
    read_names: Callable[[str, str], Names]
    max_characters: int


_MARKUPS: Mapping[Format, _Markup] = {
    Format.RESTRUCTURED_TEXT: _Markup(
        mentions.HINT,
        lambda text, *_: mentions.iter_mentions(text),
        lambda text, _: names.read_names(text),
        restructured_text_includes.MAX_CHARACTERS,
    ),
    Format.MARKDOWN: _Markup(
        myst.HINT,
        lambda text, _, is_in_myst: myst.iter_mentions(text, is_in_myst=is_in_myst),
        lambda text, _: myst.read_names(text),
        myst.MAX_CHARACTERS,
    ),
    Format.ASCIIDOC: _Markup(
        asciidoc.HINT,
        lambda text, path, _: asciidoc.iter_mentions(text, path),
        asciidoc.read_names,
        asciidoc_includes.MAX_CHARACTERS,
    ),
    Format.RD: _Markup(rd.HINT, lambda text, *_: rd.iter_mentions(text), rd.read_names, rd.MAX_CHARACTERS),
}


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    title: str
    fragment: str
    is_heading: bool = False
    """By the words of a heading: its page does not know it as a label."""


class ReferenceResolver:
    """Resolves the references in one reading of a source. `iter_pages` returns all files that may_be_named(), even those that are not read
    now. It is called once: at the first page that refers to another by what that says, or by collect(). `find_configuration` takes the path
    of a page; `paths` are those of all files.
    """

    def __init__(
        self,
        iter_pages: Callable[[], Iterable[RawDocument]],
        find_configuration: Callable[[str], Configuration] = lambda _: Configuration(),
        paths: Container[str] = (),
    ) -> None:
        self._iter_pages = iter_pages
        self._paths = paths
        self._find_configuration = find_configuration
        self._titles: dict[str, str] | None = None
        self._labels: dict[str, list[_Place]] = {}
        self._headings: dict[str, Mapping[str, Label]] = {}
        self._spellings: dict[str, str] = {}
        self._places: dict[str, list[_Place]] | None = None

    def resolve(self, raw: RawDocument) -> RawDocument:
        """The page with what is known about the pages that it refers to; the page itself if there are none."""
        if is_plainly_html(raw):
            return raw
        read = _read(raw) if any(markup.hint.is_in(raw.content) for markup in _MARKUPS.values()) else None
        if read is None or not read[0].hint.is_in(raw.content):
            return raw
        markup, text = read
        mentioned = markup.iter_mentions(text, raw.path, self._find_configuration(raw.path).is_in_myst)
        told = add_targets(text, self._iter_targets(mentioned, raw.path))
        return replace(raw, content=told.encode()) if told != text and len(told) <= markup.max_characters else raw

    def _iter_targets(self, mentions: Iterable[Mention], path: str) -> Iterator[Target]:
        for mention in mentions:
            place = self._find(mention, path)
            if place is not None and (place.path != path or place.is_heading):
                yield Target(mention.kind, mention.name, _make_address(place, path), place.title)

    def _find(self, mention: Mention, path: str) -> _Place | None:
        if not mention.needs_title:
            beside = next(filter(self._paths.__contains__, self._iter_pages_named(mention.name, path)), None)
            return None if beside is None else _Place(beside, "", "")
        titles = self.collect()
        if mention.kind is Kind.LABEL:
            places = self._labels.get(mention.name) or self._find_headings(mention.name, path)
            return max(places, key=lambda place: _count_shared_folders(place.path, path), default=None)
        found = next(filter(titles.__contains__, self._iter_pages_named(mention.name, path)), None)
        return None if found is None else _Place(found, titles[found], "")

    def _find_headings(self, label: str, path: str) -> Sequence[_Place]:
        """The places of which Sphinx's `autosectionlabel` makes the label: `folder/page:heading` or, if it is set so, `heading`."""
        page, sign, heading = label.partition(":")
        spellings = map(self._spellings.get, self._iter_pages_named(f"/{page}", path) if sign and heading else ())
        if found := next(filter(None, spellings), None):
            return [self._make_place(found, heading)]
        if not self._find_configuration(path).makes_labels:
            return ()
        if self._places is None:
            self._places = {}
            for other, headings in self._headings.items():
                for name in headings:
                    _add_place(self._places, name, self._make_place(other, name))
        return self._places.get(label, ())

    def _iter_pages_named(self, name: str, path: str) -> Iterator[str]:
        """The files that a page at `path` may mean. A name that begins with `/` counts from the folder of Sphinx's configuration, or from
        one below it where that is beside the root of the pages.
        """
        folder = posixpath.dirname(path)
        if name.startswith("/"):
            pages = iter_paths_below(self._find_configuration(path).folder, folder, name)
        else:
            pages = iter([posixpath.normpath(posixpath.join(folder, name))])
        for page in pages:
            yield page
            yield from (
                f"{page}{ending}" for ending in (*_RESTRUCTURED_TEXT, *_MARKDOWN, ".mdx", "/index.md", "/README.md")
            )

    def _make_place(self, path: str, heading: str) -> _Place:
        """The page, with a fragment if it has such a heading that is not its title."""
        known = self._headings[path].get(heading)
        is_title = normalise(self.collect()[path]) == heading
        return _Place(
            path, known.title if known else heading, known.fragment if known and not is_title else "", is_heading=True
        )

    def collect(self) -> Mapping[str, str]:
        """The titles of all pages, by path. A source that can only give its files in one order calls this before the first one."""
        if self._titles is None:
            self._titles = {}
            self._read_pages(self._titles)
        return self._titles

    def _read_pages(self, titles: dict[str, str]) -> None:
        bytes_left, labels_left, headings_left = MAX_SOURCE_BYTES, MAX_LABELS, MAX_HEADINGS
        for raw in self._iter_pages():
            bytes_left -= len(raw.content)
            if bytes_left < 0 or labels_left <= 0:
                return
            read = _read(raw)
            if read is None:
                continue
            markup, text = read
            found = markup.read_names(text, raw.path)
            titles[raw.path] = found.title
            for label in found.labels[:labels_left]:
                _add_place(self._labels, label.name, _Place(raw.path, label.title, label.fragment))
            labels_left -= len(found.labels)
            self._spellings.setdefault(raw.path.lower(), raw.path)
            headings = found.headings[:headings_left]
            self._headings[raw.path] = {heading.name: heading for heading in reversed(headings)}
            headings_left -= len(headings)


def _add_place(places: dict[str, list[_Place]], name: str, place: _Place) -> None:
    known = places.setdefault(name, [])
    if len(known) < MAX_PLACES:
        known.append(place)


def _read(raw: RawDocument) -> tuple[_Markup, str] | None:
    """A page's markup and its text; None for other formats, and if its parser will report why it cannot be read."""
    try:
        markup = _MARKUPS.get(detect_format(raw))
        is_ours = markup and len(raw.content) <= 4 * markup.max_characters
        return (markup, decode_text(raw.content)[0]) if markup and is_ours else None
    except IngestError:
        return None


def _count_shared_folders(path: str, other: str) -> int:
    return len(posixpath.commonprefix([path.split("/")[:-1], other.split("/")[:-1]]))


def _make_address(place: _Place, path: str) -> str:
    """The address for a link in the page at `path`."""
    if place.path == path and place.fragment:
        return f"#{place.fragment}"
    relative = posixpath.relpath(place.path, posixpath.dirname(path) or ".")
    for sign, quoted in (("%", "%25"), ("#", "%23"), ("?", "%3F")):
        relative = relative.replace(sign, quoted)
    return f"{relative}#{place.fragment}" if place.fragment else relative
