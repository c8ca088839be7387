"""Shortcodes that a Hugo site defines itself, in `layouts/shortcodes/NAME.html`: replaced with what their templates make of them. It runs
no template.

    template.py     reads a template that is simple enough

Of a shortcode with another template, the tags around a text are removed and the text stays below its title; a tag that stands alone and is
given nothing but its look is removed. All others stay as they are written, since only the site knows their output. The shortcodes that
../dialects/template_tags/ knows are left to it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.dialects.template_tags.arguments import TITLES, Arguments, read_arguments
from collections_app.parsing.dialects.template_tags.meanings import TAG, is_known
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.safety.places import Places, is_alone, would_become_code
from collections_app.parsing.shortcodes.template import Template, read_template, render
from collections_app.parsing.source_paths import iter_paths
from collections_app.parsing.variables.values import Tree, make_tree

__all__ = ["SiteShortcodes"]

_FOLDERS = ("layouts/_shortcodes", "layouts/shortcodes")
_EXTENSIONS = (".html", ".md")
_OF_OTHERS = frozenset(
    {"include", "readfile", "codenew", "code_sample", "docs/shared", "embed-md", "param", "var", "meta"}
)
"""Handled by ../includes and ../variables."""

_PUT_IN = frozenset({"partial"})
_CLASSES = re.compile(r"(?=[^-]*-)[a-z0-9-]+(?: [a-z0-9-]+)+")  # `table table-striped`
_MAX_NAMES = 100
_MAX_DEPTH = 10
_MAX_ADDED_CHARACTERS = 1024 * 1024
_READ_FOR_ONE = 4
"""This many characters of a template count as one added character."""
_BLANKS = re.compile(r"\s+")


class SiteShortcodes:
    """The shortcodes in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._templates: dict[str, Template] = {}

    def write(self, text: str, path: str) -> str:
        """The page with its site's shortcodes replaced. Raises what front matter raises."""
        if "{{<" not in text and "{{%" not in text:
            return text
        front_matter, body = split_front_matter(text)
        told = {"title": front_matter.title, "description": front_matter.description, **front_matter.metadata}
        parameters = make_tree(told)
        page = _Page(self, posixpath.dirname(path), body, parameters if isinstance(parameters, Mapping) else {})
        return text[: len(text) - len(body)] + page.write()

    def find(self, name: str, folder: str) -> Template | None:
        """The template of a shortcode, in the site around the folder; None if it has none."""
        for place in (f"{each}/{name}{extension}" for each in _FOLDERS for extension in _EXTENSIONS):
            for path in iter_paths(folder, place):
                if path not in self._templates and (content := self._read(path)) is not None:
                    self._templates[path] = _read(content)
                if path in self._templates:
                    return self._templates[path]
        return None


def _read(content: bytes) -> Template:
    try:
        return read_template(decode_text(content)[0])
    except IngestError:
        return Template(len(content), has_inner=False)


