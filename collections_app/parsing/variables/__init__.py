"""Variables of a site, replaced in its pages: names of products and versions that are defined in one file of the source and used in all of
its pages.

    values.py           reads the data files
    places.py           which file defines a name, for each generator
    substitutions.py    those of reStructuredText, and addresses, defined by Sphinx's configuration
    constants.py        those of MongoDB's documentation
    assigned.py         those that a page defines itself with Liquid
    loops.py            loops of Liquid over data

A name that nothing defines stays as it is written, and so does anything more than a name (a filter, a condition). find_unresolved() reports
names that can hardly be anything else, whatever the source. It runs no template.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.hints import Hint
from collections_app.parsing.safety.places import BEFORE_BLOCK, Places
from collections_app.parsing.source_paths import iter_paths
from collections_app.parsing.sphinx.myst_fences import blank_boxes
from collections_app.parsing.variables.assigned import read_assigned
from collections_app.parsing.variables.constants import write_constants
from collections_app.parsing.variables.loops import follow, read_data, write_loops
from collections_app.parsing.variables.places import (
    ASSIGNED,
    CONF,
    CONFIGURATION,
    IN_FILES_OF_CONF,
    OWN,
    SNOOTY,
    Place,
    find_places,
    iter_data_files,
)
from collections_app.parsing.variables.substitutions import add_substitutions, read_definitions
from collections_app.parsing.variables.values import Tree, find, make_tree, read_values
from collections_app.text.shortening import shorten
from collections_app.text.spans import replace_spans

__all__ = ["HINT", "SiteVariables", "find_unresolved"]

MAX_ADDED_CHARACTERS = 1024 * 1024
"""Added to a page; variables after that stay as they are written."""

MAX_NAMES = 1000
"""Names of a page that are looked up, each perhaps in some dozens of files."""

_COST = 10
"""Characters that each variable counts in addition to its value."""

_MAX_DEPTH = 4
"""Of variables in values of variables."""

_NAME = r"\$?[A-Za-z_][\w-]*+(?:\.[\w-]++)*+"
_TAG = re.compile(
    rf"\{{\{{(?<![{{$\\]\{{\{{)-?[ \t]*+(?P<braced>{_NAME})[ \t]*+-?\}}\}}(?!\}})"
    rf"|\{{%-?[ \t]++data[ \t]++(?P<data>{_NAME})[ \t]*+-?%\}}"
    rf"|\{{\{{(?<!\{{\{{\{{)[<%][ \t]*+(?P<kind>param|var|meta)[ \t]++[\"']?(?P<told>{_NAME})[\"']?[ \t]*+[>%]\}}\}}"
    r"|\{\{-?[ \t]*+(?P<quote>[\"'])(?P<address>[^\"'{}\n]*+)(?P=quote)[ \t]*+\|[ \t]*+(?:relative|absolute)_url[ \t]*+-?\}\}"
    r"|%(?<![%\w]%)(?P<percent>[A-Za-z_][\w.-]*+)%(?!\w)"
    r"|\{%-?[ \t]*+(?P<end>end)?raw[ \t]*+-?%\}"
)
HINT = Hint(rb"\{(?:\{|%-?[ \t]+data[ \t])", rb"%[A-Za-z_][\w.-]*%")
"""Is in every Markdown text in which a variable is found."""

_MAX_SHOWN = 5
_SHOWN_CHARACTERS = 80
_WHO_PUTS_IN = "Directories, Git sources and archives put in what files of the site say that they stand for."
# A template that uses the name for something else, such as each of several sites.
_SETS_SITE = re.compile(r"\{%-?[ \t]*+(?:for|assign|set)[ \t]++site\b")

# Jekyll's, which is empty if no value is set.
_BASE_URL = "site.baseurl"

_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")
_NO_SIGN = re.compile(r"[^ \t>]")
# Values that need no quotes anywhere in front matter.
_PLAIN = re.compile(r"\w[\w .,()/+-]*")


class SiteVariables:
    """The variables in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._trees: dict[str, Tree] = {}
        self._data: dict[str, Any] = {}
        self._definitions: dict[str, Mapping[str, str]] = {}

    def write_markdown(self, text: str, path: str) -> str:
        """The page with the values of its variables. Raises what front matter raises."""
        front_matter, body = split_front_matter(text)
        head = text[: len(text) - len(body)]
        told = {"title": front_matter.title, "description": front_matter.description}
        own = {**{name: value for name, value in told.items() if value}, **front_matter.metadata}
        places = _find_places(body)
        looped = write_loops(body, places, lambda names: self._find_data(names, posixpath.dirname(path), own))
        if looped != body:
            body, places = looped, _find_places(looped)
        page = _Page(self, path, own, read_assigned(body, places))
        written = page.fill(body, places)
        return page.fill_head(head) + written

    def _find_data(self, names: Sequence[str], folder: str, own: Mapping[str, Any]) -> Any:
        """What `site.data.NAME` or `page.NAME` stands for, with its lists."""
        if names[0] == "page":
            return follow(own, names[1:])
        for place, file in iter_data_files(names) if names[:2] == ["site", "data"] else ():
            for path in iter_paths(folder, file):
                if path not in self._data and (content := self._read(path)) is not None:
                    self._data[path] = read_data(path, content)
                if path in self._data:
                    return follow(self._data[path], names[place:])
        return None

    def write_restructured_text(self, text: str, path: str) -> str:
        """The page with the constants, substitutions and addresses that it uses and its configuration defines."""
        folder = posixpath.dirname(path)
        written = write_constants(text, lambda: self.find_tree(SNOOTY, folder))
        return add_substitutions(written, lambda: self._find_definitions(folder))

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._definitions.clear()

    def _find_definitions(self, folder: str) -> Mapping[str, str]:
        """What Sphinx defines for pages of this folder."""
        if folder not in self._definitions:
            configuration = self.find_tree(CONF, folder) or {}
            self._definitions[folder] = read_definitions(configuration, lambda path: self.find_text(path, folder))
        return self._definitions[folder]

    def find_code_language(self, folder: str) -> str:
        """What Sphinx takes code for that names no language, in pages of this folder; empty if it does not make them."""
        configuration = self.find_tree(CONF, folder)
        told = None if configuration is None else configuration.get("highlight_language", "default")
        return told if isinstance(told, str) else ""

    def find_tree(self, files: Sequence[str], folder: str) -> Tree | None:
        """The content of the first of these files that exists, beside the page or in a folder above."""
        for name in files:
            for path in iter_paths(folder, name):
                tree = self._trees.get(path)
                if tree is None and (content := self._read(path)) is not None:
                    tree = self._trees[path] = read_values(path, content)
                if tree is not None:
                    return tree
        return None

    def find_text(self, path: str, folder: str) -> str | None:
        """The text of a file that is inserted as it is, without its front matter."""
        for place in iter_paths(folder, path):
            if (content := self._read(place)) is not None:
                try:
                    return split_front_matter(decode_text(content)[0])[1].strip("\n")
                except IngestError:
                    return None
        return None


