"""Replaces tags of site generators in Markdown: Hugo's shortcodes, and the tags of GitBook, Jekyll and Markdoc. It runs no template.

Of known tags (tabs, boxes, cards, pictures, links, versions), what readers see is kept. Code between two tags becomes fenced code, also
between a site's own tags that are named after code and contain nothing else. A site's own tags that never have arguments are removed, and
the text between them is kept. Comments are removed with their content, menus because only a build knows their pages. All other tags stay as
written: only their site knows what they produce.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter, methodcaller
from typing import NamedTuple

from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.dialects.tab_labels import break_label, find_place_of_label
from collections_app.parsing.dialects.template_tags.arguments import Arguments, read_arguments
from collections_app.parsing.dialects.template_tags.gitbook_blocks import describe_block, find_place_below
from collections_app.parsing.dialects.template_tags.hugo_icons import is_icon, write_icon
from collections_app.parsing.dialects.template_tags.jekyll_includes import (
    describe_include,
    is_given_nothing,
    is_include,
)
from collections_app.parsing.dialects.template_tags.meanings import (
    CLOSED,
    CODE,
    CONDITIONS,
    DIAGRAMS,
    HIDDEN,
    IMAGES,
    KNOWN,
    LINK_ADDRESSES,
    OF_SITES_DATA,
    STATEMENTS,
    TABS,
    TAG,
    describe,
    find_plain,
    is_block,
    is_named_code,
    is_shown,
    is_statement,
    name_file,
)
from collections_app.parsing.dialects.template_tags.tab_tags import DIVIDED, find_tab_labels, iter_divided
from collections_app.parsing.dialects.template_tags.yaml_blocks import write_yaml_blocks
from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.safety.places import Places, is_alone, would_become_code
from collections_app.text.spans import replace_spans

_MOST_BLANKS = 20
_FENCE = re.compile(r"\s*+(?:`{3}|~{3})")
# GitBook writes a code block as HTML if some of its lines are marked.
_HTML_CODE = re.compile(r"\s*+<pre class=\"language-")

# What a site's own tag is given that stands as the address of a link: a file or a page, and nothing else.
_FILE = re.compile(r"\s*(?P<quote>[\"'])(?P<path>(?=[^\"']*[./])[^\s\"']+)(?P=quote)\s*")
# What code does not contain: fences, links, headings below the first level, template tags.
_MARKDOWN = re.compile(r"^\s*+(?:`{3}|~{3}|#{2,6}\s)|\]\(|\{\{[<%]|\{%", re.MULTILINE)
_COMMENT = re.compile(r"\s*+(?:#|//|--|/\*|\*|;|<!--)")
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z'’]*+[,.;:!?]?")
_SENTENCE_WORDS = 4


class _Change(NamedTuple):
    start: int
    end: int
    text: str


def drop_template_tags(content: str) -> str:
    """The text without template tags; no line moves."""
    if "{{<" not in content and "{%" not in content:
        return content
    content = write_yaml_blocks(content)
    # Text put below a heading comes after the tags in the heading.
    changes = sorted(_Tags(content).iter_changes(), key=attrgetter("start"))
    kept = (each for each in changes if each.text.strip() or not would_become_code(content, each.end))
    return replace_spans(
        content, ((start, end, text + "\n" * content.count("\n", start, end)) for start, end, text in kept)
    )


class _Tags:
    """The known tags of one text, those in code left out."""

    def __init__(self, content: str) -> None:
        places = Places(content, has_markup=True)
        self._content = content
        tags = [tag for tag in TAG.finditer(content) if not places.is_code(tag.start(), tag.end())]
        plain = find_plain(content, tags)
        ended = {tag["name"] for tag in tags if tag["end"]}
        self._closed = CLOSED | plain
        self._tags = [
            tag
            for tag in tags
            if tag["name"] in KNOWN
            or tag["name"] in plain
            or is_block(tag)
            or is_named_code(tag)
            or is_icon(tag)
            or is_include(tag)
            or is_statement(tag, content)
            or is_shown(tag, content, ended)
            or self._find_file(tag)
        ]
        self._tab_labels = find_tab_labels(self._tags)
        self._written: set[str] = set()
        self._divided_end = 0
        self._closings: dict[str, list[re.Match[str]]] = {}
        for tag in self._tags:
            if tag["end"]:
                self._closings.setdefault(tag["name"], []).append(tag)

    def iter_changes(self) -> Iterator[_Change]:
        position = 0
        for tag in self._tags:
            if tag.start() < position:
                continue
            name, arguments = tag["name"], read_arguments(tag["arguments"])
            if tag["end"]:
                yield from self._drop_end(tag)
            elif is_icon(tag):
                icon = write_icon(tag, self._content)
                yield _Change(tag.start(), icon.end, icon.text)
            elif is_block(tag):
                yield from self._write_block(tag, describe_block(name, arguments.get))
            elif label := self._tab_labels.get(tag.start()):
                yield from self._write_text(tag, write_title(label, ""))
            elif around := self._find_around(tag, arguments):
                yield from around
                position = around[-1].end
            elif name == "raw" or name in CODE or (name in LINK_ADDRESSES and not self._is_address(tag)):
                continue
            elif (shown := self._show(tag, arguments)) is not None:
                yield from self._write_text(tag, shown)

    def _drop_end(self, tag: re.Match[str]) -> Iterator[_Change]:
        if tag["name"] in self._closed or (is_block(tag) and tag["name"] in self._written):
            yield _Change(tag.start(), tag.end(), "")

    def _show(self, tag: re.Match[str], arguments: Arguments) -> str | None:
        """What replaces a tag that stands by itself, perhaps nothing; None if the tag stays."""
        if file := self._find_file(tag):
            return file
        if text := describe_include(tag) if is_include(tag) else describe(tag["name"], arguments):
            return "" if self._says_itself(tag.end(), text) else text
        if tag["name"] in IMAGES and self._is_all_of_link(tag):
            return name_file(arguments.get("src") or arguments.first)
        if tag["whole"] and is_named_code(tag):
            return arguments.get("description") or None
        says_nothing = tag["name"] in self._closed or tag["name"] in OF_SITES_DATA or tag["name"] in STATEMENTS
        return "" if says_nothing or (is_include(tag) and self._is_known_to_say_nothing(tag)) else None

    def _write_block(self, tag: re.Match[str], text: str) -> Iterator[_Change]:
        """Write a GitBook block in its place, except that the date of news goes below a heading that follows. A block with nothing to show
        stays, unless it only groups news.
        """
        name = tag["name"]
        if not text and name not in ("update", "updates"):
            return
        self._written.add(name)
        below = find_place_below(self._content, tag.end()) if name == "update" else tag.end()
        yield from _put_at(below, text, *tag.span())

    def _write_divided(self, tag: re.Match[str]) -> Iterator[_Change]:
        """Write the label of each tab in place of the tag and of the lines that divide the tabs; a tag inside another gets only its first
        label.
        """
        arguments = read_arguments(tag["arguments"])
        closing = self._find_closing(tag["name"], tag.end())
        end = closing.start() if closing and tag.start() >= self._divided_end else tag.end()
        self._divided_end = max(self._divided_end, end)
        labels = iter_divided(self._content, tag.end(), end, arguments)
        for start, end, label in [(*tag.span(), arguments.get("tab1")), *labels]:
            yield from self._write_label(start, end, write_title(label, "")) if label else (_Change(start, end, ""),)

    def _write_text(self, tag: re.Match[str], text: str) -> Iterator[_Change]:
        """Write the text in place of the tag; the label of a tab that begins with a heading goes below the heading."""
        if tag["name"] in DIVIDED:
            yield from self._write_divided(tag)
        elif text and (tag["name"] in TABS | CONDITIONS or tag.start() in self._tab_labels):
            yield from self._write_label(*tag.span(), text)
        else:
            yield _Change(tag.start(), tag.end(), text)

    def _write_label(self, start: int, end: int, text: str) -> Iterator[_Change]:
        below = find_place_of_label(self._content, start, end)
        yield from _put_at(below, break_label(text) if below > end else text, start, end)

    def _find_around(self, tag: re.Match[str], arguments: Arguments) -> tuple[_Change, ...]:
        """What replaces the two tags around code or a comment; of code that is elsewhere, its description. Empty for other tags."""
        name = tag["name"]
        if name in HIDDEN and (end := self._find_closing(name, tag.end())):
            return (_Change(tag.start(), end.end(), ""),)
        is_known = name == "raw" or name in CODE or (name == "tab" and arguments.get("lang"))
        if tag["whole"] or not (is_known or is_named_code(tag)):
            return ()
        closing = self._find_closing(name, tag.end())
        # Searched without a copy: of many tags before one closing tag, each would copy all that follows.
        if not closing or (not is_known and _MARKDOWN.search(self._content, tag.end(), closing.start())):
            return ()
        body = self._content[tag.end() : closing.start()]
        if not is_known and not body.strip() and (description := arguments.get("description")):
            return _Change(tag.start(), tag.end(), description), _Change(closing.start(), closing.end(), "")
        if not is_known and not is_code(body):
            return ()
        around = self._write_around(tag, closing, arguments)
        if around is None:
            return ()
        return _Change(tag.start(), tag.end(), around[0]), _Change(closing.start(), closing.end(), around[1])

    def _is_address(self, tag: re.Match[str]) -> bool:
        """Whether the tag is the address of a link, perhaps with a fragment after it."""
        is_defined = self._content.endswith("]: ", 0, tag.start())
        is_all = self._content.startswith((")", "#"), tag.end())
        return is_defined or (is_all and self._content.endswith("](", 0, tag.start()))

    def _find_file(self, tag: re.Match[str]) -> str:
        """The file or page that a site's own tag names as a link's address (`[form]({% download "forms/a.pdf" %})`); empty for others."""
        is_own = tag[0].startswith("{%") and tag["name"] not in KNOWN and not is_include(tag)
        file = _FILE.fullmatch(tag["arguments"]) if is_own else None
        return file["path"] if file and self._is_address(tag) else ""

    def _is_all_of_link(self, tag: re.Match[str]) -> bool:
        return self._content.endswith("[", 0, tag.start()) and self._content.startswith("](", tag.end())

    def _is_known_to_say_nothing(self, include: re.Match[str]) -> bool:
        """Whether the file is a part of the page's frame, such as a button to copy the code above: one that is told nothing, on a line of
        its own, or something that decorates a heading.
        """
        is_alone_and_bare = is_given_nothing(include) and is_alone(self._content, *include.span())
        return is_alone_and_bare or self._is_in_heading(include)

    def _is_in_heading(self, tag: re.Match[str]) -> bool:
        return self._content.startswith("#", self._content.rfind("\n", 0, tag.start()) + 1)

    def _says_itself(self, position: int, text: str) -> bool:
        """Whether the text after the tag begins with the same title, as in a box in which the author wrote `**Note:**` too."""
        if not text.startswith("**"):
            return False
        following = self._content[position : position + _MOST_BLANKS + len(text)].lstrip()
        return following.lower().startswith(text.strip().lower())

    def _find_closing(self, name: str, position: int) -> re.Match[str] | None:
        closings = self._closings.get(name, [])
        index = bisect_left(closings, position, key=methodcaller("start"))
        return closings[index] if index < len(closings) else None

    def _write_around(self, tag: re.Match[str], closing: re.Match[str], arguments: Arguments) -> tuple[str, str] | None:
        """What replaces the two tags around code; None for code within a line."""
        if tag["name"] == "raw":
            return "", ""
        body = self._content[tag.end() : closing.start()]
        title = arguments.get("title", "caption", "header", "file", "filename", "description")
        if _FENCE.match(body) or (tag[0].startswith("{%") and _HTML_CODE.match(body)):
            return f"**{title}** " if title else "", ""
        before = self._content[self._content.rfind("\n", 0, tag.start()) + 1 : tag.start()]
        first, _, rest = body.partition("\n")
        if before.strip() or first.strip() or not rest or rest.rpartition("\n")[2].strip():
            return None
        fence = make_fence(body)
        first = tag["name"] if tag["name"] in DIAGRAMS else arguments.first
        language = arguments.get("lang", "language") or (first if first.isalnum() else "")
        return f'{fence}{language} title="{title}"' if title else f"{fence}{language}", fence


def _put_at(place: int, text: str, start: int, end: int) -> Iterator[_Change]:
    """Replace what stands from `start` to `end` with the text, or remove it and put the text at `place` further down."""
    if place > end and text:
        yield from (_Change(start, end, ""), _Change(place, place, text))
    else:
        yield _Change(start, end, text)


def is_code(body: str) -> bool:
    """Whether a text without Markdown is code: it has a line that is not a comment, and no such line is a sentence."""
    lines = [line for line in body.splitlines() if line.strip() and not _COMMENT.match(line)]
    return bool(lines) and not any(map(_is_sentence, lines))


def _is_sentence(line: str) -> bool:
    """Whether the line begins with a capital letter and consists mostly of words; it may be a list item."""
    words = line.strip().removeprefix("- ").split()
    return (
        len(words) >= _SENTENCE_WORDS
        and words[0][0].isupper()
        and sum(map(_is_plain_word, words)) * 4 >= 3 * len(words)
    )


def _is_plain_word(word: str) -> bool:
    return _PLAIN_WORD.fullmatch(word) is not None