class _Page:
    """One page being written."""

    def __init__(self, site: SiteShortcodes, folder: str, text: str, parameters: Tree) -> None:
        self._site = site
        self._parameters = parameters
        self._folder = folder
        self._text = text
        self._places = Places(text, has_markup=True)
        self._templates: dict[str, Template] = {}
        self._tags = list(self._iter_own_tags())
        self._closings = _pair(self._tags)
        self._left = _MAX_ADDED_CHARACTERS

    def write(self) -> str:
        return self._write_between(0, len(self._tags), 0, len(self._text)) if self._tags else self._text

    def _iter_own_tags(self) -> Iterator[re.Match[str]]:
        """The tags that the site defines."""
        asked = set[str]()
        for tag in TAG.finditer(self._text):
            name = tag["name"]
            if not tag[0].startswith("{{") or name in _OF_OTHERS or is_known(tag, self._text):
                continue
            if name not in asked and len(asked) < _MAX_NAMES:
                asked.add(name)
                if template := self._site.find(name, self._folder):
                    self._templates[name] = template
            if name in self._templates:
                yield tag

    def _write_between(self, first: int, last: int, start: int, end: int, depth: int = 0) -> str:
        """The text from `start` to `end`, which contains the tags from number `first` to `last`, with these replaced."""
        pieces, position, number = list[str](), start, first
        while number < last and depth < _MAX_DEPTH:
            tag = self._tags[number]
            following = self._closings.get(number, number) + 1
            if not tag["end"]:
                pieces += [self._text[position : tag.start()], self._write_one(number, depth)]
                position = self._tags[following - 1].end()
            number = following
        return "".join([*pieces, self._text[position:end]])

    def _write_one(self, number: int, depth: int) -> str:
        tag, inner, closing = self._tags[number], "", None
        if number in self._closings:
            closing = self._tags[self._closings[number]]
            inner = self._write_between(number + 1, self._closings[number], tag.end(), closing.start(), depth + 1)
        place = _Place(self._text, tag, closing, is_code=self._places.is_code(*tag.span()))
        template, arguments = self._templates[tag["name"]], read_arguments(tag["arguments"])
        self._left -= template.character_count // _READ_FOR_ONE
        written = render(template, arguments, _give_room(inner), self._parameters, self._left)
        if written is not None and place.takes(written, inner):
            self._left -= len(written)
            return written if "\n" in inner else _fit(written, place)
        if closing:
            is_told = not place.is_code and template.has_inner and _says_all(tag["name"], arguments)
            return f"{_write_title(arguments)}{inner}" if is_told else f"{tag[0]}{inner}{closing[0]}"
        is_silent = not arguments.others and arguments.are_look and not arguments.get(*TITLES)
        return "" if (is_silent or tag["name"] in _PUT_IN) and place.may_be_blank else tag[0]


@dataclass(frozen=True, slots=True)
class _Place:
    """The position of a tag and of its closing tag."""

    text: str
    opening: re.Match[str]
    closing: re.Match[str] | None
    is_code: bool

    @property
    def end(self) -> int:
        return (self.closing or self.opening).end()

    @property
    def is_alone(self) -> bool:
        return is_alone(self.text, self.opening.start(), self.end)

    @property
    def is_at_margin(self) -> bool:
        return self.is_alone and self.text[max(0, self.opening.start() - 1) : self.opening.start()] in ("", "\n")

    @property
    def may_be_blank(self) -> bool:
        return not self.is_code and self.is_alone and not would_become_code(self.text, self.end)

    def takes(self, written: str, inner: str) -> bool:
        """Whether the output of a template may be put here. In code only a value may, as in Hugo."""
        if self.is_code:
            return self.closing is None and "\n" not in written
        if ("\n" in inner or "```" in written) and not self.is_at_margin:
            return False
        return bool(written) or not self.is_alone or self.may_be_blank


def _pair(tags: Sequence[re.Match[str]]) -> Mapping[int, int]:
    """The number of each opening tag's closing tag."""
    closings, waiting, counts = dict[int, int](), list[int](), Counter[str]()
    for number, tag in enumerate(tags):
        name = tag["name"]
        if not tag["end"]:
            waiting += [] if tag["whole"] else [number]
            counts[name] += not tag["whole"]
        elif counts[name]:
            opening = _pop(waiting, counts, tags)
            while tags[opening]["name"] != name:  # never closed
                opening = _pop(waiting, counts, tags)
            closings[opening] = number
    return closings


def _pop(waiting: list[int], counts: Counter[str], tags: Sequence[re.Match[str]]) -> int:
    number = waiting.pop()
    counts[tags[number]["name"]] -= 1
    return number


def _give_room(inner: str) -> str:
    """A text of several lines is put between blank lines, so that it stays Markdown among a template's HTML."""
    return "\n\n{}\n\n".format(inner.strip("\n")) if "\n" in inner else inner.strip()


def _fit(written: str, place: _Place) -> str:
    """The output as it is if the tag is at the beginning of its own line, else on one line."""
    return written if place.is_at_margin else _BLANKS.sub(" ", written)


def _says_all(name: str, arguments: Arguments) -> bool:
    """Whether the arguments are only a title and the look. A tab without any may have its label in a tag around it."""
    if not (arguments.named or arguments.others) and "tab" in name.lower():
        return False
    return len(arguments.others) < 2 and arguments.are_look


def _write_title(arguments: Arguments) -> str:
    first = arguments.first if " " in arguments.first and not _CLASSES.fullmatch(arguments.first) else ""
    title = arguments.get(*TITLES) or first
    return write_title(title, "") if title else ""