def _find_places(body: str) -> Places:
    """The code of a page. What MyST's directives hold is none."""
    return Places(blank_boxes(body), has_markup=True)


class _Page:
    """One page being written. `own` has the values in its front matter, `assigned` those that it assigns in its text."""

    def __init__(self, site: SiteVariables, path: str, own: Mapping[str, Any], assigned: Tree) -> None:
        self._site = site
        self._folder = posixpath.dirname(path)
        self._own = own
        self._assigned = assigned
        self._own_tree: Tree | None = None
        self._found: dict[tuple[str, ...], Tree | None] = {}
        self._values: dict[tuple[str, bool], str | None] = {}
        self._left = MAX_ADDED_CHARACTERS

    def fill(self, text: str, places: Places | None = None, depth: int = 0) -> str:
        """The text with values in place of variables. `places` knows its code; None for the value of a variable."""
        changes = []
        for tag in _iter_tags(text):
            value = self._find(tag, depth, may_be_code=places is None or not places.is_code(tag.start(), tag.end()))
            if value is None:
                continue
            written = _fit(value, text, tag) if "\n" in value else value
            self._left -= len(written) + _COST
            if self._left < 0:
                break
            changes.append((tag.start(), tag.end(), written))
        return replace_spans(text, changes)

    def fill_head(self, head: str) -> str:
        """Front matter with those values that need no quotes there."""
        return _TAG.sub(self._write_plain, head)

    def _write_plain(self, tag: re.Match[str]) -> str:
        value = None if tag["address"] is not None else self._find(tag, 0, may_be_code=True)
        return value if value is not None and _PLAIN.fullmatch(value) else tag[0]

    def _find(self, tag: re.Match[str], depth: int, *, may_be_code: bool) -> str | None:
        """The value of a tag; None if nothing defines it. If not `may_be_code`, variables that mean nothing in code do not count."""
        if tag["address"] is not None:
            return tag["address"] if self._get_tree(CONFIGURATION) is not None else None
        asked = (tag[0], may_be_code)
        if asked not in self._values and len(self._values) >= MAX_NAMES:
            return None
        if asked not in self._values:
            places = (place for place in find_places(tag) if place.in_code or may_be_code)
            value = next((found for found in map(self._look_up, places) if found is not None), None)
            if value is None and tag["braced"] == _BASE_URL and self._get_tree(CONFIGURATION) is not None:
                value = ""
            self._values[asked] = value if value is None else value.strip()
        value = self._values[asked]
        if value is None or len(value) > self._left:
            return None
        return self.fill(value, None, depth + 1) if depth < _MAX_DEPTH and "{" in value else value

    def _look_up(self, place: Place) -> str | None:
        if place.is_text:
            return self._site.find_text(place.files[0], self._folder)
        if place.files == ASSIGNED:
            tree: Tree | None = self._assigned
        else:
            tree = self._get_own() if place.files == OWN else self._get_tree(place.files)
        if tree is None or (place.needs and find(tree, place.needs) is None):
            return None
        if place.names[:1] == (IN_FILES_OF_CONF,):
            return self._look_up_in_files(tree, place)
        value = find(tree, place.names)
        return value if isinstance(value, str) else None

    def _look_up_in_files(self, configuration: Tree, place: Place) -> str | None:
        """The value in the files from which Sphinx's configuration takes substitutions."""
        files = find(configuration, place.names[:1])
        named = (Place((file,), place.names[1:]) for file in files) if isinstance(files, Mapping) else ()
        return next((value for value in map(self._look_up, named) if value is not None), None)

    def _get_own(self) -> Tree:
        if self._own_tree is None:
            made = make_tree(dict(self._own))
            self._own_tree = made if isinstance(made, Mapping) else {}
        return self._own_tree

    def _get_tree(self, files: tuple[str, ...]) -> Tree | None:
        if files not in self._found:
            self._found[files] = self._site.find_tree(files, self._folder)
        return self._found[files]


def find_unresolved(content: bytes, text: str) -> tuple[str, ...]:
    """A warning that lists the names of its site that a Markdown page still has; empty if its text, which was made from `content`, has
    none.

    Bare names, `%name%` and names of pages are not reported: they are as often placeholders, variables of Windows, or examples of
    templates.
    """
    if "{{" not in text and "{%" not in text:
        return ()
    body = split_front_matter(decode_text(content)[0])[1]
    places, sets_site = Places(body, has_markup=True), _SETS_SITE.search(body) is not None
    tags = (tag for tag in _iter_tags(body) if _is_of_site(tag, places, sets_site=sets_site))
    kept = {tag[0] for tag in _TAG.finditer(text)}
    found = dict.fromkeys(tag[0] for tag in tags if tag[0] in kept and not places.is_code(tag.start(), tag.end()))
    if not found:
        return ()
    more = [f"{len(found) - _MAX_SHOWN} more"] if len(found) > _MAX_SHOWN else []
    shown = ", ".join([*(shorten(name, _SHOWN_CHARACTERS) for name in islice(found, _MAX_SHOWN)), *more])
    return (f"Names of its site stand in its text as they are written: {shown}. {_WHO_PUTS_IN}",)


def _is_of_site(tag: re.Match[str], places: Places, *, sets_site: bool) -> bool:
    """Whether it can only be a name of the site. A reusable on a line of its own is an include, which includes/ reports."""
    if tag["braced"]:
        return tag["braced"].startswith("site.") and not sets_site
    if tag["data"] and tag["data"].startswith("reusables."):
        before = places.get_text_before(tag.start())
        return not (BEFORE_BLOCK.fullmatch(before) and _LINE_END.match(tag.string, tag.end()))
    return not tag["percent"]


def _iter_tags(text: str) -> Iterator[re.Match[str]]:
    """All tags, except those between `raw` and `endraw`, where templates are shown."""
    is_raw, last_end = False, text.rfind("endraw")
    for tag in _TAG.finditer(text):
        if tag.lastgroup is None or tag.lastgroup == "end":
            is_raw = tag["end"] is None and tag.end() <= last_end
        elif not is_raw:
            yield tag


def _fit(value: str, text: str, tag: re.Match[str]) -> str:
    """A value of several lines, indented like its tag if that is alone on its line, else joined into one line."""
    before = text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()]
    end = text.find("\n", tag.end())
    is_alone = BEFORE_BLOCK.fullmatch(before) and not text[tag.end() : end if end >= 0 else len(text)].strip()
    if not is_alone:
        return " ".join(value.split())
    indent = _NO_SIGN.sub(" ", before)
    return "\n".join(f"{indent if number and line else ''}{line}" for number, line in enumerate(value.split("\n")))
